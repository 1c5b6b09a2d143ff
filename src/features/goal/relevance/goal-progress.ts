import type { PageWords } from './goal-matcher.js'
import type { GoalTerms } from './goal-words.js'
import type { RelevanceModel } from './relevance-model.js'

/** Conditions under which a crawl with a goal ends. */
export interface UntilKnown {
  /** Number of pages that answer the goal. Undefined for any number. */
  readonly answers?: number
  /** Expected gain of the next page below which the crawl ends, from 0 to 1. */
  readonly gain: number
  /** Number of pages that are read before the crawl may end. */
  readonly pages: number
}

/** A word or a phrase of the goal, with the pages that have it. */
export interface GoalFacet {
  /** The word or the phrase, in lower case. */
  readonly text: string
  /** Number of pages that have it; words also in other forms. */
  readonly pages: number
  /** URLs of the most relevant of them, at most five. */
  readonly best: readonly string[]
}

/** State of knowledge of a crawl with a goal. */
export interface GoalCoverage {
  /**
   * Phrases and words of the goal that pages have, in the order of the goal. A word of a phrase that is covered is not listed
   * by itself.
   */
  readonly covered: readonly GoalFacet[]
  /** Phrases and words of the goal that no page has. The words of a phrase are listed by themselves, here or in `covered`. */
  readonly missing: readonly string[]
  /** Number of pages that answer the goal: those with a relevance of at least 0.5. */
  readonly answers: number
  /** Expected gain of the next page, from 0 to 1. */
  readonly expectedGain: number
}

/** A page that was read. */
interface GoalPage extends PageWords {
  readonly url: string
  readonly relevance: number
  /** True for a page with a link that promises more than the link to the page itself. */
  readonly isHub: boolean
}

/** Relevance from which a page counts as an answer. */
const ANSWER_RELEVANCE = 0.5
/**
 * Weight of the newest page in the expected gain: while no page is a partial answer, and once a page is a clear one and all
 * words are told. It rises evenly in between. On the questions of `benchmarks/goal/`, 1, 2 and 1 of the crawls of the three parts
 * end without the answer page, after 368 pages in the median. With 0.008 and 0.02, whatever was told, 1, 2 and 2 did, after 352.
 */
const NEWEST_SHARE = { without: 0.007, with: 0.025 } as const
/** Relevance of the best page from which it is a partial answer, and from which it is a clear one. */
const PARTIAL_ANSWER = 0.5
const CLEAR_ANSWER = 0.9
/** Occurrences of a word that give half of what a page can tell about it. */
const HALF_TOLD = 1
const MAX_BEST = 5

interface Facet {
  readonly text: string
  /** Index of its first word in the goal. */
  readonly order: number
  /** Words of a phrase, by their indexes. */
  readonly words?: readonly number[]
  /** Share of what there is to know about the facet that pages have told. */
  told: number
  pages: number
  best: { readonly url: string; readonly relevance: number }[]
}

/**
 * Estimates what a crawl still has to gain for its goal.
 *
 * A page tells a share of what there is to know about each word and phrase of the goal: its relevance, times n / (n + 1) for
 * one that it has n times. Two pages together tell 1 − (1 − a) (1 − b). The gain of a page is the mean of what it adds, weighed
 * by how rare the words are. The expected gain of the next page is the mean of the gains of the pages so far, beginning at 1,
 * in which each page counts 0.7 to 2.5 % and the earlier ones together the rest: the more, the better the best page answers the
 * goal and the more has been told, because a crawl that has found half an answer has more to gain. Links are fetched in order of
 * promise, so that the next page is not expected to bring more than the last ones. A hub does not lower it.
 */
export class GoalProgress {
  readonly #facets: readonly Facet[]
  #pages = 0
  #answers = 0
  #expectedGain = 1
  /** Highest relevance of a page so far. */
  #best = 0

  constructor({ words, phrases }: GoalTerms) {
    this.#facets = [
      ...words.map((text, order) => ({ text, order, told: 0, pages: 0, best: [] })),
      ...phrases.map((one) => ({ ...one, order: Math.min(...one.words), told: 0, pages: 0, best: [] })),
    ]
  }

  /** Adds a page that `model` has learnt from. */
  add({ url, counts, relevance, isHub }: GoalPage, model: RelevanceModel): void {
    let [gain, told, all] = [0, 0, 0]
    for (const [at, facet] of this.#facets.entries()) {
      const count = counts[at] ?? 0
      const before = facet.told
      facet.told += (1 - before) * relevance * (count / (count + HALF_TOLD))
      const weight = model.weightOf(at)
      gain += weight * (facet.told - before)
      told += weight * facet.told
      all += weight
      if (count > 0) addBest(facet, url, relevance)
    }
    this.#pages += 1
    if (relevance >= ANSWER_RELEVANCE) this.#answers += 1
    this.#best = Math.max(this.#best, relevance)
    const share = shareOfNewest(this.#best, all === 0 ? 0 : told / all)
    const expected = this.#expectedGain * (1 - share) + share * (all === 0 ? 0 : gain / all)
    if (!isHub || expected > this.#expectedGain) this.#expectedGain = expected
  }

  /** Tests whether a crawl may end. */
  isKnown({ answers, gain, pages }: UntilKnown): boolean {
    if (this.#pages < pages) return false
    return this.#expectedGain < gain || (answers !== undefined && this.#answers >= answers)
  }

  get coverage(): GoalCoverage {
    const inPhrase = new Set(this.#facets.flatMap(({ pages, words = [] }) => (pages > 0 ? words : [])))
    const facets = this.#facets
      .filter(({ words }, at) => words !== undefined || !inPhrase.has(at))
      // A phrase comes before its first word.
      .toSorted((a, b) => a.order - b.order || (a.words ? 0 : 1) - (b.words ? 0 : 1))
    const covered = facets.filter(({ pages }) => pages > 0)
    return {
      covered: covered.map(({ text, pages, best }) => ({ text, pages, best: best.map(({ url }) => url) })),
      missing: facets.filter(({ pages }) => pages === 0).map(({ text }) => text),
      answers: this.#answers,
      expectedGain: Math.round(this.#expectedGain * 1000) / 1000,
    }
  }
}

/**
 * Weight of the newest page.
 *
 * @param best highest relevance of a page
 * @param told share of what there is to know that pages have told
 */
function shareOfNewest(best: number, told: number): number {
  const clearness = Math.min(1, Math.max(0, (best - PARTIAL_ANSWER) / (CLEAR_ANSWER - PARTIAL_ANSWER)))
  return NEWEST_SHARE.without + (NEWEST_SHARE.with - NEWEST_SHARE.without) * clearness * told
}

function addBest(facet: Facet, url: string, relevance: number): void {
  facet.pages += 1
  const at = facet.best.findIndex((known) => known.relevance < relevance)
  facet.best.splice(at < 0 ? facet.best.length : at, 0, { url, relevance })
  facet.best.length = Math.min(facet.best.length, MAX_BEST)
}
