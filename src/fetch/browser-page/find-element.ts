import type { ElementHandle } from 'playwright'
import type { BrowserPageContext } from '../browser-page.js'

/** Limit of the wait for the element of an action. Milliseconds. */
const PRESENCE_MS = 2_000

/**
 * Finds the first element that matches a selector.
 *
 * @throws Error if there is none, or the selector is not valid
 */
export async function findElement({ page, leftMs }: BrowserPageContext, selector: string): Promise<ElementHandle> {
  const first = page.locator(selector).first()
  // Counted first, so that a selector that is not valid fails at once, and as such.
  if ((await first.count()) === 0) {
    const timeout = Math.min(PRESENCE_MS, leftMs())
    await first.waitFor({ state: 'attached', timeout }).catch(() => undefined)
  }
  const [element] = await first.elementHandles()
  if (!element) throw new Error(`no element matches \`${selector}\` (an action \`wait\` with it waits for one)`)
  return element
}
