import type { RangeOptions, BatchScrapeJob, CrawlJob, Job } from '../job/job.js'
import type { Document, DocumentOf, DocumentSince } from '../page/document.js'
import type { Credits } from '../../base/accounting/credit-account.js'
import type { JobOverview } from '../job/list-jobs.js'
import type { InterruptedJob } from '../ledger/job-store.js'
import type { BatchScrapeRequest } from '../options/batch-options.js'
import type { CrawlRequest } from '../options/crawl-options.js'
import type { SparseOptions } from '../options/feature-options.js'
import type { FormatItem } from '../options/fields/formats.js'
import type { ParseInput } from '../options/parse-input.js'
import type { ScrapeCallOptions, ScrapeOptions } from '../options/scrape-options.js'
import type { V1BatchScrapeRequest, V1CrawlRequest, V1ScrapeCallOptions } from '../options/v1-options.js'
import type { UrlLike } from '../../base/url.js'
import type { EngineHealth } from './engine-health.js'

/** Options of every call. */
export interface CallOptions {
  /** Aborting it cancels the job, or rejects the promise with its reason. */
  signal?: AbortSignal
}

/** Options of calls that start a job. */
export interface JobCallOptions extends CallOptions {
  /**
   * Delivers each document until it is acknowledged: see the iterator of a job, and `job.acknowledge()`. On a durable
   * ledger, also after a crash. Not with `zeroDataRetention`.
   * @default false
   */
  acknowledge?: boolean
  /**
   * Key that makes a second call with the same request return the same job, as long as the job is remembered; on a
   * durable ledger, also after a crash. The call returns a promise then, because the ledger is asked for the key. 1 to 255
   * characters.
   */
  idempotencyKey?: string
}

/**
 * Result of a call that starts a job: its handle. With an `idempotencyKey` or `appendToId`, a promise of it, because the ledger is
 * asked for a job that may be there; where the compiler cannot know of either, one of both: `await` takes both.
 *
 * @typeParam Handle the handle of the job
 * @typeParam Known type of the key, or of the id: undefined without one
 */
export type Started<Handle, Known extends string | undefined> = [Known] extends [undefined]
  ? Handle
  : Handle | Promise<Handle>

/** Options of {@link Engine.resume}. */
export interface ResumeOptions {
  /**
   * Returns the request of a job that could not be stored completely, because it contains functions or schemas of
   * libraries; undefined if you do not know the job.
   */
  complete?: (job: InterruptedJob) => object | undefined
}

/** Options of {@link Engine.close}, for jobs on a durable ledger. */
export interface CloseOptions {
  /**
   * Waits for pages in flight and due reports. With `false` they are dropped; the next engine fetches and sends
   * them again.
   * @default true
   */
  drain?: boolean
}

type Formats = readonly FormatItem[]
declare const unasked: unique symbol
/**
 * Formats of a call that names none. They are not `['markdown']`, because an editor completes the names of the default while it knows
 * no others.
 */
interface NoFormats extends ReadonlyArray<FormatItem> {
  readonly [unasked]: true
}
/** Formats that a call asks for, by their names or by naming none. */
type Asked<F extends Formats> = [typeof unasked] extends [keyof F] ? readonly ['markdown'] : F

/** Calls of features. A feature adds its own by declaration merging, so that they go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureCalls {}

/**
 * A scraping engine, with its workers, connections, cache and jobs. Create one for a service, and close it at the end.
 *
 * @example
 * await using engine = createEngine()
 * const page = await engine.scrape('https://example.com')
 * console.log(page.markdown)
 */
export interface Engine extends FeatureCalls, AsyncDisposable {
  /**
   * Starts a batch: a job that scrapes every URL of a list. A job that cannot be written to a database fails, with `LEDGER_ERROR`.
   *
   * @returns the handle; with `appendToId`, and with an `idempotencyKey`, a promise of it
   * @throws InvalidRequestError with all problems of the request; no job is started then
   * @throws TrawlError `NOT_AVAILABLE`, which says what the engine lacks for an option; `ENGINE_CLOSED`;
   *   `INSUFFICIENT_CREDITS` when `creditLimit` has no room for another page
   * @see docs/compatibility/jobs.md#batch-request
   */
  batchScrape<
    const F extends Formats = NoFormats,
    Id extends string | undefined = undefined,
    Key extends string | undefined = undefined,
  >(
    request: BatchScrapeRequest<F> & { readonly appendToId?: Id },
    call?: JobCallOptions & { readonly idempotencyKey?: Key },
  ): Started<BatchScrapeJob<DocumentOf<Asked<F>>>, [Id] extends [undefined] ? Key : Id>
  /**
   * Starts a crawl: a job that discovers pages from a start URL, filters them by rules and scrapes them up to a limit.
   * With `since`, unchanged pages give documents without formats, so that each format may be absent.
   *
   * @throws InvalidRequestError, TrawlError as {@link Engine.batchScrape}
   * @see docs/compatibility/crawls.md#crawl-request
   */
  crawl<
    const F extends Formats = NoFormats,
    Sparse extends string | undefined = undefined,
    Key extends string | undefined = undefined,
  >(
    request: CrawlRequest<F> & { readonly [Name in keyof SparseOptions]?: Sparse },
    call?: JobCallOptions & { readonly idempotencyKey?: Key },
  ): Started<CrawlJob<[Sparse] extends [undefined] ? DocumentOf<Asked<F>> : DocumentSince<Asked<F>>>, Key>
  /** Calls of version 1 of the interface. */
  readonly v1: {
    /** Starts a batch with the page options of version 1. @see docs/compatibility/crawls.md#version-1 */
    batchScrape<Id extends string | undefined = undefined, Key extends string | undefined = undefined>(
      request: V1BatchScrapeRequest & { readonly appendToId?: Id },
      call?: JobCallOptions & { readonly idempotencyKey?: Key },
    ): Started<BatchScrapeJob<Document>, [Id] extends [undefined] ? Key : Id>
    /** Starts a crawl with the options of version 1. @see docs/compatibility/crawls.md#version-1 */
    crawl<Key extends string | undefined = undefined>(
      request: V1CrawlRequest,
      call?: JobCallOptions & { readonly idempotencyKey?: Key },
    ): Started<CrawlJob<Document>, Key>
    /** Scrapes one page with the options of version 1. @throws TrawlError as {@link Engine.scrape} */
    scrape(url: UrlLike, options?: V1ScrapeCallOptions, call?: CallOptions): Promise<Document>
  }
  /**
   * Scrapes one page.
   *
   * An HTTP error page is a document too, with `metadata.statusCode` and `metadata.error`. `timeout` includes retries
   * and the wait for a free slot.
   *
   * @throws TrawlError with the code of the failure
   */
  scrape<const F extends Formats = NoFormats>(
    url: UrlLike,
    options?: ScrapeCallOptions<F>,
    call?: CallOptions,
  ): Promise<DocumentOf<Asked<F>>>
  /**
   * Converts bytes or HTML that the caller supplies to a document. Nothing is fetched, and options for fetching have no
   * effect: a `warning` names those that would give another page, such as `actions` and `mobile`.
   *
   * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` when no parser reads it
   */
  parse<const F extends Formats = NoFormats>(
    input: ParseInput,
    options?: ScrapeOptions<F>,
    call?: CallOptions,
  ): Promise<DocumentOf<Asked<F>>>
  /**
   * Finds the job with this id, running or ended less than `retentionMs` ago. On a durable ledger also one of an
   * earlier process, which is resumed if it had not ended.
   *
   * @typeParam Doc type of the job's documents, which the compiler cannot know here, e.g.
   * `engine.job<DocumentOf<['markdown']>>(id)`
   * @throws TrawlError `JOB_HELD` when another process runs the job, and the ledger is not one of several machines
   * @throws TrawlError `BAD_REQUEST` when the job's request could not be stored completely, or when this engine cannot run it;
   * `LEDGER_ERROR` when a stored value of it is damaged: see {@link Engine.resume}
   */
  job<Doc extends Document = Document>(id: string): Promise<Job<Doc> | undefined>
  /**
   * Resumes all jobs that earlier processes left behind, by a crash or by `close()`, and that no other process runs.
   * Finished pages are not fetched again; pages that were in flight are. A job that was stopped (`stoppedBy`) has
   * ended, and is not resumed: use `engine.job(id)`, then `resume({ budget })`. Unsent reports of ended jobs
   * are sent; these jobs are not returned, also if documents of theirs are not acknowledged yet: `engine.job(id)`, or the
   * call with the same `idempotencyKey`, returns such a job.
   *
   * @typeParam Doc type of the documents of all these jobs, e.g. `engine.resume<DocumentOf<['markdown']>>()`
   * @returns the jobs, oldest first
   * @throws TrawlError `BAD_REQUEST` when the ledger is not durable, or when the request of a job could not be stored
   * completely and `complete` does not return it; no job is resumed then
   * @throws TrawlError `BAD_REQUEST` or `LEDGER_ERROR` naming jobs that this engine cannot run, as it lacks a language model
   * for instance, or whose stored values are damaged; all others are resumed
   */
  resume<Doc extends Document = Document>(options?: ResumeOptions): Promise<readonly Job<Doc>[]>
  /**
   * Cancels the job with this id, as `cancel()` of a job does, also one that this engine cannot run: it lacks a language model, for
   * instance, or stored values of the job are damaged. Nothing happens when the job has ended.
   *
   * @throws TrawlError `JOB_NOT_FOUND`, `JOB_HELD` as {@link Engine.job}; `LEDGER_ERROR`; `ENGINE_CLOSED`; `BAD_REQUEST` for no id
   */
  cancel(id: string): Promise<void>
  /**
   * Lists the jobs of all engines that use the ledger, newest first: running ones, and those that ended less than `retentionMs` ago.
   *
   * @param options.skip jobs to skip. @default 0
   * @param options.limit jobs to return, 0 to 1000. @default 100
   * @throws InvalidRequestError; TrawlError `BAD_REQUEST` when the ledger is neither `postgres(…)` nor `sqlite(…)`; `LEDGER_ERROR`
   */
  listJobs(options?: RangeOptions): Promise<readonly JobOverview[]>
  /**
   * Measures the ledger, and counts jobs, tasks and workers, for monitoring. It asks the database once, for small tables, and
   * resolves after five seconds at most: a ledger that cannot be used is no error.
   *
   * @throws TrawlError `ENGINE_CLOSED`
   * @see docs/guides/operation.md#metrics
   */
  health(): Promise<EngineHealth>
  /** Lists the running jobs, oldest first. @see docs/compatibility/jobs.md#active-jobs */
  jobs<Doc extends Document = Document>(): readonly Job<Doc>[]
  /**
   * Returns the credits spent since the engine was created, and those that `creditLimit` leaves.
   *
   * @see docs/compatibility/fetching.md#credits
   */
  credits(): Credits
  /**
   * Releases every thread, socket and timer. Running jobs are parked on a durable ledger, for the next engine to
   * resume, and cancelled otherwise. Due reports are sent first, for ten seconds at most. Ended jobs stay
   * readable in memory.
   */
  close(options?: CloseOptions): Promise<void>
}

/** The engine without the calls of features, and without the types of documents, which follow from `formats` for the compiler alone. @internal */
export interface UntypedEngine<Run> extends Omit<
  Engine,
  'batchScrape' | 'crawl' | 'v1' | 'scrape' | 'parse' | 'job' | 'jobs' | 'resume' | keyof FeatureCalls
> {
  batchScrape(request: BatchScrapeRequest, call?: JobCallOptions): Run | Promise<Run>
  crawl(request: CrawlRequest, call?: JobCallOptions): Run | Promise<Run>
  v1: {
    batchScrape(request: V1BatchScrapeRequest, call?: JobCallOptions): Run | Promise<Run>
    crawl(request: V1CrawlRequest, call?: JobCallOptions): Run | Promise<Run>
    scrape: Engine['v1']['scrape']
  }
  scrape(url: string, options?: ScrapeOptions, call?: CallOptions): Promise<Document>
  parse(input: ParseInput, options?: ScrapeOptions, call?: CallOptions): Promise<Document>
  job(id: string): Promise<Run | undefined>
  jobs(): readonly Run[]
  resume(options?: ResumeOptions): Promise<readonly Run[]>
}
