import { TrawlError } from '../../errors.js'
import { followSignals } from '../../concurrency/deadline.js'
import { createDirectDial } from '../network/connect.js'
import { createResolver } from '../network/egress.js'
import type { PlainFetcher } from '../fetcher.js'
import { openImpersonation } from '../http/impersonate.js'
import { defaultUserAgent } from '../identity/user-agent.js'
import { fetchOverHttp } from '../http/fetch-over-http.js'
import type { HttpFetcherOptions } from './http.js'

/**
 * Makes the fetcher that speaks HTTP in the manner of Chrome, for `proxy: 'enhanced'`: what it offers in TLS and HTTP/2,
 * its headers and their order. No script of a page runs. Everything else is as in the plain HTTP fetcher.
 *
 * Call it only where `canImpersonate` says yes.
 */
export function createEnhancedHttpFetcher(options: HttpFetcherOptions): PlainFetcher {
  const { limits, profiles, userAgent = defaultUserAgent, now = Date.now } = options
  const direct = createDirectDial(createResolver(options))
  const closing = new AbortController()

  return {
    name: 'enhanced-http',
    async fetch(request, plan, signal) {
      using visit = followSignals(signal, closing.signal)
      visit.signal.throwIfAborted()
      const transport = await openImpersonation({
        dial: request.route?.dial ?? direct,
        verifyCertificates: !plan.skipTlsVerification,
        wireBytes: limits.wireBytes,
        headerBytes: limits.headerBytes,
      })
      try {
        const page = await fetchOverHttp(request, plan, { transport, limits, userAgent, profiles, now }, visit.signal)
        return { ...page, fetcher: 'enhanced-http' }
      } finally {
        await transport.close()
      }
    },
    async close() {
      closing.abort(new TrawlError('ENGINE_CLOSED', 'The fetcher was closed'))
    },
  }
}
