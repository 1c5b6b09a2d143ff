import type { Document, DocumentOf } from './document.js'
import type { CrawlForecast } from './job/forecast.js'
import type { BatchScrapeJob, CrawlJob, Job } from './job/job.js'
import type { SiteMap } from './job/site-map.js'
import type { BatchScrapeRequest } from './request/batch-options.js'
import type { CrawlRequest } from './request/crawl-options.js'
import type { FormatItem } from './request/formats.js'
import type { MapRequest } from './request/map-options.js'
import type { ParseInput } from './request/parse-input.js'
import type { ScrapeOptions } from './request/scrape-options.js'
import type { V1CrawlRequest } from './request/v1.js'

/** What every call can be given beside its request. */
export interface CallOptions {
  /** Aborting it cancels the job, or rejects the promise with its reason. */
  signal?: AbortSignal | undefined
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
   * @throws TrawlError `NOT_AVAILABLE` naming what this version cannot do yet; `ENGINE_CLOSED`
   * @see interface section 2.1
   */
  batchScrape<const F extends Formats = DefaultFormats>(
    request: BatchScrapeRequest<F>,
    call?: CallOptions,
  ): BatchScrapeJob<DocumentOf<F>>
  /**
   * Starts a crawl: from a start URL, pages are discovered, filtered by the rules given and scraped up to a limit.
   *
   * @throws InvalidRequestError, TrawlError as {@link Engine.batchScrape}
   * @see interface section 2.3
   */
  crawl<const F extends Formats = DefaultFormats>(request: CrawlRequest<F>, call?: CallOptions): CrawlJob<DocumentOf<F>>
  /**
   * A dry run of a crawl: robots.txt, the sitemaps and a few pages tell which URLs it would scrape, what each pattern
   * would do, and what may be wrong with the request. Nothing is kept.
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
    /** Starts a crawl as version 1 describes it. @see interface section 2.5 */
    crawl(request: V1CrawlRequest, call?: CallOptions): CrawlJob<Document>
  }
  /**
   * Scrapes one page.
   *
   * An HTTP error page is a document too, with `metadata.statusCode` and `metadata.error`. `timeout` covers everything,
   * retries and waiting for a free place included.
   * @throws TrawlError with the code that says why no page came
   */
  scrape<const F extends Formats = DefaultFormats>(
    url: string,
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
  /** The job with this id: running, or ended less than `retentionMs` ago. */
  job(id: string): Job<Document> | undefined
  /** The running jobs, oldest first. @see behaviour 5.7 */
  jobs(): readonly Job<Document>[]
  /** Cancels the running jobs and gives back every thread, socket and timer. What ended jobs hold stays readable. */
  close(): Promise<void>
}
