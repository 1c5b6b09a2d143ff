import type { ActionKind } from '../action.js'
import type { ScrollAction } from '../action-options.js'
import { canScroll } from '../browser-page/can-scroll.js'
import { findElement } from '../browser-page/find-element.js'
import { pageFunction } from '../browser-page/page-function.js'

/** Scrolls by most of what is in view, so that nothing is passed over. */
const scrollBy: (element: unknown, isUp: boolean) => void = pageFunction(`(element, isUp) => {
  const canScroll = ${canScroll}
  const isPage = element === document.body || element === document.documentElement
  if (!isPage && !canScroll(element)) {
    return element.scrollIntoView({ block: isUp ? 'end' : 'start', behavior: 'instant' })
  }
  let scroller = isPage ? document.scrollingElement : element
  // Where the document itself does not scroll, what fills the window does.
  if (!scroller || !canScroll(scroller)) {
    scroller = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
    while (scroller && !canScroll(scroller)) scroller = scroller.parentElement
  }
  if (!scroller) return
  const view = scroller === document.scrollingElement ? innerHeight : scroller.clientHeight
  scroller.scrollBy({ top: (isUp ? -0.9 : 0.9) * view, behavior: 'instant' })
}`)

/**
 * Scrolls the page, or an element that scrolls, by nine tenths of what is in view. An element that does not scroll is
 * brought into view.
 *
 * @see docs/compatibility.md#actions
 */
export const scroll: ActionKind<ScrollAction> = {
  type: 'scroll',
  async run(stage, { direction = 'down', selector }) {
    const isUp = direction === 'up'
    const element = await findElement(stage, selector ?? 'html')
    await element.evaluate(scrollBy, isUp)
  },
}
