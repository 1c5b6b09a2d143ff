import { messageOf } from '../../../base/errors.js'
import { load } from 'cheerio/slim'

const nothing = load('')

/**
 * Compiles a CSS selector with the engine that will run it.
 *
 * @returns the reason why it is invalid; undefined if it is valid
 */
export function findSelectorFault(selector: string): string | undefined {
  if (selector.trim() === '') return 'empty'
  try {
    nothing(selector)
    return undefined
  } catch (error) {
    return messageOf(error).trim()
  }
}
