import type { ElementHandle } from 'playwright'
import type { ActionKind, ActionContext } from '../action.js'
import type { ClickAction } from '../action-options.js'
import { isNavigation } from '../browser-page/browser-errors.js'
import { findElement } from '../browser-page/find-element.js'
import { type ClickOutcome, pageFunction } from '../../injected/page-functions.js'

/** How long an element may take to come to rest in a place where it can be clicked. Milliseconds. */
const REACH_MS = 2_000

/**
 * Clicks on the first element that matches, or with `all` on each that matches at the start. The mouse is used where it
 * reaches; an element that is hidden, or covered by another one, is clicked all the same, as a script would.
 *
 * @see docs/compatibility.md#actions
 */
export const click: ActionKind<ClickAction> = {
  type: 'click',
  async run(stage, { selector, all = false }) {
    if (!all) {
      const clicked = await clickOn(await findElement(stage, selector), stage)
      if (clicked !== 'clicked') throw new Error(`the element that matches \`${selector}\` is ${clicked}`)
      return
    }
    const elements = await stage.page.locator(selector).elementHandles()
    // What an earlier click took away, or forbade, is no longer there to be clicked; one that leaves the page takes all.
    for (const element of elements) {
      await clickOn(element, stage).catch((error: unknown) => {
        if (!isNavigation(error)) throw error
      })
    }
  },
}

async function clickOn(element: ElementHandle, { leftMs }: ActionContext): Promise<ClickOutcome> {
  if (!(await isInReach(element, leftMs))) return await element.evaluate(pageFunction('clickElement'))
  await element.click({ timeout: leftMs() })
  return 'clicked'
}

/** Tried first without a click: one that leads to a slow page takes its time too, and must not be done again. */
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
