import { keyOfText, UNMARKED, type UnseenMark, type UnseenWay } from '../../../base/text/unseen-marks.js'
import { builtInsOf, findBody, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'
import { drawnAround, drawnChildren } from './shadow-tree.js'
import { Grounds } from './ground.js'
import { LaterStates } from './later.js'
import { type ClipBox, isOpen, type Place, placeOf } from './place.js'
import { colourOf } from '../../../content/extract/styles/style-colours.js'

/** Minimum size of letters, as for style sheets. CSS pixels. */
const MIN_SIZE = 2.5
/** Size that the browser draws smaller ones in, where they are relative to others. */
const MIN_DRAWN = '6px'
/** Distance from the page's edge of what no menu is moved by. CSS pixels. */
const FAR = 900
/** Maximum time for a page, in milliseconds, and the number of texts after which it is looked at. */
const MAX_MS = 1_500
const STEP = 200
const ELEMENT_NODE = 1
const TEXT_NODE = 3

/** An element to look at, or texts beside each other. */
type Item =
  | { readonly element: Element; readonly around: Place | undefined }
  | { readonly run: readonly Text[]; readonly place: Place }

interface Found {
  readonly mark: UnseenMark
  /** The box that cuts the text off. */
  readonly cut?: ClipBox
}

/**
 * Lists the texts of the document that a reader does not see, as the browser draws it, with those in open shadow roots. It asks for
 * styles and places only, and changes nothing.
 */
export const listUnseen: PageFunctions['listUnseen'] = ({ maxTexts, maxMarks }) => {
  const body = findBody()
  const found: Found[] = []
  if (!body) return { list: [], isWhole: true }
  const endsAt = performance.now() + MAX_MS
  const page = new PageView()
  const counts = new Map<string, number>()
  const seenIn = new Set<Element>()
  const root = builtInsOf(body).parentElement
  const stack: Item[] = [{ element: body, around: root ? placeOf(root, undefined) : undefined }]
  let texts = 0
  let isWhole = true
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ('element' in next) {
      const { element, around } = next
      if (UNMARKED.test(builtInsOf(element).localName)) continue
      stack.push(...itemsOf(placeOf(element, around)).reverse())
      continue
    }
    const { run, place } = next
    const key = keyOfText(run.map(({ data }) => data).join(''))
    if (key === '') continue
    const nth = counts.get(key) ?? 0
    counts.set(key, nth + 1)
    texts += 1
    if (texts > maxTexts || found.length >= maxMarks || (texts % STEP === 0 && performance.now() > endsAt)) {
      isWhole = false
      break
    }
    const { way, cut, by } = page.judge(run, place)
    if (way === undefined || way === 'tiny')
      for (let at = place.clip; at && !seenIn.has(at.by); at = at.outer) seenIn.add(at.by)
    if (way !== undefined) {
      const isLater = (isOpen(way) || WAITING.has(way)) && page.later.has(by)
      const mark = isLater ? { text: key, nth, way, isLater } : { text: key, nth, way }
      found.push(cut ? { mark, cut } : { mark })
    }
  }
  // A box of which a part is seen is one that opens, or that moves.
  const left = found.filter(({ cut }) => cut === undefined || !seenIn.has(cut.by))
  return { list: left.map(({ mark }) => mark), isWhole }
}

/** Further ways that a state may end. */
const WAITING: ReadonlySet<UnseenWay> = new Set(['pixel', 'clipped', 'away', 'covered', 'masked'])

/** Lists the children of an element, texts beside each other as one. */
function itemsOf(place: Place): Item[] {
  const items: Item[] = []
  let run: Text[] | undefined
  for (const child of drawnChildren(place.element)) {
    const { nodeType } = builtInsOf(child)
    if (nodeType === TEXT_NODE) {
      if (run) run.push(child as Text)
      else items.push({ run: (run = [child as Text]), place })
      continue
    }
    run = undefined
    if (nodeType === ELEMENT_NODE) items.push({ element: child as Element, around: place })
  }
  return items
}

interface Verdict {
  readonly way: UnseenWay | undefined
  readonly by: Element
  readonly cut?: ClipBox
}

/** The page in its window. */
class PageView {
  readonly later = new LaterStates()
  readonly #grounds = new Grounds()
  readonly #range = pageDocument.createRange()
  readonly #view: DOMRect
  readonly #isFromRight: boolean

  constructor() {
    const { scrollWidth, scrollHeight } = pageDocument.scrollingElement ?? pageDocument.documentElement
    const left = -window.scrollX
    this.#isFromRight = getComputedStyle(pageDocument.documentElement).direction === 'rtl'
    const width = Math.max(scrollWidth, window.innerWidth)
    this.#view = new DOMRect(
      this.#isFromRight ? window.innerWidth - width + left : left,
      -window.scrollY,
      width,
      Math.max(scrollHeight, window.innerHeight),
    )
  }

  judge(run: readonly Text[], place: Place): Verdict {
    const { style, element, by } = place
    const known = place.way
    if (known !== undefined && !isOpen(known)) return { way: known, by }
    const [first] = run
    const last = run.at(-1)
    if (first === undefined || last === undefined) return { way: undefined, by }
    if (Number.parseFloat(style.fontSize) < MIN_SIZE) return { way: 'small', by: element }
    const boxes = known === 'undisplayed' ? [] : this.#boxesOf(first, last)
    if (this.#grounds.hides(place, boxes[0])) return { way: 'coloured', by: element }
    if (known !== undefined) return { way: known, by }
    if (style.visibility !== 'visible') return { way: 'invisible', by: element }
    if (boxes.length === 0) return { way: undefined, by }
    if (Math.max(...boxes.map(({ height }) => height)) < MIN_SIZE || boxes.every(({ width }) => width < 1))
      return { way: 'shrunk', by: shrinkerOf(place) }
    const { clip } = place
    if (clip && boxes.every((box) => isOutside(box, clip))) return { way: 'cut', by: clip.by, cut: clip }
    if (!clip && !place.isScrolled) {
      const view = place.isFixed ? new DOMRect(0, 0, window.innerWidth, window.innerHeight) : this.#view
      if (boxes.every((box) => isOutside(box, view)))
        return { way: boxes.every((box) => isOutside(box, view, FAR)) ? 'away' : 'aside', by: moverOf(place) }
    }
    if (isCovered(place, boxes)) return { way: 'covered', by: element }
    return { way: style.fontSize === MIN_DRAWN ? 'tiny' : undefined, by }
  }

  #boxesOf(first: Text, last: Text): DOMRect[] {
    this.#range.setStartBefore(first)
    this.#range.setEndAfter(last)
    const boxes = [...this.#range.getClientRects()]
    return boxes.length > MAX_BOXES ? [...boxes.slice(0, MAX_BOXES), ...boxes.slice(-1)] : boxes
  }
}

/** Lines of a text that are looked at. */
const MAX_BOXES = 40

type Area = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

/** True for a box outside of another. @param distance between them. CSS pixels */
const isOutside = (box: DOMRect, area: Area, distance = -0.5): boolean =>
  box.right + distance <= area.left ||
  box.left - distance >= area.right ||
  box.bottom + distance <= area.top ||
  box.top - distance >= area.bottom

/** Returns the innermost element whose own style may move a text out of the page. */
function moverOf(place: Place): Element {
  for (let at: Place | undefined = place; at; at = at.around)
    if (at.style.position !== 'static' || at.style.transform !== 'none' || at.style.translate !== 'none')
      return at.element
  return place.element
}

function shrinkerOf(place: Place): Element {
  for (let at: Place | undefined = place; at; at = at.around)
    if (at.style.transform !== 'none' || at.style.scale !== 'none' || at.style.rotate !== 'none') return at.element
  return place.element
}

/** Maximum share of the window of a box that covers text. Larger ones are dialogs, which are closed. */
const MAX_SHARE = 0.6
/** Maximum elements around an element that are looked at. */
const MAX_UP = 100

/**
 * Tests for a text behind an opaque box, at three points of its first line and at the middle of its last. Only what is in the
 * window can be tested: the page is not scrolled.
 */
function isCovered({ element, style }: Place, boxes: readonly DOMRect[]): boolean {
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
