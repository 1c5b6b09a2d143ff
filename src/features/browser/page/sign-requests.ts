import type { RequestSigner } from '../../../base/http/request-signer.js'
import type { Interceptor } from './intercept-requests.js'
import { mergeHeaders } from './send-headers.js'
import { parseUrl } from '../../../base/url.js'

/**
 * Signs the requests of a page, each as it is sent: redirects are signed anew. A signature is for one URL, so that one that
 * is sent elsewhere is worth nothing.
 */
export const signRequests = (signer: RequestSigner): Interceptor => ({
  patterns: ['http://*', 'https://*'],
  judge: ({ url, method, headers }) => {
    const parsed = parseUrl(url)
    if (!parsed) return undefined
    parsed.username = ''
    parsed.password = ''
    parsed.hash = ''
    // The browser sends the `?` of an empty query, which `URL.search` leaves out.
    return mergeHeaders(headers, { ...signer.sign(method, parsed, parsed.href) })
  },
})
