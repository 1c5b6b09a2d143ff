import type { PageWords } from './goal-matcher.js'
import type { GoalTerms } from './goal-words.js'

/** Constants of BM25. @see https://nlp.stanford.edu/IR-book/html/htmledition/okapi-bm25-a-non-binary-model-1.html */
const SATURATION = 1.2
const LENGTH_PENALTY = 0.75
/** Share of the title in the relevance of a page. */
const TITLE_SHARE = 0.3

/**
 * Weight of a phrase beside that of a word that as many pages have. Its words count by themselves as well. On the half of
 * the questions of `benchmarks/goal/` for choosing weights, the mean logarithm of the rank of an answer page is 2.36 with 0,
 * 2.21 with 0.5, and 2.16 with 1.
 */
const PHRASE_WEIGHT = 1

/** Numbers of pages with the terms of a goal, of a whole site. Plain data. */
export interface TermCounts {
  readonly pages: number
  /** Number of pages with each term of the goal; with all words of a phrase, for a phrase. */
  readonly pagesWith: readonly number[]
}

/**
 * Compares pages with a goal by BM25, with document frequencies learnt from the pages of the crawl so far. A frequent word
 * of the site therefore says little, in any language.
 */
export class RelevanceModel {
  readonly #pagesWith: number[]
  readonly #firstPhrase: number
  #pages = 0
  #words = 0
  /** Pages of search indexes, and how many of them have each term. */
  #indexed = 0
  readonly #indexedWith: number[]

  constructor({ words, phrases }: GoalTerms) {
    this.#pagesWith = [...words, ...phrases].map(() => 0)
    this.#indexedWith = this.#pagesWith.map(() => 0)
    this.#firstPhrase = words.length
  }

  /** Number of pages so far. */
  get pages(): number {
    return this.#pages
  }

  /** Learns from a page. */
  add({ words, counts }: PageWords): void {
    this.#pages += 1
    this.#words += words
    for (const [at, count] of counts.entries()) if (count > 0) this.#pagesWith[at] = (this.#pagesWith[at] ?? 0) + 1
  }

  /** Learns from a search index, which knows the whole site: pages of the crawl are chosen by words of the goal. */
  addCounts({ pages, pagesWith }: TermCounts): void {
    this.#indexed += pages
    for (const [at, count] of pagesWith.entries()) this.#indexedWith[at] = (this.#indexedWith[at] ?? 0) + count
  }

  /** Relevance of a page, from 0 to 1. */
  relevanceOf({ words, counts, title }: PageWords): number {
    const average = this.#pages === 0 ? words : this.#words / this.#pages
    const length = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * words) / Math.max(1, average)
    const body = this.#share((at) => {
      const count = counts[at] ?? 0
      return count / (count + SATURATION * length)
    })
    return body * (1 - TITLE_SHARE) + this.coverage(title) * TITLE_SHARE
  }

  /** Share of the goal in a set of its terms, each weighed by how rare it is, from 0 to 1. */
  coverage(set: number): number {
    return set === 0 ? 0 : this.#share((at) => (set >> at) & 1)
  }

  #share(valueOf: (at: number) => number): number {
    let [sum, all] = [0, 0]
    for (let at = 0; at < this.#pagesWith.length; at += 1) {
      const weight = this.weightOf(at)
      all += weight
      sum += weight * valueOf(at)
    }
    return all === 0 ? 0 : sum / all
  }

  /** Inverse document frequency of a term of the goal, above 0. */
  weightOf(at: number): number {
    const [pages, pagesWith] = this.#indexed > 0 ? [this.#indexed, this.#indexedWith] : [this.#pages, this.#pagesWith]
    const found = pagesWith[at] ?? 0
    const weight = Math.log(1 + (pages - found + 0.5) / (found + 0.5))
    return at < this.#firstPhrase ? weight : weight * PHRASE_WEIGHT
  }
}
