import { createHash, randomUUID } from 'node:crypto'
import { forSession, hasSessions, type Proxy } from './proxy.js'
import type { RouteOutcome, ProxyRequest } from '../proxy-route.js'

/** A proxy as one page is to use it. */
export interface TakenProxy {
  /** With its session's credentials. */
  readonly proxy: Proxy
  /** The same for the same proxy and credentials. */
  readonly key: string
  report(outcome: RouteOutcome): void
}

/** One exit: a proxy, or one of the sessions of a proxy that has them. */
interface Exit {
  readonly proxy: Proxy
  readonly number: number
}

interface Rest {
  readonly untilMs: number
  readonly times: number
}

/** Sessions at once of a proxy that gives each an exit of its own. */
const SESSIONS = 10
/** A proxy that failed is left alone for so long, twice as long when it fails again, … Milliseconds. */
const FIRST_REST_MS = 5_000
const MAX_REST_MS = 300_000
/** An exit that a site blocked is not shown to that site for so long. Milliseconds. */
const RETIRED_MS = 600_000
/** Blocked exits that are remembered, over all sites. */
const MAX_RETIRED = 5_000

const well: Rest = { untilMs: 0, times: 0 }

/**
 * Proxies that can stand in for each other. They take turns; one that fails rests, one that a site blocked is kept from
 * that site. Where all rest, the one that is up first is taken: it may be well again.
 */
export class ProxyList {
  readonly #exits: readonly Exit[]
  readonly #now: () => number
  readonly #secret = randomUUID()
  readonly #health = new Map<Proxy, Rest>()
  readonly #retired = new Map<string, Rest>()
  #turn = 0

  constructor(proxies: readonly Proxy[], now: () => number) {
    this.#now = now
    // Sessions of one proxy do not follow each other: the proxies take turns before their sessions do.
    this.#exits = Array.from({ length: SESSIONS }, (_, number) =>
      proxies.filter((proxy) => number === 0 || hasSessions(proxy)).map((proxy) => ({ proxy, number })),
    ).flat()
  }

  take({ site, session, avoid }: Omit<ProxyRequest, 'kind' | 'country'>): TakenProxy | undefined {
    const { length } = this.#exits
    const first = session === undefined ? this.#turn++ : parseInt(digest(session).slice(0, 8), 16)
    let best: { exit: Exit; key: string; proxy: Proxy; readyAtMs: number } | undefined
    for (let at = 0; at < length; at++) {
      const exit = this.#exits[(first + at) % length]
      if (!exit) break
      const { proxy, key } = this.#dress(exit, site, session)
      if (avoid.has(key)) continue
      const readyAtMs = Math.max(this.#healthOf(exit).untilMs, this.#retiredOf(exit, site).untilMs)
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

  #dress(exit: Exit, site: string, session: string | undefined): Pick<TakenProxy, 'proxy' | 'key'> {
    const { times } = this.#retiredOf(exit, site)
    // A profile's session is the same after a restart; others are nobody else's.
    const whose = session === undefined ? [this.#secret, site] : [session]
    const name = digest(JSON.stringify([...whose, exit.number, times])).slice(0, 12)
    const proxy = forSession(exit.proxy, name)
    return { proxy, key: digest(JSON.stringify([proxy.name, proxy.username, proxy.password])) }
  }

  #healthOf({ proxy }: Exit): Rest {
    return this.#health.get(proxy) ?? well
  }

  #retiredOf(exit: Exit, site: string): Rest {
    return this.#retired.get(this.#placeOf(exit, site)) ?? well
  }

  #placeOf({ proxy, number }: Exit, site: string): string {
    return `${site} ${number} ${this.#exits.findIndex((exit) => exit.proxy === proxy)}`
  }

  #report(exit: Exit, site: string, outcome: RouteOutcome): void {
    if (outcome === 'failed') {
      const { times } = this.#healthOf(exit)
      const restMs = Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** times)
      this.#health.set(exit.proxy, { untilMs: this.#now() + restMs, times: times + 1 })
      return
    }
    // Whoever is blocked got through to the site.
    this.#health.delete(exit.proxy)
    if (outcome === 'blocked') this.#retire(exit, site)
  }

  #retire(exit: Exit, site: string): void {
    const place = this.#placeOf(exit, site)
    const { times } = this.#retiredOf(exit, site)
    this.#retired.delete(place)
    const [oldest] = this.#retired.keys()
    if (this.#retired.size >= MAX_RETIRED && oldest !== undefined) this.#retired.delete(oldest)
    // Of a proxy with sessions the next has another exit, and may be shown at once.
    const untilMs = hasSessions(exit.proxy) ? 0 : this.#now() + RETIRED_MS
    this.#retired.set(place, { untilMs, times: times + 1 })
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
