import type { LedgerRow, Refusal, UrlCandidate } from '../../ledger/ledger.js'
import type { KnownPage } from '../../page/known-page.js'
import type { ScrapedPage } from '../../page/scraped-page.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import type { Deliveries, DeliveringJob } from '../delivery/deliveries.js'
import type { JobContext } from '../job-context.js'

/** Rules of a crawl, as its memory needs them. */
interface RememberedRules {
  /** Start URL, without its fragment. */
  readonly start: string
  /** Ledger key of a URL. */
  keyOf(url: string): string
  /** Decides about a page of the earlier crawl by the rules of this one. */
  refuse(url: URL, depth: number): Refusal | undefined
}

/** A crawl as its memory sees it. */
export interface RememberedCrawl<Slice = unknown> extends RememberedRules {
  /** Slice of the plan in force: a `prompt` changes it once, before the first page. */
  readonly slice: Slice
}

/** Knowledge of a crawl about an earlier one, and the record that it leaves for a later one. */
export interface CrawlMemory {
  /** Id of the earlier crawl whose unchanged pages are not read again; undefined without one. */
  readonly previousJobId: string | undefined
  /** Loads what the earlier crawl has left, before the first page. @throws TrawlError when the job cannot go on without it */
  load(context: JobContext): Promise<void>
  /** Adds a page of a sitemap. */
  addSitemapDate(candidate: UrlCandidate, context: JobContext): void
  /** Finds what the earlier crawl knew about a page, which may make its fetch unnecessary. */
  recall(row: LedgerRow, context: JobContext): Promise<KnownPage | undefined>
  /** Finds the similarity hash that an unchanged page had in the earlier crawl. */
  similarityOf(row: LedgerRow, context: JobContext): Promise<string | undefined>
  /** Adds a page of an earlier process. @param recorded what `record` has returned for it */
  restore(row: LedgerRow, recorded: unknown): Promise<void>
  /** Adds a page. @returns its part of the note of the page. Plain data */
  record(row: LedgerRow, page: ScrapedPage, gaveDocument: boolean, context: JobContext): Promise<unknown>
  /** Admits pages of the earlier crawl that this one has not found. Called at most once, when the queue is empty. */
  admitUnlinked(context: JobContext): Promise<void>
  /** Writes what the crawl leaves. Never rejects. @param cancelled aborted when the job was cancelled */
  write(context: JobContext, cancelled: AbortSignal): Promise<void>
  /** Follows what becomes of the documents of the crawl. Called in each process in which they may be read. */
  follow(job: DeliveringJob): Deliveries
}

/** Opens the memory of a crawl; undefined where no feature of its plan has one. @param planOf returns the plan in force */
export type OpenMemory = (planOf: () => CrawlPlan, crawl: RememberedRules) => CrawlMemory | undefined
