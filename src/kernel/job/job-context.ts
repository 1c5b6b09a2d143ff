import type { BackgroundTasks } from '../../base/concurrency/background-tasks.js'
import type { LearntRules } from '../enrich/learnt-rules.js'
import type { RenderingPredictor, ConcurrencyPermit } from '../fetch/fetcher.js'
import type { RequestOutcome } from '../frontier/politeness.js'
import type { GetSiteFile } from '../../base/http/site-file.js'
import type { UrlCandidate, Claim, JobLedger, LedgerRow, Refusal } from '../ledger/ledger.js'
import type { Document } from '../page/document.js'
import type { FurtherRequests } from '../page/scrape-request.js'
import type { SaveErrorSnapshot } from './error-snapshot.js'
import type { JobHooks } from './job-hooks.js'
import type { JobTools } from './job-tools.js'
import type { BudgetTracker } from './lifecycle/budget-tracker.js'
import type { JobTracer } from './lifecycle/job-tracer.js'

/** Permit of a page of a job. */
export interface JobPermit extends ConcurrencyPermit {
  /**
   * Ends the page's request to its site, and begins another one.
   *
   * @param begin waits until a request may begin
   * @throws the rejection of `begin`: then the permit has no request
   */
  renewRequest(nowMs: number, outcome: RequestOutcome, begin: () => Promise<void>): Promise<void>
}

/** Services of a running job that its strategy uses. */
export interface JobContext {
  readonly id: string
  /** Aborted when the job ends, for whatever reason. */
  readonly signal: AbortSignal
  readonly tools: JobTools
  /** Tools of pages that workers scrape. */
  readonly workerTools: JobTools
  readonly ledger: JobLedger<Document>
  /** Resources used by the job, and its language model budget. */
  readonly budgetTracker: BudgetTracker
  /** Publishes the spans of the job. */
  readonly tracer: JobTracer
  /** Adds a warning to the status of the job. Each is shown once. */
  warn(message: string): void
  /** Records the options generated from the `prompt`, so that a resumed job uses the same ones. */
  saveGeneratedOptions(generated: object): void
  /**
   * Background tasks, such as reading sitemaps. The job does not end before them; an error that one throws becomes a
   * warning of the job.
   */
  readonly background: BackgroundTasks
  /** Predicts from earlier pages which pages of the job need a browser. */
  readonly rendering: RenderingPredictor
  /** Hooks of the features that the job asks for, in order. */
  readonly hooks: readonly JobHooks[]
  /** Rules that formats have learnt on its pages. */
  readonly learntRules: LearntRules
  /** Adds candidates to the ledger; waits while the job is stopped. */
  admit(candidates: readonly UrlCandidate[]): Promise<readonly LedgerRow[]>
  /**
   * Marks the target of a redirect as scraped by another row, so that it is not scraped again; waits while the job is
   * stopped.
   */
  claim(candidate: UrlCandidate & { refused: Refusal }): Promise<Claim>
  /** Fetches a file of a site with the same politeness as a page; waits while the job is stopped. */
  readonly getFile: GetSiteFile
  /** Permission for the further requests for a row's page: by robots.txt, the budget and politeness. */
  permitFurther(row: LedgerRow, permit: JobPermit): FurtherRequests
  /** Waits until fewer rows are queued than the job's limit can take. */
  awaitCapacity(): Promise<void>
  /** Limits requests to the site to one at a time from now on, with this pause in between. Milliseconds. */
  setCrawlDelay(site: string, crawlDelayMs: number): void
  readonly saveErrorSnapshot: SaveErrorSnapshot
}
