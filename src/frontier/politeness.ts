import { WaitingQueue } from '../concurrency/waiting-queue.js'
import { slowDownStatuses, TOO_MANY_REQUESTS } from '../http/statuses.js'

/** Outcome of a visit to a site. */
export interface RequestOutcome {
  /** Response time of the site. Milliseconds; undefined when no request was sent (a page from the cache). */
  readonly latencyMs: number | undefined
  /** HTTP status; undefined when no page came. */
  readonly statusCode: number | undefined
  /** Delay that the site asked for in `Retry-After`. Milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Pause that the job requires after each page. Milliseconds. */
  readonly delayMs: number
}

/** State of a site. */
interface Site {
  active: number
  /** Slow visits that no longer count as active. */
  uncounted: number
  /** Start of the next visit at the earliest: end of a requested pause. */
  pausedUntilMs: number
  /** Start of the next visit at the earliest: spacing to the last visit. */
  spacedUntilMs: number
  /** Moving average of the response time. */
  latencyMs: number
  /** Moving average of the response time, without failed requests. */
  answerMs: number
  /** Length of the last pause after an overload status; 0 when the site has recovered. */
  backoffMs: number
  /** `Crawl-delay` of its robots.txt. */
  crawlDelayMs: number
  /** Consecutive overload statuses. */
  overloads: number
  /** Consecutive pauses after which it was still overloaded. */
  overloadedPauses: number
  /** Consecutive requests for a pause longer than the maximum. */
  longPauses: number
  overloadedSinceMs: number
  overloadedAtMs: number
  /** Set while the site receives no requests at all, with its last status. */
  suspended: SuspendedSite | undefined
}

/** A site that receives no requests. */
export interface SuspendedSite {
  readonly statusCode: number
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

/** First pause after an overload status without `Retry-After`; doubled with each further one. */
const FIRST_BACKOFF_MS = 1000
/** Maximum pause, whatever the site asks for. */
const MAX_PAUSE_MS = 60_000
/** A site that stays overloaded this long, over `MAX_ROUNDS` pauses, is closed. Milliseconds. */
const MAX_OVERLOADED_MS = 120_000
const MAX_OVERLOADED_PAUSES = 6
/** Consecutive requests for a pause longer than the maximum after which a site is closed. */
const MAX_LONG_PAUSES = 2
/** Maximum time for which a site is closed, whatever it asks for. Milliseconds. */
const MAX_SUSPENSION_MS = 3_600_000
/** Minimum spacing to enforce: timers are not more precise. */
const MIN_SPACING_MS = 5
/** Maximum spacing of visits, however slow the site is. */
const MAX_SPACING_MS = 1000
/** A visit is slow when it takes this many times the average response time of the site. */
const SLOW_FACTOR = 3
/** Maximum sites to remember, including idle ones. */
const MAX_SITES = 1000

/**
 * Decides which sites may be visited now. All jobs of an engine share one instance, so that two jobs on one site do not
 * double the load.
 *
 * A site has a maximum of concurrent visits, and a pause after each visit when its robots.txt or the job requires one.
 * Slower sites are visited less often: two visits begin at least half of `response time / concurrent visits` apart. A
 * failure responds fast, so it may raise that average but never lowers it. `429`, and a repeated `503`, pause the whole
 * site, for as long as `Retry-After` says.
 */
export class Politeness {
  readonly #maxPerSite: number
  readonly #maxExempt: number
  /** Sites with slow visits. */
  readonly #slowSites = new Set<string>()
  readonly #sites = new Map<string, Site>()
  /** Sites that may be held: visited now or paused. All others are open. */
  readonly #busy = new Map<string, Site>()
  readonly #waiting = new WaitingQueue()

  /** @param maxExempt slow visits to a site beyond the limit. @default 0 */
  constructor(maxPerSite: number, maxExempt = 0) {
    this.#maxPerSite = maxPerSite
    this.#maxExempt = maxExempt
  }

  /** Sites with slow visits; other sites take precedence. */
  get slowSites(): ReadonlySet<string> {
    return this.#slowSites
  }

  /** Time after which a visit to the site counts as slow. Milliseconds. */
  slowAfterMs(name: string): number {
    return (this.#sites.get(name)?.answerMs ?? 0) * SLOW_FACTOR
  }

  /**
   * Stops counting a slow visit, so that another can begin. Returns false at the limit of exempt visits, and for a site
   * with a `Crawl-delay`.
   */
  stopCounting(name: string): boolean {
    const site = this.#sites.get(name)
    if (!site) return false
    this.#slowSites.add(name)
    if (site.uncounted >= this.#maxExempt || site.crawlDelayMs > 0) return false
    site.active -= 1
    site.uncounted += 1
    this.#waiting.wakeAll()
    return true
  }

  /** Returns the site if it is closed: its pages are admitted at once, and end without a request. */
  suspendedSite(name: string, nowMs: number): SuspendedSite | undefined {
    const closed = this.#sites.get(name)?.suspended
    return closed && isSuspended(closed, nowMs) ? closed : undefined
  }

  /** Returns the sites that cannot be visited now. */
  heldSites(nowMs: number): ReadonlySet<string> {
    const held = new Set<string>()
    for (const [name, site] of this.#busy) {
      if (!this.#isOpen(site, nowMs)) held.add(name)
      else if (site.active === 0) this.#busy.delete(name)
    }
    return held
  }

  /** Time at which the next held site opens; undefined when each one waits for a visit to end. */
  nextAvailableMs(nowMs: number): number | undefined {
    let next: number | undefined
    for (const site of this.#busy.values()) {
      const openAtMs = Math.max(site.pausedUntilMs, site.spacedUntilMs)
      if (openAtMs > nowMs && site.active < this.#limit(site)) next = Math.min(next ?? Infinity, openAtMs)
    }
    return next
  }

  /** Begins a visit, if the site is open. */
  tryBegin(name: string, nowMs: number): boolean {
    const site = this.#sites.get(name) ?? {
      active: 0,
      uncounted: 0,
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
    if (!this.#isOpen(site, nowMs)) return false
    this.#sites.set(name, site)
    this.#busy.set(name, site)
    site.active += 1
    const spacingMs = site.latencyMs / this.#maxPerSite / 2
    if (spacingMs >= MIN_SPACING_MS) site.spacedUntilMs = nowMs + Math.min(spacingMs, MAX_SPACING_MS)
    return true
  }

  /** Ends a visit. @param wasExempt result of `exempt` for this visit */
  end(name: string, nowMs: number, visit: RequestOutcome, wasExempt = false): void {
    const site = this.#sites.get(name)
    if (!site) return
    if (wasExempt) site.uncounted -= 1
    else site.active -= 1
    if (site.uncounted === 0) this.#slowSites.delete(name)
    // Without a request there is no reason to space visits.
    if (visit.latencyMs === undefined) site.spacedUntilMs = 0
    else this.#record(site, nowMs, visit, visit.latencyMs)
    if (this.#sites.size > MAX_SITES) this.#forgetIdle(nowMs)
    this.#waiting.wakeAll()
  }

  /** Calls `wake` once, at the next end of a visit. */
  subscribe(wake: () => void): void {
    this.#waiting.add(wake)
  }

  unsubscribe(wake: () => void): void {
    this.#waiting.delete(wake)
  }

  /** Applies a site's `Crawl-delay`: one visit at a time, and this pause after each. */
  setCrawlDelay(name: string, crawlDelayMs: number): void {
    const site = this.#sites.get(name)
    if (site) site.crawlDelayMs = crawlDelayMs
  }

  #record(site: Site, nowMs: number, { statusCode, retryAfterMs, delayMs }: RequestOutcome, latencyMs: number): void {
    const isSuccess = statusCode !== undefined && statusCode < 400
    const mean = site.latencyMs === 0 ? latencyMs : (site.latencyMs * 3 + latencyMs) / 4
    site.latencyMs = isSuccess ? mean : Math.max(site.latencyMs, mean)
    if (statusCode !== undefined) site.answerMs = site.answerMs === 0 ? latencyMs : (site.answerMs * 3 + latencyMs) / 4
    let holdMs = Math.max(delayMs, site.crawlDelayMs)
    if (statusCode !== undefined && slowDownStatuses.has(statusCode)) {
      // Concurrent requests that fail together count once.
      const isFirst = nowMs - latencyMs >= site.overloadedAtMs
      recordOverload(site, nowMs, isFirst, { statusCode, retryAfterMs })
      if (isFirst && retryAfterMs === undefined && (statusCode === TOO_MANY_REQUESTS || site.overloads > 1)) {
        site.backoffMs = Math.min(MAX_PAUSE_MS, site.backoffMs === 0 ? FIRST_BACKOFF_MS : site.backoffMs * 2)
      }
      holdMs = Math.max(holdMs, Math.min(MAX_PAUSE_MS, retryAfterMs ?? site.backoffMs))
    } else if (isSuccess) {
      site.overloads = 0
      site.overloadedPauses = 0
      site.longPauses = 0
      site.suspended = undefined
      site.backoffMs = site.backoffMs < FIRST_BACKOFF_MS ? 0 : site.backoffMs / 2
    }
    site.pausedUntilMs = Math.max(site.pausedUntilMs, nowMs + holdMs)
  }

  /** Forgets open idle sites; their state is learnt again within a few visits. */
  #forgetIdle(nowMs: number): void {
    for (const [name, site] of this.#sites)
      if (site.active + site.uncounted === 0 && this.#isOpen(site, nowMs)) this.#sites.delete(name)
  }

  #isOpen(site: Site, nowMs: number): boolean {
    if (site.suspended && isSuspended(site.suspended, nowMs)) return true
    // A clock that was set back must not hold a site for the difference.
    const openAtMs = Math.max(site.pausedUntilMs, site.spacedUntilMs)
    const isDue = nowMs >= openAtMs || openAtMs - nowMs > MAX_PAUSE_MS
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

/** Returns true while a site is closed. A clock that was set back does not keep it closed for the difference. */
const isSuspended = ({ untilMs }: SuspendedSite, nowMs: number): boolean =>
  nowMs < untilMs && untilMs - nowMs <= MAX_SUSPENSION_MS
