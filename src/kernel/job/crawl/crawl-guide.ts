import type { LinkScore, LedgerRow, QueuePosition, Refusal } from '../../ledger/ledger.js'
import type { FoundLink } from '../../../content/extract/extracted-page.js'
import type { ScopePlan } from '../../frontier/scope/scope.js'
import type { ScrapedPage } from '../../page/scraped-page.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import type { FeatureJobStatus } from '../job.js'
import type { JobContext } from '../job-context.js'
import type { ContentSample } from './crawl-content.js'

/** Score and position in the queue of a link. */
export interface LinkRating {
  readonly place: QueuePosition
  readonly score: LinkScore
}

/** Place of a link that is rated. */
export interface LinkPlace {
  /** Discovery depth of the link. */
  readonly depth: number
  /** Position of the link on its page, or in the sitemap. */
  readonly index: number
  /** Ledger key of the page that it leads to. */
  readonly key: string
}

/** A crawl as its guide sees it. Both change: a `prompt` is resolved, and the start page moves the scope. */
export interface GuidedCrawl {
  readonly scope: ScopePlan
  readonly plan: CrawlPlan
}

/**
 * Guide of a crawl: chooses the order of its pages, and may end it. Its pages are processed one by one, in the order in which they were
 * leased.
 */
export interface CrawlGuide {
  /** Position of the start page, before all links. */
  readonly start: QueuePosition
  /** Refusal of the URLs that are still queued, once enough is known: the crawl then ends. Undefined before. */
  readonly enough: Refusal | undefined
  /** Maximum number of pages that are leased before the ones leased earlier are read. */
  readonly maxPagesAtOnce: number
  /** True when a page was read in this process, or in the one that the job was resumed from. */
  readonly hasRead: boolean
  /** Its part of the status of the job. */
  readonly status: FeatureJobStatus
  /** Computes its part of the status of a job that another process ran, from the notes of its pages. */
  statusOf(notes: AsyncIterable<NotedRow>): Promise<FeatureJobStatus>
  /** Begins, before the first page. */
  begin(context: JobContext): void
  /** Restores what it knew in an earlier process about a page. @param note of the page, with the parts of {@link CrawlGuide.endPage} */
  restore(note: object, row: LedgerRow, context: JobContext): void
  /** Learns from a page, before its links are rated. @returns what `rate` and `endPage` need of it */
  addPage(page: ScrapedPage): Promise<unknown>
  /** Rates a link. @param page of the link, as `addPage` has read it; undefined for one that was not read */
  rate(link: FoundLink, at: LinkPlace, page?: unknown): LinkRating
  /**
   * Looks for further pages, before the links of the page are admitted.
   *
   * @returns a function that admits those that were found, after the links of the page; undefined if there is nothing to look for
   */
  findPages(row: LedgerRow, page: ScrapedPage, context: JobContext): Promise<(() => Promise<void>) | undefined>
  /** Adds links of the page that the crawl had not found before. */
  addLinks(rows: readonly LedgerRow[]): void
  /** Ends a page, after its links were added. @returns its parts of the note of the page. Plain data */
  endPage(row: LedgerRow, page: unknown): object | undefined
}

/** Opens the guide of a crawl; undefined where its plan names none. */
export type OpenGuide = (plan: CrawlPlan, crawl: GuidedCrawl) => CrawlGuide | undefined

/** Data about a page that the ledger stores, for a crawl that resumes in another process, beside those of its guide. */
export interface CrawlNote {
  /**
   * Sample of the page's content, or `repeat` for a URL that only redirects to a known page. The name is part of the
   * stored format.
   */
  readonly sight?: ContentSample | 'repeat'
  /** Part of the memory of the crawl: see `CrawlMemory.record`. */
  readonly recorded?: unknown
}

/** Note of an earlier process, with its row. */
export interface NotedRow {
  readonly row: LedgerRow
  readonly note: unknown
}
