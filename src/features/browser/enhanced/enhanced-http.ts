import { TrawlError } from '../../../base/errors.js'
import { followSignals } from '../../../base/concurrency/deadline.js'
import { createDirectDial } from '../../../base/network/connect.js'
import { createResolver } from '../../../base/network/egress.js'
import type { PlainFetcher } from '../../../kernel/fetch/fetcher.js'
import { openImpersonation } from './impersonate.js'
import { defaultUserAgent } from '../../../base/http/default-user-agent.js'
import { withFetchers } from '../../../kernel/fetch/http/feature-transport.js'
import { fetchOverHttp } from '../../../kernel/fetch/http/fetch-over-http.js'
import { withObserver } from '../../../base/http/observe-exchanges.js'
import type { HttpFetcherOptions } from '../../../kernel/fetch/http/http-fetcher.js'

/**
 * Creates the fetcher that imitates Chrome's TLS, HTTP/2 and headers, for `proxy: 'enhanced'`. It runs no scripts, and
 * is otherwise the same as the plain HTTP fetcher.
 *
 * Only for use when `canImpersonate` is true.
 */
export function createEnhancedHttpFetcher(options: HttpFetcherOptions): PlainFetcher {
  const { limits, openCookies, signer, own = [], observer, userAgent = defaultUserAgent, now = Date.now } = options
  const direct = createDirectDial(createResolver(options))
  const closing = new AbortController()

  return {
    name: 'enhanced-http',
    async fetch(request, plan, signal) {
      using visit = followSignals(signal, closing.signal)
      visit.signal.throwIfAborted()
      const opened = await openImpersonation({
        dial: request.route?.dial ?? direct,
        verifyCertificates: !plan.skipTlsVerification,
        wireBytes: limits.wireBytes,
        headerBytes: limits.headerBytes,
      })
      try {
        const network = observer?.isActive === true ? withObserver(opened, observer, plan, now) : opened
        const transport = own.length === 0 ? network : withFetchers(network, own, limits)
        const tools = { fetcher: 'enhanced-http', transport, limits, userAgent, openCookies, signer, now }
        return await fetchOverHttp(request, plan, tools, visit.signal)
      } finally {
        await opened.close(visit.signal.reason)
      }
    },
    async close() {
      closing.abort(new TrawlError('ENGINE_CLOSED', 'The fetcher was closed'))
    },
  }
}
