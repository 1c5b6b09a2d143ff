import { builtInsOf, findBody, findRoot } from '../../browser/injected/built-ins-of.js'
import { isOpaque, readColour, toSolid } from './read-colour.js'

/** An element with its computed style and its box. */
export interface StyledElement {
  readonly element: HTMLElement
  readonly style: CSSStyleDeclaration
  readonly box: DOMRect
  /** The background colour; empty where there is none. */
  readonly fill: string
}

/** Parses a length in CSS pixels, rounded to two decimals; 0 for a value without a number. */
export const toPixels = (length: string): number => Math.round(Number.parseFloat(length) * 100) / 100 || 0

/** Returns the background colour, or the first colour of a background gradient. */
export function readFill(style: CSSStyleDeclaration): string {
  const plain = readColour(style.backgroundColor)
  if (isOpaque(plain)) return toSolid(plain)
  const gradient = /gradient\([^#a-z]*(?:[^,(]*,\s*)?((?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^)]*\))/.exec(
    style.backgroundImage,
  )
  return gradient ? toSolid(readColour(gradient[1])) : ''
}

/**
 * Returns the background colour of the window. It is that of the root element, or of the body if the root element has
 * none.
 */
export function readCanvas(): string {
  for (const element of [findRoot(), findBody()]) {
    const fill = element && readFill(getComputedStyle(element))
    if (fill) return fill
  }
  return '#FFFFFF'
}

/** Returns the visible background colour of an element: its own, or that of the closest ancestor with one. */
export function findBackground(element: Element | null): string {
  for (let at = element; at; at = builtInsOf(at).parentElement ?? hostOf(at)) {
    const fill = readFill(getComputedStyle(at))
    if (fill) return fill
  }
  return readCanvas()
}

/** Works like `Element.closest`, also across the boundaries of shadow trees. */
export function findClosest(element: Element, selector: string): Element | null {
  for (let at: Element | null = element; at; at = hostOf(at)) {
    const found = builtInsOf(at).closest(selector)
    if (found) return found
  }
  return null
}

const hostOf = (element: Element): Element | null =>
  (builtInsOf(element).getRootNode() as Partial<ShadowRoot>).host ?? null
