import { createHash, randomUUID } from 'node:crypto'
import { withSession, hasSessions, type Proxy } from './proxy.js'
import type { RouteOutcome, ProxyRequest } from './proxy-route.js'

/** A proxy selected for one page. */
interface ProxySelection {
  /** The proxy with the session's credentials. */
  readonly proxy: Proxy
  /** Identifies the proxy and its credentials. */
  readonly key: string
  /** True if there are further exits that were not tried. */
  readonly hasOthers: boolean
  /** True while the proxy is not to be used because it failed; then all of the list failed. */
  readonly isCooling: boolean
  report(outcome: RouteOutcome): void
}

/** An exit address: a proxy, or one of the sessions of a proxy with sessions. */
interface ProxyExit {
  readonly proxy: Proxy
  readonly number: number
}

interface Cooldown {
  readonly untilMs: number
  readonly times: number
}

/** Concurrent sessions of a proxy that gives each session its own exit. */
const SESSIONS_PER_PROXY = 10
/** Cooldown of a failed proxy, which doubles with each further failure up to the maximum. Milliseconds. */
const MIN_COOLDOWN_MS = 5_000
const MAX_COOLDOWN_MS = 300_000
/** Time for which an exit is not used for a site that blocked it. Milliseconds. */
const BLOCKED_MS = 600_000
/** Maximum number of blocked exits kept, over all sites. */
const MAX_BLOCKED_EXITS = 5_000

const READY: Cooldown = { untilMs: 0, times: 0 }

/**
 * Interchangeable proxies, selected in rotation. A failed proxy cools down; an exit blocked by a site is not used for
 * that site. When all are unavailable, the one that is available soonest is selected.
 */
export class ProxyList {
  readonly #exits: readonly ProxyExit[]
  readonly #now: () => number
  readonly #secret = randomUUID()
  readonly #health = new Map<Proxy, Cooldown>()
  readonly #blocked = new Map<string, Cooldown>()
  #turn = 0

  constructor(proxies: readonly Proxy[], now: () => number) {
    this.#now = now
    // Ordered by session first, so that the rotation alternates proxies.
    this.#exits = Array.from({ length: SESSIONS_PER_PROXY }, (_, number) =>
      proxies.filter((proxy) => number === 0 || hasSessions(proxy)).map((proxy) => ({ proxy, number })),
    ).flat()
  }

  select({ site, session, avoid }: Omit<ProxyRequest, 'kind' | 'country'>): ProxySelection | undefined {
    const { length } = this.#exits
    const first = session === undefined ? this.#turn++ : parseInt(digest(session).slice(0, 8), 16)
    let best: { exit: ProxyExit; key: string; proxy: Proxy; readyAtMs: number } | undefined
    for (let at = 0; at < length; at++) {
      const exit = this.#exits[(first + at) % length]
      if (!exit) break
      const { proxy, key } = this.#withSession(exit, site, session)
      if (avoid.has(key)) continue
      const readyAtMs = Math.max(this.#healthOf(exit).untilMs, this.#blockOf(exit, site).untilMs)
      if (!best || readyAtMs < best.readyAtMs) best = { exit, key, proxy, readyAtMs }
      if (readyAtMs <= this.#now()) {
        best = { exit, key, proxy, readyAtMs }
        break
      }
    }
    if (!best) return undefined
    const { exit, key, proxy } = best
    return {
      key,
      proxy,
      hasOthers: length > avoid.size + 1,
      isCooling: this.#healthOf(exit).untilMs > this.#now(),
      report: (outcome) => this.#report(exit, site, outcome),
    }
  }

  #withSession(exit: ProxyExit, site: string, session: string | undefined): { proxy: Proxy; key: string } {
    const { times } = this.#blockOf(exit, site)
    // The session of a profile is the same after a restart; other sessions are private to this list.
    const whose = session === undefined ? [this.#secret, site] : [session]
    const name = digest(JSON.stringify([...whose, exit.number, times])).slice(0, 12)
    const proxy = withSession(exit.proxy, name)
    return { proxy, key: digest(JSON.stringify([proxy.name, proxy.username, proxy.password])) }
  }

  #healthOf({ proxy }: ProxyExit): Cooldown {
    return this.#health.get(proxy) ?? READY
  }

  #blockOf(exit: ProxyExit, site: string): Cooldown {
    return this.#blocked.get(this.#blockKey(exit, site)) ?? READY
  }

  #blockKey({ proxy, number }: ProxyExit, site: string): string {
    return `${site} ${number} ${this.#exits.findIndex((exit) => exit.proxy === proxy)}`
  }

  #report(exit: ProxyExit, site: string, outcome: RouteOutcome): void {
    if (outcome === 'failed') {
      const { times } = this.#healthOf(exit)
      const restMs = Math.min(MAX_COOLDOWN_MS, MIN_COOLDOWN_MS * 2 ** times)
      this.#health.set(exit.proxy, { untilMs: this.#now() + restMs, times: times + 1 })
      return
    }
    // A blocked page shows that the proxy works.
    this.#health.delete(exit.proxy)
    if (outcome === 'blocked') this.#markBlocked(exit, site)
  }

  #markBlocked(exit: ProxyExit, site: string): void {
    const place = this.#blockKey(exit, site)
    const { times } = this.#blockOf(exit, site)
    this.#blocked.delete(place)
    const [oldest] = this.#blocked.keys()
    if (this.#blocked.size >= MAX_BLOCKED_EXITS && oldest !== undefined) this.#blocked.delete(oldest)
    // The next session of a proxy has another exit, which may be used at once.
    const untilMs = hasSessions(exit.proxy) ? 0 : this.#now() + BLOCKED_MS
    this.#blocked.set(place, { untilMs, times: times + 1 })
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
