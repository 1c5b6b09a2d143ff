import { asksSecret } from '../../fetch/action-options.js'
import type { JobPermit } from '../job-context.js'
import { onAbort } from '../../../base/concurrency/on-abort.js'
import { boundDelay } from '../../../base/concurrency/timer-limit.js'
import type { Backlog } from '../../../content/digest/workers/backlog.js'
import type { Politeness, RequestOutcome, SiteAnswer } from '../../frontier/politeness.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'
import { siteOf } from '../../../base/url.js'
import type { PageActivity } from '../job.js'
import type { PagePlaces, PermitSlots, PlaceSlots } from '../page-places.js'
import { PagePermit } from './page-permit.js'
import type { PageSlots } from '../../../base/concurrency/page-slots.js'

/** Services that all jobs of an engine share. */
interface SharedServices {
  readonly slots: PageSlots
  /** Pages that wait for a thread. */
  readonly backlog: Pick<Backlog, 'isEmpty' | 'waitedMs' | 'timeFor' | 'addWaiter' | 'removeWaiter'>
  readonly politeness: Politeness
  /** Other engines that scrape pages; undefined where there can be none. */
  readonly places?: PagePlaces
  waitNow(): number
}

/** A page that has a permit. */
interface PageInWork {
  readonly url: string
  readonly attempt: number
  readonly startedAtMs: number
  /** True if another engine scrapes it. */
  readonly isAtWorker: boolean
}

/** Parts of a job's strategy. */
interface JobRules {
  readonly plan: { readonly throttle: { readonly delayMs: number }; readonly page: ScrapePlan }
}

/** Poll interval while waiting for a site of which it is unknown when it becomes available. Milliseconds. */
const POLL_MS = 50

/** Number of pages under way up to which a job starts pages however many wait for a thread. */
const MIN_PAGES = 8
/** Time for which threads have pages to read at least. Milliseconds. */
const MIN_AHEAD_MS = 25
/** They have pages, in addition, for this multiple of the average time that a page spends elsewhere, most of it in the network. */
const AHEAD_FACTOR = 1.5
/** Weight of the last page in averages. */
const LAST_WEIGHT = 0.03

/**
 * Decides when a job may start its next page, by the delay of the job, the free slots of the engine, the pages that
 * wait for a thread, and politeness to the sites.
 */
export class JobScheduler {
  readonly #shared: SharedServices
  readonly #job: JobRules
  readonly #wake: () => void
  readonly #timers = new Set<NodeJS.Timeout>()
  #siteTimer: NodeJS.Timeout | undefined
  #isPaused = false
  #notBeforeMs = 0
  /** Number of pages under way that no other engine scrapes. */
  #pagesHere = 0
  /** Average time of these. Milliseconds. */
  #pageMs = 0
  #unfollow: (() => void) | undefined
  /** Pages under way, in the order in which they began. */
  readonly #pages = new Map<PagePermit, PageInWork>()

  /**
   * @param job read at each page, because a `prompt` may change it
   * @param wake called when a page may be started that could not be before
   */
  constructor(shared: SharedServices, job: JobRules, wake: () => void) {
    this.#shared = shared
    this.#job = job
    this.#wake = wake
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#wake()
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** True when neither `pause()` nor the delay after a page holds the job back. */
  get mayStartPage(): boolean {
    const leftMs = this.#notBeforeMs - this.#shared.waitNow()
    // A clock that was set back must not delay the job by the difference.
    return !this.#isPaused && (leftMs <= 0 || leftMs > this.#job.plan.throttle.delayMs)
  }

  /**
   * Returns true if the engine has a free slot and its threads are not behind, or if a worker has a free slot. Otherwise
   * the job is woken when that may have changed.
   */
  hasSlot(): boolean {
    const { slots, backlog } = this.#shared
    const workers = this.#workers
    const isBehind = this.#isBehind
    if ((slots.hasFree && !isBehind) || workers?.hasFree) return true
    if (isBehind) backlog.addWaiter(this.#wake)
    else slots.addWaiter(this.#wake)
    workers?.addWaiter(this.#wake)
    return false
  }

  /**
   * True while the threads have more to read than can arrive until they have read it, so that a page that starts now
   * would only wait. With 50 pages under way instead of 12, each lives until the next collections of garbage, which then
   * take half as much time again on the host's thread.
   */
  get #isBehind(): boolean {
    const { backlog } = this.#shared
    if (backlog.isEmpty || this.#pagesHere < MIN_PAGES) return false
    const elsewhereMs = Math.max(0, this.#pageMs - backlog.waitedMs)
    return backlog.timeFor(this.#pagesHere) > MIN_AHEAD_MS + AHEAD_FACTOR * elsewhereMs
  }

  /** The slots of workers, if they may be used. They are looked for as soon as the job starts pages. */
  get #workers(): PlaceSlots | undefined {
    const { places } = this.#shared
    const { page } = this.#job.plan
    // What must be done for a request, such as a login, is done here, and secrets of this host are not sent to another.
    if (page.changesRequests || page.fetch.browser?.actions.some(asksSecret)) return undefined
    if (!places?.mayTake(page)) return undefined
    this.#unfollow ??= places.follow()
    return places.slots
  }

  /** Returns the sites that no request may be sent to now, and those with slow requests in flight, whose pages come last. */
  sites(): { heldSites: ReadonlySet<string>; slowSites: ReadonlySet<string> } {
    const { politeness, waitNow } = this.#shared
    return {
      heldSites: politeness.heldSites(waitNow(), this.#job.plan.throttle.delayMs),
      slowSites: politeness.slowSites,
    }
  }

  /** Wakes the job when a site becomes available again. */
  wakeWhenAvailable(): void {
    this.#shared.politeness.subscribe(this.#wake)
    const nowMs = this.#shared.waitNow()
    const availableMs = this.#shared.politeness.nextAvailableMs(nowMs)
    // One timer, replaced at each call. Otherwise a job that is polled twice a second would collect timers while a site
    // is unavailable.
    clearTimeout(this.#siteTimer)
    if (availableMs !== undefined) this.#siteTimer = setTimeout(this.#wake, boundDelay(availableMs - nowMs))
  }

  /** Acquires a slot of the engine, or else of a worker. */
  acquireSlot(): PermitSlots | undefined {
    const { slots } = this.#shared
    const workers = this.#workers
    if (this.#isBehind && workers?.tryAcquire()) return workers
    if (slots.tryAcquire()) return slots
    return workers?.tryAcquire() ? workers : undefined
  }

  beginRequest(site: string): boolean {
    return this.#shared.politeness.tryBegin(site, this.#shared.waitNow(), this.#job.plan.throttle.delayMs)
  }

  /** Waits until the site is available, then begins a request. Meant for files such as robots.txt, which take no slot. */
  async awaitRequest(site: string, signal: AbortSignal): Promise<void> {
    while (!this.beginRequest(site)) {
      signal.throwIfAborted()
      await this.#awaitChange(signal)
    }
  }

  /** Ends a request of {@link awaitRequest}. */
  endRequest(site: string, response: SiteAnswer): void {
    this.#shared.politeness.end(site, this.#shared.waitNow(), withDelay(response, this.#job.plan.throttle.delayMs))
  }

  /** Creates the permit of a page for which a slot was acquired and a request begun. @param site that of the URL, if known */
  createPermit(
    { url, attempts }: { readonly url: string; readonly attempts: readonly unknown[] },
    slots: PermitSlots,
    site = siteOf(new URL(url)),
  ): PagePermit {
    const { politeness, slots: own } = this.#shared
    const permit = new PagePermit({ slots, site: { name: site, politeness } })
    const startedAtMs = this.#shared.waitNow()
    const isAtWorker = slots !== own
    if (!isAtWorker) this.#pagesHere += 1
    this.#pages.set(permit, { url, attempt: attempts.length + 1, startedAtMs, isAtWorker })
    return permit
  }

  /** Lists the pages under way, oldest first. */
  activity(): readonly PageActivity[] {
    const nowMs = this.#shared.waitNow()
    return Array.from(this.#pages, ([{ step, isLent }, { url, attempt, startedAtMs, isAtWorker }]) => ({
      url,
      attempt,
      step: isAtWorker ? 'worker' : step,
      elapsedMs: Math.max(0, nowMs - startedAtMs),
      lent: isLent ? true : undefined,
    }))
  }

  /** Ends the request of a page's permit, and begins another one. */
  async renewRequest(permit: JobPermit, response: SiteAnswer, begin: () => Promise<void>): Promise<void> {
    const { delayMs } = this.#job.plan.throttle
    await permit.renewRequest(this.#shared.waitNow(), withDelay(response, delayMs), begin)
  }

  /** Ends the permit of a page, unless it has ended, and starts the delay of the job. */
  endPage(permit: PagePermit, response: SiteAnswer): void {
    const nowMs = this.#shared.waitNow()
    const page = this.#pages.get(permit)
    this.#pages.delete(permit)
    if (page && !page.isAtWorker) {
      this.#pagesHere -= 1
      this.#pageMs += (Math.max(0, nowMs - page.startedAtMs) - this.#pageMs) * LAST_WEIGHT
    }
    if (permit.hasEnded) return
    permit.end(nowMs, withDelay(response, this.#job.plan.throttle.delayMs))
    // A page from the cache needs no delay.
    if (this.#job.plan.throttle.delayMs === 0 || response.latencyMs === undefined) return
    this.#notBeforeMs = nowMs + this.#job.plan.throttle.delayMs
    this.wakeIn(this.#job.plan.throttle.delayMs)
  }

  /** Resolves when a request has ended, a site becomes available, or the signal aborts. */
  #awaitChange(signal: AbortSignal): Promise<void> {
    const { politeness, waitNow } = this.#shared
    return new Promise((resolve) => {
      const change = (): void => {
        clearTimeout(timer)
        politeness.unsubscribe(change)
        signal.removeEventListener('abort', change)
        resolve()
      }
      const availableMs = politeness.nextAvailableMs(waitNow())
      // A site may have become available since the last check, without an event. Without a known time it is polled.
      const timer = setTimeout(change, availableMs === undefined ? POLL_MS : boundDelay(availableMs - waitNow()))
      politeness.subscribe(change)
      onAbort(signal, change)
    })
  }

  wakeIn(delayMs: number): void {
    const fire = (): void => {
      this.#timers.delete(timer)
      this.#wake()
    }
    const timer = setTimeout(fire, boundDelay(delayMs))
    this.#timers.add(timer)
  }

  /** Removes all timers and listeners. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    clearTimeout(this.#siteTimer)
    this.#shared.slots.removeWaiter(this.#wake)
    this.#shared.backlog.removeWaiter(this.#wake)
    this.#shared.places?.slots.removeWaiter(this.#wake)
    this.#unfollow?.()
    this.#unfollow = undefined
    this.#shared.politeness.unsubscribe(this.#wake)
  }
}

const withDelay = ({ latencyMs, statusCode, retryAfterMs }: SiteAnswer, delayMs: number): RequestOutcome => ({
  latencyMs,
  statusCode,
  retryAfterMs,
  delayMs,
})
