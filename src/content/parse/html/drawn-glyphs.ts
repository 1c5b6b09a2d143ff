import { Element, setChildren, Text } from '../../html/tree.js'

/** Characters that are drawn in pieces, with the pieces of each. */
const PIECES: readonly (readonly [sign: string, pieces: string])[] = [
  ['(', '⎛⎜⎝'],
  [')', '⎞⎟⎠'],
  ['[', '⎡⎢⎣'],
  [']', '⎤⎥⎦'],
  ['{', '⎧⎨⎩⎪'],
  ['}', '⎫⎬⎭'],
  ['|', '∣∣'],
]

const SIGNS: ReadonlyMap<string, string> = new Map(
  PIECES.flatMap(([sign, pieces]) => Array.from(pieces, (piece) => [piece, sign] as const)),
)

/** Returns the text of a drawn sign: a bracket that is drawn in pieces is one character. */
export function joinGlyphs(text: string): string {
  let joined = ''
  let last = ''
  for (const glyph of text.replace(/[\u200b\u2061-\u2064]/g, '')) {
    const sign = SIGNS.get(glyph)
    if (sign === undefined) joined += glyph
    else if (sign !== last) joined += sign
    last = sign ?? ''
  }
  return joined
}

/** Splits drawn text into tokens of MathML: numbers, letters, and signs. */
export function tokensOf(text: string, isFunction = false): Element[] {
  const pieces = isFunction && /^\p{L}+$/u.test(text) ? [text] : (text.match(/\d+(?:[.,]\d+)*|\S\p{M}*/gu) ?? [])
  return pieces.map((piece) => {
    const token = new Element(/^\d/.test(piece) ? 'mn' : /^\p{L}/u.test(piece) ? 'mi' : 'mo', {})
    setChildren(token, [new Text(piece)])
    return token
  })
}

/** Creates an element of MathML. */
export function makeMath(name: string, children: readonly Element[]): Element {
  const element = new Element(name, {})
  setChildren(element, [...children])
  return element
}

/** Returns the only element, or a row of all. */
export const rowOf = (elements: readonly Element[]): Element =>
  elements.length === 1 && elements[0] !== undefined ? elements[0] : makeMath('mrow', elements)
