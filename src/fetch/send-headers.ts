import type { Interceptor } from './intercept-requests.js'
import { isTrusted } from './request-headers.js'

/**
 * Adds headers to the requests of a page that go to the page's own host, and to no other. One by one as they are sent:
 * what a context or Playwright's own routes are given would follow a redirect to another host.
 */
export function sendHeaders(pageUrl: URL, headers: Readonly<Record<string, string>>): Interceptor {
  const schemes = Object.keys(headers).length === 0 ? [] : ['http', 'https']
  return {
    patterns: schemes.map((scheme) => `${scheme}://${pageUrl.host}/*`),
    judge(held) {
      const isOwn = URL.canParse(held.url) && isTrusted(new URL(held.url), pageUrl)
      return isOwn ? mergeHeaders(held.headers, headers) : undefined
    },
  }
}

/** Names are the same whatever their case. */
function mergeHeaders(
  sent: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(more).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()))), ...more }
}
