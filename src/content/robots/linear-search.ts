/** Parts of a string that the search reads. */
export interface Characters {
  readonly length: number
  charCodeAt(at: number): number
}

/** Maximum length of pieces that `indexOf` finds in bounded time; it is quicker for them. */
const SHORT_CHARACTERS = 16

/** Finds the first occurrence of a piece of a pattern, in time linear in both lengths. @returns the position, or -1 */
export const findPiece = (text: string, piece: string, from: number): number =>
  piece.length <= SHORT_CHARACTERS ? text.indexOf(piece, from) : searchLinear(text, piece, from)

/**
 * Finds the first occurrence of a piece, like `String.indexOf`, with at most two comparisons for each character of the text
 * and of the piece (Knuth, Morris and Pratt). `indexOf` compares up to the product of both lengths: 1000 rules of 600
 * characters `a` on a path of 7800 blocked the event loop for seconds.
 *
 * @param from position in the text to search from
 * @returns the position, or -1
 */
export function searchLinear(text: Characters, piece: Characters, from: number): number {
  if (piece.length === 0) return from <= text.length ? from : -1
  if (piece.length > text.length - from) return -1
  const borders = measureBorders(piece)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && piece.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0
    if (piece.charCodeAt(matched) === code) matched += 1
    if (matched === piece.length) return at - matched + 1
  }
  return -1
}

/** Measures, for each beginning of a piece, its longest shorter beginning that it also ends with. */
function measureBorders(piece: Characters): Uint16Array | Uint32Array {
  const borders = piece.length < 65_536 ? new Uint16Array(piece.length) : new Uint32Array(piece.length)
  let length = 0
  for (let at = 1; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    while (length > 0 && piece.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
    if (piece.charCodeAt(length) === code) length += 1
    borders[at] = length
  }
  return borders
}
