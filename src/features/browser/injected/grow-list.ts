import { builtInsOf, findBody, findRoot, pageDocument } from './built-ins-of.js'
import { findMoreButton, findRetryButton, hasRetryButton } from './find-more.js'
import type { GrowthReport, PageFunctions } from './page-functions.js'
import { canScroll } from './scroll.js'
import { drawnAround } from './shadow-tree.js'
import { collectRows, growthState, type GrowthState } from './growth-state.js'
import { elementOf, findList, hasPendingRows, readContainers, readRows } from './list-rows.js'

/** Maximum number of views of a list that are passed in one call, and the time for the rows of each. Milliseconds. */
const MAX_VIEWS = 20
const MAX_VIEW_MS = 200
const POLL_MS = 20

const sleep = async (ms: number): Promise<unknown> => await new Promise((resolve) => setTimeout(resolve, ms))

/** Finds the page's list, and collects the rows that are in the tree. For an isolated world. */
export const readList: PageFunctions['readList'] = () => {
  const state = growthState()
  if (!state.pattern) {
    state.pattern = findList()
    state.height = heightOf(state)
    state.hasOwnRetry = hasRetryButton()
  }
  const added = collectRows(state)
  return report(state, added)
}

const heightOf = ({ pattern }: GrowthState): number =>
  pattern ? readContainers(pattern).reduce((sum, one) => sum + builtInsOf(elementOf(one)).scrollHeight, 0) : 0

function report(state: GrowthState, added: number): GrowthReport {
  const end = findEnd(state)
  return { rows: state.order.length, added, length: state.length, end }
}

/** Returns the evidence that the list has no further rows. */
function findEnd(state: GrowthState): string | undefined {
  const { pattern, hasClicked, gone, hasGap } = state
  if (!pattern) return undefined
  if (hasClicked && findMoreButton() === undefined && retryOf(state) === undefined)
    return 'the button that loads more is gone'
  if (gone === 0 || hasGap || heightOf(state) !== state.height) return undefined
  // The place of all rows of a virtual list was there from the beginning.
  const row = readRows(pattern).at(-1)
  const last = row && builtInsOf(row).getBoundingClientRect().bottom
  const container = readContainers(pattern).at(-1)
  const bottom = container && bottomOf(elementOf(container))
  return last !== undefined && bottom !== undefined && last >= bottom - 2 ? 'the last row of a virtual list' : undefined
}

/** Finds the button that repeats the request for more of the list. */
const retryOf = ({ hasOwnRetry }: GrowthState): HTMLElement | undefined => (hasOwnRetry ? undefined : findRetryButton())

/** Returns where the content of an element ends in the window; that of one that scrolls goes on below its box. */
function bottomOf(element: Element): number {
  const { top, bottom } = builtInsOf(element).getBoundingClientRect()
  const { scrollTop, scrollHeight, clientTop } = builtInsOf(element)
  return canScroll(element) ? top + clientTop + scrollHeight - scrollTop : bottom
}

/**
 * Makes the list load more: clicks the button that loads more, or scrolls to the last row, by one view, or to the end.
 * Passes a virtual list view by view. For an isolated world.
 */
export const growList: PageFunctions['growList'] = async (step) => {
  const state = growthState()
  const more = findMoreButton()
  const button = more ?? retryOf(state)
  if (button && step === 'next') {
    if (more) state.hasClicked = true
    builtInsOf(button).scrollIntoView({ block: 'center', behavior: 'instant' })
    builtInsOf(button).click()
    return 'clicked'
  }
  const last = state.pattern && readRows(state.pattern).at(-1)
  const scroller = findScroller(last)
  if (!scroller) return 'scrolled'
  if (state.gone > 0 && last) return await passViews(state, scroller)
  if (step === 'next') builtInsOf(last ?? findBody() ?? scroller).scrollIntoView({ block: 'end', behavior: 'instant' })
  else if (step === 'further')
    builtInsOf(scroller).scrollBy({ top: 0.9 * builtInsOf(scroller).clientHeight, behavior: 'instant' })
  else builtInsOf(scroller).scrollTo({ top: builtInsOf(scroller).scrollHeight, behavior: 'instant' })
  return 'scrolled'
}

/** Returns the element that scrolls a row: the nearest that can be scrolled, or the document; null if that is empty. */
function findScroller(row: Element | undefined): Element | null {
  for (let at = row && drawnAround(row); at; at = drawnAround(at)) if (canScroll(at)) return at
  return pageDocument.scrollingElement ?? findRoot()
}

async function passViews(state: GrowthState, scroller: Element): Promise<'scrolled'> {
  for (let view = 0; view < MAX_VIEWS; view++) {
    builtInsOf(scroller).scrollBy({ top: 0.9 * builtInsOf(scroller).clientHeight, behavior: 'instant' })
    let added = 0
    for (let waitedMs = 0; waitedMs < MAX_VIEW_MS; waitedMs += POLL_MS) {
      await sleep(POLL_MS)
      const more = collectRows(state)
      // A view is done when a look at it brings nothing more.
      if (more === 0 && added > 0) break
      added += more
    }
    if (added === 0 || findEnd(state) !== undefined) break
    // Rows that are still being requested would be passed over.
    if (state.pattern && hasPendingRows(state.pattern)) break
  }
  return 'scrolled'
}
