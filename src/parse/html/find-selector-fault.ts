import { messageOf } from '../../errors.js'
import { load } from 'cheerio/slim'

const nothing = load('')

/** Why a CSS selector cannot be used: it is compiled by the engine that will run it. Undefined when it can. */
export function findSelectorFault(selector: string): string | undefined {
  if (selector.trim() === '') return 'empty'
  try {
    nothing(selector)
    return undefined
  } catch (error) {
    return messageOf(error).trim()
  }
}
