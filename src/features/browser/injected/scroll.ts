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

/** Minimum size of an element that scrolls and may have content of its own. CSS pixels. */
const MIN_SCROLLER = 200
/** Maximum number of such elements, and of elements that are looked at. */
const MAX_SCROLLERS = 3
const MAX_LOOKED_AT = 20_000

/**
 * Asks the activity monitor in the page's world, which cancels the event to answer yes. For an isolated world.
 *
 * @param name the secret name that was passed to `installActivityMonitor`
 */
export const askMonitor = (name: string, what: 'timers' | 'view' | 'visitor', target: EventTarget = window): boolean =>
  !target.dispatchEvent(new Event(name + what, { cancelable: true }))

/** Finds the largest elements inside of the page that scroll down and have something that depends on it. */
export function findInnerScrollers(name: string): Element[] {
  const found: { readonly element: Element; readonly area: number }[] = []
  let looked = 0
  for (const element of pageDocument.querySelectorAll('*')) {
    looked += 1
    if (looked > MAX_LOOKED_AT) break
    const { clientHeight, clientWidth, scrollHeight } = builtInsOf(element)
    if (clientHeight < MIN_SCROLLER || clientWidth < MIN_SCROLLER || scrollHeight <= clientHeight * 1.2) continue
    if (isPagePart(element) || !canScroll(element) || !askMonitor(name, 'view', builtInsOf(element))) continue
    found.push({ element, area: clientHeight * clientWidth })
  }
  return found
    .sort((one, other) => other.area - one.area)
    .slice(0, MAX_SCROLLERS)
    .map(({ element }) => element)
}

/** Tests for an element that is scrolled with the document. A body scrolls by itself if the root element has an overflow. */
const isPagePart = (element: Element): boolean =>
  element === pageDocument.scrollingElement ||
  element === findRoot() ||
  (element === findBody() && getComputedStyle(findRoot() ?? element).overflowY === 'visible')

/** Returns what scrolls in the page: the document, and the largest elements in it. */
function findScrollers(name: string): Element[] {
  const page = pageDocument.scrollingElement
  return [...(page ? [page] : []), ...findInnerScrollers(name)]
}

/** Returns the height of the visible part of what scrolls. CSS pixels. */
const viewOf = (scroller: Element): number =>
  scroller === pageDocument.scrollingElement ? innerHeight : builtInsOf(scroller).clientHeight

const scrollToTop = (scroller: Element, top: number): void =>
  builtInsOf(scroller).scrollTo({ top, behavior: 'instant' })

/**
 * Scrolls down the document and the largest elements in it that scroll, in steps of nine tenths of the view, and back to
 * the previous positions. Bounded by the number of steps and by time, because a page may grow endlessly as it is scrolled. For an
 * isolated world, whose timers the activity monitor does not count.
 */
export const scrollThrough: PageFunctions['scrollThrough'] = async ({ name, maxSteps, stepMs, maxMs }) => {
  const until = performance.now() + maxMs
  const scrollers = findScrollers(name)
  const tops = scrollers.map((scroller) => builtInsOf(scroller).scrollTop)
  for (const scroller of scrollers) {
    const [inner, view] = [builtInsOf(scroller), viewOf(scroller)]
    if (scroller !== pageDocument.scrollingElement) inner.scrollIntoView({ block: 'center', behavior: 'instant' })
    for (let step = 0; step < maxSteps && performance.now() < until; step++) {
      scrollToTop(scroller, inner.scrollTop + view * 0.9)
      await sleep(stepMs)
      if (inner.scrollTop + view >= inner.scrollHeight - 2) break
    }
  }
  restore(scrollers, tops)
}

/** Scrolls back; an element may have been scrolled into view by means of what it is in. */
function restore(scrollers: readonly Element[], tops: readonly number[]): void {
  for (const [at, scroller] of scrollers.entries()) scrollToTop(scroller, tops[at] ?? 0)
}

/** Returns the length of the page's text. For an isolated world. */
export const measureText: PageFunctions['measureText'] = () => findBody()?.textContent.length ?? 0

/**
 * Scrolls to the end, waits for more text, at most `maxMs`, and scrolls back. Returns true if text was added. For an
 * isolated world.
 */
export const growsAtEnd: PageFunctions['growsAtEnd'] = async ({ name, maxMs }) => {
  const scrollers = findScrollers(name)
  const [before, tops] = [measureText(), scrollers.map((scroller) => builtInsOf(scroller).scrollTop)]
  for (let waited = 0; waited < maxMs && measureText() <= before; waited += 50) {
    for (const scroller of scrollers) {
      const { scrollHeight } = builtInsOf(scroller)
      // The first step stops above the end, because an intersection observer only fires when the end comes into view.
      scrollToTop(scroller, waited === 0 ? scrollHeight - viewOf(scroller) * 2 : scrollHeight)
    }
    await sleep(50)
  }
  restore(scrollers, tops)
  return measureText() > before
}
