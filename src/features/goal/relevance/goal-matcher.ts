import { PAIRED } from '../../../base/text/fold-case.js'
import type { GoalPhrase, GoalTerms } from './goal-words.js'
import { visitWords } from './split-words.js'
import { areForms } from './word-forms.js'

/** Words whose match is cached: most words of a page come several times. */
const MAX_CACHED_WORDS = 20_000
/** Length from which a word of the goal is found inside of a word of a path, such as `index` in `createindex`. */
const MIN_INNER_WORD = 5

/** Words of a text that no phrase goes across: it ends a block. */
const BLOCK_DISTANCE = 100

/** Terms of a goal that a page has. Plain data. */
export interface PageWords {
  /** Number of words on the page. */
  readonly words: number
  /** Number of times that the page has each term of the goal: see {@link GoalTerms}. */
  readonly counts: readonly number[]
  /** Terms of the goal in the title and the main heading: a set, as all of {@link LinkWords}. */
  readonly title: number
  /** Begin of the page's text, for vectors. Not stored. @default none */
  readonly text?: string
}

/** Terms of a goal at a link. Each is a set: bit n is term n of the goal. */
export interface LinkWords {
  /** Words in the text of the link. */
  readonly anchor: number
  /** Words in the path and the query of its URL. */
  readonly path: number
  /** Words in the headings over the link, without the main heading of the page. */
  readonly heading: number
  /** Words around the link. */
  readonly near: number
  /** Text of the last heading over the link, for vectors. Not stored. @default none */
  readonly over?: string
}

/** Finds the terms of a goal in texts. Takes linear time. */
export class GoalMatcher {
  readonly #terms: GoalTerms
  readonly #known = new Map<string, number>()
  /** The phrases with each word, by their indexes. */
  readonly #phrasesOf: readonly (readonly number[])[]
  /** Number of words read so far, and the position of the last one of each word of the goal. */
  #position = 0
  readonly #lastAt: number[]

  constructor(terms: GoalTerms) {
    this.#terms = terms
    this.#lastAt = terms.words.map(() => -BLOCK_DISTANCE)
    this.#phrasesOf = terms.words.map((_word, at) =>
      terms.phrases.flatMap(({ words }, phrase) => (words.includes(at) ? [phrase] : [])),
    )
  }

  /** Index of the goal's word that a word is a form of; -1 if there is none. */
  find(word: string): number {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_CACHED_WORDS) this.#known.clear()
    const found = this.#terms.words.findIndex((one) => areForms(one, word) || (isCharacter(one) && word.includes(one)))
    this.#known.set(word, found)
    return found
  }

  /** Ends a block of text: no phrase goes on. */
  endBlock(): void {
    this.#position += BLOCK_DISTANCE
  }

  /** The set of the goal's terms in a text of its own. */
  setOf(text: string): number {
    this.endBlock()
    return this.read(text).set
  }

  /**
   * Reads a text that continues the one before, if no block ended in between.
   *
   * @param counts number of times that each term of the goal was found so far; updated
   * @returns the number of words in the text, and the set of the goal's terms that end in it
   */
  read(text: string, counts?: number[]): { readonly words: number; readonly set: number } {
    let [words, set] = [0, 0]
    const add = (term: number): void => {
      set |= 1 << term
      if (counts) counts[term] = (counts[term] ?? 0) + 1
    }
    visitWords(text, (word, end) => {
      words += 1
      this.#position += 1
      let at = this.find(word)
      if (at < 0 && end !== undefined) at = this.find(end)
      if (at < 0) return
      add(at)
      this.#lastAt[at] = this.#position
      for (const phrase of this.#phrasesOf[at] ?? []) {
        const one = this.#terms.phrases[phrase]
        if (one && this.#endsHere(one)) add(this.#terms.words.length + phrase)
      }
    })
    return { words, set }
  }

  /** Tests whether a phrase ends at the last word. */
  #endsHere({ words, offsets, span }: GoalPhrase): boolean {
    const ats = words.map((word) => this.#lastAt[word] ?? 0)
    const first = Math.min(...ats)
    if (offsets) return ats.every((at, nth) => at - first === offsets[nth])
    return this.#position - first < span
  }

  /** The set of the goal's terms in the path and query of a URL; its words also inside of words. */
  setOfPath(url: string): number {
    const path = pathOf(url)
    let set = this.setOf(path)
    visitWords(path, (word) => {
      if (word.length <= MIN_INNER_WORD) return
      for (const [index, one] of this.#terms.words.entries()) {
        if (one.length >= MIN_INNER_WORD && word.includes(one)) set |= 1 << index
      }
    })
    return set
  }
}

/** Tests for a word that is one character of a script without spaces. */
const isCharacter = (word: string): boolean => word.length === 1 && PAIRED.test(word)

/** Path and query of a URL, without percent encoding where that can be read. */
function pathOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  const path = from < 0 ? '' : url.slice(from, from + 500)
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
