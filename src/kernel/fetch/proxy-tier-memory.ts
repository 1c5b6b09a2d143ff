import type { ProxyKind } from '../../base/network/proxy-route.js'

/**
 * Number of pages blocked on the basic tier and passed on the enhanced one, after which a site's pages start with the
 * enhanced tier.
 */
const MIN_BLOCKED_PAGES = 2
/** Time after which a site's pages start with the basic tier again. Milliseconds. */
const REMEMBERED_MS = 600_000
const MAX_SITES = 1_000

interface TierRecord {
  readonly times: number
  readonly untilMs: number
}

/** Remembers the sites that block the basic tier: starting with it for each page would only confirm their suspicion. */
export class ProxyTierMemory {
  readonly #now: () => number
  readonly #records = new Map<string, TierRecord>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Tests whether pages of a site should start with the enhanced tier. */
  needsEnhanced(site: string): boolean {
    const lesson = this.#records.get(site)
    return lesson !== undefined && lesson.times >= MIN_BLOCKED_PAGES && lesson.untilMs > this.#now()
  }

  /** Records a fetched page. @param passed the tier that fetched it */
  record(site: string, passed: ProxyKind): void {
    const times = this.#records.get(site)?.times ?? 0
    const began = this.needsEnhanced(site)
    if (began && passed === 'enhanced') return
    this.#records.delete(site)
    if (passed === 'basic') return
    const [oldest] = this.#records.keys()
    if (this.#records.size >= MAX_SITES && oldest !== undefined) this.#records.delete(oldest)
    this.#records.set(site, { times: times + 1, untilMs: this.#now() + REMEMBERED_MS })
  }
}
