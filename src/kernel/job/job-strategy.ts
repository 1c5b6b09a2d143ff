import type { JobBudget } from '../../base/accounting/budget.js'
import type { Document } from '../page/document.js'
import type { TrawlError } from '../../base/errors.js'
import type { RedirectRule } from '../fetch/fetcher.js'
import type { Robots, RobotsFailure } from '../frontier/robots/robots.js'
import type { UrlCandidate, JobLedger, LedgerRow, LedgerRules, Refusal, SkipReason } from '../ledger/ledger.js'
import type { ScrapedPage } from '../page/pipeline.js'
import type { LeftLinks } from '../page/scraped-page.js'
import type { JobPlan, ThrottlePlan } from '../plan/job-plan.js'
import type { CrawlerOptions } from '../plan/crawl/crawl-prompt.js'
import type { PromptedOptions } from '../plan/crawl/generated-options.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { UrlLike } from '../../base/url.js'
import type { JobKind } from './job.js'
import type { FileTrials } from './discovery/file-trials.js'
import type { CrawlGuide } from './crawl/crawl-guide.js'
import type { JobContext } from './job-context.js'
import type { KnownPage } from '../page/known-page.js'

/** Decision about a scraped page. */
export interface ReviewVerdict {
  /** Reason to drop the page; absent when the page is kept. */
  readonly refusal?: Refusal
  /** URL of an earlier page with the same, or nearly the same, content. */
  readonly duplicateOf?: string
  /** Plain data about the page that is passed to `restore` when the job resumes in another process. */
  readonly note?: unknown
}

/** Resolution of a crawl's `prompt` into options, before the job starts. */
interface PromptResolution {
  /** True until the prompt is resolved. The job does nothing else before. */
  readonly isPending: boolean
  /** Resolves when the prompt is resolved. */
  readonly resolved: Promise<void>
  readonly generated: PromptedOptions | undefined
  readonly final: CrawlerOptions | undefined
}

/** Decisions of a job about redirects. */
export interface JobRedirects {
  /** Creates the rule for the redirects of a page; undefined when all are followed. */
  createRule(context: JobContext): RedirectRule | undefined
  /** Creates the refusal of a row whose page redirects to a URL that the rule refuses. @param error of the rule */
  refuse(row: LedgerRow, error: TrawlError, context: JobContext): Refusal
}

/** Behaviour in which a batch and a crawl differ. The job loop is the same for both. */
export interface JobStrategy {
  readonly kind: JobKind
  /** Version of the interface that the request belongs to. @default 2 */
  readonly version?: 1 | 2
  readonly rules: LedgerRules
  readonly throttle: ThrottlePlan
  readonly budget: JobBudget
  readonly page: ScrapePlan
  /** Slices of features, by their names; undefined for a job that asks for none. */
  readonly features?: JobPlan['features']
  /** Id of the earlier crawl that this one compares its pages with (`since`); undefined without one. */
  readonly previousJobId?: string
  /** Absent without a `prompt`. While it is pending, rules, throttle and seeds are provisional. */
  readonly promptResolution?: PromptResolution
  /**
   * Lists the URLs of a batch, or resolves the prompt of a crawl, before everything else. The prompt stays pending when the job is
   * stopped meanwhile, or when its budget does not allow the model request.
   */
  prepare?(context: JobContext): Promise<void>
  /** Guide of a crawl; undefined for one in order of depth. */
  readonly guide?: CrawlGuide
  /** URLs that the job starts with, once it is prepared. */
  readonly seeds: readonly UrlCandidate[]
  /** Ledger key of a URL. */
  keyOf(url: URL): string
  /** Decides about a URL that the job does not know, as if it were found now. Undefined when it would be scraped. */
  judge?(url: URL, robots: Robots): Promise<Refusal | RobotsFailure | undefined>
  /**
   * Restores the state of an earlier process, before the job begins.
   *
   * @param rows all rows of the job, in order of discovery
   * @param notes notes of ended pages, in the order in which they ended; must be read to the end
   */
  restore?(
    rows: readonly LedgerRow[],
    notes: AsyncIterable<{ readonly row: LedgerRow; readonly note: unknown }>,
    context: JobContext,
  ): Promise<void>
  /** Restores what the status of a job that has ended needs. @param rows as for `restore` */
  reopen?(rows: readonly LedgerRow[]): void
  /** Starts background tasks, such as reading sitemaps. @throws TrawlError when the job cannot run at all */
  begin?(context: JobContext): Promise<void>
  /** Refuses a row right before it would be fetched. */
  refuse?(row: LedgerRow, context: JobContext): Promise<Refusal | undefined>
  /** Refuses redirects of pages. Without it, all are followed. */
  readonly redirects?: JobRedirects
  /** Judges the pages that are named like files. Without it, the name of a page says nothing. */
  readonly files?: FileTrials
  /** Finds what an earlier job recorded about a row's page, which may make the fetch unnecessary. */
  recall?(row: LedgerRow, context: JobContext): Promise<KnownPage | undefined>
  /** Adds further rows when the queue is empty and `limit` is not reached. Called at most once. */
  readonly revisit?: (context: JobContext) => Promise<void>
  /** Finds the error of a job that has produced nothing. Called when the queue is empty. */
  findFailure?(ledger: JobLedger<Document>): Promise<TrawlError | undefined>
  /**
   * Cleans up after every row has its outcome, however the job ended. Never rejects.
   *
   * @param cancelled aborted when the job was cancelled: it then ends soon, whatever is not written by then
   */
  conclude?(context: JobContext, cancelled: AbortSignal): Promise<void>
  /**
   * Stores nothing that pages contain: documents are delivered once, and messages that may quote a page are removed.
   * @default false
   */
  readonly zeroDataRetention?: boolean
  /** Stores no documents after their delivery; the outcomes of their pages are stored. @default false */
  readonly dropsDocuments?: boolean
  /** True when the job writes a record that a later crawl can compare with. @default false */
  readonly leavesRecord?: boolean
  /**
   * Finds the reason why the strategy would have refused a row that was still queued when the job ended, as far as it
   * is known without a request.
   */
  refuseRemaining?(row: LedgerRow, context: JobContext): Promise<Refusal | undefined>
  /**
   * Checks further URLs for the list of a batch, and adds those that it drops to {@link startFields}.
   *
   * @returns a function that returns the pages to add, with positions at the end of the list. To be called only after the job has begun
   * @throws InvalidRequestError
   */
  append?(urls: Iterable<UrlLike>): () => Promise<readonly UrlCandidate[]>
  /** Decides about a scraped page, and admits the links found on it. */
  review(row: LedgerRow, page: ScrapedPage, context: JobContext): Promise<ReviewVerdict>
  /** Admits the links of pages that led on to the page of a row, which failed or was refused. Absent where no links are followed. */
  followLeft?(row: LedgerRow, left: LeftLinks, context: JobContext): Promise<void>
  /**
   * Suggests option changes for a job that has ended and found little.
   *
   * @param refused number of refused URLs by reason
   * @param isUnread true if pages lack their text, and perhaps their links
   */
  hint?(documents: number, refused: Readonly<Partial<Record<SkipReason, number>>>, isUnread: boolean): string[]
  /** Fields of the start response in addition to id and URL. */
  readonly startFields: { invalidURLs?: string[] }
  /** Makes a document with the fields that only the job knows, such as its discovery depth. It has metadata of its own. */
  describe(document: Document, row: LedgerRow, sourceURL: string): Document
}
