import { SharedFetches } from './cache/shared-fetches.js'
import { keepDigests } from './digest/kept-digests.js'
import { createDigestPool } from './digest/pool.js'
import type { Document } from './document.js'
import type { CallOptions, Engine } from './engine-surface.js'
import { TrawlError } from './errors.js'
import { followSignals } from './fetch/deadline.js'
import * as fetchers from './fetch/fetchers/index.js'
import { AccessMemory } from './fetch/access-memory.js'
import { createAdFilter } from './fetch/ad-filter.js'
import { canImpersonate } from './fetch/impersonate.js'
import { calculateRetryDelay } from './fetch/retry.js'
import { createRoutes } from './fetch/routes.js'
import { Politeness } from './frontier/politeness.js'
import { createRobots } from './frontier/robots.js'
import { scriptBatchScrape } from './job/batch-scrape.js'
import { scriptCrawl } from './job/crawl.js'
import { findSinceFault } from './job/find-since-fault.js'
import { makeForecast } from './job/forecast.js'
import { JobRun } from './job/job-run.js'
import type { JobScript } from './job/job-script.js'
import type { JobTools } from './job/job-tools.js'
import { makeSiteMap } from './job/site-map.js'
import { Slots } from './job/slots.js'
import { surveySite, type Survey, type SurveyLimits } from './job/survey.js'
import { memoryLedger } from './ledger/ledgers/index.js'
import { publishMedia } from './media/publish-media.js'
import { fetchList, fetchSiteFile, parsePage, scrapePage, type PageTools } from './pipeline.js'
import type { CrawlPlan } from './plan/crawl-plan.js'
import { planBatch } from './plan/plan-batch.js'
import { planCrawl } from './plan/plan-crawl.js'
import { planEngine } from './plan/plan-engine.js'
import { planInput } from './plan/plan-input.js'
import { planRequest } from './plan/plan-request.js'
import { planScrape } from './plan/plan-scrape.js'
import { planSurvey } from './plan/plan-survey.js'
import { planV1Crawl } from './plan/plan-v1-crawl.js'
import {
  checkBatchScrape,
  checkCall,
  checkCrawl,
  checkMap,
  checkEngineConfig,
  checkParseInput,
  checkScrape,
  checkScrapeOptions,
  checkV1Crawl,
} from './request/check.js'
import type { BatchScrapeRequest } from './request/batch-options.js'
import type { CrawlRequest } from './request/crawl-options.js'
import type { EngineConfig } from './request/engine-config.js'
import type { EngineFacts } from './request/engine-facts.js'
import type { ParseInput } from './request/parse-input.js'
import type { ScrapeOptions } from './request/scrape-options.js'
import type { V1CrawlRequest } from './request/v1.js'
import { scrapeOnce } from './scrape-once.js'

/** The engine as it runs: a document's type follows the request's `formats` only for the compiler. */
interface Untyped extends Omit<Engine, 'batchScrape' | 'crawl' | 'v1' | 'scrape' | 'parse'> {
  batchScrape(request: BatchScrapeRequest, call?: CallOptions): JobRun
  crawl(request: CrawlRequest, call?: CallOptions): JobRun
  v1: { crawl(request: V1CrawlRequest, call?: CallOptions): JobRun }
  scrape(url: string, options?: ScrapeOptions, call?: CallOptions): Promise<Document>
  parse(input: ParseInput, options?: ScrapeOptions, call?: CallOptions): Promise<Document>
}

/**
 * Makes an engine. Nothing is opened or started before it is used.
 *
 * @throws InvalidRequestError when the configuration is wrong
 */
export function createEngine(config: EngineConfig = {}): Engine {
  const settings = planEngine(checkEngineConfig(config))
  const routes = createRoutes(settings)
  const http = fetchers.http(settings)
  const enhancedHttp = canImpersonate() ? fetchers.enhancedHttp(settings) : undefined
  const filter = createAdFilter({ ...settings, getList: (url, signal) => fetchList(url, pageTools, signal) })
  const browser = settings.fetcher === 'http' ? undefined : fetchers.browser({ ...settings, filter })
  const pool = createDigestPool({
    threads: settings.threads,
    fileTimeoutMs: settings.fileTimeoutMs,
    ...(settings.ocr && { ocr: settings.ocr }),
  })
  const ledger = memoryLedger()
  const slots = new Slots(settings.maxConcurrency)
  const jobs = new Map<string, JobRun>()
  const closing = new AbortController()
  let closed: Promise<void> | undefined

  const pageTools: PageTools = {
    cache: settings.cache,
    snapshots: settings.snapshots,
    fetchers: { http, ...(browser ? { browser } : {}), enhancedHttp, routes, access: new AccessMemory(settings.now) },
    shared: new SharedFetches(settings.now),
    digest: pool.digest,
    keptDigest: settings.cache?.derived ? keepDigests(pool.digest, settings.cache.derived) : pool.digest,
    media: settings.media,
    now: settings.now,
  }
  const tools: JobTools = {
    ledger,
    slots,
    politeness: new Politeness(settings.maxConcurrencyPerSite),
    // What a robots.txt says is for everybody: it is asked for without a caller's headers, and believed without proof.
    robots: createRobots({
      get: (url, signal) => fetchSiteFile(url, { headers: {}, skipTlsVerification: true }, pageTools, signal),
      now: settings.now,
    }),
    getFile: (url, plan, signal) => fetchSiteFile(url, plan, pageTools, signal),
    scrape: (request, plan, signal) => scrapePage(request, plan, pageTools, signal),
    snapshots: settings.snapshots,
    publish: (file, signal) => publishMedia(file, settings.media, signal),
    retryDelayMs: (outcome) => calculateRetryDelay(outcome, Math.random(), settings.retry),
    now: settings.now,
    jobUrl: (kind, id) => `${settings.baseUrl}/v2/${kind === 'crawl' ? 'crawl' : 'batch/scrape'}/${id}`,
    maxWaitingBytes: settings.maxWaitingBytes,
    retentionMs: settings.retentionMs,
  }

  const facts: EngineFacts = {
    hasMedia: settings.media !== undefined,
    findSinceFault: (jobId) => findSinceFault(jobId, jobs.get(jobId), settings.keepsSnapshots),
  }

  function begin(call: CallOptions): void {
    const { signal } = checkCall(call)
    closing.signal.throwIfAborted()
    signal?.throwIfAborted()
    forgetExpired()
  }

  function forgetExpired(): void {
    for (const job of jobs.values()) if ((job.expiresAtMs ?? Infinity) <= settings.now()) jobs.delete(job.id)
  }

  function start(script: JobScript, { signal }: CallOptions): JobRun {
    const job = new JobRun(script, tools)
    jobs.set(job.id, job)
    if (signal) {
      const call = followSignals(signal)
      call.signal.addEventListener('abort', () => job.stop(), { once: true })
      void job.ended.then(() => call[Symbol.dispose]())
    }
    return job
  }

  async function scrape(page: string, options: ScrapeOptions, { signal }: CallOptions): Promise<Document> {
    const checked = checkScrape(page, options)
    const plan = planScrape(checked.options, settings)
    using call = followSignals(closing.signal, ...(signal ? [signal] : []))
    return (await scrapeOnce(planRequest(checked.url), plan, tools, call.signal)).document
  }

  async function parse(input: ParseInput, options: ScrapeOptions, { signal }: CallOptions): Promise<Document> {
    const fetched = planInput(checkParseInput(input), settings.now())
    const plan = planScrape(checkScrapeOptions(options), settings)
    using call = followSignals(closing.signal, ...(signal ? [signal] : []))
    return parsePage(fetched, plan, pageTools, call.signal)
  }

  async function survey(plan: CrawlPlan, limits: SurveyLimits, { signal }: CallOptions): Promise<Survey> {
    using call = followSignals(closing.signal, ...(signal ? [signal] : []))
    return await surveySite(plan, tools, limits, call.signal)
  }

  async function close(): Promise<void> {
    closing.abort(new TrawlError('ENGINE_CLOSED', 'the engine was closed: make another with `createEngine()`'))
    for (const job of jobs.values()) job.stop()
    filter.close()
    await Promise.all([...jobs.values()].map((job) => job.ended))
    await Promise.all([
      pool.close(),
      http.close(),
      enhancedHttp?.close(),
      browser?.close(),
      ledger.close(),
      settings.ownsCache && settings.cache?.close(),
      settings.ownsSnapshots && settings.snapshots.close(),
    ])
  }

  const engine: Untyped = {
    batchScrape(request, call = {}) {
      begin(call)
      return start(scriptBatchScrape(planBatch(checkBatchScrape(request, facts), settings)), call)
    },
    crawl(request, call = {}) {
      begin(call)
      return start(scriptCrawl(planCrawl(checkCrawl(request, facts), settings)), call)
    },
    async plan(request, call = {}) {
      begin(call)
      const plan = planSurvey(checkCrawl(request), settings)
      return makeForecast(plan, await survey(plan, { sitemapUrls: 10_000, pages: 8 }, call))
    },
    async map(request, call = {}) {
      begin(call)
      const { search, limit = 5000, ...rules } = checkMap(request)
      const plan = planSurvey(rules, settings)
      return makeSiteMap(await survey(plan, { sitemapUrls: 100_000, pages: 1 }, call), search, limit)
    },
    v1: {
      crawl(request, call = {}) {
        begin(call)
        return start(scriptCrawl(planV1Crawl(checkV1Crawl(request, facts), settings)), call)
      },
    },
    async scrape(page, options = {}, call = {}) {
      begin(call)
      return scrape(page, options, call)
    },
    async parse(input, options = {}, call = {}) {
      begin(call)
      return parse(input, options, call)
    },
    job(id) {
      forgetExpired()
      return jobs.get(id)
    },
    jobs: () => [...jobs.values()].filter((job) => job.state === 'scraping'),
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
  return engine as Engine
}
