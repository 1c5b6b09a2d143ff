import { WaitingQueue } from '../../base/concurrency/waiting-queue.js'
import { slowDownStatuses, TOO_MANY_REQUESTS } from '../../base/http/statuses.js'

/**
 * Outcome of a request to a site. Here, one request is the fetch of one page or file, including redirects and whatever
 * else a browser loads for the page.
 */
export interface RequestOutcome extends SiteAnswer {
  /** Pause that the job requires after each page. Milliseconds. */
  readonly delayMs: number
}

/** Speed and status of a site's answer. */
export interface SiteAnswer {
  /** Response time of the site. Milliseconds; undefined when nothing was sent (a page from the cache). */
  readonly latencyMs: number | undefined
  /** HTTP status; undefined when there was no response. */
  readonly statusCode: number | undefined
  /** Delay that the site asked for in `Retry-After`. Milliseconds. */
  readonly retryAfterMs: number | undefined
}

/** State of a site. */
interface Site {
  /** Requests in flight that count towards the limit of the site. */
  active: number
  /** Slow requests in flight that no longer count towards the limit. */
  uncounted: number
  /** Requests in flight of jobs with a `delay`: one at most. */
  delayed: number
  /** Earliest start of the next request: the end of a pause. */
  pausedUntilMs: number
  /** Earliest start of the next request: the spacing from the start of the last one. */
  spacedUntilMs: number
  /** Moving average of the response time. */
  latencyMs: number
  /** Moving average of the response time, without failed requests. */
  answerMs: number
  /** Length of the last pause after an overload status (429 or 503); 0 when the site has recovered. */
  backoffMs: number
  /** `Crawl-delay` of its robots.txt. */
  crawlDelayMs: number
  /** Consecutive overload statuses. */
  overloads: number
  /** Consecutive pauses after which the site was still overloaded. */
  overloadedPauses: number
  /** Consecutive responses with a `Retry-After` longer than the maximum pause. */
  longPauses: number
  overloadedSinceMs: number
  overloadedAtMs: number
  /** Set while no requests are sent to the site, because it stayed overloaded. */
  suspended: SuspendedSite | undefined
}

/** A site that stayed overloaded, so that no requests are sent to it for some time. */
interface SuspendedSite {
  readonly statusCode: number
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

/** First pause after an overload status without `Retry-After`; doubled with each further one. Milliseconds. */
const FIRST_BACKOFF_MS = 1000
/** Maximum pause, whatever the site asks for. Milliseconds. */
export const MAX_PAUSE_MS = 60_000
/** A site that stays overloaded for this time and for this number of pauses is suspended. Milliseconds. */
const MAX_OVERLOADED_MS = 120_000
const MAX_OVERLOADED_PAUSES = 6
/** Consecutive responses with a `Retry-After` longer than the maximum pause after which a site is suspended. */
const MAX_LONG_PAUSES = 2
/** Maximum time for which a site is suspended, whatever it asks for. Milliseconds. */
const MAX_SUSPENSION_MS = 3_600_000
/** Minimum spacing to enforce: timers are not more precise. Milliseconds. */
const MIN_SPACING_MS = 5
/** Maximum spacing of requests, however slow the site is. Milliseconds. */
const MAX_SPACING_MS = 1000
/** A request is slow when it takes this many times the average response time of the site. */
const SLOW_FACTOR = 3
/** Maximum sites to remember, including idle ones. */
const MAX_SITES = 1000

/**
 * Decides to which sites a request may be sent now. All jobs of an engine share one instance, so that two jobs on one
 * site do not double the load.
 *
 * A site has a maximum of concurrent requests, and a pause after each request when its robots.txt or the job requires
 * one. Jobs with such a pause (`delay`) have one request at a time to a site, for a page or a file. Slower sites get
 * fewer requests: two of them begin at least half of `average response time / concurrent requests` apart. Failures
 * often respond fast, so a failure may raise that average but never lowers it. `429`, `503` with `Retry-After`, and a
 * repeated `503` pause the whole site: for as long as `Retry-After` says, for a minute at most.
 */
export class Politeness {
  readonly #maxPerSite: number
  readonly #maxUncounted: number
  readonly #maxPauseMs: number
  readonly #slowSites = new Set<string>()
  /** Sites with slow requests in flight. Pages of other sites come first. */
  readonly slowSites: ReadonlySet<string> = this.#slowSites
  readonly #sites = new Map<string, Site>()
  /** Sites with requests in flight or a pause. Only these can be unavailable. */
  readonly #busy = new Map<string, Site>()
  readonly #waiting = new WaitingQueue()
  #hasSuspended = false

  /**
   * @param maxPerSite maximum number of concurrent requests to a site
   * @param maxUncounted maximum number of slow requests to a site in addition to `maxPerSite`. @default 0
   * @param maxPauseMs maximum pause after an overload status. Milliseconds. @default a minute, and never more
   */
  constructor(maxPerSite: number, maxUncounted = 0, maxPauseMs = MAX_PAUSE_MS) {
    this.#maxPerSite = maxPerSite
    this.#maxUncounted = maxUncounted
    this.#maxPauseMs = Math.min(MAX_PAUSE_MS, maxPauseMs)
  }

  /** Time after which a request to the site counts as slow. Milliseconds. */
  slowAfterMs(name: string): number {
    return (this.#sites.get(name)?.answerMs ?? 0) * SLOW_FACTOR
  }

  /**
   * Stops counting a slow request towards the limit of the site, so that another one can begin.
   * @returns false when the maximum number of slow requests is not counted already, and for a site with a `Crawl-delay`
   */
  stopCounting(name: string): boolean {
    const site = this.#sites.get(name)
    if (!site) return false
    this.#slowSites.add(name)
    if (site.uncounted >= this.#maxUncounted || site.crawlDelayMs > 0) return false
    site.active -= 1
    site.uncounted += 1
    this.#waiting.wakeAll()
    return true
  }

  /** True once any site was suspended. Nearly always none was, and no page need ask for its own. */
  get hasSuspended(): boolean {
    return this.#hasSuspended
  }

  /** Returns the suspension of a site, if it is suspended. Its pages then need not wait, and fail without a request. */
  suspendedSite(name: string, nowMs: number): SuspendedSite | undefined {
    const suspended = this.#sites.get(name)?.suspended
    return suspended && isSuspended(suspended, nowMs) ? suspended : undefined
  }

  /** Returns the sites that no request may be sent to now. @param delayMs the `delay` of the job that asks. @default 0 */
  heldSites(nowMs: number, delayMs = 0): ReadonlySet<string> {
    const held = new Set<string>()
    for (const [name, site] of this.#busy) {
      if (!this.#isAvailable(site, nowMs, delayMs)) held.add(name)
      else if (site.active + site.delayed === 0) this.#busy.delete(name)
    }
    return held
  }

  /**
   * Time at which the next held site becomes available; undefined when all of them wait for a request to end.
   * Milliseconds since the epoch.
   */
  nextAvailableMs(nowMs: number): number | undefined {
    let next: number | undefined
    for (const site of this.#busy.values()) {
      const availableAtMs = Math.max(site.pausedUntilMs, site.spacedUntilMs)
      if (availableAtMs > nowMs && site.active < this.#limit(site)) next = Math.min(next ?? Infinity, availableAtMs)
    }
    return next
  }

  /**
   * Begins a request, if the site is available.
   *
   * @param delayMs the `delay` of the job, as in the outcome when the request ends. @default 0
   * @returns true when the request has begun
   */
  tryBegin(name: string, nowMs: number, delayMs = 0): boolean {
    const site = this.#sites.get(name) ?? {
      active: 0,
      uncounted: 0,
      delayed: 0,
      answerMs: 0,
      pausedUntilMs: 0,
      spacedUntilMs: 0,
      latencyMs: 0,
      backoffMs: 0,
      crawlDelayMs: 0,
      overloads: 0,
      overloadedPauses: 0,
      longPauses: 0,
      overloadedSinceMs: 0,
      overloadedAtMs: -Infinity,
      suspended: undefined,
    }
    if (!this.#isAvailable(site, nowMs, delayMs)) return false
    this.#sites.set(name, site)
    this.#busy.set(name, site)
    site.active += 1
    if (delayMs > 0) site.delayed += 1
    const spacingMs = site.latencyMs / this.#maxPerSite / 2
    if (spacingMs >= MIN_SPACING_MS) site.spacedUntilMs = nowMs + Math.min(spacingMs, MAX_SPACING_MS)
    return true
  }

  /** Ends a request. @param wasUncounted true when `stopCounting` returned true for this request */
  end(name: string, nowMs: number, outcome: RequestOutcome, wasUncounted = false): void {
    const site = this.#sites.get(name)
    if (!site) return
    if (wasUncounted) site.uncounted -= 1
    else site.active -= 1
    // A job may have got its `delay`, from a prompt, while the request was in flight.
    if (outcome.delayMs > 0 && site.delayed > 0) site.delayed -= 1
    if (site.uncounted === 0) this.#slowSites.delete(name)
    // Nothing was sent, so that the next request need not be spaced.
    if (outcome.latencyMs === undefined) site.spacedUntilMs = 0
    else this.#record(site, nowMs, outcome, outcome.latencyMs)
    if (this.#sites.size > MAX_SITES) this.#forgetIdle(nowMs)
    this.#waiting.wakeAll()
  }

  /** Calls `wake` once, when the next request ends or stops counting. */
  subscribe(wake: () => void): void {
    this.#waiting.add(wake)
  }

  unsubscribe(wake: () => void): void {
    this.#waiting.delete(wake)
  }

  /** Applies a site's `Crawl-delay`: one request at a time, and this pause after each. */
  setCrawlDelay(name: string, crawlDelayMs: number): void {
    const site = this.#sites.get(name)
    if (site) site.crawlDelayMs = crawlDelayMs
  }

  #record(site: Site, nowMs: number, { statusCode, retryAfterMs, delayMs }: RequestOutcome, latencyMs: number): void {
    const isSuccess = statusCode !== undefined && statusCode < 400
    const mean = site.latencyMs === 0 ? latencyMs : (site.latencyMs * 3 + latencyMs) / 4
    site.latencyMs = isSuccess ? mean : Math.max(site.latencyMs, mean)
    if (statusCode !== undefined) site.answerMs = site.answerMs === 0 ? latencyMs : (site.answerMs * 3 + latencyMs) / 4
    let pauseMs = Math.max(delayMs, site.crawlDelayMs)
    if (statusCode !== undefined && slowDownStatuses.has(statusCode)) {
      // Concurrent requests that fail together count once.
      const isFirst = nowMs - latencyMs >= site.overloadedAtMs
      recordOverload(site, nowMs, isFirst, { statusCode, retryAfterMs })
      this.#hasSuspended ||= site.suspended !== undefined
      if (isFirst && retryAfterMs === undefined && (statusCode === TOO_MANY_REQUESTS || site.overloads > 1)) {
        site.backoffMs = Math.min(MAX_PAUSE_MS, site.backoffMs === 0 ? FIRST_BACKOFF_MS : site.backoffMs * 2)
      }
      pauseMs = Math.max(pauseMs, Math.min(this.#maxPauseMs, retryAfterMs ?? site.backoffMs))
    } else if (isSuccess) {
      site.overloads = 0
      site.overloadedPauses = 0
      site.longPauses = 0
      site.suspended = undefined
      site.backoffMs = site.backoffMs < FIRST_BACKOFF_MS ? 0 : site.backoffMs / 2
    }
    site.pausedUntilMs = Math.max(site.pausedUntilMs, nowMs + pauseMs)
  }

  /** Forgets available sites without requests in flight. Their averages are learnt again within a few requests. */
  #forgetIdle(nowMs: number): void {
    for (const [name, site] of this.#sites)
      if (site.active + site.uncounted === 0 && this.#isAvailable(site, nowMs)) this.#sites.delete(name)
  }

  #isAvailable(site: Site, nowMs: number, delayMs = 0): boolean {
    // Its pages need no turn: they fail at once, without a request.
    if (site.suspended && isSuspended(site.suspended, nowMs)) return true
    // The pause of a job comes after the end of its last request, so that two at once would not keep it.
    if (delayMs > 0 && site.delayed > 0) return false
    // A clock that was set back must not pause a site for the difference.
    const availableAtMs = Math.max(site.pausedUntilMs, site.spacedUntilMs)
    const isDue = nowMs >= availableAtMs || availableAtMs - nowMs > MAX_PAUSE_MS
    return isDue && site.active < this.#limit(site)
  }

  #limit(site: Site): number {
    return site.crawlDelayMs > 0 ? 1 : this.#maxPerSite
  }
}

function recordOverload(
  site: Site,
  nowMs: number,
  isFirst: boolean,
  { statusCode, retryAfterMs = 0 }: { statusCode: number; retryAfterMs: number | undefined },
): void {
  if (site.overloads === 0) site.overloadedSinceMs = nowMs
  site.overloads += 1
  site.overloadedAtMs = nowMs
  if (isFirst) site.overloadedPauses += 1
  site.longPauses = retryAfterMs > MAX_PAUSE_MS ? site.longPauses + 1 : 0
  const isLong = site.longPauses >= MAX_LONG_PAUSES
  const isLasting =
    site.overloadedPauses >= MAX_OVERLOADED_PAUSES && nowMs - site.overloadedSinceMs >= MAX_OVERLOADED_MS
  if (!isLong && !isLasting) return
  const pauseMs = Math.min(Math.max(retryAfterMs, MAX_PAUSE_MS), MAX_SUSPENSION_MS)
  site.suspended = { statusCode, untilMs: nowMs + pauseMs }
}

/** Returns true while a site is suspended. A clock that was set back does not prolong the suspension by the difference. */
const isSuspended = ({ untilMs }: SuspendedSite, nowMs: number): boolean =>
  nowMs < untilMs && untilMs - nowMs <= MAX_SUSPENSION_MS
