import { isSuccessStatus } from '../../base/http/statuses.js'
import { TrawlError } from '../../base/errors.js'
import { countPages, type CoverageStatus, SiteCoverage } from '../../kernel/job/site-coverage.js'
import type { LedgerRow } from '../../kernel/ledger/ledger.js'
import type { WatchCommit, WatchKey } from './watch-store.js'
import type { WatchPlan } from './plan-watch.js'
import { type DescribedPage, describeFailure, describePage } from './describe-page.js'
import type { WatchResult } from './watch.js'
import { describeMissing } from './describe-page.js'
import { findMissing } from './forget-pages.js'
import {
  ALL_UNITS,
  crawlUnit,
  type LocatedFacts,
  PAGE_TARGET,
  type WatchedFacts,
  readFacts,
  type RunningCheck,
  numberResult,
} from './watch-state.js'
import type { CheckJob, WatchTools } from './watch-tools.js'
import { writePageReport } from './write-watch-report.js'

/** Parts of a check. */
export interface CheckParts {
  readonly watch: WatchKey
  readonly plan: WatchPlan
  readonly check: RunningCheck
  readonly tools: WatchTools
  /** Stores the check with what was learned of it so far. */
  save(check: RunningCheck): Promise<void>
  /** True for a new check of all pages. */
  readonly answersLateCalls: boolean
  /** True when the watch was removed. */
  isCancelled(): boolean
  onJob(job: CheckJob | undefined): void
  onResult(result: WatchResult): void
}

/** The end of a check's jobs. */
export interface CheckEnd {
  readonly jobs: readonly string[]
  /** Number of results that this process has stored. */
  readonly results: number
  /** Calls for a check that it answers besides those of its start. */
  readonly asked?: number
  readonly error?: string
  /** Reasons why results may be less than they seem. */
  readonly warnings?: readonly string[]
}

/** Begins the key of a job for pages that a crawl no longer found. */
const MISSING = 'missing '

/** Begins the key of a job for known pages that a crawl did not come to. */
const UNREACHED = 'unreached '

/** Thrown when another process has the watch now, or it was removed. */
export const WATCH_LOST = new TrawlError('BAD_REQUEST', 'the watch was removed, or is run by another process now')

/**
 * Runs the jobs of a check, and stores a result for each of its pages. Pages that have one already are left out, so that a
 * check continues where another process was killed.
 */
export class CheckRun {
  readonly #parts: CheckParts
  readonly #jobs: string[] = []
  /** Targets of which a page has answered. */
  readonly #answered = new Set<string>()
  #check: RunningCheck
  #error: string | undefined
  readonly #warnings: string[] = []
  #results = 0
  #asked: number | undefined

  constructor(parts: CheckParts) {
    this.#parts = parts
    this.#check = parts.check
  }

  /** @throws TrawlError `ENGINE_CLOSED` when the engine closes first: the next process continues; {@link WATCH_LOST} */
  async run(): Promise<CheckEnd> {
    const { plan, check } = this.#parts
    const isDue = (unit: string): boolean => check.units.includes(ALL_UNITS) || check.units.includes(unit)
    const urls = plan.urls.filter(isDue)
    if (urls.length > 0) await this.#scrape('pages', { ...plan.pageOptions, urls }, PAGE_TARGET)
    // A crawl that is named twice is made once.
    const crawls = new Map(plan.crawls.map((crawl) => [crawlUnit(crawl), crawl]))
    for (const [unit, crawl] of crawls) if (isDue(unit)) await this.#crawl(unit, crawl)
    return {
      jobs: this.#jobs,
      results: this.#results,
      asked: this.#asked,
      error: this.#error,
      warnings: this.#warnings,
    }
  }

  /** Crawls, and then asks once for the pages that the crawl no longer found. */
  async #crawl(unit: string, request: WatchPlan['crawls'][number]): Promise<void> {
    const { watch, plan, check, tools } = this.#parts
    const ended = await this.#runJob({ key: unit, kind: 'crawl', request, target: unit })
    // A crawl that was cut short, or of a site that did not answer, makes no page look removed.
    if (!ended || !this.#answered.has(unit)) return
    let missing = this.#check.missing?.[unit]
    let gaps = this.#check.gaps?.[unit]
    if (!missing || !gaps) {
      const pages = (await tools.store.pages(watch.name)).map(({ url, facts }) => ({ url, ...readFacts(facts) }))
      const absent = findMissing({ urls: plan.urls, crawl: request }, pages, check.number)
      gaps = absent.length === 0 ? [] : await this.#findGaps(ended, unit, pages)
      missing = await this.#leaveRefused(absent, ended.job, unit)
      this.#check = {
        ...this.#check,
        missing: { ...this.#check.missing, [unit]: missing },
        gaps: { ...this.#check.gaps, [unit]: gaps },
      }
      if (missing.length > 0) await this.#parts.save(this.#check)
    }
    if (missing.length === 0) return
    if (gaps.length > 0)
      this.#warnings.push(
        `The crawl of ${String(request['url'])} may not have seen all of its site (${gaps.join('; ')}): ` +
          `${countPages(missing.length)} that it did not find ${missing.length === 1 ? 'was' : 'were'} asked for instead.`,
      )
    const { delay, maxConcurrency } = request
    const atOnce = delay === undefined ? maxConcurrency : 1
    const pace = atOnce === undefined ? {} : { maxConcurrency: atOnce }
    // Of a crawl with gaps, it is unknown which pages it would have found.
    const prefix = gaps.length > 0 ? UNREACHED : MISSING
    await this.#scrape(`${prefix}${unit}`, { ...plan.pageOptions, ...pace, urls: missing }, unit)
  }

  /** Finds the reasons why pages that a crawl did not find may still be linked. */
  async #findGaps({ job, status }: EndedJob, unit: string, pages: readonly LocatedFacts[]): Promise<string[]> {
    const { number } = this.#check
    const urls = new Set(pages.map(({ url }) => url))
    const coverage = new SiteCoverage((url) => urls.has(url))
    let read = 0
    for await (const row of job.urls()) {
      coverage.add(row)
      if (row.outcome === 'done') read += 1
    }
    // Links of a page that is gone may be on another one by now, which is not known yet.
    const gone = pages.filter((page) => page.target === unit && page.check === number && page.status === 'removed')
    return [
      ...coverage.gaps(status),
      ...(gone.length === 0
        ? []
        : [`${countPages(gone.length)} that may have linked to others ${gone.length === 1 ? 'is' : 'are'} gone`]),
      ...(read > 1 ? [] : ['the start page leads to no other page']),
    ]
  }

  /** Records the missing pages that robots.txt keeps the crawl from, with the reason. @returns the others */
  async #leaveRefused(missing: readonly string[], job: CheckJob, target: string): Promise<readonly string[]> {
    const { watch, tools } = this.#parts
    const others: string[] = []
    for (const url of missing) {
      // A job that is kept for a short time may be gone: then nothing is known against the page.
      const decision = await job.explain(url).catch(ignoreExpiry)
      tools.closing.throwIfAborted()
      const { failure, refusal } = decision ?? {}
      const isUnread = decision?.outcome === 'unseen' && failure !== undefined
      const error = refusal?.reason === 'ROBOTS_TXT' ? refusal.message : isUnread ? failure.error : undefined
      if (error === undefined) {
        others.push(url)
        continue
      }
      const known = await tools.store.page(watch.name, url)
      const described = describeFailure({ error, code: isUnread ? failure.code : undefined }, { known, tools })
      await this.#record(url, target, described)
    }
    return others
  }

  async #scrape(key: string, request: { readonly urls: readonly string[] }, target: string): Promise<void> {
    const ended = await this.#runJob({ key, kind: 'batch-scrape', request, target })
    if (ended) return
    const { watch, tools } = this.#parts
    for (const url of request.urls) {
      const known = await tools.store.page(watch.name, url)
      if (known && readFacts(known.facts).check === this.#check.number) continue
      const error = `not scraped: ${this.#error ?? 'the job ended first'}`
      await this.#record(url, target, describeFailure({ error }, { known, tools }))
    }
  }

  /** Runs a job to its end. Undefined when it was cut short. */
  async #runJob({ key, kind, request, target }: JobOfCheck): Promise<EndedJob | undefined> {
    const { watch, tools, isCancelled, onJob } = this.#parts
    if (isCancelled()) throw WATCH_LOST
    const { number } = this.#check
    const job = await tools.start(kind, request, `watch ${watch.identity} ${watch.name} ${number} ${key}`)
    if (isCancelled()) {
      void job.cancel()
      throw WATCH_LOST
    }
    this.#jobs.push(job.id)
    onJob(job)
    try {
      await this.#readJob(job, { target, isMissing: key.startsWith(MISSING) })
      const ended = await job.finished()
      const { status, error, stoppedBy } = ended
      tools.closing.throwIfAborted()
      if (status === 'completed' && stoppedBy === undefined) return { job, status: ended }
      this.#error = error ?? (stoppedBy === undefined ? `job ${job.id} was ${status}` : `stopped by ${stoppedBy}`)
      return undefined
    } catch (error) {
      if (error === WATCH_LOST) void job.cancel()
      if (error === WATCH_LOST || tools.closing.aborted) throw error
      if (!(error instanceof TrawlError)) throw error
      // The job itself has failed, for example for lack of credits, or because the start page of a crawl did: its site is down.
      this.#error = error.message
      await this.#readFailures(job, target).catch(ignoreUnreadable)
      return undefined
    } finally {
      onJob(undefined)
    }
  }

  async #readJob(job: CheckJob, { target, isMissing }: { target: string; isMissing: boolean }): Promise<void> {
    const { watch, plan, tools } = this.#parts
    for await (const document of job) {
      const url = document.metadata.sourceURL
      const { statusCode } = document.metadata
      if (isSuccessStatus(statusCode) || isGoneStatus(statusCode)) this.#answered.add(target)
      const known = await tools.store.page(watch.name, url)
      if (known && readFacts(known.facts).check === this.#check.number) continue
      const isFirst = !this.#check.knownTargets.includes(target)
      const describe = isMissing ? describeMissing : describePage
      const described = await describe(document, { plan, known, isFirst, tools })
      await this.#record(url, target, described)
    }
    await this.#readFailures(job, target)
  }

  async #readFailures(job: CheckJob, target: string): Promise<void> {
    for (const outcome of ['failed', 'skipped'] as const)
      for await (const row of job.urls({ outcome })) await this.#recordFailed(row, target)
  }

  /** Records a page that gave no document: one that failed, or that a batch has skipped. */
  async #recordFailed({ outcome, url, sources, failure, refusal }: LedgerRow, target: string): Promise<void> {
    const { watch, tools } = this.#parts
    // A URL that a crawl skips is no page of the watch. One that it had before is asked for at the end.
    if (outcome === 'skipped' && sources === undefined) return
    for (const source of sources?.map((one) => one.url) ?? [url]) {
      const known = await tools.store.page(watch.name, source)
      if (known && readFacts(known.facts).check === this.#check.number) continue
      const { code, error = refusal?.message ?? 'skipped' } = failure ?? {}
      const described = describeFailure({ error, code }, { known, tools })
      await this.#record(source, target, described)
    }
  }

  /** Answers calls for a check that have come since its start, before any page has a result. */
  async #answerCalls(): Promise<void> {
    const { watch, tools } = this.#parts
    const stored = await tools.store.read(watch.name)
    // A call after a change of the request is for the new one.
    if (stored?.identity === watch.identity && stored.request === this.#check.request) this.#asked = stored.asked
  }

  /** Stores the result of a page with its history, in one transaction. */
  async #record(url: string, target: string, { finding, facts, markdown }: DescribedPage): Promise<void> {
    const { watch, plan, tools, onResult } = this.#parts
    const { number } = this.#check
    const { status, meaningful } = finding
    const page: WatchedFacts = { ...facts, target, check: number, status, isMeaningful: meaningful }
    const result = { watch: watch.name, check: number, url, ...finding }
    const { webhook } = plan
    const isReported = webhook !== undefined && status !== 'same' && webhook.events.includes('page')
    const commit: WatchCommit = {
      page: { url, facts: JSON.stringify(page), markdown },
      result: JSON.stringify(result),
      isSame: status === 'same',
      report: isReported ? { body: writePageReport(result, webhook, watch), dueAtMs: tools.now() } : undefined,
    }
    if (this.#results === 0 && this.#parts.answersLateCalls) await this.#answerCalls()
    const sequence = await tools.store.commit(watch, commit)
    if (sequence === undefined) throw WATCH_LOST
    this.#results += 1
    onResult(numberResult(result, sequence))
  }
}

function ignoreExpiry(error: unknown): undefined {
  if (!(error instanceof TrawlError) || error.code !== 'JOB_NOT_FOUND') throw error
}

/** Ignores that the rows of a job cannot be read, which has ended it. */
function ignoreUnreadable(error: unknown): void {
  if (!(error instanceof TrawlError) || !['JOB_NOT_FOUND', 'LEDGER_ERROR'].includes(error.code)) throw error
}

const isGoneStatus = (statusCode: number): boolean => statusCode === 404 || statusCode === 410

/** A job that was not cut short. */
interface EndedJob {
  readonly job: CheckJob
  readonly status: CoverageStatus
}

interface JobOfCheck {
  /** Identifies it in the check. */
  readonly key: string
  readonly kind: 'batch-scrape' | 'crawl'
  readonly request: object
  readonly target: string
}
