import { TrawlError } from '../../errors.js'
import { followSignals } from '../../concurrency/deadline.js'
import { createDirectDial } from '../network/connect.js'
import { createResolver, type EgressOptions } from '../network/egress.js'
import type { FetchLimits, PlainFetcher } from '../fetcher.js'
import type { ProfileStore } from '../profiles/profile.js'
import { defaultUserAgent } from '../identity/user-agent.js'
import { createTransportPool } from '../http/transport-pool.js'
import { fetchOverHttp } from '../http/fetch-over-http.js'

/** How pages are fetched over HTTP. */
export interface HttpFetcherOptions extends EgressOptions {
  readonly limits: FetchLimits
  /** Sent where a page's headers name none. @default `trawl/<version>` */
  readonly userAgent?: string
  /** Connections at once to one origin; more requests wait. @default no limit */
  readonly maxConcurrency?: number
  /** Further connections, for requests that have waited long. @default 0 */
  readonly maxLent?: number
  /** Whose cookies a page is fetched with that names a profile. */
  readonly profiles?: ProfileStore | undefined
  /** The clock, in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Makes the fetcher that speaks HTTP itself: connections are kept and used again, and no script of a page runs.
 *
 * Redirects are followed here, so that each hop is recorded, checked, and given no header that is not for it. A page of
 * any status is a page, with `error` set outside 200 to 299. The page's URL may carry a user name and a password; what
 * comes back does not.
 *
 * @see docs/compatibility.md#fetching
 */
export function createHttpFetcher(options: HttpFetcherOptions): PlainFetcher {
  const { limits, profiles, maxConcurrency, maxLent = 0, userAgent = defaultUserAgent, now = Date.now } = options
  const connections = maxConcurrency === undefined ? undefined : maxConcurrency + maxLent
  const direct = createDirectDial(createResolver(options))
  const transports = createTransportPool({ connections, headerBytes: limits.headerBytes })
  const closing = new AbortController()

  return {
    name: 'http',
    async fetch(request, plan, signal) {
      using visit = followSignals(signal, closing.signal)
      visit.signal.throwIfAborted()
      const { key = '', dial = direct } = request.route ?? {}
      using lease = transports.lease(key, dial, !plan.skipTlsVerification)
      const tools = { transport: lease.transport, limits, userAgent, profiles, now }
      return { ...(await fetchOverHttp(request, plan, tools, visit.signal)), fetcher: 'http' }
    },
    async close() {
      const reason = new TrawlError('ENGINE_CLOSED', 'The fetcher was closed')
      closing.abort(reason)
      await transports.close(reason)
    },
  }
}
