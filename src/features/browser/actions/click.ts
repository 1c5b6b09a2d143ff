import type { ElementHandle, Locator } from 'playwright'
import type { ActionKind, ActionContext } from '../action-kind.js'
import type { ClickAction } from '../../../kernel/fetch/action-options.js'
import { isNavigation } from '../page/browser-errors.js'
import { findElement, type FoundElement, handleOf } from '../page/find-element.js'
import { type ClickOutcome, pageFunction } from '../injected/page-functions.js'

/** Limit for an element to stop moving and be reachable by the mouse. Milliseconds. */
const REACH_MS = 2_000
/**
 * Maximum number of elements that are clicked with `all`. Playwright describes all of them in one turn of this process's
 * event loop: 20,000 took 2 s and 440 MB.
 */
const MAX_ELEMENTS = 1_000

/**
 * Clicks the first element that matches, or with `all` each one that matches at the start. The mouse is used where it
 * reaches the element; a hidden or covered element is clicked by script.
 *
 * @see docs/compatibility/requests.md#actions
 */
export const click: ActionKind<ClickAction> = {
  type: 'click',
  async run(context, { selector, all = false }) {
    if (!all) {
      const found = await findElement(context, selector)
      const clicked = await clickOn(found.first, context, () => clickByScript(found, context))
      if (clicked !== 'clicked') throw new Error(`the element that matches \`${selector}\` is ${clicked}`)
      return
    }
    const matches = context.page.locator(selector)
    const count = await matches.count()
    if (count > MAX_ELEMENTS) {
      throw new Error(`${count} elements match \`${selector}\`; \`all\` clicks at most ${MAX_ELEMENTS}`)
    }
    const elements = await matches.elementHandles()
    // Elements that an earlier click removed or disabled are skipped; all remaining ones are after a click that
    // navigates.
    for (const element of elements) {
      const byScript = async () => readOutcome(await element.evaluate(pageFunction('clickElement')))
      await clickOn(element, context, byScript).catch((error: unknown) => {
        if (!isNavigation(error)) throw error
      })
    }
  },
}

async function clickOn(
  element: ElementHandle | Locator,
  { leftMs }: ActionContext,
  byScript: () => Promise<ClickOutcome>,
): Promise<ClickOutcome> {
  if (!(await isInReach(element, leftMs))) return await byScript()
  await element.click({ timeout: leftMs() })
  return 'clicked'
}

async function clickByScript(found: FoundElement, { world }: ActionContext): Promise<ClickOutcome> {
  const clicked = await world.act(pageFunction('clickFirst'), found.match)
  if (clicked !== undefined) return clicked
  // In the page's own world, the only one to which Playwright passes elements.
  const element = await handleOf(found)
  return element ? readOutcome(await element.evaluate(pageFunction('clickElement'))) : 'gone'
}

/** Returns the outcome of a click in the page's own world: the page can forge it. */
const readOutcome = (outcome: unknown): ClickOutcome =>
  outcome === 'disabled' || outcome === 'gone' ? outcome : 'clicked'

/**
 * Tests whether the mouse reaches an element. Done by a trial before the click: a real click also times out when it
 * navigates to a slow page, and must not be repeated by script then.
 */
async function isInReach(element: ElementHandle | Locator, leftMs: () => number): Promise<boolean> {
  if (!(await element.isVisible())) return false
  return await element.click({ trial: true, timeout: Math.min(REACH_MS, leftMs()) }).then(
    () => true,
    (error: unknown) => {
      if (isNavigation(error)) throw error
      return false
    },
  )
}
