import { TrawlError } from '../../../base/errors.js'
import { followSignals } from '../../../base/concurrency/deadline.js'
import { createDirectDial } from '../../../base/network/connect.js'
import { createResolver, type EgressOptions } from '../../../base/network/egress.js'
import type { NamedFetcher } from '../feature-fetcher.js'
import type { FetchLimits, PlainFetcher } from '../fetcher.js'
import { defaultUserAgent } from '../../../base/http/default-user-agent.js'
import type { RequestSigner } from '../../../base/http/request-signer.js'
import type { TransportOptions } from '../../../base/http/transport.js'
import { createTransportPool } from '../../../base/http/transport-pool.js'
import { withFetchers } from './feature-transport.js'
import type { OpenCookies } from '../renderer.js'
import { fetchOverHttp } from './fetch-over-http.js'
import { type ExchangeObserver, withObserver } from '../../../base/http/observe-exchanges.js'

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
