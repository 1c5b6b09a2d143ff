import { colourOf } from '../../../content/extract/styles/style-colours.js'
import { builtInsOf } from './built-ins-of.js'
import { drawnAround } from './shadow-tree.js'
import type { Place } from './place.js'

/** Maximum share of the window of a box that covers text. Larger ones are dialogs, which are closed. */
const MAX_SHARE = 0.6
/** Maximum elements around an element that are looked at. */
const MAX_UP = 100

/**
 * Tests for a text behind an opaque box, at three points of its first line and at the middle of its last. Only what is in the
 * window can be tested: the page is not scrolled.
 */
export function isCovered({ element, style }: Place, boxes: readonly DOMRect[]): boolean {
  const [first] = boxes
  const last = boxes.at(-1)
  if (first === undefined || last === undefined || style.pointerEvents === 'none') return false
  const points = [
    [first.left + first.width * 0.1, (first.top + first.bottom) / 2],
    [(first.left + first.right) / 2, (first.top + first.bottom) / 2],
    [first.left + first.width * 0.9, (first.top + first.bottom) / 2],
    [(last.left + last.right) / 2, (last.top + last.bottom) / 2],
  ] as const
  const root = element.getRootNode() as Document | ShadowRoot
  return points.every(([x, y]) => {
    if (x < 0 || y < 0 || x >= window.innerWidth || y >= window.innerHeight) return false
    const hit = root.elementFromPoint(x, y)
    return hit !== null && hit !== element && covers(hit, element)
  })
}

/** True for an element with an opaque background that is neither around another nor in it. */
function covers(hit: Element, element: Element): boolean {
  if (hit.contains(element) || element.contains(hit)) return false
  let isOpaque = false
  let at: Element | undefined = hit
  for (let step = 0; at && step < MAX_UP && !at.contains(element); step++, at = drawnAround(at)) {
    const style = getComputedStyle(at)
    // What moves with the window covers the page for a while only.
    if (/fixed|sticky/.test(style.position) || Number(style.opacity) < 0.95) return false
    if (/^(?:img|video|canvas|svg|iframe|picture)$/.test(builtInsOf(at).localName)) return false
    const { width, height } = builtInsOf(at).getBoundingClientRect()
    if (width * height > MAX_SHARE * window.innerWidth * window.innerHeight) return false
    isOpaque ||= style.backgroundImage === 'none' && (colourOf(style.backgroundColor)?.[3] ?? 0) > 0.95
  }
  return isOpaque
}
