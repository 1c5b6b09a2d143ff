import type { Document } from '../page/document.js'
import type { ErrorCode } from '../errors.js'
import type { JobBudget, JobUse } from '../accounting/budget.js'
import type { StopReason } from '../ledger/job-store.js'
import type { CrawlerOptions, PromptedOptions } from '../plan/crawl/crawl-prompt.js'
import type { RowQuery } from '../plan/plan-rows.js'
import type { LedgerRow, Refusal, SkipReason } from '../ledger/ledger.js'
import type { ReportEvent } from '../ledger/outbox.js'
import type { UrlLike } from '../url.js'

export type JobKind = 'batch-scrape' | 'crawl'

/** `scraping` until all pages have ended; `failed` only when the job itself could not go on. @see docs/compatibility.md#job-states */
export type JobState = 'scraping' | 'completed' | 'cancelled' | 'failed'

/** A page of a job's results, and how far the job is. @see docs/compatibility.md#job-status */
export interface JobStatus<Doc> {
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
  /** What the pages cost together: the sum of their `metadata.creditsUsed`, and of failures that cost something. */
  creditsUsed: number
  /** What the job has taken up so far of what its `budget` may limit. */
  used: JobUse
  /** ISO date after which the engine forgets the job: 24 hours after it ended. */
  expiresAt: string
  /** ISO date. */
  createdAt: string
  /** ISO date: when the job comes to its end if it goes on as it did so far; only while it runs, and pages have come. */
  eta?: string
  /** ISO date; only when the job has ended. */
  completedAt?: string
  /** Seconds from start to end; only when the job has ended. */
  duration?: number
  /** URL of the next page of results; only when there is one. */
  next?: string
  /** Documents in order of discovery, or of the batch's list. */
  data: Doc[]
  warning?: string
  /**
   * What ran out, so that the job has ended with URLs still queued: a limit of its `budget` (`completed`), or the engine's
   * `credits` (`failed`). See {@link Job.resume}.
   */
  stoppedBy?: StopReason
  /** Why the job failed; only when it did. */
  error?: string
  /** The code of that. */
  code?: ErrorCode
}

/** One page that gave no document. @see docs/compatibility.md#job-errors */
export interface PageError {
  id: string
  /** ISO date. */
  timestamp: string
  url: string
  code: ErrorCode
  error: string
}

/** Everything that went wrong with pages of a job. @see docs/compatibility.md#job-errors */
export interface JobErrors {
  errors: PageError[]
  /** URLs that robots.txt refused. */
  robotsBlocked: string[]
}

/** What a report to a webhook is about: `crawl.page`, `batch_scrape.completed`. @see docs/compatibility.md#webhooks */
export type ReportType = `${'crawl' | 'batch_scrape'}.${ReportEvent}`

/** A report that has not reached the job's webhook. */
export interface UndeliveredReport {
  /** The same in every try. UUID. */
  webhookId: string
  type: ReportType
  /** The page that it is about, as the caller spelled its URL; absent for the beginning and the end of the job. */
  url?: string
  /** Tries that have failed. */
  attempts: number
  /** Why the last one failed. */
  error?: string
  /** ISO date: when it is sent, or sent again; absent when it was given up. */
  nextAttemptAt?: string
}

/** How far a job is. */
export interface JobProgress {
  readonly completed: number
  readonly failed: number
  readonly skipped: number
  readonly queued: number
  readonly active: number
}

/** A URL that a job never saw, and what its rules would decide if it were linked from the start page now. */
export interface UnseenUrl {
  readonly outcome: 'unseen'
  readonly url: string
  /** Why it would not be scraped; absent when it would. */
  readonly refusal?: Refusal
  /** Why it would fail, as far as is known without asking for it: its site's robots.txt could not be read. */
  readonly failure?: { readonly code: ErrorCode; readonly error: string }
}

/** What a job tells while it runs; each with one argument. */
export interface JobEvents<Doc> {
  /** A page was scraped; it stands in `status()` already. */
  document: [document: Doc]
  /** A page ended without a document. */
  failed: [failure: { url: string; code: ErrorCode; error: string; attempts: number }]
  /** A URL was refused, or dropped at the end. */
  skipped: [skip: { url: string; reason: SkipReason; message: string }]
  /** A page has ended. */
  progress: [progress: JobProgress]
  /** The job has ended; always last, and once, until a job that was stopped goes on. */
  finished: [status: JobStatus<Doc>]
}

type Listener<Args extends unknown[]> = (...args: Args) => void

/**
 * A running job, and its results when it has ended.
 *
 * Pages that fail never reject anything here: they are counted, listed by `errors()` and explained by `explain()`.
 *
 * @example
 * await using job = engine.crawl({ url: 'https://example.com', limit: 100 })
 * for await (const document of job) await index(document)
 * console.log((await job.finished()).completed)
 */
export interface Job<Doc> extends AsyncIterable<Doc>, AsyncDisposable {
  /** UUID of version 7. */
  readonly id: string
  /** Where a server wrapped around trawl would serve this job: see `baseUrl` of the engine. */
  readonly url: string
  readonly kind: JobKind
  /** When it was started, in this process or an earlier one. ISO date. */
  readonly createdAt: string
  /** What was asked for, as it was checked, with its `headers`. Frozen. */
  readonly request: object
  /**
   * A page of the results and how far the job is, at any time.
   *
   * @param options.skip documents to pass over. @default 0
   * @param options.limit documents to give, 1 to 1000; fewer when they come to over 10 MiB. @default 100
   * @throws InvalidRequestError
   */
  status(options?: { skip?: number; limit?: number }): Promise<JobStatus<Doc>>
  /** The pages that gave no document. */
  errors(): Promise<JobErrors>
  /**
   * What the job's `webhook` has not been told: what waits to be sent, and what was given up after four tries. In the order
   * in which it came.
   *
   * @param options.skip reports to pass over. @default 0
   * @param options.limit reports to give, 1 to 1000. @default 100
   * @throws InvalidRequestError
   */
  undelivered(options?: { skip?: number; limit?: number }): Promise<readonly UndeliveredReport[]>
  /**
   * Every URL that the job knows, skipped ones too, with all that is known about it, in order of discovery. Reads some at a
   * time, while the job runs as well: what is found meanwhile comes along, and a row is as it was when it was read.
   *
   * A job that has found more URLs than it keeps (see `warning`) does not list those that are {@link LedgerRow.abridged}.
   *
   * @example
   * for await (const { url, refusal } of job.rows({ outcome: 'skipped', reason: 'ROBOTS_TXT' })) console.log(url, refusal?.message)
   *
   * @throws InvalidRequestError for a filter that is not allowed, and, from the loop, for an `after` that is no row of the job
   */
  rows(query?: RowQuery): AsyncIterableIterator<LedgerRow>
  /**
   * All that is known about a URL, as text or a `URL`: how it was found, what was decided and why, each attempt with its times; for one that
   * the job never saw, what it would decide now. Undefined for a string that is no URL.
   */
  explain(url: UrlLike): Promise<LedgerRow | UnseenUrl | undefined>
  /**
   * Waits for the job's end. Never rejects because of the job.
   *
   * @throws the signal's reason, when `options.signal` aborts; the job goes on
   * @throws TrawlError `ENGINE_CLOSED` when the job was parked: see `engine.close()`
   */
  finished(options?: { signal?: AbortSignal }): Promise<JobStatus<Doc>>
  /**
   * Stops the job, also one that was stopped before its end: queued pages are dropped, fetches under way are aborted, what was
   * scraped stays readable. Loops over the job end without an error. Changes nothing about a job that has ended.
   *
   * @returns the closing status. A rejection that nobody handles does not end the process
   * @throws TrawlError `ENGINE_CLOSED` when the job was parked: see `engine.close()`; `JOB_HELD` when another process has gone on with it
   */
  cancel(): Promise<JobStatus<Doc>>
  /** Cancels the job if it runs, and waits for its end, whatever that is: `await using job = engine.crawl(…)`. */
  [Symbol.asyncDispose](): Promise<void>
  /**
   * Starts no further page until `resume()`, from the call on; pages under way are finished. Changes nothing about a job that has
   * ended.
   *
   * @returns the status without documents, as `status({ limit: 0 })` gives it, or the closing status when the job has ended. It never
   *   rejects, so that `response.on('close', () => job.pause())` needs no more
   */
  pause(): Promise<JobStatus<Doc>>
  /**
   * Goes on after `pause()`, from the call on, and with a job that was stopped (`stoppedBy`): by its budget, with a larger one; by the engine's
   * credits, on an engine that has some left. What the job has taken up so far counts. It is the same job, with the same handle;
   * `finished()` and the iterator begin anew. Without a budget it changes nothing about a job that has come to its end.
   *
   * @param options.budget limits that hold from now on, for the job from its start; those not named stay. Also while it runs
   * @returns the status, as `pause()` gives it; it never rejects
   * @throws at the call: InvalidRequestError for a limit that is used up already; TrawlError `INSUFFICIENT_CREDITS`, `ENGINE_CLOSED`;
   *   `JOB_FINISHED` for a budget when the job came to its end; `JOB_HELD` when another process has gone on with it
   */
  resume(options?: { budget?: JobBudget | undefined }): Promise<JobStatus<Doc>>
  /**
   * Documents as they finish, from the first one on. A slow reader holds the job back: no page is started while
   * more than `maxWaitingBytes` of the engine wait to be read. Leaving the loop lets the job run on; `await using job` cancels it then.
   *
   * After the last document the loop throws when the job failed (its error: `INSUFFICIENT_CREDITS`, `LEDGER_ERROR`, …) or was
   * aborted (the reason of the `signal`, or `ENGINE_CLOSED`). It just ends when the job completed, and after `cancel()`.
   *
   * Of a job that was started with `acknowledge`, from the first one on that was not acknowledged: a document counts as
   * acknowledged when the loop asks for the next, so not when the loop is left, by `break` or an error, or the process dies.
   * @throws TrawlError `ENGINE_CLOSED` when the job was parked: more is to come, from the next engine
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Doc>
  /**
   * Notes that a document was taken for good: it is not handed out again, also after a crash.
   *
   * @param document one that the job handed out, or its `metadata.deliveryId` (a number, or its digits as a store of text gives
   *   them): after a crash, what the reader's own store says that it has
   * @throws TrawlError `BAD_REQUEST` when the job has no such document, or was started without `acknowledge`
   */
  acknowledge(document: Document | number | string): Promise<void>
  on<E extends keyof JobEvents<Doc>>(event: E, listener: Listener<JobEvents<Doc>[E]>): this
  once<E extends keyof JobEvents<Doc>>(event: E, listener: Listener<JobEvents<Doc>[E]>): this
  off<E extends keyof JobEvents<Doc>>(event: E, listener: Listener<JobEvents<Doc>[E]>): this
  /** The interface's answer to the request that started the job, so that a server can send the handle itself. */
  toJSON(): StartResponse
}

/** @see docs/compatibility.md#start-response */
export interface StartResponse {
  success: true
  id: string
  url: string
  /** The URLs that a batch dropped; absent when `ignoreInvalidURLs` is false, and for a crawl. */
  invalidURLs?: string[]
  /** What a model made of the `prompt` of a crawl; absent without one, and until it is known: see {@link CrawlJob.prepared}. */
  promptGeneratedOptions?: PromptedOptions
  /** The options that a crawl with a `prompt` goes by; absent as long as the ones above. */
  finalCrawlerOptions?: CrawlerOptions
}

/** A batch under way. */
export interface BatchScrapeJob<Doc> extends Job<Doc> {
  readonly kind: 'batch-scrape'
  /** The URLs that were dropped, verbatim; empty when none were; undefined when `ignoreInvalidURLs` is false. */
  readonly invalidURLs: readonly string[] | undefined
  /**
   * Adds URLs to the end of the list; resolves when they are in the ledger. A page that the batch has is not fetched again:
   * it gives one more document. Invalid URLs join `invalidURLs`, or are refused, as the batch was asked to.
   *
   * @param urls at least one; a list, a `Set`, or any other iterable of texts and `URL`s, which is read at the call
   * @throws TrawlError `JOB_FINISHED` (409) when the job has ended; nothing is added then
   * @throws InvalidRequestError
   */
  append(urls: Iterable<UrlLike>): Promise<void>
}

/** A crawl under way. */
export interface CrawlJob<Doc> extends Job<Doc> {
  readonly kind: 'crawl'
  /**
   * What a model made of `prompt`; undefined without one, and until it is known. Empty when the model made nothing of it:
   * `status().warning` says why.
   */
  readonly promptGeneratedOptions: PromptedOptions | undefined
  /** The options that the crawl goes by, those of the request and then the generated ones; undefined as long as these are. */
  readonly finalCrawlerOptions: CrawlerOptions | undefined
  /**
   * Waits until it is known what the crawl goes by: at most some 75 seconds with a `prompt`, not at all without. Resolves as
   * well when the job ends before. A server that answers with the whole start response waits for it.
   *
   * @see docs/compatibility.md#crawl-prompt
   */
  prepared(): Promise<void>
}
