import { setTimeout as sleep } from 'node:timers/promises'
import { openDeadline } from '../../../base/concurrency/deadline.js'
import { toTrawlError, TrawlError } from '../../../base/errors.js'
import { parseRetryAfter } from '../../../base/http/header-values.js'
import { siteOf } from '../../../base/url.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { RedirectRule } from '../../fetch/fetcher.js'
import { fetchShownFile, type ShownFile } from '../../page/fetch-site-file.js'
import type { PageTools } from '../../page/page-context.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import { refuseSuspendedSite } from '../attempt/attempt-row.js'
import { describeRobotsVerdict } from '../discovery/robots-refusal.js'
import type { JobTools } from '../job-tools.js'
import { JobScheduler } from './job-scheduler.js'

/**
 * Fetches the files that the pages of a crawl show, as the crawl fetches pages: robots.txt where it obeys that, the limits and pauses of
 * sites, retries within the page's `timeout`. They are no pages: they have no rows, no credits and no share of its budget.
 */
export class AssetFetcher {
  readonly #plan: CrawlPlan
  readonly #jobTools: JobTools
  readonly #pageTools: PageTools
  readonly #scheduler: JobScheduler

  constructor(plan: CrawlPlan, { jobTools, pageTools }: { jobTools: JobTools; pageTools: PageTools }) {
    this.#plan = plan
    this.#jobTools = jobTools
    this.#pageTools = pageTools
    this.#scheduler = new JobScheduler(jobTools, { plan }, () => undefined)
  }

  /** @throws TrawlError what the fetch throws; `CRAWL_DENIAL` where robots.txt forbids the file; the signal's reason */
  async fetch(file: ShownFile, signal: AbortSignal): Promise<FetchedPage> {
    const { url } = file
    const {
      fetch: { timeoutMs },
      cache,
    } = this.#plan.page
    if (cache.lockdown === true)
      throw new TrawlError('SCRAPE_LOCKDOWN_CACHE_MISS', 'with `lockdown` nothing is requested', { url })
    using deadline = openDeadline(url, timeoutMs, signal)
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.#try(file, deadline.signal).catch((error: unknown) => {
        signal.throwIfAborted()
        return toTrawlError(deadline.signal.aborted ? deadline.signal.reason : error, url)
      })
      const outcome =
        tried instanceof TrawlError
          ? { code: tried.code, retryAfterMs: tried.retryAfterMs }
          : { statusCode: tried.statusCode, retryAfterMs: this.#retryAfterOf(tried) }
      const delayMs = deadline.signal.aborted
        ? undefined
        : this.#jobTools.retryDelayMs({ attempt, maxWaitMs: deadline.leftMs(), ...outcome })
      if (delayMs === undefined || delayMs >= deadline.leftMs()) {
        if (tried instanceof TrawlError) throw tried
        return tried
      }
      await sleep(delayMs, undefined, { signal })
    }
  }

  async #try(file: ShownFile, signal: AbortSignal): Promise<FetchedPage> {
    const url = new URL(file.url)
    const { obey } = this.#plan.robots
    if (obey) await this.#askRobots(url, signal)
    const site = siteOf(url)
    await this.#scheduler.awaitRequest(site, signal)
    const tools = this.#jobTools
    const startedAtMs = tools.waitNow()
    let answer: FetchedPage | undefined
    try {
      refuseSuspendedSite(file.url, tools)
      const redirectRule: RedirectRule | undefined = obey
        ? { name: `robots.txt ${this.#plan.robots.agent}`, check: (target) => this.#askRobots(target, signal) }
        : undefined
      answer = await fetchShownFile(file, this.#plan.page, this.#pageTools, {
        signal,
        askedUrl: this.#plan.start,
        redirectRule,
      })
      return answer
    } finally {
      const facts = { statusCode: answer?.statusCode, retryAfterMs: answer && this.#retryAfterOf(answer) }
      this.#scheduler.endRequest(site, { latencyMs: tools.waitNow() - startedAtMs, ...facts })
    }
  }

  /** @throws TrawlError `CRAWL_DENIAL`; that of a robots.txt which could not be read */
  async #askRobots(url: URL, signal: AbortSignal): Promise<void> {
    const { robots, politeness } = this.#jobTools
    const verdict = await robots.judge(url, this.#plan.robots.agent, signal)
    if (verdict.crawlDelayMs !== undefined) politeness.setCrawlDelay(siteOf(url), verdict.crawlDelayMs)
    if (verdict.allowed) return
    const { code = 'CRAWL_DENIAL', message = describeRobotsVerdict(verdict) } = verdict.failure ?? {}
    throw new TrawlError(code, message, { url: url.href })
  }

  #retryAfterOf({ headers }: FetchedPage): number | undefined {
    return parseRetryAfter(headers['retry-after'], this.#jobTools.now())
  }
}
