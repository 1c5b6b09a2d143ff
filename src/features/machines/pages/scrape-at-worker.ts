import { TrawlError } from '../../../base/errors.js'
import type { DropPlan } from '../../../content/digest/drop-plan.js'
import type { UsageMeter } from '../../../kernel/fetch/fetcher.js'
import type { Document } from '../../../kernel/page/document.js'
import { OrderPacker } from './page-order.js'
import {
  packMessage,
  type PageAnswer,
  type PageUse,
  type ScrapedFacts,
  type ScrapeOrder,
  toError,
} from './page-task.js'
import type { PageReading, RemotePage, ScrapedPage } from '../../../kernel/page/pipeline.js'
import type { ScrapeRequest } from '../../../kernel/page/scrape-request.js'
import type { TaskResult } from '../../../kernel/ledger/task-queue.js'
import { withoutFurther } from '../../../kernel/plan/feature-plan.js'
import type { ScrapePlan } from '../../../kernel/plan/scrape-plan.js'
import { siteOf } from '../../../base/url.js'
import { NO_RESPONSE } from '../../../kernel/job/attempt/attempt-row.js'
import type { PlacedJob } from '../../../kernel/job/page-places.js'
import type { WorkerPlaces } from './worker-places.js'

/** Time that a worker may take beyond the timeout of a page, before another one may take it. Milliseconds. */
const LEASE_MARGIN_MS = 10_000

/** Scrapes a page that another engine reads. @returns undefined when none can */
type ScrapeRemote = (page: RemotePage, signal: AbortSignal) => Promise<ScrapedPage | undefined>

/** Scrapes pages of a job at workers, as `scrape` of its tools does in this engine. */
export class WorkerScrape {
  readonly #job: PlacedJob
  readonly #workers: WorkerPlaces
  readonly #scrapeRemote: ScrapeRemote
  readonly #orders = new OrderPacker()

  constructor(job: PlacedJob, workers: WorkerPlaces, scrapeRemote: ScrapeRemote) {
    this.#job = job
    this.#workers = workers
    this.#scrapeRemote = scrapeRemote
  }

  async scrape(request: ScrapeRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage> {
    try {
      request.refuseSuspended?.()
    } catch {
      // It may be in the cache of this engine, which knows what to do otherwise.
      return this.#scrapeHere(request, plan, signal)
    }
    // The plan of a page has what the job has learnt as well, and no other differences.
    const page =
      this.#workers.orderOf(this.#job.strategy.plan.page) === 'read'
        ? await this.#complete(request, plan, signal)
        : await this.#scrapeWhole(request, plan, signal)
    return page ?? this.#scrapeHere(request, plan, signal)
  }

  /** Has a worker scrape a page. @returns undefined when none can */
  async #scrapeWhole(request: ScrapeRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage | undefined> {
    const got = await this.#ask('scrape', request, plan, signal)
    return got?.answer.kind === 'page'
      ? this.#toPage(got.answer.page, { request, plan, worker: got.worker })
      : undefined
  }

  /**
   * Has a worker read a page, and completes it here, in a slot of this engine: as many pages as without workers ask the model, or
   * download files, at once. @returns undefined when no worker can read it
   */
  async #complete(request: ScrapeRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage | undefined> {
    const { slots } = this.#job.tools
    let hasSlot = false
    const read = async (readingPlan: ScrapePlan): Promise<PageReading | ScrapedPage | undefined> => {
      const reading = await this.#read(request, readingPlan, signal)
      if (reading) {
        await slots.acquire(signal)
        hasSlot = true
      }
      return reading
    }
    try {
      return await this.#scrapeRemote({ request, plan, read }, signal)
    } finally {
      if (hasSlot) slots.release()
    }
  }

  /** Has a worker read a page. @returns undefined when none can */
  async #read(
    request: ScrapeRequest,
    plan: ScrapePlan,
    signal: AbortSignal,
  ): Promise<PageReading | ScrapedPage | undefined> {
    const got = await this.#ask('read', request, plan, signal)
    if (got?.answer.kind === 'read') return got.answer.reading
    return got?.answer.kind === 'page'
      ? this.#toPage(got.answer.page, { request, plan, worker: got.worker })
      : undefined
  }

  #toPage({ version, ...facts }: ScrapedFacts, source: Omit<WorkerPage, 'page' | 'drop'>): ScrapedPage {
    const page: ScrapedPage = {
      ...facts,
      convertAgain: (drop, until) => this.#convert({ ...source, page, drop }, until),
      toLastSeen: async () => version ?? { bodyHash: '' },
    }
    return page
  }

  /** Hands a page to a worker. @returns undefined when none can do it @throws TrawlError the error of the page */
  async #ask(
    kind: ScrapeOrder['kind'],
    request: ScrapeRequest,
    plan: ScrapePlan,
    signal: AbortSignal,
  ): Promise<{ readonly answer: PageAnswer; readonly worker: number } | undefined> {
    const result = await this.#send(kind, request, plan, signal)
    if (result.answer === undefined) {
      if (result.reason === 'unserved') return undefined
      const message = 'several workers ended or hung while they scraped the page'
      throw new TrawlError('SCRAPE_ALL_ENGINES_FAILED', message, { url: request.url })
    }
    const answer = await this.#workers.unpack(result.answer, signal)
    if (answer.kind !== 'document' && answer.use) recordUse(answer.use, request)
    if (answer.kind === 'error') throw toError(answer.error, request.url)
    return { answer, worker: result.worker }
  }

  async #send(
    kind: ScrapeOrder['kind'],
    request: ScrapeRequest,
    plan: ScrapePlan,
    signal: AbortSignal,
  ): Promise<TaskResult> {
    const { url, sourceURL, lastSeen, rendering, permit } = request
    const predicted = rendering?.predict(url)
    const order = {
      kind,
      url,
      sourceURL,
      plan,
      lastSeen,
      predicted,
      wantsVersion: this.#job.strategy.crawl?.memory !== undefined,
    }
    const payload = await this.#orders.pack(order).catch(toUndefinedIfTooLarge)
    if (payload === undefined) return { reason: 'unserved' }
    // A page whose site answers 304 for another URL is fetched twice.
    const leaseMs = 2 * plan.fetch.timeoutMs + LEASE_MARGIN_MS
    const sent = this.#workers.send({ jobId: this.#job.id, payload, leaseMs }, signal)
    return await (permit?.wait(sent, { signal }) ?? sent)
  }

  /** Scrapes a page that no worker has scraped. */
  async #scrapeHere(request: ScrapeRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage> {
    const { tools } = this.#job
    await tools.slots.acquire(signal)
    try {
      return await tools.scrape(request, plan, signal)
    } finally {
      tools.slots.release()
    }
  }

  /** Converts a page again: by the worker that has it, or from a further fetch. */
  async #convert(fetched: WorkerPage, signal: AbortSignal): Promise<Document> {
    const { page, plan, drop, worker } = fetched
    const payload = await packMessage({ kind: 'convert', scrapeId: page.document.metadata.scrapeId, drop })
    const leaseMs = plan.fetch.timeoutMs + LEASE_MARGIN_MS
    const { answer } = await this.#workers.send({ jobId: this.#job.id, payload, leaseMs, near: worker }, signal)
    const made = answer === undefined ? undefined : await this.#workers.unpack(answer, signal)
    return made?.kind === 'document' ? made.document : this.#convertFetched(fetched, signal)
  }

  /** Fetches a page again, because the worker that had it is gone. */
  async #convertFetched({ request, plan, page, drop }: WorkerPage, signal: AbortSignal): Promise<Document> {
    const { scheduler, budgetTracker } = this.#job
    const site = siteOf(new URL(request.url))
    // Its rendering is recorded already, and its permit, by which further requests are sent, has ended.
    const { permit: _, lastSeen: __, further: ___, rendering, ...rest } = request
    const own = withoutFurther(plan)
    const isStopped = (): boolean => scheduler.isPaused || budgetTracker.stoppedBy !== undefined
    if (isStopped()) return page.document
    await scheduler.awaitRequest(site, signal)
    let response = NO_RESPONSE
    try {
      // It may have waited for minutes.
      if (isStopped()) return page.document
      const again = { ...rest, meter: budgetTracker.meter, rendering: rendering && predictOnly(rendering) }
      const fetched = await this.#scrapeHere(again, { ...own, digest: { ...own.digest, drop } }, signal)
      response = fetched.siteResponse ?? NO_RESPONSE
      const isSame = fetched.document.metadata.statusCode === page.document.metadata.statusCode
      return isSame ? fetched.document : page.document
    } finally {
      scheduler.endRequest(site, response)
    }
  }
}

function toUndefinedIfTooLarge(error: unknown): undefined {
  if (!(error instanceof RangeError)) throw error
}

type Rendering = NonNullable<ScrapeRequest['rendering']>

const predictOnly = (rendering: Rendering): Rendering => ({
  predict: (url) => rendering.predict(url),
  record: () => undefined,
  recordPlain: () => undefined,
})

/** A page that a worker has scraped. */
interface WorkerPage {
  readonly request: ScrapeRequest
  readonly plan: ScrapePlan
  readonly page: ScrapedPage
  readonly drop: DropPlan
  /** Number of the worker. */
  readonly worker: number
}

/** Records what a worker has used and learnt, as if this engine had. */
function recordUse(
  { requests, bytes, browserMs, gained, isPlain }: PageUse,
  { url, meter, rendering }: ScrapeRequest,
): void {
  if (meter) recordMeter(meter, requests, bytes, browserMs)
  for (const one of gained) rendering?.record(url, one)
  if (isPlain) rendering?.recordPlain(url)
}

function recordMeter(meter: UsageMeter, requests: number, bytes: number, browserMs: number): void {
  for (let sent = 0; sent < requests; sent += 1) meter.sent()
  if (bytes > 0) meter.received(bytes)
  if (browserMs > 0) meter.rendered(browserMs)
}
