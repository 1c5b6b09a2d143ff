import { visitWords } from './split-words.js'
import { areForms } from './word-forms.js'

/** Words whose match is cached: most words of a page come several times. */
const MAX_CACHED_WORDS = 20_000
/** Length from which a word of the goal is found inside of a word of a path, such as `index` in `createindex`. */
const MIN_INNER_WORD = 5

/** Words of a goal that a page has. Plain data. */
export interface PageWords {
  /** Number of words on the page. */
  readonly words: number
  /** Number of times that the page has each word of the goal. */
  readonly counts: readonly number[]
  /** Words of the goal in the title and the main heading: a set, as all of {@link LinkWords}. */
  readonly title: number
}

/** Words of a goal at a link. Each is a set: bit n is word n of the goal. */
export interface LinkWords {
  /** Words in the text of the link. */
  readonly anchor: number
  /** Words in the path and the query of its URL. */
  readonly path: number
  /** Words in the headings over the link, without the main heading of the page. */
  readonly heading: number
  /** Words around the link. */
  readonly near: number
}

/** Finds the words of a goal in texts. Takes linear time. */
export class GoalMatcher {
  readonly #words: readonly string[]
  readonly #known = new Map<string, number>()

  /** @param words of the goal: see `readGoalWords` */
  constructor(words: readonly string[]) {
    this.#words = words
  }

  /** Index of the goal's word that a word is a form of; -1 if there is none. */
  find(word: string): number {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_CACHED_WORDS) this.#known.clear()
    const found = this.#words.findIndex((one) => areForms(one, word))
    this.#known.set(word, found)
    return found
  }

  /** The set of the goal's words in a text. */
  setOf(text: string): number {
    return this.read(text).set
  }

  /**
   * Reads a text.
   *
   * @param counts number of times that each word of the goal was found so far; updated
   * @returns the number of words in the text, and the set of the goal's words in it
   */
  read(text: string, counts?: number[]): { readonly words: number; readonly set: number } {
    let [words, set] = [0, 0]
    visitWords(text, (word) => {
      words += 1
      const at = this.find(word)
      if (at < 0) return
      set |= 1 << at
      if (counts) counts[at] = (counts[at] ?? 0) + 1
    })
    return { words, set }
  }

  /** The set of the goal's words in the path and query of a URL, also inside of its words. */
  setOfPath(url: string): number {
    let set = 0
    visitWords(pathOf(url), (word) => {
      const at = this.find(word)
      if (at >= 0) set |= 1 << at
      if (word.length <= MIN_INNER_WORD) return
      for (const [index, one] of this.#words.entries()) {
        if (one.length >= MIN_INNER_WORD && word.includes(one)) set |= 1 << index
      }
    })
    return set
  }
}

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
