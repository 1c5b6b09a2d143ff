import { isEmptyMask, isEmptyShape } from '../../../content/extract/styles/hiding-values.js'
import type { UnseenWay } from '../../../base/text/unseen-marks.js'
import { builtInsOf } from './built-ins-of.js'

/** A box that cuts off what is outside of it. CSS pixels of the window. */
export interface ClipBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** The element that cuts. */
  readonly by: Element
  /** The box around it. */
  readonly outer: ClipBox | undefined
}

/** An element as it is drawn. */
export interface Place {
  readonly element: Element
  readonly style: CSSStyleDeclaration
  readonly around: Place | undefined
  /** The way in which it is hidden, with all in it. */
  readonly way: UnseenWay | undefined
  /** The element that hides it. */
  readonly by: Element
  /** Product of the opacities around it. */
  readonly opacity: number
  /** Boxes that cut off its content, and its content with a position of its own. */
  readonly clip: ClipBox | undefined
  readonly clipOfPlaced: ClipBox | undefined
  readonly isFixed: boolean
  /** True in what can be scrolled. */
  readonly isScrolled: boolean
}

/** Maximum opacity that nobody sees, as for style sheets. */
const MAX_OPACITY = 0.05
/** Maximum size of a box in which no text is seen. CSS pixels. */
const MAX_BOX = 2

/** Computes how an element is drawn, from how the one around it is. */
export function placeOf(element: Element, around: Place | undefined): Place {
  const style = getComputedStyle(element)
  const { position } = style
  const isFixed = position === 'fixed' || (around?.isFixed ?? false)
  const opacity = (around?.opacity ?? 1) * Number(style.opacity)
  const outer = position === 'fixed' ? undefined : position === 'absolute' ? around?.clipOfPlaced : around?.clip
  const clip = clipBy(element, style, outer)
  const isContaining = position !== 'static' || style.transform !== 'none'
  const own =
    around?.way === undefined || isOpen(around.way) ? wayOf(element, style, { opacity, clip, outer }) : undefined
  const way = own !== undefined && (around?.way === undefined || !isOpen(own)) ? own : around?.way
  return {
    element,
    style,
    around,
    way,
    by: way === around?.way && around !== undefined ? around.by : element,
    opacity,
    clip,
    clipOfPlaced: isContaining ? clip : around?.clipOfPlaced,
    isFixed,
    isScrolled: (around?.isScrolled ?? false) || isScroller(element, style),
  }
}

const OPEN: ReadonlySet<UnseenWay> = new Set([
  'undisplayed',
  'invisible',
  'transparent',
  'flat',
  'cut',
  'shrunk',
  'aside',
])

/** True for a way that hides what a click or a script shows. */
export const isOpen = (way: UnseenWay): boolean => OPEN.has(way)

/** Elements whose text is shown only where they cannot be, and parts of drawings that are only used by others. */
const UNDRAWN = /^(?:canvas|video|audio|defs|symbol|clippath)$/i

interface Facts {
  readonly opacity: number
  readonly clip: ClipBox | undefined
  readonly outer: ClipBox | undefined
}

function wayOf(element: Element, style: CSSStyleDeclaration, { opacity, clip, outer }: Facts): UnseenWay | undefined {
  if (UNDRAWN.test(builtInsOf(element).localName)) return 'undrawn'
  if (isEmptyShape(style.clipPath) || (/absolute|fixed/.test(style.position) && isEmptyShape(style.clip.toLowerCase())))
    return 'clipped'
  const mask = style.maskImage || style.webkitMaskImage || 'none'
  if (mask !== 'none' && (isEmptyMask('mask-image', mask) || isEmptyMask('mask-size', style.maskSize || 'auto')))
    return 'masked'
  if (style.display === 'none') return 'undisplayed'
  if (style.contentVisibility === 'hidden' && !isClosed(element)) return 'invisible'
  if (opacity <= MAX_OPACITY || /opacity\(0?(?:\.0\d*)?\)/.test(style.filter)) return 'transparent'
  if (clip === undefined || clip === outer) return undefined
  const least = Math.min(clip.right - clip.left, clip.bottom - clip.top)
  return least > MAX_BOX ? undefined : least >= 0.9 ? 'pixel' : 'flat'
}

/** True in a `details` that is closed, which hides what is in it so. */
const isClosed = (element: Element): boolean => builtInsOf(element).closest('details:not([open])') !== null

function isScroller(element: Element, { overflowX, overflowY }: CSSStyleDeclaration): boolean {
  const { localName } = builtInsOf(element)
  return localName !== 'html' && localName !== 'body' && /auto|scroll/.test(`${overflowX} ${overflowY}`)
}

/** Returns the box that cuts off the content of an element: that around it, and its own where it cuts. */
function clipBy(element: Element, style: CSSStyleDeclaration, outer: ClipBox | undefined): ClipBox | undefined {
  const { overflowX, overflowY, contain, display } = style
  const { localName } = builtInsOf(element)
  if (localName === 'html' || localName === 'body' || /^(?:none|contents)$/.test(display)) return outer
  if (display === 'inline' && !/^(?:svg|foreignObject)$/.test(localName)) return outer
  const isContained = /paint|strict|content/.test(contain)
  if (!isContained && overflowX === 'visible' && overflowY === 'visible') return outer
  const box = builtInsOf(element).getBoundingClientRect()
  // What can be scrolled to is not cut off, unless there is no room for it.
  const cuts = (overflow: string, size: number): boolean =>
    isContained || /hidden|clip/.test(overflow) || (/auto|scroll/.test(overflow) && size <= MAX_BOX)
  const [cutsX, cutsY] = [cuts(overflowX, box.width), cuts(overflowY, box.height)]
  if (!cutsX && !cutsY) return outer
  const far = 1e7
  return {
    left: Math.max(outer?.left ?? -far, cutsX ? box.left : -far),
    right: Math.min(outer?.right ?? far, cutsX ? box.right : far),
    top: Math.max(outer?.top ?? -far, cutsY ? box.top : -far),
    bottom: Math.min(outer?.bottom ?? far, cutsY ? box.bottom : far),
    by: element,
    outer,
  }
}
