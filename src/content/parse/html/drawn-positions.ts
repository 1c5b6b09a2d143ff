import { type Element, isElement } from '../../html/tree.js'
import { joinGlyphs, makeMath, rowOf, tokensOf } from './drawn-glyphs.js'

/** A part of a drawing. */
interface Drawn {
  readonly elements: readonly Element[]
  readonly height: number
  /** True for a sign in the size of exponents. */
  readonly isSmall: boolean
}

/**
 * Reads a formula that MathJax 2 has drawn in SVG, where only the places of its signs say what they are: those above and below a line
 * are a fraction, and small ones above or below the line of text are scripts.
 *
 * @returns no elements if there are no signs
 */
export function readGlyphs(drawing: Element): Element[] {
  const children = drawing.children.filter(isElement).filter(({ name }) => name !== 'defs' && name !== 'title')
  const drawn = children.flatMap((child): Drawn[] => {
    const transform = child.attribs['transform'] ?? ''
    const [, y = '0'] = /translate\(\s*-?[\d.]+[\s,]+(-?[\d.]+)/.exec(transform) ?? []
    const place = {
      height: Number(child.attribs['y'] ?? 0) + Number(y),
      isSmall: isScaled(child) || isScaledGroup(child),
    }
    const glyph = glyphOf(child)
    const elements = glyph === undefined ? readGlyphs(child) : tokensOf(joinGlyphs(glyph))
    return elements.length === 0 ? [] : [{ elements, ...place }]
  })
  const line = children.find(({ name }) => name === 'rect')
  if (line === undefined) return joinDrawn(drawn)
  const isRoot = children.some((child) => glyphOf(child) === '√')
  if (isRoot) return [makeMath('msqrt', joinDrawn(drawn.slice(1)))]
  const level = Number(line.attribs['y'] ?? 0)
  const above = drawn.filter(({ height }) => height > level)
  const below = drawn.filter(({ height }) => height <= level)
  if (above.length === 0 || below.length === 0) return joinDrawn(drawn)
  return [makeMath('mfrac', [rowOf(flat(above)), rowOf(flat(below))])]
}

const isScaled = ({ attribs }: Element): boolean => /scale\(0?\.\d/.test(attribs['transform'] ?? '')

const isScaledGroup = ({ children }: Element): boolean =>
  children.some(isElement) && children.every((child) => !isElement(child) || isScaled(child))

const flat = (drawn: readonly Drawn[]): Element[] =>
  joinDrawn(drawn.map(({ elements }) => ({ elements, height: 0, isSmall: false })))

function glyphOf({ name, attribs }: Element): string | undefined {
  if (name !== 'use' && name !== 'path') return undefined
  const [, code] = /-([\dA-F]{2,6})$/i.exec(attribs['href'] ?? attribs['xlink:href'] ?? attribs['id'] ?? '') ?? []
  const value = code === undefined ? 0 : Number.parseInt(code, 16)
  return value > 0x20 && value <= 0x10_ff_ff ? String.fromCodePoint(value) : undefined
}

/** Joins signs in their order: small ones belong to the sign before them. */
function joinDrawn(drawn: readonly Drawn[]): Element[] {
  const joined: Element[] = []
  for (let at = 0; at < drawn.length; at += 1) {
    const part = drawn[at]
    if (part === undefined) continue
    const scripts: Drawn[] = []
    for (let next = drawn[at + 1]; next?.isSmall === true && !part.isSmall && next.height !== part.height;) {
      scripts.push(next)
      next = drawn[at + 1 + scripts.length]
    }
    at += scripts.length
    const upper = scripts.filter(({ height }) => height > part.height).flatMap(({ elements }) => elements)
    const lower = scripts.filter(({ height }) => height < part.height).flatMap(({ elements }) => elements)
    // Only the last sign of a part has the scripts.
    const base = part.elements.at(-1)
    if (base === undefined) continue
    const last = scripts.length === 0 ? base : withScripts(base, lower, upper)
    joined.push(...part.elements.slice(0, -1), last)
  }
  return joinDigits(joined)
}

/** Adds scripts to a part of a formula. @param lower elements below the line of text */
export function withScripts(base: Element, lower: readonly Element[], upper: readonly Element[]): Element {
  if (lower.length === 0) return upper.length === 0 ? base : makeMath('msup', [base, rowOf(upper)])
  return upper.length === 0
    ? makeMath('msub', [base, rowOf(lower)])
    : makeMath('msubsup', [base, rowOf(lower), rowOf(upper)])
}

/** Joins the digits of a number, each of which is drawn by itself. */
function joinDigits(elements: readonly Element[]): Element[] {
  const joined: Element[] = []
  let digits = ''
  const flush = (): void => {
    if (digits !== '') joined.push(...tokensOf(digits))
    digits = ''
  }
  for (const element of elements) {
    const [only] = element.children
    if (element.name === 'mn' && only !== undefined && 'data' in only) digits += only.data
    else {
      flush()
      joined.push(element)
    }
  }
  flush()
  return joined
}
