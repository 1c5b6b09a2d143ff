import { RecentMap } from '../../base/collections/recent-map.js'
import type { FoundLink } from '../../content/extract/extracted-page.js'
import { deriveTemplate } from '../../base/url-template.js'
import type { LedgerRow, QueuePosition } from '../../kernel/ledger/ledger.js'
import { GoalMatcher, type LinkWords, type PageWords } from './relevance/goal-matcher.js'
import { type GoalCoverage, GoalProgress, type UntilKnown } from './relevance/goal-progress.js'
import type { GoalTerms } from './relevance/goal-words.js'
import type { TermCounts } from './relevance/relevance-model.js'
import { writeQueries } from './relevance/search-queries.js'
import { LinkScorer, type PageRating } from './relevance/link-scorer.js'
import type { IndexAnswer, IndexedPage, SiteIndexFiles } from './site-search/site-index.js'
import { parseUrl } from '../../base/url.js'
import type { SearchResult } from './search-answer.js'
import type { LinkRating, NotedRow } from '../../kernel/job/crawl/crawl-guide.js'
import type { GoalNote, GoalNotes } from './goal-note.js'
import type { GoalPlan } from './goal-options.js'
import { findingsOf, wordsAt } from './goal-reader.js'
import { GoalVectors, type VectorParts } from './goal-vectors.js'
import { SiteSearch } from './site-search.js'

/**
 * Number of pages after which a link without any promise comes before a new link of the highest one. Links that look dull
 * are therefore fetched in the end, with what is behind them, before a large part of the site is. Tuned on
 * half of the questions of `benchmarks/goal/`: from 500 to 5000, answer pages have the same rank.
 */
const HORIZON = 2000
/**
 * Number of pages after which one more page is fetched at once. On the half of the questions for choosing weights, the mean
 * logarithm of the ratio of ranks, of at most 960 pages, is -3.786 with 4, -3.813 with 8 and -3.807 with 16.
 */
const PAGES_ALONE = 8
/**
 * Number of pages by which a link comes later for each link before it on its page that promises the same: it is in the same folder
 * and has the same words of the goal. Otherwise the thirty pages of one family would all come before other links that promise a
 * little less. On the same questions, the mean is -3.813 with 0, -3.842 with 3, and -3.850 with 5 and 8.
 */
const PAGES_ALIKE = 5
/** Number of links from which further ones come no later. */
const MAX_ALIKE = 100
/** Links of one page that keep their order. Further ones come last among those of the page with the same score. */
const MAX_LINKS = 100_000
/** Folders whose templates are cached. */
const MAX_FOLDERS = 5000
/** Pages of a search index that are queued before a page with a link to them was read. */
const MAX_FOUND = 30
/**
 * Number of pages by which a page of a search index comes later for each page before it in the index, so that the indexes of a site
 * with many books take turns. On the opened questions about the five sites with an index, the mean logarithm of the ratios is -4.331 with
 * 0, -4.344 with 5, -4.362 with 15 and -4.389 with 40.
 */
const PAGES_BY_RANK = 40
/**
 * Weights of the parts of a result's score; their sum is 1. Those of the words are those of an index, and its position has the weight
 * that sections have there, because results have none. A search may know synonyms: a result without any word of the goal has its
 * position alone.
 */
const RESULT_WEIGHTS = { text: 0.4, title: 0.3, position: 0.3 }
/** Position of a result, from 0, at which it has half of the weight. */
const HALF_POSITION = 5
/** Position of the start page, before all links. */
export const GOAL_START: QueuePosition = [-1, 0]

/** A page that a search index finds, with its position in the queue. */
export interface RatedPage extends IndexedPage {
  readonly rating: LinkRating
}

/** Orders the links of a crawl by their promise for its goal. Learns from each page, in the order in which pages are processed. */
export class CrawlGoal {
  /** Search indexes and search page of the site. */
  readonly search = new SiteSearch()
  readonly #matcher: GoalMatcher
  readonly #scorer: LinkScorer
  readonly #progress: GoalProgress
  readonly #until: UntilKnown | undefined
  readonly #folders = new RecentMap<string, string>(MAX_FOLDERS)
  readonly #plan: GoalPlan
  #vectors: GoalVectors | undefined
  /** Numbers of links of the present page with the same words in the same folder. */
  readonly #alike = new Map<string, number>()
  #isKnown = false
  /** Highest score of a new link of the present page. Pages are processed one by one. */
  #promise = 0

  constructor(plan: GoalPlan) {
    const { terms, until } = plan
    this.#plan = plan
    this.#matcher = new GoalMatcher(terms)
    this.#scorer = new LinkScorer(terms)
    this.#progress = new GoalProgress(terms)
    this.#until = until
  }

  /** The goal as queries for a search page, the first to be asked first. */
  get queries(): readonly string[] {
    return writeQueries(this.#plan.text)
  }

  get terms(): GoalTerms {
    return this.#plan.terms
  }

  /** True from the page on with which enough is known. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /** Number of pages at once: each is chosen before the others are read, and the first pages tell most about the site. */
  get maxPagesAtOnce(): number {
    return 1 + Math.floor(this.#scorer.model.pages / PAGES_ALONE)
  }

  get coverage(): GoalCoverage {
    return this.#progress.coverage
  }

  get hasRead(): boolean {
    return this.#scorer.model.pages > 0
  }

  async coverageOf(notes: AsyncIterable<NotedRow>): Promise<GoalCoverage> {
    const goal = new CrawlGoal(this.#plan)
    for await (const { row, note } of notes) {
      const { goal: page } = (note ?? {}) as GoalNotes
      if (page) goal.restore(row, page)
    }
    return goal.coverage
  }

  /** Compares meanings as well as words. Called before the first page. */
  useVectors(parts: VectorParts): void {
    this.#vectors = new GoalVectors(this.#plan.text, parts)
  }

  /** Learns from a page, before its links are rated. @returns undefined for a page that was not read */
  async addPage(
    url: string,
    read: { readonly found: unknown; readonly links: readonly FoundLink[] },
  ): Promise<GoalNote | undefined> {
    this.#promise = 0
    this.#alike.clear()
    const page = findingsOf(read)
    if (!page) return undefined
    const vector = await this.#vectors?.read(page, read.links)
    const { text: _, index: __, searchPages: ___, ...words } = page
    return { ...words, relevance: this.#addPage(url, words, { vector }) }
  }

  /** Learns how rare the words of the goal are on the site. */
  addCounts(counts: TermCounts): void {
    this.#scorer.model.addCounts(counts)
  }

  /** Adds what a search index says. @returns the best of its pages, with their positions in the queue */
  addIndex(
    index: SiteIndexFiles,
    answer: IndexAnswer,
    { depth, keyOf }: { depth: number; keyOf: (url: string) => string },
  ): RatedPage[] {
    this.search.add(index, answer, keyOf)
    if (answer.counts) this.addCounts(answer.counts)
    return this.#rateFound(answer.found, { depth, keyOf })
  }

  /**
   * Adds what a search page finds.
   *
   * @param results in the order of the page
   * @returns all pages with their scores, best first, and the best of them with their positions in the queue
   */
  addResults(
    results: readonly SearchResult[],
    at: { depth: number; keyOf: (url: string) => string },
  ): { found: IndexedPage[]; rated: RatedPage[] } {
    const { model } = this.#scorer
    const { text, title: inTitle, position } = RESULT_WEIGHTS
    const found = results.map(({ url, title, titleSet, textSet }, nth) => {
      const words = text * model.coverage(textSet) + inTitle * model.coverage(titleSet)
      const score = words + (position * HALF_POSITION) / (HALF_POSITION + nth)
      return { url, title, score: Math.round(score * 1000) / 1000 }
    })
    found.sort((one, other) => other.score - one.score)
    this.search.addFound(found, at.keyOf)
    return { found, rated: this.#rateFound(found, at) }
  }

  #rateFound(
    found: readonly IndexedPage[],
    { depth, keyOf }: { depth: number; keyOf: (url: string) => string },
  ): RatedPage[] {
    return found.slice(0, MAX_FOUND).map((page, at) => {
      const { url, title } = page
      const rating = this.rate({ url, text: title }, { depth, index: at, key: keyOf(url) })
      const [turn, nth] = rating.place
      return { ...page, rating: { ...rating, place: [turn + at * PAGES_BY_RANK, nth] } }
    })
  }

  /** Adds links of the page that the crawl had not found before. */
  addLinks(rows: readonly LedgerRow[]): void {
    for (const { score } of rows) if (score) this.#promise = Math.max(this.#promise, score.score)
  }

  /** Ends a page, after its links were added. @returns the note of the page */
  endPage(row: LedgerRow, page: GoalNote): GoalNote {
    const isHub = this.#promise > (row.score?.score ?? 0)
    return this.#record(row.url, isHub ? { ...page, isHub } : page)
  }

  /** Adds a page of an earlier process. */
  restore(row: LedgerRow, { relevance, ...page }: GoalNote): void {
    this.#addPage(row.finalUrl ?? row.url, page, { relevance })
    this.#record(row.url, { relevance, ...page })
  }

  #addPage(url: string, page: PageWords, rating: PageRating): number {
    return this.#scorer.addPage(page, this.#folderOf(url), rating)
  }

  #record(url: string, page: GoalNote): GoalNote {
    this.#progress.add({ url, isHub: false, ...page }, this.#scorer.model)
    this.#isKnown ||= this.#until !== undefined && this.#progress.isKnown(this.#until)
    return page
  }

  /**
   * Rates a link.
   *
   * @param link with its words, where its page was read
   * @param at.depth discovery depth of the link
   * @param at.index position of the link on its page, or in the sitemap
   * @param at.key of the page that it leads to
   * @param at.relevance of the page with the link. @default 0
   */
  rate(
    link: FoundLink,
    { depth, index, key, relevance = 0 }: { depth: number; index: number; key: string; relevance?: number },
  ): LinkRating {
    const found = wordsAt(link)
    const words = found ?? this.#readWords(link)
    const vector = this.#vectors?.nearnessOf(link)
    const folder = this.#folderOf(link.url)
    // A sitemap has no order of promise.
    const repeats = found ? Math.min(this.#countAlike(words, folder), MAX_ALIKE) : 0
    const score = this.#scorer.score({
      words,
      folder,
      depth,
      page: relevance,
      index: this.search.scoreOf(key, link.url),
      vector,
    })
    const { pages } = this.#scorer.model
    const turn = pages + Math.round(HORIZON * (1 - score.score)) + repeats * PAGES_ALIKE
    return { score, place: [turn, pages * MAX_LINKS + Math.min(index, MAX_LINKS - 1)] }
  }

  /** Counts a link. @returns the number of links before it on its page that promise the same; 0 for a link without a word of the goal */
  #countAlike({ anchor, path }: LinkWords, folder: string): number {
    if ((anchor | path) === 0) return 0
    const key = `${anchor} ${path} ${folder}`
    const before = this.#alike.get(key) ?? 0
    this.#alike.set(key, before + 1)
    return before
  }

  #readWords({ url, text }: FoundLink): LinkWords {
    return { anchor: this.#matcher.setOf(text), path: this.#matcher.setOfPath(url), heading: 0, near: 0 }
  }

  /** Template of the folder of a URL, such as `example.com/blog/:date`. */
  #folderOf(href: string): string {
    const query = href.indexOf('?')
    const folder = href.slice(0, href.lastIndexOf('/', query < 0 ? undefined : query) + 1)
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const url = parseUrl(folder)
    const [template = ''] = url ? deriveTemplate(url).names : []
    this.#folders.set(folder, template)
    return template
  }
}
