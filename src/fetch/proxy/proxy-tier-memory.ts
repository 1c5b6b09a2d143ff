import type { ProxyKind } from '../proxy-route.js'

/** How many pages must be blocked one way and pass the other, before the others spare themselves the first. */
const MIN_BLOCKED_PAGES = 2
/** After so long a site is asked in the plain way again. Milliseconds. */
const REMEMBERED_MS = 600_000
const MAX_SITES = 1_000

interface TierRecord {
  readonly times: number
  readonly untilMs: number
}

/**
 * What an engine has learnt about sites that let in nobody by the plain way: to ask there first, for each page again,
 * would only make them surer.
 */
export class ProxyTierMemory {
  readonly #now: () => number
  readonly #records = new Map<string, TierRecord>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether to begin with what costs more. */
  needsEnhanced(site: string): boolean {
    const lesson = this.#records.get(site)
    return lesson !== undefined && lesson.times >= MIN_BLOCKED_PAGES && lesson.untilMs > this.#now()
  }

  /** @param passed the kind that got the page; nothing is learnt where none did */
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
