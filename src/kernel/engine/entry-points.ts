import { type Follower, followSignals } from '../../base/concurrency/deadline.js'
import { toTrawlError } from '../../base/errors.js'
import type { JobHandle } from '../job/handle/job-handle.js'
import type { JobElsewhere } from '../job/registry-options.js'
import type { JobRegistry } from '../job/job-registry.js'
import { listJobs } from '../job/list-jobs.js'
import type { JobTools } from '../job/job-tools.js'
import type { StartKind } from '../job/stored-request.js'
import { Spending } from '../../base/llm/spending.js'
import {
  checkBatchScrape,
  checkCall,
  checkJobCall,
  checkJobId,
  checkParseInput,
  checkResume,
  checkScrape,
  checkScrapeOptions,
  checkV1BatchScrape,
  checkV1Scrape,
} from '../options/check.js'
import type { EngineCapabilities } from '../options/engine-capabilities.js'
import { nameDurableLedgers } from '../options/option-definition.js'
import type { PageTools } from '../page/page-context.js'
import { parsePage } from '../page/pipeline.js'
import { planRetention } from '../plan/plan-job.js'
import { estimatePageCredits } from '../plan/page-credits.js'
import type { EnginePlan } from '../plan/plan-engine.js'
import { planInput } from '../plan/plan-request.js'
import { planRequest } from '../plan/plan-request.js'
import { planScrape } from '../plan/scrape/plan-scrape.js'
import { planV1Scrape } from '../plan/scrape/plan-v1-scrape.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Document } from '../page/document.js'
import type { createStrategies } from './create-strategies.js'
import { type FeatureHealth, readHealth } from './engine-health.js'
import type { CallOptions, JobCallOptions, UntypedEngine } from './engine-surface.js'
import { scrapeOnce } from './scrape-once.js'

/** Parts that the calls of an engine use. */
export interface EngineParts {
  readonly settings: EnginePlan
  readonly capabilities: EngineCapabilities
  readonly pageTools: PageTools
  readonly jobTools: JobTools
  readonly jobs: JobRegistry
  readonly strategies: ReturnType<typeof createStrategies>
  /** Reads the state of what features run. */
  readonly readFeatures: () => FeatureHealth
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
}

/** A job of this engine, or one that another engine runs. */
export type AnyJob = JobHandle | JobElsewhere

type Calls = UntypedEngine<AnyJob>

/** Creates the calls that start, find and resume jobs. */
export function createJobCalls(
  parts: EngineParts,
): Omit<Calls, keyof ReturnType<typeof createPageCalls> | 'close' | typeof Symbol.asyncDispose> {
  const { settings, readFeatures, capabilities, jobTools, jobs, strategies, closing } = parts
  /** Checks the options of a call. @throws InvalidRequestError; the reason of an aborted signal */
  const checkOptions = (call: unknown): ReturnType<typeof checkJobCall> => {
    const options = checkJobCall(call)
    closing.throwIfAborted()
    options.signal?.throwIfAborted()
    jobs.forgetExpired()
    return options
  }
  const start = (kind: StartKind, request: unknown, call: JobCallOptions = {}): AnyJob | Promise<AnyJob> => {
    const options = checkOptions(call)
    const checked = strategies[kind](request, capabilities)
    const { idempotencyKey } = options
    if (idempotencyKey === undefined) return jobs.start(kind, checked, options)
    return jobs.startOnce(kind, checked, { ...options, idempotencyKey })
  }
  const startBatch = (
    kind: StartKind,
    check: typeof checkBatchScrape | typeof checkV1BatchScrape,
    ...[request, call]: Parameters<Calls['batchScrape'] | Calls['v1']['batchScrape']>
  ): ReturnType<Calls['batchScrape']> => {
    if (request?.appendToId === undefined) return start(kind, request, call)
    checkOptions(call)
    const { appendToId: id = '', urls } = check(request, capabilities)
    return jobs.append(id, urls)
  }
  return {
    batchScrape: (request, call) => startBatch('batch-scrape', checkBatchScrape, request, call),
    crawl: (request, call) => start('crawl', request, call),
    v1: {
      batchScrape: (request, call) => startBatch('v1-batch-scrape', checkV1BatchScrape, request, call),
      crawl: (request, call) => start('v1-crawl', request, call),
      scrape: createScrape(parts, checkV1Scrape, planV1Scrape),
    },
    job: async (id) => (closing.aborted ? jobs.findLoaded(id) : jobs.find(id)),
    jobs: () => jobs.running(),
    async cancel(id) {
      const checked = checkJobId(id)
      closing.throwIfAborted()
      await jobs.cancel(checked)
    },
    async listJobs(options = {}) {
      closing.throwIfAborted()
      return listJobs(settings.ledger, options, settings.now(), nameDurableLedgers(capabilities.options))
    },
    async health() {
      closing.throwIfAborted()
      const { ledger, now } = settings
      const { dropped } = jobs
      return readHealth({ ledger, running: jobs.running().length, dropped, features: readFeatures(), nowMs: now() })
    },
    credits: () => jobTools.credits.read(),
    async resume(options = {}) {
      const { complete } = checkResume(options)
      closing.throwIfAborted()
      return jobs.resume(complete)
    },
  }
}

/** Checks the options of a call for a single page. @throws InvalidRequestError; the reason of an aborted signal */
function checkPageCall(call: CallOptions, { closing, jobs }: EngineParts): void {
  checkCall(call)
  closing.throwIfAborted()
  call.signal?.throwIfAborted()
  jobs.forgetExpired()
}

const follow = ({ signal }: CallOptions, { closing }: EngineParts): Follower =>
  followSignals(closing, ...(signal ? [signal] : []))

/** Creates the call that scrapes a page, of one version of the interface. */
const createScrape =
  <Options extends { readonly zeroDataRetention?: boolean }>(
    parts: EngineParts,
    check: (page: unknown, options: unknown, engine: EngineCapabilities) => { url: string; options: Options },
    plan: (options: Options, settings: EnginePlan) => ScrapePlan,
  ) =>
  async (page: unknown, given: unknown = {}, call: CallOptions = {}): Promise<Document> => {
    checkPageCall(call, parts)
    const { settings, capabilities, pageTools, jobTools } = parts
    // A thread takes longer to start than the checks and the fetch of the first page.
    pageTools.prepare()
    const { url, options } = check(page, given, capabilities)
    const planned = planRetention(plan(options, settings), options)
    using follower = follow(call, parts)
    const request = { ...planRequest(url), spending: new Spending(planned.enrich.budget) }
    return (await scrapeOnce(request, planned, jobTools, follower.signal)).document
  }

/** Creates the calls for a single page. */
export function createPageCalls(parts: EngineParts): Pick<Calls, 'scrape' | 'parse'> {
  const { settings, capabilities, pageTools, jobTools } = parts

  const parse = async (...[input, options = {}, call = {}]: Parameters<Calls['parse']>) => {
    const given = checkParseInput(input)
    const checked = checkScrapeOptions(options, capabilities)
    const fetched = planInput(given, checked, settings.now(), capabilities.options)
    const plan = planScrape(checked, settings)
    using follower = follow(call, parts)
    const { signal } = follower
    const make = async () => ({ document: await parsePage(fetched, plan, pageTools, signal) })
    return (await jobTools.credits.charge(estimatePageCredits(plan), signal, make)).document
  }

  return {
    scrape: createScrape(parts, checkScrape, planScrape),
    async parse(input, options = {}, call = {}) {
      checkPageCall(call, parts)
      return parse(input, options, call).catch((error: unknown) => {
        throw call.signal?.aborted ? error : toTrawlError(error)
      })
    },
  }
}
