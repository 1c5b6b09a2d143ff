import { createHash, randomUUID } from 'node:crypto'
import { withSession, hasSessions, type Proxy } from './proxy.js'
import type { RouteOutcome, ProxyRequest } from '../proxy-route.js'

/** A proxy as one page is to use it. */
export interface ProxySelection {
  /** With its session's credentials. */
  readonly proxy: Proxy
  /** The same for the same proxy and credentials. */
  readonly key: string
  report(outcome: RouteOutcome): void
}

/** One exit: a proxy, or one of the sessions of a proxy that has them. */
interface ProxyExit {
  readonly proxy: Proxy
  readonly number: number
}

interface Cooldown {
  readonly untilMs: number
  readonly times: number
}

/** Sessions at once of a proxy that gives each an exit of its own. */
const SESSIONS_PER_PROXY = 10
/** A proxy that failed is left alone for so long, twice as long when it fails again, … Milliseconds. */
const MIN_COOLDOWN_MS = 5_000
const MAX_COOLDOWN_MS = 300_000
/** An exit that a site blocked is not shown to that site for so long. Milliseconds. */
const BLOCKED_MS = 600_000
/** Blocked exits that are remembered, over all sites. */
const MAX_BLOCKED_EXITS = 5_000

const READY: Cooldown = { untilMs: 0, times: 0 }

/**
 * Proxies that can stand in for each other. They take turns; one that fails rests, one that a site blocked is kept from
 * that site. Where all rest, the one that is up first is taken: it may be well again.
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
    // Sessions of one proxy do not follow each other: the proxies take turns before their sessions do.
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
    return { key, proxy, report: (outcome) => this.#report(exit, site, outcome) }
  }

  #withSession(exit: ProxyExit, site: string, session: string | undefined): Pick<ProxySelection, 'proxy' | 'key'> {
    const { times } = this.#blockOf(exit, site)
    // A profile's session is the same after a restart; others are nobody else's.
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
    // Whoever is blocked got through to the site.
    this.#health.delete(exit.proxy)
    if (outcome === 'blocked') this.#markBlocked(exit, site)
  }

  #markBlocked(exit: ProxyExit, site: string): void {
    const place = this.#blockKey(exit, site)
    const { times } = this.#blockOf(exit, site)
    this.#blocked.delete(place)
    const [oldest] = this.#blocked.keys()
    if (this.#blocked.size >= MAX_BLOCKED_EXITS && oldest !== undefined) this.#blocked.delete(oldest)
    // Of a proxy with sessions the next has another exit, and may be shown at once.
    const untilMs = hasSessions(exit.proxy) ? 0 : this.#now() + BLOCKED_MS
    this.#blocked.set(place, { untilMs, times: times + 1 })
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
