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
  /** No visit begins before this: a pause that was asked for. */
  openAtMs: number
  /** No visit begins before this either: the distance to the one that began last. */
  spacedUntilMs: number
  /** A moving average of how long it takes to answer. */
  latencyMs: number
  /** How long it was left alone when it last said that it has too much to do; 0 when it is well. */
  backoffMs: number
  /** `Crawl-delay` of its robots.txt. */
  crawlDelayMs: number
  troubles: number
}

/** A site that says it has too much to do, and not for how long, is left alone for this long, then twice as long, … */
const FIRST_BACKOFF_MS = 1000
/** However long a site asks to be left alone, it is asked again after this. */
const MAX_HOLD_MS = 60_000
/** A timer is not more exact than this; what comes closer together is let through. */
const SHORTEST_SPACING_MS = 5
/** However slow a site is, its visits begin no further apart than this. */
const LONGEST_SPACING_MS = 1000
/** Sites remembered, those at rest included. */
const MOST_SITES = 1000

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
  readonly #sites = new Map<string, Site>()
  /** Sites that may be held: visited now, or to be left alone for a while. The others need not be looked at. */
  readonly #busy = new Map<string, Site>()
  readonly #waiting = new Set<() => void>()

  constructor(maxPerSite: number) {
    this.#maxPerSite = maxPerSite
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
      openAtMs: 0,
      spacedUntilMs: 0,
      latencyMs: 0,
      backoffMs: 0,
      crawlDelayMs: 0,
      troubles: 0,
    }
    if (!this.#isOpen(site, nowMs)) return false
    this.#sites.set(name, site)
    this.#busy.set(name, site)
    site.active += 1
    const spacingMs = site.latencyMs / this.#maxPerSite / 2
    if (spacingMs >= SHORTEST_SPACING_MS) site.spacedUntilMs = nowMs + Math.min(spacingMs, LONGEST_SPACING_MS)
    return true
  }

  /** Ends a visit. */
  leave(name: string, nowMs: number, visit: Visit): void {
    const site = this.#sites.get(name)
    if (!site) return
    site.active -= 1
    // What was not asked of the site after all keeps nobody at a distance.
    if (visit.latencyMs === undefined) site.spacedUntilMs = 0
    else this.#learn(site, nowMs, visit, visit.latencyMs)
    if (this.#sites.size > MOST_SITES) this.#forgetIdle(nowMs)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const tell of waiting) tell()
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
    let holdMs = Math.max(delayMs, site.crawlDelayMs)
    if (statusCode === 429 || statusCode === 503) {
      site.troubles += 1
      if (retryAfterMs === undefined && (statusCode === 429 || site.troubles > 1)) {
        site.backoffMs = Math.min(MAX_HOLD_MS, site.backoffMs === 0 ? FIRST_BACKOFF_MS : site.backoffMs * 2)
      }
      holdMs = Math.max(holdMs, Math.min(MAX_HOLD_MS, retryAfterMs ?? site.backoffMs))
    } else if (isWell) {
      site.troubles = 0
      site.backoffMs = site.backoffMs < FIRST_BACKOFF_MS ? 0 : site.backoffMs / 2
    }
    site.openAtMs = Math.max(site.openAtMs, nowMs + holdMs)
  }

  /** What a site that is open and at rest has taught is learnt again as soon. */
  #forgetIdle(nowMs: number): void {
    for (const [name, site] of this.#sites) if (site.active === 0 && this.#isOpen(site, nowMs)) this.#sites.delete(name)
  }

  #isOpen(site: Site, nowMs: number): boolean {
    // A clock that was set back must not hold a site for as long as that.
    const openAtMs = Math.max(site.openAtMs, site.spacedUntilMs)
    const isDue = nowMs >= openAtMs || openAtMs - nowMs > MAX_HOLD_MS
    return isDue && site.active < this.#limit(site)
  }

  #limit(site: Site): number {
    return site.crawlDelayMs > 0 ? 1 : this.#maxPerSite
  }
}
