import type { Document, DocumentOf } from '../page/document.js'
import type { Credits } from '../job/credit-account.js'
import type { CrawlForecast } from '../job/discovery/forecast.js'
import type { BatchScrapeJob, CrawlJob, Job } from '../job/job.js'
import type { SiteMap } from '../job/discovery/site-map.js'
import type { InterruptedJob } from '../ledger/job-store.js'
import type { BatchScrapeRequest } from '../options/batch-options.js'
import type { CrawlRequest } from '../options/crawl-options.js'
import type { FormatItem } from '../options/fields/formats.js'
import type { MapRequest } from '../options/map-options.js'
import type { ParseInput } from '../options/parse-input.js'
import type { ScrapeOptions } from '../options/scrape-options.js'
import type { V1CrawlRequest } from '../options/v1.js'
import type { UrlLike } from '../url.js'

/** What every call can be given beside its request. */
export interface CallOptions {
  /** Aborting it cancels the job, or rejects the promise with its reason. */
  signal?: AbortSignal | undefined
}

/** What a call that starts a job can be given beside its request. */
export interface JobCallOptions extends CallOptions {
  /**
   * Hand each document out until it is acknowledged: see the iterator of a job, and `job.acknowledge()`. On a ledger that
   * outlives the process, that holds beyond a crash. Not with `zeroDataRetention`.
   * @default false
   */
  acknowledge?: boolean | undefined
  /**
   * A second call with the same key and request gives the same job back, for as long as it is remembered: after a crash
   * as well, on a ledger that outlives the process. 1 to 255 characters.
   */
  idempotencyKey?: string | undefined
}

/** How {@link Engine.resume} goes on. */
export interface ResumeOptions {
  /**
   * Gives the whole request of a job that could not be stored whole, because it holds functions or schemas of libraries;
   * undefined when it cannot.
   */
  complete?: ((job: InterruptedJob) => object | undefined) | undefined
}

/** How {@link Engine.close} leaves jobs that are kept beyond the process. */
export interface CloseOptions {
  /**
   * Let pages under way come to their end first, and reports to webhooks that are due; otherwise they are dropped, and
   * fetched and sent once more later.
   * @default true
   */
  drain?: boolean | undefined
}

type Formats = readonly FormatItem[]
type DefaultFormats = readonly ['markdown']

/**
 * A scraping engine: its workers, connections, cache and jobs. Make one for a service and close it at the end.
 *
 * @example
 * await using engine = createEngine()
 * const page = await engine.scrape('https://example.com')
 * console.log(page.markdown)
 */
export interface Engine extends AsyncDisposable {
  /**
   * Starts a batch: one job scrapes every URL of a list.
   *
   * @throws InvalidRequestError listing everything that is wrong; no job exists then
   * @throws TrawlError `NOT_AVAILABLE` naming what this version cannot do yet; `ENGINE_CLOSED`; `INSUFFICIENT_CREDITS` when
   *   `creditLimit` has no room for one more page
   * @see docs/compatibility.md#batch-request
   */
  batchScrape<const F extends Formats = DefaultFormats>(
    request: BatchScrapeRequest<F>,
    call?: JobCallOptions,
  ): BatchScrapeJob<DocumentOf<F>>
  /**
   * Starts a crawl: from a start URL, pages are discovered, filtered by the rules given and scraped up to a limit.
   *
   * @throws InvalidRequestError, TrawlError as {@link Engine.batchScrape}
   * @see docs/compatibility.md#crawl-request
   */
  crawl<const F extends Formats = DefaultFormats>(
    request: CrawlRequest<F>,
    call?: JobCallOptions,
  ): CrawlJob<DocumentOf<F>>
  /**
   * A dry run of a crawl: robots.txt, the sitemaps and a few pages tell which URLs it would scrape, what each pattern
   * would do, and what may be wrong with the request. Of a `prompt` options are made first. Nothing is kept.
   *
   * @throws as {@link Engine.crawl}
   */
  plan(request: CrawlRequest, call?: CallOptions): Promise<CrawlForecast>
  /**
   * Lists a site's URLs, from its sitemaps and the links of the start page, without scraping them.
   *
   * @throws InvalidRequestError; TrawlError `ENGINE_CLOSED`
   */
  map(request: MapRequest, call?: CallOptions): Promise<SiteMap>
  /** The older version of the interface. */
  readonly v1: {
    /** Starts a crawl as version 1 describes it. @see docs/compatibility.md#version-1 */
    crawl(request: V1CrawlRequest, call?: JobCallOptions): CrawlJob<Document>
  }
  /**
   * Scrapes one page.
   *
   * An HTTP error page is a document too, with `metadata.statusCode` and `metadata.error`. `timeout` covers everything,
   * retries and waiting for a free place included.
   * @throws TrawlError with the code that says why no page came
   */
  scrape<const F extends Formats = DefaultFormats>(
    url: UrlLike,
    options?: ScrapeOptions<F>,
    call?: CallOptions,
  ): Promise<DocumentOf<F>>
  /**
   * Makes a document of bytes or HTML that the caller has already; nothing is fetched. Options about fetching have
   * nothing to apply to.
   *
   * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` when no parser reads it
   */
  parse<const F extends Formats = DefaultFormats>(
    input: ParseInput,
    options?: ScrapeOptions<F>,
    call?: CallOptions,
  ): Promise<DocumentOf<F>>
  /**
   * The job with this id: running, or ended less than `retentionMs` ago. On a ledger that outlives the process also one of
   * an earlier process, which goes on if it had not ended.
   *
   * @typeParam Doc what the job's documents are: the caller's word, since the compiler knows no request here, e.g.
   *   `engine.job<DocumentOf<['markdown']>>(id)`
   * @throws TrawlError `JOB_HELD` when another process runs the job
   * @throws TrawlError `BAD_REQUEST` when the job's request could not be stored whole: see {@link Engine.resume}
   */
  job<Doc extends Document = Document>(id: string): Job<Doc> | undefined
  /**
   * Goes on with all jobs that earlier processes left behind, by a crash or by `close()`, and that no other process runs.
   * Finished pages are not fetched again; those that were under way are, once more. A job that was stopped (`stoppedBy`) has ended,
   * and is left alone: `engine.job(id)`, then `resume({ budget })`. What jobs that have ended have left to tell their webhooks is
   * sent; they are not among the jobs that are given back.
   *
   * @typeParam Doc what the documents of all these jobs are: the caller's word, e.g. `engine.resume<DocumentOf<['markdown']>>()`
   * @returns the jobs, oldest first
   * @throws TrawlError `BAD_REQUEST` when the engine's ledger ends with the process, or when the request of a job could not
   *   be stored whole and `complete` does not give it: no job goes on then
   */
  resume<Doc extends Document = Document>(options?: ResumeOptions): Promise<readonly Job<Doc>[]>
  /** The running jobs, oldest first. @see docs/compatibility.md#active-jobs */
  jobs<Doc extends Document = Document>(): readonly Job<Doc>[]
  /** What this engine has spent since it was made, and what `creditLimit` leaves. Credits. @see docs/compatibility.md#credits */
  credits(): Credits
  /**
   * Gives back every thread, socket and timer. Running jobs are parked on a ledger that outlives the process, for the next
   * engine to go on with, and cancelled otherwise. What webhooks are to be told by now is sent first, for ten seconds at most.
   * What ended jobs hold in memory stays readable.
   */
  close(options?: CloseOptions): Promise<void>
}

/** The engine as it runs: a document's type follows the request's `formats` only for the compiler. @internal */
export interface UntypedEngine<Run> extends Omit<
  Engine,
  'batchScrape' | 'crawl' | 'v1' | 'scrape' | 'parse' | 'job' | 'jobs' | 'resume'
> {
  batchScrape(request: BatchScrapeRequest, call?: JobCallOptions): Run
  crawl(request: CrawlRequest, call?: JobCallOptions): Run
  v1: { crawl(request: V1CrawlRequest, call?: JobCallOptions): Run }
  scrape(url: string, options?: ScrapeOptions, call?: CallOptions): Promise<Document>
  parse(input: ParseInput, options?: ScrapeOptions, call?: CallOptions): Promise<Document>
  job(id: string): Run | undefined
  jobs(): readonly Run[]
  resume(options?: ResumeOptions): Promise<readonly Run[]>
}
