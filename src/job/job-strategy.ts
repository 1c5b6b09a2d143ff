import type { JobBudget } from '../accounting/budget.js'
import type { Document } from '../page/document.js'
import type { TrawlError } from '../errors.js'
import type { Extractors } from '../extractor/extractors.js'
import type { RenderingPredictor } from '../fetch/rendering-predictor.js'
import type { Robots, RobotsFailure } from '../frontier/robots/robots.js'
import type { GetSiteFile } from '../frontier/site-file.js'
import type { UrlCandidate, Claim, JobLedger, LedgerRow, LedgerRules, Refusal, SkipReason } from '../ledger/ledger.js'
import type { ScrapedPage } from '../page/pipeline.js'
import type { ModelAnswer } from '../llm/llm.js'
import type { ModelQuestion } from '../llm/model-client.js'
import type { Spending } from '../llm/spending.js'
import type { CrawlPlan, PacePlan, WebhookPlan } from '../plan/crawl-plan.js'
import type { CrawlerOptions, PromptedOptions } from '../plan/crawl/crawl-prompt.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Store } from '../store/store.js'
import type { UrlLike } from '../url.js'
import type { SnapshotError } from './error-snapshot.js'
import type { JobKind } from './job.js'
import type { KnownPage } from '../page/known-page.js'
import type { Survey, SurveyLimits } from './discovery/survey.js'

/** What a look at a scraped page came to. */
export interface Verdict {
  /** Why the page is dropped; absent for one that is kept. */
  readonly refusal?: Refusal
  /** The URL of an earlier page with the same, or nearly the same, content. */
  readonly duplicateOf?: string
  /** What the script wants to know of the page when the job goes on in another process: plain data, given to `restore`. */
  readonly note?: unknown
}

/** What a running job offers to its script. */
export interface JobContext {
  admit(candidates: readonly UrlCandidate[]): Promise<readonly LedgerRow[]>
  claim(candidate: UrlCandidate & { refused: Refusal }): Promise<Claim>
  /** Which pages of the job need a browser, as far as it has learnt. */
  readonly rendering: RenderingPredictor
  /** What the job has spent on a model. */
  readonly spending: Spending
  /** The extractors that the job has had written. */
  readonly extractors: Extractors
  /** Looks at a site as a crawl with this plan would find it. */
  survey(plan: CrawlPlan, limits: SurveyLimits, signal: AbortSignal): Promise<Survey>
  /**
   * Asks the engine's model, within the job's budget.
   *
   * @throws ModelError when there is no answer; the signal's reason
   */
  askModel(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>
  /** Keeps what the job has settled to go by, for when it goes on in another process. */
  keepOptions(options: object): void
  /** The URL under which the picture of a failure is kept; undefined when there is none, or no room for it. */
  readonly keepEvidence: SnapshotError
  /** The robots.txt files that the engine knows. */
  readonly robots: Robots
  /** From now on the site is visited once at a time, with this pause in between. */
  keepCrawlDelay(site: string, crawlDelayMs: number): void
  /** Brings a file of a site in, as politely as a page. */
  readonly getFile: GetSiteFile
  /** Does something beside the pages: the job does not end before it. What it throws becomes a warning of the job. */
  besides(task: () => Promise<void>): void
  /** Waits until fewer rows are queued than the job's limit can take. */
  awaitRoom(): Promise<void>
  /** What the ledger knows of a key. */
  row(key: string): Promise<LedgerRow | undefined>
  readonly jobId: string
  /** Where crawls leave what the next ones go by. */
  readonly snapshots: Store
  /** Milliseconds since the epoch. */
  now(): number
  /** Adds to the warnings of the job's status; each is told once. */
  warn(warning: string): void
  /** Aborted when the job ends, however it does. */
  readonly signal: AbortSignal
}

/** What a job goes by, and settles before anything else. */
export interface PromptResolution {
  /** Whether it is still to be settled: nothing of the job is under way then. */
  readonly isOpen: boolean
  /** Resolves when it is settled. */
  readonly settled: Promise<void>
  readonly generated: PromptedOptions | undefined
  readonly final: CrawlerOptions | undefined
}

/** What makes a batch a batch and a crawl a crawl; the run is the same for both. */
export interface JobStrategy {
  readonly kind: JobKind
  /** The version of the interface that the request is of. @default 2 */
  readonly version?: 1 | 2
  readonly rules: LedgerRules
  readonly pace: PacePlan
  /** The most that the job may take up. */
  readonly budget: JobBudget
  readonly page: ScrapePlan
  /** Absent when the job reports to nobody. */
  readonly webhook?: WebhookPlan
  /** What the job goes by; until that is settled, rules, pace and seeds are provisional. Absent where nothing is to be settled. */
  readonly promptResolution?: PromptResolution
  /** Settles what the job goes by, before all else. Does nothing for a job that is stopped meanwhile, or has no budget for it. */
  prepare?(stage: JobContext): Promise<void>
  /** The URLs that the job starts with. */
  readonly seeds: readonly UrlCandidate[]
  /** The ledger's key for a URL. */
  keyOf(url: URL): string
  /** Why a URL that the job does not know would not be scraped if it were found now: it would be refused, or fail. */
  judge?(url: URL, robots: Robots): Promise<Refusal | RobotsFailure | undefined>
  /**
   * Takes up what an earlier process knew, before anything begins.
   *
   * @param rows all that the job knows, in order of discovery
   * @param notes what pages left, in the order in which they ended; to be read to the end
   */
  restore?(
    rows: readonly LedgerRow[],
    notes: AsyncIterable<{ readonly row: LedgerRow; readonly note: unknown }>,
    stage: JobContext,
  ): Promise<void>
  /** What begins with the job, beside its seeds. @throws TrawlError when the job cannot be done */
  begin?(stage: JobContext): Promise<void>
  /** Why a row is not to be fetched after all; asked when its turn has come. */
  refuse?(row: LedgerRow, stage: JobContext): Promise<Refusal | undefined>
  /** What is known of a row's page from an earlier job, and may spare it. */
  recall?(row: LedgerRow, stage: JobContext): Promise<KnownPage | undefined>
  /** Adds to the queue when everything in it is done and `limit` is not reached: once. */
  revisit?(stage: JobContext): Promise<void>
  /** Why the job came to nothing, asked when its queue is empty: no page could be had without the first. */
  findFailure?(ledger: JobLedger<Document>): Promise<TrawlError | undefined>
  /** What is left to do when every row has its outcome, however the job ended. Never rejects. */
  conclude?(stage: JobContext): Promise<void>
  /** Whether documents are handed out once, and nothing of them is kept. @default false */
  readonly keepsNothing?: boolean
  /** Whether documents are handed out once and then forgotten; what became of their pages is known. @default false */
  readonly forgetsDocuments?: boolean
  /** Whether the job leaves a record that a later crawl can go by. @default false */
  readonly leavesRecord?: boolean
  /** Why a row that the job leaves behind would not have been fetched anyway, as far as that is known without asking. */
  refuseLeft?(row: LedgerRow, stage: JobContext): Promise<Refusal | undefined>
  /** Whether a row's page takes part in learning what is boilerplate; without it none does. */
  learnsFrom?(row: LedgerRow): boolean
  /** Takes further URLs into the list of a batch. @throws InvalidRequestError */
  append?(urls: Iterable<UrlLike>): {
    /** Gives them their places at the end of the list, once the job has begun. */
    place(): readonly UrlCandidate[]
    /** Absent when the batch is to have none. */
    readonly invalidURLs?: readonly string[]
  }
  /** Decides about a scraped page, and admits what was found on it. */
  review(row: LedgerRow, page: ScrapedPage, stage: JobContext): Promise<Verdict>
  /** Hints for a reader of the status of a job that has ended and found little. @param refused URLs refused, by reason */
  hint?(documents: number, refused: Readonly<Partial<Record<SkipReason, number>>>): string[]
  /** What the start response carries beside id and URL. */
  readonly startFields: { invalidURLs?: string[] }
  /** Fills in what only the job knows. */
  describe(document: Document, row: LedgerRow, sourceURL: string): Document
}
