import { isInHeaderScope } from '../../../base/http/header-scope.js'
import type { Interceptor } from './intercept-requests.js'

/**
 * Keeps what a page sends, which may be secrets that actions have filled in, from the hosts that redirects lead to with 307 and 308, and
 * from plain http where https was asked for. Over HTTP, no form is sent on to another host either.
 *
 * @see RFC 9700 section 4.12
 */
export function keepForms(asked: URL): Interceptor {
  const targets = new Map<string, string>()
  return {
    patterns: ['http://*', 'https://*'],
    resourceTypes: ['Document', 'XHR', 'Fetch'],
    judge({ chain, url, method }) {
      if (method === 'GET') return undefined
      const from = targets.get(chain)
      targets.set(chain, url)
      if (from !== undefined && !isInHeaderScope(new URL(url), { namedUrl: from })) return 'deny'
      return asked.protocol === 'https:' && url.startsWith('http:') ? 'deny' : undefined
    },
  }
}
