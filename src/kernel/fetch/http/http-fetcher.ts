import { TrawlError } from '../../../base/errors.js'
import { followSignals } from '../../../base/concurrency/deadline.js'
import { createDirectDial } from '../../../base/network/connect.js'
import { createResolver, type EgressOptions } from '../../../base/network/egress.js'
import type { NamedFetcher } from '../feature-fetcher.js'
import type { FetchLimits, PlainFetcher } from '../fetcher.js'
import { defaultUserAgent } from '../../../base/http/default-user-agent.js'
import type { RequestSigner } from '../../../base/http/request-signer.js'
import { type TransportOptions, createTransport, type Transport } from '../../../base/http/transport.js'
import { withFetchers } from './feature-transport.js'
import type { OpenCookies } from '../renderer.js'
import { fetchOverHttp } from './fetch-over-http.js'
import { type ExchangeObserver, withObserver } from '../../../base/http/observe-exchanges.js'
import type { Dial } from '../../../base/network/dial.js'

/** Settings of the HTTP fetchers. */
export interface HttpFetcherOptions extends EgressOptions {
  readonly limits: FetchLimits
  /** User agent of pages whose headers set none. @default `trawl/<version>` */
  readonly userAgent?: string
  /** Fetchers of features, which get URLs of their own. @default none */
  readonly own?: readonly NamedFetcher[]
  /** Concurrent connections to one origin; further requests wait. @default no limit */
  readonly maxConcurrency?: number
  /** Maximum number of additional connections to one origin, for requests whose page has lent its slot. @default 0 */
  readonly maxLent?: number
  /** Client certificates and authorities of hosts. @default none */
  readonly hostTls?: TransportOptions['hostTls']
  /** Opens the cookies that plans name. @default no page has such cookies */
  readonly openCookies?: OpenCookies
  /** Observer of the exchanges over the network. @default nobody is told of them */
  readonly observer?: ExchangeObserver
  /** Signs each request. @default none is signed */
  readonly signer?: RequestSigner
  /** The clock, in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Creates the fetcher that requests pages over HTTP, on persistent connections. It runs no scripts.
 *
 * It follows redirects itself, so that each hop is recorded, checked, and sent only the headers that are meant for it.
 * A response of any status is a page, with `error` set outside 200 to 299. The page's URL may contain credentials; the
 * fetched page's does not.
 *
 * @see docs/compatibility/fetching.md#fetching
 */
export function createHttpFetcher(options: HttpFetcherOptions): PlainFetcher {
  const {
    limits,
    openCookies,
    signer,
    maxConcurrency,
    maxLent = 0,
    own = [],
    observer,
    userAgent = defaultUserAgent,
    now = Date.now,
  } = options
  const connections = maxConcurrency === undefined ? undefined : maxConcurrency + maxLent
  const direct = createDirectDial(createResolver(options))
  const transports = createTransportPool({
    connections,
    headerBytes: limits.headerBytes,
    wireBytes: limits.wireBytes,
    hostTls: options.hostTls,
  })
  const closing = new AbortController()

  return {
    name: 'http',
    async fetch(request, plan, signal) {
      using visit = followSignals(signal, closing.signal)
      visit.signal.throwIfAborted()
      const { key = '', dial = direct } = request.route ?? {}
      using lease = transports.lease(key, dial, !plan.skipTlsVerification)
      const network = observer?.isActive === true ? withObserver(lease.transport, observer, plan, now) : lease.transport
      const transport = own.length === 0 ? network : withFetchers(network, own, limits)
      const tools = { fetcher: 'http', transport, limits, userAgent, openCookies, signer, now }
      return await fetchOverHttp(request, plan, tools, visit.signal)
    },
    async close() {
      const reason = new TrawlError('ENGINE_CLOSED', 'The fetcher was closed')
      closing.abort(reason)
      await transports.close(reason)
    },
  }
}

/** A transport in use by one page. */
interface TransportLease extends Disposable {
  readonly transport: Transport
}

/** The transports of an HTTP fetcher: pages with the same key share connections. */
interface TransportPool {
  /**
   * @param key identifies the proxy; pages share connections if their keys and certificate checks are the same
   * @param dial opens the connections of this key
   */
  lease(key: string, dial: Dial, verifyCertificates: boolean): TransportLease
  close(reason: TrawlError): Promise<void>
}

interface PooledTransport {
  readonly transport: Transport
  pages: number
}

class Lease implements TransportLease {
  readonly transport: Transport
  readonly #pooled: PooledTransport
  readonly #onEnd: () => void

  constructor(pooled: PooledTransport, onEnd: () => void) {
    this.transport = pooled.transport
    this.#pooled = pooled
    this.#onEnd = onEnd
  }

  [Symbol.dispose](): void {
    this.#pooled.pages -= 1
    this.#onEnd()
  }
}

/** Number of transports above which idle ones are closed. A proxy with sessions has one for each session. */
const MAX_POOLED = 50

function createTransportPool(options: Omit<TransportOptions, 'dial' | 'verifyCertificates'>): TransportPool {
  const kept = new Map<string, PooledTransport>()

  function forgetIdle(): void {
    for (const [key, { transport, pages }] of kept) {
      if (kept.size <= MAX_POOLED) return
      if (pages > 0) continue
      kept.delete(key)
      void transport.close()
    }
  }

  return {
    lease(key, dial, verifyCertificates) {
      // A connection with an unverified certificate must not be reused by a page that verifies certificates.
      const name = `${verifyCertificates ? 'strict' : 'lenient'} ${key}`
      const own = kept.get(name) ?? { transport: createTransport({ ...options, dial, verifyCertificates }), pages: 0 }
      // A Map iterates in order of insertion: re-inserting makes its first entry the least recently used one.
      kept.delete(name)
      kept.set(name, own)
      own.pages += 1
      return new Lease(own, forgetIdle)
    },
    async close(reason) {
      await Promise.all([...kept.values()].map(({ transport }) => transport.close(reason)))
      kept.clear()
    },
  }
}
