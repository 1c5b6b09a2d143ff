import type { Document } from '../page/document.js'
import type { ErrorCode } from '../../base/errors.js'
import type { JobBudget, JobUse } from '../../base/accounting/budget.js'
import type { StopReason } from '../ledger/job-store.js'
import type { CrawlerOptions, PromptedOptions } from '../plan/crawl/prompted-options.js'
import type { RowQuery } from '../plan/row-query.js'
import type { LedgerRow, PageWarning, SkipReason, Refusal } from '../ledger/ledger.js'
import type { FeatureStops } from '../ledger/skip-reason.js'
import type { UrlLike } from '../../base/url.js'
import type { FeatureJobCalls, JobPause } from './job-hooks.js'
import type { PageStep } from '../fetch/fetcher.js'

export type JobKind = 'batch-scrape' | 'crawl'

/**
 * `scraping` until all pages have ended; `failed` when the job itself could not go on, when credits ran out, and when the start page of a
 * crawl failed and there is no document; never for other pages.
 *
 * @see docs/compatibility/jobs.md#job-states
 */
export type JobState = 'scraping' | 'completed' | 'cancelled' | 'failed'

/** Parts of a status that features add. A feature adds its own by declaration merging, so that they go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureJobStatus {}

/** A page of a job's results, with the state of the job. @see docs/compatibility/jobs.md#job-status */
export interface JobStatus<Doc> extends FeatureJobStatus {
  /** False only when the job itself failed. */
  success: boolean
  status: JobState
  /** Pages scraped. */
  completed: number
  /** Pages scraped, being scraped and still to be scraped; failed and skipped ones do not count. */
  total: number
  /** Pages that could not be fetched: see {@link Job.errors}. */
  failed: number
  /** URLs that were found and not scraped, each with its reason in the ledger: see {@link Job.explain}. */
  skipped: number
  /** The skipped ones by reason. */
  skippedByReason: Partial<Record<SkipReason, number>>
  /** Credits that the pages cost: the sum of their `metadata.creditsUsed`, and of failures that cost something. */
  creditsUsed: number
  /** Resources used so far, of those that `budget` may limit. */
  used: JobUse
  /** ISO date after which the engine forgets the job: 24 hours after it ended. */
  expiresAt: string
  /** ISO date. */
  createdAt: string
  /** ISO date: the estimated end of the job at its rate so far; only while it runs, after the first page. */
  eta?: string
  /** ISO date; only when the job has ended. */
  completedAt?: string
  /** Seconds from start to end; only when the job has ended. */
  duration?: number
  /** URL of the next page of results; only when there is one. */
  next?: string
  /** Documents in the order in which their pages were begun, or of the batch's list. */
  data: Doc[]
  /** Problems of the job and of its pages, in sentences: less than was asked for, or doubtful. */
  warning?: string
  /** Warnings of its pages by kind, most frequent first; only when there are some. Each page has its own in `explain()`. */
  warnings?: PageWarning[]
  /**
   * Resource that ran out with URLs still queued: a limit of its `budget` (`completed`), or `credits` (`failed`): see {@link Job.resume}.
   * `known` when a crawl has ended by `until` with URLs still queued.
   */
  stoppedBy?: StopReason | keyof FeatureStops
  /** Set when the job is unfinished and no living engine runs it: `engine.resume()` of any engine continues it. */
  interrupted?: true
  /** Message of the error that failed the job; only when it failed. */
  error?: string
  /** Code of that error. */
  code?: ErrorCode
}

/** One page that gave no document. @see docs/compatibility/jobs.md#job-errors */
export interface PageError {
  id: string
  /** ISO date. */
  timestamp: string
  url: string
  code: ErrorCode
  error: string
}

/** Everything that went wrong with pages of a job. @see docs/compatibility/jobs.md#job-errors */
export interface JobErrors {
  errors: PageError[]
  /** URLs that robots.txt refused. */
  robotsBlocked: string[]
}

/** Progress of a job. */
export interface JobProgress {
  readonly completed: number
  readonly failed: number
  readonly skipped: number
  readonly queued: number
  readonly active: number
}

/** Events of a job. Each has one argument. */
export interface JobEvents<Doc> {
  /** A page was scraped; `status()` includes it already. */
  document: [document: Doc]
  /** A page ended without a document. */
  failed: [failure: { url: string; code: ErrorCode; error: string; attempts: number }]
  /** A URL was refused, or skipped at the end. */
  skipped: [skip: { url: string; reason: SkipReason; message: string }]
  /** The pages of a host wait, for a login for example, or come to nothing without it. */
  paused: [pause: JobPause]
  /** A page has ended. */
  progress: [progress: JobProgress]
  /** The job has ended. Always the last event, and emitted once, until a stopped job is resumed. */
  finished: [status: JobStatus<Doc>]
}

type JobListener<Args extends unknown[]> = (...args: Args) => void

/**
 * Handle of a running or ended job.
 *
 * A page that fails rejects no promise of the job: it is counted, listed by `errors()` and explained by `explain()`.
 *
 * @example
 * await using job = engine.crawl({ url: 'https://example.com', limit: 100 })
 * for await (const document of job) await index(document)
 * console.log((await job.finished()).completed)
 */
export interface Job<Doc> extends AsyncIterable<Doc>, AsyncDisposable, FeatureJobCalls, JobActivity {
  /** UUID of version 7. */
  readonly id: string
  /** URL at which a server built on trawl would serve this job: see `baseUrl` of the engine. */
  readonly url: string
  readonly kind: JobKind
  /** Start of the job, in this process or an earlier one. ISO date. */
  readonly createdAt: string
  /** The validated request, including its `headers`. Frozen. */
  readonly request: object
  /**
   * Waits until the job is in the ledger, so that any engine finds it by its id, and until the options generated from the `prompt`
   * of a crawl are known: about 75 seconds at most. Also resolves when the job ends first. Await it before sending a start response.
   *
   * @throws TrawlError `LEDGER_ERROR` when the job cannot be written to the ledger
   * @see docs/compatibility/crawls.md#crawl-prompt
   */
  prepared(): Promise<void>
  /**
   * Reads a page of the results and the state of the job, at any time.
   *
   * @param options.skip documents to skip. @default 0
   * @param options.limit documents to return, 0 to 1000; fewer when they exceed 10 MiB. @default 100
   * @throws InvalidRequestError
   */
  status(options?: RangeOptions): Promise<JobStatus<Doc>>
  /** Lists failed pages, pages that the rules of the crawl refused after the fetch, and URLs refused by robots.txt. */
  errors(): Promise<JobErrors>
  /**
   * Lists every URL of the job, skipped ones included, with all that is known about it, in order of discovery. Rows are
   * read in batches, also while the job runs: URLs that are found meanwhile are included, and a row has its state at
   * the time of the read.
   *
   * When the job has found more URLs than it keeps (see `warning`), those that are {@link LedgerRow.abridged} are not
   * listed.
   *
   * @example
   * for await (const { url, refusal } of job.urls({ outcome: 'skipped', reason: 'ROBOTS_TXT' })) console.log(url, refusal?.message)
   *
   * @throws InvalidRequestError for an invalid filter and, from the loop, for an `after` that is no row of the job
   */
  urls(query?: RowQuery): AsyncIterableIterator<LedgerRow>
  /** Lists the same. @deprecated rows are those of lists, see `items()`: use `urls()` */
  rows(query?: RowQuery): AsyncIterableIterator<LedgerRow>
  /**
   * Explains a URL: how it was found, what was decided and why, and each attempt with its times. For a URL that the job never saw, the
   * decision that it would make now. Undefined for a string that is no URL.
   *
   * @param url as a link would name it: a path such as `/docs` is one of the site of the crawl
   */
  explain(url: UrlLike): Promise<LedgerRow | UnseenUrl | undefined>
  /**
   * Waits for the end of the job. Does not reject when the job fails.
   *
   * @throws the signal's reason when `options.signal` aborts; the job continues
   * @throws TrawlError `ENGINE_CLOSED` when the job was parked: see `engine.close()`
   */
  finished(options?: { signal?: AbortSignal }): Promise<JobStatus<Doc>>
  /**
   * Cancels the job, also a stopped one (`stoppedBy`): queued pages are skipped and active fetches aborted; scraped
   * documents stay readable. Loops over the job's documents end without an error. Does nothing when the job has ended.
   *
   * @returns the closing status. An unhandled rejection does not end the process
   * @throws TrawlError `ENGINE_CLOSED` when the job was parked: see `engine.close()`; `JOB_HELD` when another process
   *   has resumed it; `JOB_INTERRUPTED` when the process that ran it has died
   */
  cancel(): Promise<JobStatus<Doc>>
  /** Cancels the job if it runs and waits for its end, for `await using job = engine.crawl(…)`. */
  [Symbol.asyncDispose](): Promise<void>
  /**
   * Starts no further page until `resume()`; active pages are finished. Does nothing when the job has ended.
   *
   * @returns the status without documents, as `status({ limit: 0 })` does, or the closing status when the job has ended. A
   *   rejection (`JOB_INTERRUPTED`, `JOB_HELD`: another engine runs the job) needs no handler: `response.on('close', () => job.pause())`
   */
  pause(): Promise<JobStatus<Doc>>
  /**
   * Resumes a paused job, and a job that was stopped (`stoppedBy`): by its budget, with a larger one; by the engine's credits, on an engine
   * that has some left. Resources used so far count. The job and its handle stay the same; `finished()` and the iterator start over.
   * Without a budget it does nothing when the job has come to its end.
   *
   * @param options.budget new limits, counted from the start of the job; limits not named stay. Also allowed while the job runs
   * @returns the status, as `pause()` does
   * @throws at the call: InvalidRequestError for a limit that is already used up; TrawlError `INSUFFICIENT_CREDITS`, `ENGINE_CLOSED`;
   *   `JOB_FINISHED` for a budget when the job has come to its end
   * @throws as a rejection, which needs no handler: TrawlError `JOB_HELD` when another process has resumed it; `LEDGER_ERROR`
   */
  resume(options?: { budget?: JobBudget }): Promise<JobStatus<Doc>>
  /**
   * Iterates over the documents as they finish, from the first one on. A slow reader slows the job down: no page is started while more
   * than the engine's `maxWaitingBytes` wait to be read. The job continues when the loop is left, unless `await using job` cancels it.
   *
   * After the last document the loop throws when the job failed (its error: `INSUFFICIENT_CREDITS`, `LEDGER_ERROR`, …) or was
   * aborted (the reason of the `signal`, or `ENGINE_CLOSED`). It ends without an error when the job completed, and after `cancel()`.
   *
   * With `acknowledge`, iteration starts at the first unacknowledged document. A document is acknowledged when the loop asks for the
   * next one: not when the loop is left by `break` or an error, nor when the process dies.
   * @throws TrawlError `ENGINE_CLOSED` when the job was parked: the next engine delivers the rest
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Doc>
  /**
   * Acknowledges a document: it is not delivered again, not even after a crash.
   *
   * @param document a delivered document, or its `metadata.deliveryId` (a number, or its digits when a text store holds it): after a
   *   crash, the id from the reader's own store
   * @throws TrawlError `BAD_REQUEST` when the job has no such document, or was started without `acknowledge`
   */
  acknowledge(document: Document | number | string): Promise<void>
  on<E extends keyof JobEvents<Doc>>(event: E, listener: JobListener<JobEvents<Doc>[E]>): this
  once<E extends keyof JobEvents<Doc>>(event: E, listener: JobListener<JobEvents<Doc>[E]>): this
  off<E extends keyof JobEvents<Doc>>(event: E, listener: JobListener<JobEvents<Doc>[E]>): this
  /** Creates the start response of the interface, so that a server can send the handle itself. */
  toJSON(): StartResponse
}

/** @see docs/compatibility/jobs.md#start-response */
export interface StartResponse {
  success: true
  id: string
  url: string
  /** The URLs that a batch dropped; absent when `ignoreInvalidURLs` is false, and for a crawl. */
  invalidURLs?: string[]
  /** Options generated from the `prompt` of a crawl; absent without one, and until they are known: see {@link CrawlJob.prepared}. */
  promptGeneratedOptions?: PromptedOptions
  /** Options that a crawl with a `prompt` uses; absent as long as the ones above. */
  finalCrawlerOptions?: CrawlerOptions
}

/** Handle of a batch. */
export interface BatchScrapeJob<Doc> extends Job<Doc> {
  readonly kind: 'batch-scrape'
  /** The URLs that were dropped, verbatim; empty when none were; undefined when `ignoreInvalidURLs` is false. */
  readonly invalidURLs: readonly string[] | undefined
  /**
   * Appends URLs to the list. Resolves when they are in the ledger. A page that the batch already has is not fetched again: it gives
   * one more document. Invalid URLs are added to `invalidURLs` or refused, depending on `ignoreInvalidURLs`.
   *
   * @param urls at least one: an array, a `Set` or any other iterable of strings and `URL`s, which is read at the call
   * @throws TrawlError `JOB_FINISHED` (409) when the job ends before that, `ENGINE_CLOSED` when its engine was closed: what is in the ledger is skipped
   * @throws InvalidRequestError
   */
  append(urls: Iterable<UrlLike>): Promise<void>
}

/** Handle of a crawl. */
export interface CrawlJob<Doc> extends Job<Doc> {
  readonly kind: 'crawl'
  /** URL at which the crawl starts, as the request has it. `url` is the address of the job. */
  readonly startUrl: string
  /**
   * Options generated from the `prompt`; undefined without one, and until they are known. Empty when the model generated none:
   * `status().warning` says why.
   */
  readonly promptGeneratedOptions: PromptedOptions | undefined
  /** Options that the crawl uses: those of the request, completed by the generated ones; undefined as long as these are. */
  readonly finalCrawlerOptions: CrawlerOptions | undefined
}

/** Range of a list that is read a part at a time. */
export interface RangeOptions {
  /** Entries to skip. @default 0 */
  skip?: number
  /** Entries to return. @default 100 */
  limit?: number
}

/** A URL that a job never saw, with the decision of its rules if it were linked from the start page now. */
export interface UnseenUrl {
  readonly outcome: 'unseen'
  readonly url: string
  /** Reason why it would not be scraped; absent when it would. */
  readonly refusal?: Refusal
  /** Error that it would fail with, as far as it is known without a request: its site's robots.txt could not be read. */
  readonly failure?: { readonly code: ErrorCode; readonly error: string }
}

/** A page that a job works on now. */
export interface PageActivity {
  readonly url: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /**
   * Step of the page: `fetch` (robots.txt, the cache, the site), `digest` (parse, extract, convert), `enrich` (further pages of a
   * list, models, media), or `worker` for a page that another engine scrapes. Absent while another process runs the job.
   */
  readonly step?: PageStep | 'worker'
  /** Time since the attempt began. Milliseconds; absent while another process runs the job. */
  readonly elapsedMs?: number
  /** Set while the page only waits for its site, and has lent its place among `maxConcurrency` to another page. */
  readonly lent?: true
}

/** Reads what a job does now. */
export interface JobActivity {
  /**
   * Lists the pages that the job works on now, oldest first: one for each place that it takes of the engine's `maxConcurrency`, and
   * those that have lent theirs. Empty while it waits, for example for a site that is to be asked later, and when it has ended.
   *
   * It reads memory only, so that it can be called several times a second; of a job that another process runs, it reads
   * the database.
   *
   * @example
   * for (const { step, elapsedMs, url } of await job.activity()) console.log(step, elapsedMs, url)
   *
   * @throws TrawlError `LEDGER_ERROR`, of a job that another process runs
   */
  activity(): Promise<readonly PageActivity[]>
}
