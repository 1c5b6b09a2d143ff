import { jobPaths } from '../job/stored-request.js'
import { findTlsBy } from '../options/fields/host-tls.js'
import type { FeatureCode } from '../../content/digest/digest-part.js'
import { SharedFetches } from '../cache/shared-fetches.js'
import { createWaitClock } from '../../base/concurrency/wait-clock.js'
import { PageSlots } from '../../base/concurrency/page-slots.js'
import { cacheDigests } from '../../content/digest/digest-cache.js'
import { readImages } from '../../content/digest/read-images.js'
import { fetchPage } from '../fetch/fetch.js'
import { createFetchers, type Fetchers } from '../fetch/engine-fetchers.js'
import { ProxyTierMemory } from '../fetch/proxy-tier-memory.js'
import { createProxyRoutes } from '../../base/network/proxy-routes.js'
import { calculateRetryDelay, defaultRetrySettings } from '../fetch/retry.js'
import { Politeness } from '../frontier/politeness.js'
import { createRobots, type Robots } from '../frontier/robots/robots.js'
import { CreditAccount } from '../../base/accounting/credit-account.js'
import type { JobTools } from '../job/job-tools.js'
import { createEmbedder } from '../../base/llm/embedder.js'
import { logEmbedFailures, logModelFailures } from '../../base/llm/log-model-calls.js'
import { createModelClient } from '../../base/llm/model-client.js'
import { createPoster } from '../../base/llm/post-json.js'
import { awaitOpen } from '../fetch/http/feature-transport.js'
import { publishMedia } from '../../base/media/publish-media.js'
import { checkBudget } from '../options/check.js'
import type { StaticCapabilities } from '../options/engine-capabilities.js'
import { fetchFeatureFile, fetchList, fetchRobotsFile, fetchJobFile } from '../page/fetch-site-file.js'
import type { PageTools } from '../page/page-context.js'
import { scrapeRewritten } from '../page/rewrite-page.js'
import { scrapePage } from '../page/pipeline.js'
import { createPagePool } from '../page/workers/page-pool.js'
import { formatsOf } from '../plan/feature-plan.js'
import type { EnginePlan } from '../plan/plan-engine.js'
import { createEventLog } from '../../base/tracing/event-log.js'
import type { NamedEngineExtension } from './feature.js'
import type { FeatureSet } from './feature-set.js'

/** Parts of an engine that own connections, processes or threads. Nothing is opened before it is used. */
interface EngineResources {
  readonly fetchers: Fetchers
  readonly pool: ReturnType<typeof createPagePool>
  readonly modelPoster: ReturnType<typeof createPoster>
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
  /** Stops what fetchers do beside the pages. */
  stop(): void
  close(): Promise<void>
}

/** Creates the resources of an engine. */
export function createResources(
  settings: EnginePlan,
  closing: AbortSignal,
  features: FeatureSet,
  code: FeatureCode,
): EngineResources {
  const { captures } = formatsOf(settings)
  const { ownFetcher } = settings
  // That of the caller comes first: it stands for the network as a whole.
  const own = ownFetcher ? [{ feature: 'fetcher', fetcher: ownFetcher }, ...features.fetchers] : features.fetchers
  const observer = features.openObserver(settings)
  const added = features.openFetchers({
    settings,
    own,
    observer,
    captures,
    getList: (url, signal) => fetchList(url, { fetchers }, signal),
  })
  const { maxConcurrency, ...others } = settings
  // Pages for other engines are in addition to `maxConcurrency`: a worker limits them itself.
  const connections = settings.sharesPages ? {} : { maxConcurrency }
  const { tls, env } = settings
  const hostTls = tls && { find: findTlsBy(tls), env }
  const created = createFetchers(
    { ...others, ...connections, own, observer, hostTls, openCookies: added.openCookies },
    added,
  )
  const access = new ProxyTierMemory(settings.now)
  const fetchers: Fetchers = {
    ...created.fetchers,
    routes: createProxyRoutes(settings),
    access,
    own: own.length > 0 ? own : undefined,
  }
  const { threads, spareThread, memory, fileTimeoutMs, ocr } = settings
  const pool = createPagePool({ threads, spareThread, ...memory.threads, fileTimeoutMs, code, ocr })
  const modelPoster = createPoster()
  return {
    fetchers,
    pool,
    modelPoster,
    closing,
    stop: () => added.stop?.(),
    async close() {
      await Promise.all([
        pool.close(),
        created.close(),
        modelPoster.close(),
        settings.ledger.close(),
        settings.ownsCache && settings.cache?.close(),
        settings.ownsSnapshots && settings.snapshots.close(),
      ])
    },
  }
}

/** Creates the robots.txt files of an engine. */
export const createEngineRobots = (
  { now, retry }: EnginePlan,
  { fetchers }: EngineResources,
  { robotsKinds: kinds }: FeatureSet,
): Robots =>
  createRobots({
    kinds,
    get: (url, signal) => fetchRobotsFile(url, { fetchers }, signal),
    now,
    // A host whose file cannot be read gives no page at all, whichever statuses its pages are tried again for.
    retryDelayMs: (outcome) =>
      calculateRetryDelay(outcome, Math.random(), { ...retry, statusCodes: defaultRetrySettings.statusCodes }),
  })

/** Assembles the tools that pages share. */
export function assemblePageTools(
  settings: EnginePlan,
  resources: EngineResources,
  { robots, features, code }: { readonly robots: Robots; readonly features: FeatureSet; readonly code: FeatureCode },
): PageTools {
  const { pool, fetchers, modelPoster, closing } = resources
  const { cache, imageParser, limits, model, modelOptions, now } = settings
  const cachedDigest = cache?.derived ? cacheDigests(pool.digest, cache.derived, code) : pool.digest
  return {
    ...pool,
    cache,
    snapshots: settings.snapshots,
    fetchers,
    shared: new SharedFetches(now),
    digest: readImages(pool.digest, imageParser),
    cachedDigest: readImages(cachedDigest, imageParser),
    media: settings.media,
    maxFileBytes: limits.bodyBytes,
    model:
      model && logModelFailures(createModelClient(model, modelOptions, modelPoster), createEventLog(settings.logger)),
    partTokens: settings.partTokens,
    features: features.forEngine({
      now,
      robots,
      settings,
      task: pool.task,
      pageTask: pool.pageTask,
      closing,
      fetchPage: (request, plan, signal) => fetchPage(request, plan, fetchers, signal),
      mayUseBrowser: fetchers.renderer !== undefined,
      sessions: fetchers.sessions,
      getFile: (url, most, signal) => fetchFeatureFile(url, most, { fetchers }, signal),
    }),
    retryDelayMs: (outcome) => calculateRetryDelay(outcome, Math.random(), settings.retry),
    now,
  }
}

/** Parts that the tools of jobs are assembled from. */
interface JobParts {
  readonly robots: Robots
  readonly pageTools: PageTools
  /** Filled when the engine is whole but for them. */
  readonly extensions: readonly NamedEngineExtension[]
}

/** Assembles the tools that jobs share. */
export function assembleJobTools(
  settings: EnginePlan,
  { pool }: EngineResources,
  { pageTools, robots, extensions }: JobParts,
  capabilities: StaticCapabilities,
): JobTools {
  const { baseUrl, media, now } = settings
  const { retryDelayMs } = pageTools
  const log = createEventLog(settings.logger)
  const { smallMib, threads } = settings.memory
  if (smallMib !== undefined)
    log?.write('info', `The container has ${smallMib} MiB: fewer pages at once, one thread, smaller caches`, () => ({
      maxConcurrency: settings.maxConcurrency,
      threads: settings.threads,
      ...threads,
    }))
  const embedder = settings.embed && logEmbedFailures(createEmbedder(settings.embed, settings.modelOptions), log)
  return {
    slots: new PageSlots(settings.maxConcurrency, settings.maxLent),
    backlog: pool.backlog,
    get places() {
      return extensions.find(({ places }) => places)?.places
    },
    log,
    credits: new CreditAccount(settings.creditLimit),
    checkBudget: (budget) => checkBudget(budget, capabilities),
    politeness: new Politeness(
      settings.maxConcurrencyPerSite,
      settings.maxLentPerSite,
      2 * settings.retry.maxBackoffMs,
    ),
    robots,
    features: pageTools.features,
    extensions,
    openFetchers: async (signal) => await (pageTools.fetchers.own && awaitOpen(pageTools.fetchers.own, signal)),
    getFile: (url, page, signal, caller) => fetchJobFile(url, page, pageTools, { signal, ...caller }),
    task: pool.task,
    scrape: (request, plan, signal) =>
      plan.digest.rewrite
        ? scrapeRewritten(scrapePage, request, plan, { tools: pageTools, signal })
        : scrapePage(request, plan, pageTools, signal),
    model: pageTools.model,
    embedder,
    snapshots: settings.snapshots,
    publishMedia: (file, signal) => publishMedia(file, media, signal),
    retryDelayMs,
    now,
    waitNow: createWaitClock(now),
    setTimer: (afterMs, act) => {
      const timer = setTimeout(act, afterMs).unref()
      return () => clearTimeout(timer)
    },
    jobUrl: (kind, id) => `${baseUrl}/${jobPaths[kind]}/${id}`,
    maxWaitingBytes: settings.maxWaitingBytes,
    retentionMs: settings.retentionMs,
  }
}
