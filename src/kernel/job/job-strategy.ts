import type { Document } from '../page/document.js'
import type { TrawlError } from '../../base/errors.js'
import type { RedirectRule } from '../fetch/fetcher.js'
import type { Robots, RobotsFailure } from '../frontier/robots/robots.js'
import type { UrlCandidate, LedgerRow, LedgerRules, Refusal, SkipReason } from '../ledger/ledger.js'
import type { ScrapedPage } from '../page/pipeline.js'
import type { LeftLinks } from '../page/scraped-page.js'
import type { JobPlan } from '../plan/job-plan.js'
import type { UrlLike } from '../../base/url.js'
import type { JobKind } from './job.js'
import type { FileTrials } from './discovery/file-trials.js'
import type { CrawlGuide } from './crawl/crawl-guide.js'
import type { JobContext } from './job-context.js'
import type { CrawlMemory } from './crawl/crawl-memory.js'
import type { CrawlPlan } from '../plan/crawl-plan.js'
import type { CrawlerOptions, PromptedOptions } from '../plan/crawl/prompted-options.js'

/** Decision about a scraped page. */
export interface ReviewVerdict {
  /** Reason to drop the page; absent when the page is kept. */
  readonly refusal?: Refusal
  /** URL of an earlier page with the same, or nearly the same, content. */
  readonly duplicateOf?: string
  /** Plain data about the page that is passed to `restore` when the job resumes in another process. */
  readonly note?: unknown
}

/** Parts and decisions of a job that follows links. */
export interface CrawlParts {
  /** Plan in force, as that of the strategy. */
  readonly plan: CrawlPlan
  /** Absent without a `prompt`. While it is pending, plan, rules and seeds are provisional. */
  readonly prompt?: PromptResolution
  /** Guide of the crawl; absent for one in order of depth. */
  readonly guide?: CrawlGuide
  /** Knowledge about an earlier crawl, and the record for a later one; absent for a crawl that leaves none. */
  readonly memory?: CrawlMemory
  /** Judges the pages that are named like files. */
  readonly files: FileTrials
  /** Creates the rule for the redirects of a page; undefined when all are followed. */
  createRedirectRule(context: JobContext): RedirectRule | undefined
  /** Creates the refusal of a row whose page redirects to a URL that the rule refuses. @param error of the rule */
  refuseRedirect(row: LedgerRow, error: TrawlError, context: JobContext): Refusal
  /** Admits the links of pages that led on to the page of a row, which failed or was refused. */
  followLeft(row: LedgerRow, left: LeftLinks, context: JobContext): Promise<void>
  /**
   * Finds the reason why the strategy would have refused a row that was still queued when the job ended, as far as it
   * is known without a request.
   */
  refuseRemaining(row: LedgerRow, context: JobContext): Promise<Refusal | undefined>
  /**
   * Writes what the crawl leaves for a later one, after every row has its outcome, and frees what it has learnt. Never rejects.
   *
   * @param cancelled aborted when the job was cancelled: it then ends soon, whatever is not written by then
   */
  conclude(context: JobContext, cancelled: AbortSignal): Promise<void>
  /** Decides about a URL that the job does not know, as if it were found now. Undefined when it would be scraped. */
  judge(url: URL, robots: Robots): Promise<Refusal | RobotsFailure | undefined>
  /**
   * Suggests option changes for a job that has ended and found little.
   *
   * @param refused number of refused URLs by reason
   * @param isUnread true if pages lack their text, and perhaps their links
   */
  readonly hint: (
    documents: number,
    refused: Readonly<Partial<Record<SkipReason, number>>>,
    isUnread: boolean,
  ) => string[]
}

/** List of a batch. */
export interface UrlList {
  /** URLs that were left out; undefined where they are refused. */
  readonly invalidURLs: readonly string[] | undefined
  /**
   * Checks further URLs for the list, and adds those that it drops to `invalidURLs`.
   *
   * @returns a function that returns the pages to add, with positions at the end of the list. To be called only after the job has begun
   * @throws InvalidRequestError
   */
  append(urls: Iterable<UrlLike>): () => Promise<readonly UrlCandidate[]>
}

/** Remains of a job in an earlier process, which this one continues. */
export interface JobPast {
  /** Notes of ended pages, in the order in which they ended; must be read to the end. */
  readonly notes: AsyncIterable<{ readonly row: LedgerRow; readonly note: unknown }>
  readonly context: JobContext
}

/** Behaviour in which a batch and a crawl differ. The job loop is the same for both. */
export interface JobStrategy {
  readonly kind: JobKind
  /** Plan in force: a `prompt` changes it once, before the first page. */
  readonly plan: JobPlan
  /** Rules of the ledger. They follow the plan. */
  readonly rules: LedgerRules
  /** Absent for a job that follows no links. */
  readonly crawl?: CrawlParts
  /** Absent for a job that is given no further URLs. */
  readonly list?: UrlList
  /** URLs that the job starts with, once it is prepared. */
  readonly seeds: readonly UrlCandidate[]
  /** Ledger key of a URL. */
  keyOf(url: URL): string
  /**
   * Lists the URLs of a batch, or resolves the prompt of a crawl, before everything else. The prompt stays pending when the job is
   * stopped meanwhile, or when its budget does not allow the model request.
   */
  prepare(context: JobContext): Promise<void>
  /**
   * Restores the state of an earlier process, before the job begins.
   *
   * @param rows all rows of the job, in order of discovery
   * @param past undefined for a job that has ended: then what its status needs is enough
   */
  restore(rows: readonly LedgerRow[], past: JobPast | undefined): Promise<void>
  /** Starts background tasks, such as reading sitemaps. @throws TrawlError when the job cannot run at all */
  begin?(context: JobContext): Promise<void>
  /** Refuses a row right before it would be fetched. */
  refuse?(row: LedgerRow, context: JobContext): Promise<Refusal | undefined>
  /** Decides about a scraped page, and admits the links found on it. */
  review?(row: LedgerRow, page: ScrapedPage, context: JobContext): Promise<ReviewVerdict>
  /** Makes a document with the fields that only the job knows, such as its discovery depth. It has metadata of its own. */
  describe(document: Document, row: LedgerRow, sourceURL: string): Document
}

/** Resolution of a crawl's `prompt` into options, before the job starts. */
export interface PromptResolution {
  /** True until the prompt is resolved. The job does nothing else before. */
  readonly isPending: boolean
  /** Resolves when the prompt is resolved. */
  readonly resolved: Promise<void>
  readonly generated: PromptedOptions | undefined
  readonly final: CrawlerOptions | undefined
  /** Plan of the crawl: that of the request, until the prompt is resolved. */
  readonly plan: CrawlPlan
  /** Resolves the prompt. Does nothing when the job is stopped meanwhile or has no budget left for the question. */
  resolve(context: JobContext): Promise<void>
}
