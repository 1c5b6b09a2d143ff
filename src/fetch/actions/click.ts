import type { ElementHandle } from 'playwright'
import type { ActionKind, ActionContext } from '../action.js'
import type { ClickAction } from '../action-options.js'
import { isNavigation } from '../browser-page/browser-errors.js'
import { findElement } from '../browser-page/find-element.js'
import { type ClickOutcome, pageFunction } from '../../injected/page-functions.js'

/** Limit for an element to stop moving and be reachable by the mouse. Milliseconds. */
const REACH_MS = 2_000

/**
 * Clicks the first element that matches, or with `all` each one that matches at the start. The mouse is used where it
 * reaches the element; a hidden or covered element is clicked by script.
 *
 * @see docs/compatibility.md#actions
 */
export const click: ActionKind<ClickAction> = {
  type: 'click',
  async run(context, { selector, all = false }) {
    if (!all) {
      const clicked = await clickOn(await findElement(context, selector), context)
      if (clicked !== 'clicked') throw new Error(`the element that matches \`${selector}\` is ${clicked}`)
      return
    }
    const elements = await context.page.locator(selector).elementHandles()
    // Elements that an earlier click removed or disabled are skipped; all remaining ones are after a click that
    // navigates.
    for (const element of elements) {
      await clickOn(element, context).catch((error: unknown) => {
        if (!isNavigation(error)) throw error
      })
    }
  },
}

async function clickOn(element: ElementHandle, { leftMs }: ActionContext): Promise<ClickOutcome> {
  if (!(await isInReach(element, leftMs))) {
    // In the page's own world, the only one to which Playwright passes elements: the page can forge the answer.
    const outcome: unknown = await element.evaluate(pageFunction('clickElement'))
    return outcome === 'disabled' || outcome === 'gone' ? outcome : 'clicked'
  }
  await element.click({ timeout: leftMs() })
  return 'clicked'
}

/**
 * Tests whether the mouse reaches an element. Done by a trial before the click: a real click also times out when it
 * navigates to a slow page, and must not be repeated by script then.
 */
async function isInReach(element: ElementHandle, leftMs: () => number): Promise<boolean> {
  if (!(await element.isVisible())) return false
  return await element.click({ trial: true, timeout: Math.min(REACH_MS, leftMs()) }).then(
    () => true,
    (error: unknown) => {
      if (isNavigation(error)) throw error
      return false
    },
  )
}
