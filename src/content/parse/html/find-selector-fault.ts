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
  const combinator = findLooseCombinator(selector)
  if (combinator !== undefined) return `\`${combinator}\` has no element after it`
  try {
    nothing(selector)
    return undefined
  } catch (error) {
    return messageOf(error).trim()
  }
}

/** Finds a combinator that the engine accepts, and that matches nothing: at the end of a selector. */
function findLooseCombinator(selector: string): string | undefined {
  // The argument of `:contains()` is any text.
  if (/contains\(/i.test(selector)) return undefined
  const bare = selector
    .replace(/\\[\s\S]/g, 'x')
    .replace(/"[^"]*"|'[^']*'/g, 'x')
    .replace(/\[[^\][]*\]/g, 'x')
  return /([>+~])\s*(?:$|[,)])/.exec(bare)?.[1]
}
