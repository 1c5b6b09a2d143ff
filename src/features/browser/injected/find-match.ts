import type { Match } from './page-functions.js'
import { pageDocument } from './built-ins-of.js'

/**
 * Returns the first element of the document that matches a selector. Undefined if the selector is not one of CSS, or if it
 * matches another number of elements here: the others are in shadow roots, or came or went since. For an isolated world.
 */
export function findMatch({ selector, count }: Match): Element | undefined {
  try {
    const found = pageDocument.querySelectorAll(selector)
    return found.length === count ? found[0] : undefined
  } catch {
    return undefined
  }
}
