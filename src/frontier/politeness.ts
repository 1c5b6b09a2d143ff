import { WaitingQueue } from '../concurrency/waiting-queue.js'
import { slowDownStatuses, TOO_MANY_REQUESTS } from '../http/statuses.js'

/** How a visit to a site went. */
export interface Visit {
  /** How long the site took to answer. Milliseconds; undefined when nothing was asked of it (a page from the cache). */
  readonly latencyMs: number | undefined
  /** The HTTP status; undefined when no page came. */
  readonly statusCode: number | undefined
  /** How long the site asked to be left alone. Milliseconds. */
  readonly retryAfterMs: number | undefined
  /** The pause that the job wants after each page. Milliseconds. */
  readonly delayMs: number
}

/** What is known about a site. */
interface Site {
  active: number
  /** Visits that have waited for so long that they no longer count among the active ones. */
  lent: number
  /** No visit begins before this: a pause that was asked for. */
  openAtMs: number
  /** No visit begins before this either: the distance to the one that began last. */
  spacedUntilMs: number
  /** A moving average of how long it takes to answer. */
  latencyMs: number
  /** A moving average of how long it takes to answer, when it does. */
  answerMs: number
  /** How long it was left alone when it last said that it has too much to do; 0 when it is well. */
  backoffMs: number
  /** `Crawl-delay` of its robots.txt. */
  crawlDelayMs: number
  /** Answers in a row that it has too much to do. */
  troubles: number
  /** How often in a row it still said so after it was left alone. */
  rounds: number
  /** Answers in a row that asked for a longer pause than is kept. */
  longPauses: number
  troubledSinceMs: number
  troubledAtMs: number
  /** Until when it is not asked at all, and the status that it last answered. */
  closed: ClosedSite | undefined
}

/** A site that is not asked for anything. */
export interface ClosedSite {
  readonly statusCode: number
  /** Milliseconds since the epoch. */
  readonly untilMs: number
}

/** A site that says it has too much to do, and not for how long, is left alone for this long, then twice as long, … */
const FIRST_BACKOFF_MS = 1000
/** However long a site asks to be left alone, it is asked again after this. */
const MAX_HOLD_MS = 60_000
/** A site that has had too much to do for so long, as often as this after a pause, is not asked any more. Milliseconds. */
const PATIENCE_MS = 120_000
const MAX_ROUNDS = 6
/** Nor is one that has asked so often in a row for a longer pause than is kept. */
const MAX_LONG_PAUSES = 2
/** However long a site asks to be left alone, it is asked again by the job that comes after this. Milliseconds. */
const MAX_CLOSED_MS = 3_600_000
/** A timer is not more exact than this; what comes closer together is let through. */
const MIN_SPACING_MS = 5
/** However slow a site is, its visits begin no further apart than this. */
const MAX_SPACING_MS = 1000
/** A visit hangs that takes so many times as long as the site's others did. */
const SLOW_FACTOR = 3
/** Sites remembered, those at rest included. */
const MAX_SITES = 1000

/**
 * Decides which sites may be visited now. There is one for an engine, so that two jobs on one site never double the
 * load.
 *
 * A site has a number of visits at once, and a pause after each when its robots.txt or the job asks for one. It is
 * visited less often the slower it answers: two visits begin at least half of `latency / visits at once` apart. A failure
 * answers fast, so it may raise that average and never lowers it. `429`, and `503` when it comes again, hold the whole
 * site; `Retry-After` says for how long.
 */
export class Politeness {
  readonly #maxPerSite: number
  readonly #maxLent: number
  /** Sites that keep visits waiting. */
  readonly #hanging = new Set<string>()
  readonly #sites = new Map<string, Site>()
  /** Sites that may be held: visited now, or to be left alone for a while. The others need not be looked at. */
  readonly #busy = new Map<string, Site>()
  readonly #waiting = new WaitingQueue()

  /** @param maxLent visits to a site that may wait for its answers beside those. @default 0 */
  constructor(maxPerSite: number, maxLent = 0) {
    this.#maxPerSite = maxPerSite
    this.#maxLent = maxLent
  }

  /** The sites that keep visits waiting at present: others come first. */
  get hanging(): ReadonlySet<string> {
    return this.#hanging
  }

  /** How long an answer of a site may take before its visit counts as one that hangs. Milliseconds. */
  patienceMs(name: string): number {
    return (this.#sites.get(name)?.answerMs ?? 0) * SLOW_FACTOR
  }

  /** Lets a visit wait that has taken so long, and another begin; false when as many wait as may. A `Crawl-delay` lets none. */
  lend(name: string): boolean {
    const site = this.#sites.get(name)
    if (!site) return false
    this.#hanging.add(name)
    if (site.lent >= this.#maxLent || site.crawlDelayMs > 0) return false
    site.active -= 1
    site.lent += 1
    this.#waiting.wakeAll()
    return true
  }

  /** The site, where it is not to be asked: pages are let in at once, to end without a request. */
  closedSite(name: string, nowMs: number): ClosedSite | undefined {
    const closed = this.#sites.get(name)?.closed
    return closed && isClosed(closed, nowMs) ? closed : undefined
  }

  /** The sites whose turn has not come. */
  held(nowMs: number): ReadonlySet<string> {
    const held = new Set<string>()
    for (const [name, site] of this.#busy) {
      if (!this.#isOpen(site, nowMs)) held.add(name)
      else if (site.active === 0) this.#busy.delete(name)
    }
    return held
  }

  /** When the next held site opens by itself; undefined when each waits for a visit to end. */
  nextOpenMs(nowMs: number): number | undefined {
    let next: number | undefined
    for (const site of this.#busy.values()) {
      const openAtMs = Math.max(site.openAtMs, site.spacedUntilMs)
      if (openAtMs > nowMs && site.active < this.#limit(site)) next = Math.min(next ?? Infinity, openAtMs)
    }
    return next
  }

  /** Begins a visit, if the site's turn has come. */
  enter(name: string, nowMs: number): boolean {
    const site = this.#sites.get(name) ?? {
      active: 0,
      lent: 0,
      answerMs: 0,
      openAtMs: 0,
      spacedUntilMs: 0,
      latencyMs: 0,
      backoffMs: 0,
      crawlDelayMs: 0,
      troubles: 0,
      rounds: 0,
      longPauses: 0,
      troubledSinceMs: 0,
      troubledAtMs: -Infinity,
      closed: undefined,
    }
    if (!this.#isOpen(site, nowMs)) return false
    this.#sites.set(name, site)
    this.#busy.set(name, site)
    site.active += 1
    const spacingMs = site.latencyMs / this.#maxPerSite / 2
    if (spacingMs >= MIN_SPACING_MS) site.spacedUntilMs = nowMs + Math.min(spacingMs, MAX_SPACING_MS)
    return true
  }

  /** Ends a visit. @param wasLent see `lend` */
  leave(name: string, nowMs: number, visit: Visit, wasLent = false): void {
    const site = this.#sites.get(name)
    if (!site) return
    if (wasLent) site.lent -= 1
    else site.active -= 1
    if (site.lent === 0) this.#hanging.delete(name)
    // What was not asked of the site after all keeps nobody at a distance.
    if (visit.latencyMs === undefined) site.spacedUntilMs = 0
    else this.#learn(site, nowMs, visit, visit.latencyMs)
    if (this.#sites.size > MAX_SITES) this.#forgetIdle(nowMs)
    this.#waiting.wakeAll()
  }

  /** Calls `tell` once, when a visit has ended. */
  wait(tell: () => void): void {
    this.#waiting.add(tell)
  }

  forget(tell: () => void): void {
    this.#waiting.delete(tell)
  }

  /** Keeps to a site's `Crawl-delay`: one visit at a time, and this pause after each. */
  setCrawlDelay(name: string, crawlDelayMs: number): void {
    const site = this.#sites.get(name)
    if (site) site.crawlDelayMs = crawlDelayMs
  }

  #learn(site: Site, nowMs: number, { statusCode, retryAfterMs, delayMs }: Visit, latencyMs: number): void {
    const isWell = statusCode !== undefined && statusCode < 400
    const mean = site.latencyMs === 0 ? latencyMs : (site.latencyMs * 3 + latencyMs) / 4
    site.latencyMs = isWell ? mean : Math.max(site.latencyMs, mean)
    if (statusCode !== undefined) site.answerMs = site.answerMs === 0 ? latencyMs : (site.answerMs * 3 + latencyMs) / 4
    let holdMs = Math.max(delayMs, site.crawlDelayMs)
    if (statusCode !== undefined && slowDownStatuses.has(statusCode)) {
      // Pages that were under way together say the same thing once.
      const isNews = nowMs - latencyMs >= site.troubledAtMs
      noteTrouble(site, nowMs, isNews, { statusCode, retryAfterMs })
      if (isNews && retryAfterMs === undefined && (statusCode === TOO_MANY_REQUESTS || site.troubles > 1)) {
        site.backoffMs = Math.min(MAX_HOLD_MS, site.backoffMs === 0 ? FIRST_BACKOFF_MS : site.backoffMs * 2)
      }
      holdMs = Math.max(holdMs, Math.min(MAX_HOLD_MS, retryAfterMs ?? site.backoffMs))
    } else if (isWell) {
      site.troubles = 0
      site.rounds = 0
      site.longPauses = 0
      site.closed = undefined
      site.backoffMs = site.backoffMs < FIRST_BACKOFF_MS ? 0 : site.backoffMs / 2
    }
    site.openAtMs = Math.max(site.openAtMs, nowMs + holdMs)
  }

  /** What a site that is open and at rest has taught is learnt again as soon. */
  #forgetIdle(nowMs: number): void {
    for (const [name, site] of this.#sites)
      if (site.active + site.lent === 0 && this.#isOpen(site, nowMs)) this.#sites.delete(name)
  }

  #isOpen(site: Site, nowMs: number): boolean {
    if (site.closed && isClosed(site.closed, nowMs)) return true
    // A clock that was set back must not hold a site for as long as that.
    const openAtMs = Math.max(site.openAtMs, site.spacedUntilMs)
    const isDue = nowMs >= openAtMs || openAtMs - nowMs > MAX_HOLD_MS
    return isDue && site.active < this.#limit(site)
  }

  #limit(site: Site): number {
    return site.crawlDelayMs > 0 ? 1 : this.#maxPerSite
  }
}

function noteTrouble(
  site: Site,
  nowMs: number,
  isNews: boolean,
  { statusCode, retryAfterMs = 0 }: { statusCode: number; retryAfterMs: number | undefined },
): void {
  if (site.troubles === 0) site.troubledSinceMs = nowMs
  site.troubles += 1
  site.troubledAtMs = nowMs
  if (isNews) site.rounds += 1
  site.longPauses = retryAfterMs > MAX_HOLD_MS ? site.longPauses + 1 : 0
  const isLong = site.longPauses >= MAX_LONG_PAUSES
  const isLasting = site.rounds >= MAX_ROUNDS && nowMs - site.troubledSinceMs >= PATIENCE_MS
  if (!isLong && !isLasting) return
  const pauseMs = Math.min(Math.max(retryAfterMs, MAX_HOLD_MS), MAX_CLOSED_MS)
  site.closed = { statusCode, untilMs: nowMs + pauseMs }
}

/** A clock that was set back must not close a site for as long as that. */
const isClosed = ({ untilMs }: ClosedSite, nowMs: number): boolean =>
  nowMs < untilMs && untilMs - nowMs <= MAX_CLOSED_MS
