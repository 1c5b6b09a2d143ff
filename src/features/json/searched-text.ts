import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'

/** Characters that a search of {@link SearchedText} may still compare; below 0 when it ended early. */
export interface SearchBudget {
  left: number
}

/** Length from which on a piece of a text is complete. Searching one takes at most a millisecond. Characters. */
const PIECE_LENGTH = 200_000

interface Piece<Source> {
  readonly text: string
  readonly starts: readonly number[]
  readonly sources: readonly Source[]
}

/** A text that is searched piece by piece, and the source of each of its parts. */
export class SearchedText<Source> {
  readonly #pieces: Piece<Source>[] = []
  #parts: string[] = []
  #starts: number[] = []
  #sources: Source[] = []
  #length = 0

  /** @param separator text between this part and the one before */
  add(part: string, source: Source, separator: string): void {
    if (this.#length + part.length > PIECE_LENGTH) this.#complete()
    this.#parts.push(separator, part)
    this.#starts.push(this.#length + separator.length)
    this.#sources.push(source)
    this.#length += separator.length + part.length
  }

  /** Returns the source of the first part in which an occurrence begins. It ends early when the budget does. */
  async find(wanted: string, budget: SearchBudget): Promise<Source | undefined> {
    this.#complete()
    for (const { text, starts, sources } of this.#pieces) {
      await yieldIfHeld()
      budget.left -= text.length + wanted.length
      if (budget.left < 0) return undefined
      const at = indexOf(text, wanted, budget)
      if (at >= 0) return sources[lastUpTo(starts, at)]
    }
    return undefined
  }

  #complete(): void {
    if (this.#parts.length === 0) return
    this.#pieces.push({ text: this.#parts.join(''), starts: this.#starts, sources: this.#sources })
    this.#parts = []
    this.#starts = []
    this.#sources = []
    this.#length = 0
  }
}

/** Returns the index of the last of ascending numbers that is at most `limit`; 0 when there is none. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let from = 0
  let to = numbers.length
  while (to - from > 1) {
    const middle = (from + to) >> 1
    if ((numbers[middle] ?? 0) <= limit) from = middle
    else to = middle
  }
  return from
}

/** Maximum length of a text to search for with `String.indexOf`, whose time grows with the product of both lengths. */
const MAX_SHORT = 100

/** Number of characters that `String.indexOf` compares in the time of one here. */
const SLOWER = 10

/** Finds a text in another one, as `String.indexOf` does, but in linear time: words may repeat in both. */
export function indexOf(text: string, wanted: string, budget: SearchBudget): number {
  if (wanted.length > text.length) return -1
  const from = text.indexOf(wanted.slice(0, MAX_SHORT))
  if (from < 0 || text.startsWith(wanted, from)) return from
  budget.left -= SLOWER * (text.length - from + wanted.length)
  // Knuth, Morris and Pratt: a character of the text is never looked at again.
  const borders = bordersOf(wanted)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0
    if (wanted.charCodeAt(matched) === code) matched += 1
    if (matched === wanted.length) return at + 1 - matched
  }
  return -1
}

/** Returns for each start of a text the length of the longest shorter start that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let matched = 0
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0
    if (text.charCodeAt(matched) === code) matched += 1
    borders[at] = matched
  }
  return borders
}
