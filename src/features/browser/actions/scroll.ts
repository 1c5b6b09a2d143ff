import type { ActionKind } from '../action-kind.js'
import type { ScrollAction } from '../../../kernel/fetch/action-options.js'
import { findElement, handleOf } from '../page/find-element.js'
import { pageFunction } from '../injected/page-functions.js'

/**
 * Scrolls the page, or an element that scrolls, by nine tenths of the view. An element that does not scroll is scrolled into
 * view.
 *
 * @see docs/compatibility/requests.md#actions
 */
export const scroll: ActionKind<ScrollAction> = {
  type: 'scroll',
  async run(context, { direction = 'down', selector }) {
    const { world } = context
    const isUp = direction === 'up'
    if (selector === undefined) return await world.call(pageFunction('scrollPage'), isUp)
    const found = await findElement(context, selector)
    if (await world.call(pageFunction('scrollFirst'), { ...found.match, isUp })) return
    // In the page's own world, the only one to which Playwright passes elements.
    const element = await handleOf(found)
    if (!element) throw new Error(`the element that matches \`${selector}\` is gone`)
    await element.evaluate(pageFunction('scrollElement'), isUp)
  },
}
