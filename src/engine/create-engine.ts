import { modelBudgetOf } from '../accounting/budget.js'
import { SharedFetches } from '../cache/shared-fetches.js'
import { keepDigests } from '../digest/kept-digests.js'
import { createPagePool } from '../page/workers/page-pool.js'
import { readImages } from '../digest/read-images.js'
import type { Document } from '../page/document.js'
import type { CallOptions, CloseOptions, Engine, JobCallOptions, UntypedEngine } from './engine-surface.js'
import { toTrawlError, TrawlError } from '../errors.js'
import { followSignals } from '../concurrency/deadline.js'
import { fetchList, fetchRobotsFile, fetchSiteFile } from '../page/fetch-site-file.js'
import { explainRefusedHost } from '../fetch/network/egress.js'
import { createPoster } from '../llm/post-json.js'
import { createReportPoster } from '../fetch/http/post-report.js'
import { createFetchers } from '../fetch/engine-fetchers.js'
import { ProxyTierMemory } from '../fetch/proxy/proxy-tier-memory.js'
import { createAdFilter } from '../fetch/ad-block/ad-filter.js'
import { calculateRetryDelay } from '../fetch/retry.js'
import { createProxyRoutes } from '../fetch/proxy/proxy-routes.js'
import { Politeness } from '../frontier/politeness.js'
import { createRobots } from '../frontier/robots/robots.js'
import { CreditAccount } from '../job/credit-account.js'
import { validateSince } from '../job/validate-since.js'
import type { CrawlForecast } from '../job/discovery/forecast.js'
import { previewCrawl } from '../job/crawl/preview-crawl.js'
import { JobRegistry, type StartKind } from '../job/job-registry.js'
import type { JobHandle } from '../job/handle/job-handle.js'
import type { JobTools } from '../job/job-tools.js'
import { createSiteMap, type SiteMap } from '../job/discovery/site-map.js'
import { PageSlots } from '../concurrency/page-slots.js'
import { surveySite } from '../job/discovery/survey.js'
import { memoryLedger } from '../ledger/ledgers/index.js'
import { createModelClient } from '../llm/model-client.js'
import { Semaphore } from '../concurrency/semaphore.js'
import { Spending } from '../llm/spending.js'
import { publishMedia } from '../media/publish-media.js'
import type { PageTools } from '../page/page-context.js'
import { parsePage, scrapePage } from '../page/pipeline.js'
import { openCrawlPrompt } from '../plan/crawl/crawl-prompt.js'
import { estimatePage } from '../plan/page-price.js'
import { planEngine } from '../plan/plan-engine.js'
import { planInput } from '../plan/plan-input.js'
import { planRequest } from '../plan/plan-request.js'
import { planScrape } from '../plan/scrape/plan-scrape.js'
import { planSurvey } from '../plan/crawl/plan-survey.js'
import {
  checkBatchScrape,
  checkBudget,
  checkCall,
  checkCrawl,
  checkMap,
  checkEngineConfig,
  checkJobCall,
  checkParseInput,
  checkResume,
  checkScrape,
  checkScrapeOptions,
} from '../options/check.js'
import { mapDefaults } from '../options/defaults.js'
import type { BatchScrapeRequest } from '../options/batch-options.js'
import type { CrawlRequest } from '../options/crawl-options.js'
import type { EngineConfig } from '../options/engine-config.js'
import type { MapRequest } from '../options/map-options.js'
import type { EngineFacts } from '../options/engine-facts.js'
import type { ParseInput } from '../options/parse-input.js'
import type { ScrapeOptions } from '../options/scrape-options.js'
import { createStrategies } from './create-strategies.js'
import { scrapeOnce } from './scrape-once.js'
import type { Checked } from '../options/fields/take-text.js'

/**
 * Makes an engine. Nothing is opened or started before it is used.
 *
 * @throws InvalidRequestError when the configuration is wrong
 */
export function createEngine(config: EngineConfig = {}): Engine {
  const settings = planEngine(checkEngineConfig(config))
  const routes = createProxyRoutes(settings)
  const filter = createAdFilter({ ...settings, getList: (url, signal) => fetchList(url, pageTools, signal) })
  const { fetchers, close: closeFetchers } = createFetchers({ ...settings, filter })
  const pool = createPagePool({
    threads: settings.threads,
    fileTimeoutMs: settings.fileTimeoutMs,
    ...(settings.ocr && { ocr: settings.ocr }),
  })
  const keptDigest = settings.cache?.derived ? keepDigests(pool.digest, settings.cache.derived) : pool.digest
  const poster = createPoster()
  const reports = createReportPoster(settings)
  const slots = new PageSlots(settings.maxConcurrency, settings.maxLent)
  const closing = new AbortController()
  let closed: Promise<void> | undefined

  const pageTools: PageTools = {
    ...pool,
    cache: settings.cache,
    snapshots: settings.snapshots,
    fetchers: { ...fetchers, routes, access: new ProxyTierMemory(settings.now) },
    shared: new SharedFetches(settings.now),
    digest: readImages(pool.digest, settings.imageParser),
    keptDigest: readImages(keptDigest, settings.imageParser),
    media: settings.media,
    mediaExtractor: settings.mediaExtractor,
    maxMediaBytes: settings.limits.bodyBytes,
    ffmpeg:
      settings.ffmpeg === undefined
        ? undefined
        : {
            program: settings.ffmpeg,
            maxBytes: settings.limits.bodyBytes,
            timeoutMs: settings.fileTimeoutMs,
            places: new Semaphore(settings.ffmpegs),
          },
    model: settings.model && createModelClient(settings.model, settings.modelSettings, poster),
    partTokens: settings.partTokens,
    now: settings.now,
  }
  const credits = new CreditAccount(settings.creditLimit)
  const tools: JobTools = {
    slots,
    credits,
    checkBudget: (budget) => checkBudget(budget, facts),
    politeness: new Politeness(settings.maxConcurrencyPerSite, settings.maxLentPerSite),
    robots: createRobots({
      get: (url, signal) => fetchRobotsFile(url, pageTools, signal),
      now: settings.now,
      retryDelayMs: (outcome) => calculateRetryDelay(outcome, Math.random(), settings.retry),
    }),
    getFile: (url, plan, signal, meter) => fetchSiteFile(url, plan, pageTools, signal, { meter }),
    scrape: (request, plan, signal) => scrapePage(request, plan, pageTools, signal),
    model: pageTools.model,
    snapshots: settings.snapshots,
    publishMedia: (file, signal) => publishMedia(file, settings.media, signal),
    retryDelayMs: (outcome) => calculateRetryDelay(outcome, Math.random(), settings.retry),
    now: settings.now,
    setTimer: (afterMs, act) => {
      const timer = setTimeout(act, afterMs).unref()
      return () => clearTimeout(timer)
    },
    postReport: (report, signal) => reports.post(report, signal),
    jobUrl: (kind, id, version = 2) =>
      `${settings.baseUrl}/v${version}/${kind === 'crawl' ? 'crawl' : 'batch/scrape'}/${id}`,
    maxWaitingBytes: settings.maxWaitingBytes,
    retentionMs: settings.retentionMs,
  }

  const facts: EngineFacts = {
    hasMedia: settings.media !== undefined,
    hasModel: settings.model !== undefined,
    hasPrice: settings.modelSettings.price !== undefined,
    findHostFault: (hostname) => explainRefusedHost(hostname, settings),
    validateSince: (jobId) => validateSince(jobId, jobs.findLoaded(jobId), settings.keepsSnapshots),
  }
  const transientLedger = memoryLedger()
  const ask = createStrategies(settings)
  const jobs = new JobRegistry({
    tools,
    ledger: settings.ledger,
    transientLedger,
    parseRequest: (kind, request, generated) => ask[kind](request, undefined, generated),
  })

  function begin(call: CallOptions): void {
    checkCall(call)
    closing.signal.throwIfAborted()
    call.signal?.throwIfAborted()
    jobs.forgetExpired()
  }

  function start(kind: StartKind, request: unknown, call: JobCallOptions = {}): JobHandle {
    const options = checkJobCall(call)
    closing.signal.throwIfAborted()
    options.signal?.throwIfAborted()
    jobs.forgetExpired()
    return jobs.start(kind, ask[kind](request, facts), options)
  }

  function startBatch(request: BatchScrapeRequest, call: JobCallOptions | undefined): JobHandle {
    if (request?.appendToId === undefined) return start('batch-scrape', request, call)
    begin({ signal: checkJobCall(call).signal })
    const { appendToId: id = '', urls } = checkBatchScrape(request, facts)
    return jobs.append(id, urls)
  }

  async function scrape(page: string, options: ScrapeOptions, { signal }: CallOptions): Promise<Document> {
    const checked = checkScrape(page, options, facts)
    const plan = planScrape(checked.options, settings)
    using call = followSignals(closing.signal, ...(signal ? [signal] : []))
    const request = { ...planRequest(checked.url), spending: new Spending(plan.enrich.budget) }
    return (await scrapeOnce(request, plan, tools, call.signal)).document
  }

  async function parse(input: ParseInput, options: ScrapeOptions, { signal }: CallOptions): Promise<Document> {
    const fetched = planInput(checkParseInput(input), settings.now())
    const plan = planScrape(checkScrapeOptions(options, facts), settings)
    using call = followSignals(closing.signal, ...(signal ? [signal] : []))
    const make = async () => ({ document: await parsePage(fetched, plan, pageTools, call.signal) })
    return (await credits.charge(estimatePage(plan), call.signal, make)).document
  }

  async function foresee(request: Checked<CrawlRequest>, { signal }: CallOptions): Promise<CrawlForecast> {
    using call = followSignals(closing.signal, ...(signal ? [signal] : []))
    const plan = planSurvey(request, settings)
    const spending = new Spending(modelBudgetOf(request.budget ?? settings.budget))
    return await previewCrawl(plan, {
      prompt: openCrawlPrompt(request, settings),
      tools,
      spending,
      signal: call.signal,
    })
  }

  async function map(request: Checked<MapRequest>, { signal }: CallOptions): Promise<SiteMap> {
    const { search, limit = mapDefaults.limit, ...rules } = request
    using call = followSignals(closing.signal, ...(signal ? [signal] : []))
    const plan = planSurvey(rules, settings)
    return createSiteMap(
      await surveySite(plan, { tools, limits: { sitemapUrls: 100_000, pages: 1 }, signal: call.signal }),
      search,
      limit,
    )
  }

  async function close({ drain = true }: CloseOptions = {}): Promise<void> {
    closing.abort(new TrawlError('ENGINE_CLOSED', 'the engine was closed: make another with `createEngine()`'))
    const stopped = jobs.stop(drain)
    filter.close()
    await stopped
    await Promise.all([
      pool.close(),
      closeFetchers(),
      poster.close(),
      reports.close(),
      settings.ledger.close(),
      settings.ownsCache && settings.cache?.close(),
      settings.ownsSnapshots && settings.snapshots.close(),
    ])
  }

  const engine: UntypedEngine<JobHandle> = {
    batchScrape: startBatch,
    crawl: (request, call) => start('crawl', request, call),
    async plan(request, call = {}) {
      begin(call)
      return foresee(checkCrawl(request, facts), call)
    },
    async map(request, call = {}) {
      begin(call)
      return map(checkMap(request), call)
    },
    v1: { crawl: (request, call) => start('v1-crawl', request, call) },
    async scrape(page, options = {}, call = {}) {
      begin(call)
      return scrape(page, options, call)
    },
    async parse(input, options = {}, call = {}) {
      begin(call)
      return parse(input, options, call).catch((error: unknown) => {
        throw call.signal?.aborted ? error : toTrawlError(error)
      })
    },
    job: (id) => (closing.signal.aborted ? jobs.findLoaded(id) : jobs.find(id)),
    jobs: () => jobs.running(),
    credits: () => credits.read(),
    async resume(options = {}) {
      const { complete } = checkResume(options)
      closing.signal.throwIfAborted()
      return jobs.resume(complete)
    },
    close: (options) => (closed ??= close(options)),
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
  return engine as Engine
}
