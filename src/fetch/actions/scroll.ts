import type { ActionKind } from '../action.js'
import type { ScrollAction } from '../action-options.js'
import { findElement } from '../browser-page/find-element.js'
import { passElement } from '../browser-page/pass-element.js'
import { pageFunction } from '../../injected/page-functions.js'

/**
 * Scrolls the page, or an element that scrolls, by nine tenths of the view. An element that does not scroll is scrolled into
 * view.
 *
 * @see docs/compatibility.md#actions
 */
export const scroll: ActionKind<ScrollAction> = {
  type: 'scroll',
  async run(context, { direction = 'down', selector }) {
    const isUp = direction === 'up'
    if (selector === undefined) return await context.world.call(pageFunction('scrollPage'), isUp)
    await passElement(await findElement(context, selector), context.world)
    if (await context.world.call(pageFunction('scrollElement'), isUp)) return
    throw new Error(`the element that matches \`${selector}\` is gone`)
  },
}
