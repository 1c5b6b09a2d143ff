import type { ElementHandle, Locator } from 'playwright'
import type { Match } from '../injected/page-functions.js'
import type { BrowserPageContext } from '../browser-page.js'

/** Limit of the wait for the element of an action. Milliseconds. */
const PRESENCE_MS = 2_000

/** The first element that matches a selector. */
export interface FoundElement {
  /**
   * Playwright's way to the element. What acts as a user does not depend on the page's scripts. A handle of the element
   * would: Playwright describes each handle in the world of these scripts.
   */
  readonly first: Locator
  /** The selector by which an isolated world finds the element. */
  readonly match: Match
}

/**
 * Finds the first element that matches a selector.
 *
 * @throws Error if there is none, or the selector is not valid
 */
export async function findElement({ page, leftMs }: BrowserPageContext, selector: string): Promise<FoundElement> {
  const all = page.locator(selector)
  const first = all.first()
  // Counted first, so that a selector that is not valid fails at once, and as such.
  let count = await all.count()
  if (count === 0) {
    const timeout = Math.min(PRESENCE_MS, leftMs())
    await first.waitFor({ state: 'attached', timeout }).catch(() => undefined)
    count = await all.count()
  }
  if (count === 0) throw new Error(`no element matches \`${selector}\` (an action \`wait\` with it waits for one)`)
  return { first, match: { selector, count } }
}

/**
 * Returns a handle of the element; undefined if it is gone. A call of the locator itself would wait for an element until
 * the page's time is up.
 */
export async function handleOf({ first }: FoundElement): Promise<ElementHandle | undefined> {
  const [element] = await first.elementHandles()
  return element
}
