import { builtInsOf, findBody, findRoot, pageDocument } from './built-ins-of.js'
import { findMatch } from './find-match.js'
import type { PageFunctions } from './page-functions.js'

const sleep = async (ms: number): Promise<unknown> => await new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Tests whether a user can scroll an element up or down. The document's own scroller takes its overflow from the root
 * element, or from the body if the root has none.
 *
 * @see https://www.w3.org/TR/css-overflow-3/#overflow-propagation
 */
export function canScroll(element: Element): boolean {
  const { scrollHeight, clientHeight } = builtInsOf(element)
  if (scrollHeight <= clientHeight + 1) return false
  if (element !== pageDocument.scrollingElement) return /auto|scroll|overlay/.test(getComputedStyle(element).overflowY)
  const ofRoot = getComputedStyle(findRoot() ?? element).overflowY
  const body = findBody()
  const overflow = ofRoot === 'visible' && body ? getComputedStyle(body).overflowY : ofRoot
  return overflow !== 'hidden' && overflow !== 'clip'
}

/** Scrolls by nine tenths of the view, so that the views overlap and nothing is skipped. */
export const scrollElement: PageFunctions['scrollElement'] = (element: Element, isUp) => {
  const isPage = element === pageDocument.body || element === pageDocument.documentElement
  if (!isPage && !canScroll(element)) {
    return builtInsOf(element).scrollIntoView({ block: isUp ? 'end' : 'start', behavior: 'instant' })
  }
  let scroller = isPage ? pageDocument.scrollingElement : element
  // If the document does not scroll, the element in the middle of the window is scrolled.
  if (!scroller || !canScroll(scroller)) {
    scroller = pageDocument.elementFromPoint(innerWidth / 2, innerHeight / 2)
    while (scroller && !canScroll(scroller)) scroller = builtInsOf(scroller).parentElement
  }
  if (!scroller) return
  const view = scroller === pageDocument.scrollingElement ? innerHeight : builtInsOf(scroller).clientHeight
  builtInsOf(scroller).scrollBy({ top: (isUp ? -0.9 : 0.9) * view, behavior: 'instant' })
}

/** As {@link scrollElement}, for the first element that matches; false if it is not found. For an isolated world. */
export const scrollFirst: PageFunctions['scrollFirst'] = ({ isUp, ...match }) => {
  const element = findMatch(match)
  if (element) scrollElement(element, isUp)
  return element !== undefined
}

/** As {@link scrollElement}, for the page. For an isolated world. */
export const scrollPage: PageFunctions['scrollPage'] = (isUp) => scrollElement(pageDocument.documentElement, isUp)

export const scrollToPosition: PageFunctions['scrollToPosition'] = ({ x, y }) =>
  scrollTo({ left: x, top: y, behavior: 'instant' })

/** Scrolls down to `maxHeight`, so that parts that load only in view are loaded. Returns the previous position. */
export const scrollDown: PageFunctions['scrollDown'] = async ({ maxHeight, minStep, stepMs }) => {
  const before = { x: scrollX, y: scrollY }
  const root = pageDocument.scrollingElement ?? findRoot()
  for (let top = 0; top < Math.min(maxHeight, root?.scrollHeight ?? 0); top += Math.max(innerHeight, minStep)) {
    scrollTo({ top, behavior: 'instant' })
    await sleep(stepMs)
  }
  return before
}

/**
 * Scrolls down the document in steps of nine tenths of the window, and back to the previous position. Bounded by the
 * number of steps, because a page may grow endlessly as it is scrolled. For an isolated world, whose timers the
 * activity monitor does not count.
 */
export const scrollThrough: PageFunctions['scrollThrough'] = async ({ maxSteps, stepMs }) => {
  const page = pageDocument.scrollingElement
  if (!page) return
  const before = scrollY
  for (let step = 0; step < maxSteps; step++) {
    scrollTo({ top: page.scrollTop + innerHeight * 0.9, behavior: 'instant' })
    await sleep(stepMs)
    if (page.scrollTop + innerHeight >= page.scrollHeight - 2) break
  }
  scrollTo({ top: before, behavior: 'instant' })
}

/** Returns the length of the page's text. For an isolated world. */
export const measureText: PageFunctions['measureText'] = () => findBody()?.textContent.length ?? 0

/**
 * Scrolls to the end, waits for more text, at most `maxMs`, and scrolls back. Returns true if text was added. For an
 * isolated world.
 */
export const growsAtEnd: PageFunctions['growsAtEnd'] = async (maxMs) => {
  const [before, top] = [measureText(), scrollY]
  const page = pageDocument.scrollingElement
  if (!page) return false
  for (let waited = 0; waited < maxMs && measureText() <= before; waited += 50) {
    // The first step stops above the end, because an intersection observer only fires when the end comes into view.
    if (waited === 0) scrollTo({ top: page.scrollHeight - innerHeight * 2, behavior: 'instant' })
    else scrollTo({ top: page.scrollHeight, behavior: 'instant' })
    await sleep(50)
  }
  scrollTo({ top, behavior: 'instant' })
  return measureText() > before
}
