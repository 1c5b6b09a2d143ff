import type { ElementHandle } from 'playwright'
import type { PageContext } from '../browser-page.js'

/** How long an element may take to be there, for an action that does something with it. Milliseconds. */
const PRESENCE_MS = 2_000

/**
 * The first element that matches.
 *
 * @throws Error when there is none, or the selector is none
 */
export async function findElement({ page, leftMs }: PageContext, selector: string): Promise<ElementHandle> {
  const first = page.locator(selector).first()
  // Asked for by itself, so that a selector that cannot be read is told as such, at once.
  if ((await first.count()) === 0) {
    const timeout = Math.min(PRESENCE_MS, leftMs())
    await first.waitFor({ state: 'attached', timeout }).catch(() => undefined)
  }
  const [element] = await first.elementHandles()
  if (!element) throw new Error(`no element matches \`${selector}\` (an action \`wait\` with it waits for one)`)
  return element
}
