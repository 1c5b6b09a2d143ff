import type { LinkWords, PageWords } from './goal-matcher.js'
import type { GoalTerms } from './goal-words.js'
import type { LinkScore } from '../../../kernel/ledger/ledger.js'
import { RelevanceModel } from './relevance-model.js'

type Part = Exclude<keyof LinkScore, 'score' | 'index' | 'vector'>

/**
 * Weights of the parts; their sum is 1. On the half of the questions of `benchmarks/goal/` that they were chosen with, the
 * median rank of an answer page is 4 % of its rank in order of depth.
 */
export const LINK_WEIGHTS: Readonly<Record<Part, number>> = {
  anchor: 0.38,
  path: 0.16,
  near: 0.16,
  heading: 0.06,
  page: 0.12,
  siblings: 0.08,
  distance: 0.04,
}

/** Share of the vectors in the score of a link and in the relevance of a page, beside the words. */
const VECTOR_SHARE = 0.4

/**
 * Share of the search index of the site in the score of a link, beside the words. On the opened questions about five sites with an index,
 * the mean logarithm of the ratios is -4.281 with 0.4, -4.331 with 0.6 and -4.328 with 0.8.
 */
const INDEX_SHARE = 0.6

/** Folders whose mean relevance is kept. */
const MAX_FOLDERS = 10_000
/** Number of pages of average relevance that each folder begins with, so that its first page does not decide. */
const PRIOR_PAGES = 2

/** A link, as the scorer sees it. */
interface ScoredLink {
  readonly words: LinkWords
  /** Template of the folder of its URL. */
  readonly folder: string
  /** Discovery depth of the link. */
  readonly depth: number
  /** Relevance of the page with the link. */
  readonly page: number
  /** Fitness of the page by the search index of the site, from 0 to 1. @default the site has none */
  readonly index?: number
  /** Nearness of its meaning to the goal, from 0 to 1. @default the words alone decide */
  readonly vector?: number
}

/** Values that are known of a page beside its words. */
export interface PageRating {
  /** Its relevance, if an earlier process computed it. */
  readonly relevance?: number
  /** Nearness of its meaning to the goal, from 0 to 1. @default the words alone decide */
  readonly vector?: number
}

/** Scores the links of a crawl with a goal. Its state depends on nothing but the pages added, and their order. */
export class LinkScorer {
  readonly model: RelevanceModel
  readonly #folders = new Map<string, { sum: number; pages: number }>()
  #sum = 0

  constructor(terms: GoalTerms) {
    this.model = new RelevanceModel(terms)
  }

  /** Learns from a page. @returns its relevance */
  addPage(page: PageWords, folder: string, known: PageRating = {}): number {
    this.model.add(page)
    const relevance = known.relevance ?? fuse(this.model.relevanceOf(page), known.vector)
    this.#sum += relevance
    const pages = this.#folders.get(folder)
    if (pages) {
      pages.sum += relevance
      pages.pages += 1
    } else if (this.#folders.size < MAX_FOLDERS) this.#folders.set(folder, { sum: relevance, pages: 1 })
    return relevance
  }

  score({ words, folder, depth, page, index, vector }: ScoredLink): LinkScore {
    const { model } = this
    const parts: Record<Part, number> = {
      anchor: model.coverage(words.anchor),
      path: model.coverage(words.path),
      heading: model.coverage(words.heading),
      near: model.coverage(words.near),
      page,
      siblings: this.#meanOf(folder),
      distance: 1 / Math.max(1, depth),
    }
    let score = 0
    for (const [name, weight] of Object.entries(LINK_WEIGHTS)) score += weight * parts[name as Part]
    const { anchor, path, heading, near, siblings, distance } = parts
    return {
      score: round(fuse(fuse(score, vector), index, INDEX_SHARE)),
      anchor: round(anchor),
      path: round(path),
      heading: round(heading),
      near: round(near),
      page: round(page),
      siblings: round(siblings),
      distance: round(distance),
      ...(index !== undefined && { index: round(index) }),
      ...(vector !== undefined && { vector: round(vector) }),
    }
  }

  #meanOf(folder: string): number {
    const mean = this.model.pages === 0 ? 0 : this.#sum / this.model.pages
    const { sum, pages } = this.#folders.get(folder) ?? { sum: 0, pages: 0 }
    return (sum + PRIOR_PAGES * mean) / (pages + PRIOR_PAGES)
  }
}

const fuse = (words: number, other: number | undefined, share = VECTOR_SHARE): number =>
  other === undefined ? words : (1 - share) * words + share * other

const round = (value: number): number => Math.round(value * 1000) / 1000
