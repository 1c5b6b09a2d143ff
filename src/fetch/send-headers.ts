import type { CDPSession } from 'playwright'
import { isTrusted } from './request-headers.js'

/**
 * Adds headers to the requests of a page that go to the page's own host, and to no other. One by one as they are sent:
 * what a context or Playwright's own routes are given would follow a redirect to another host.
 */
export async function sendHeaders(
  session: CDPSession,
  pageUrl: URL,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (Object.keys(headers).length === 0) return
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const own = URL.canParse(request.url) && isTrusted(new URL(request.url), pageUrl)
    const merged = own ? { headers: mergeHeaders(request.headers, headers) } : {}
    // A request that was given up meanwhile is nobody's any more.
    session.send('Fetch.continueRequest', { requestId, ...merged }).catch(() => undefined)
  })
  const patterns = ['http', 'https'].map((scheme) => ({ urlPattern: `${scheme}://${pageUrl.host}/*` }))
  await session.send('Fetch.enable', { patterns })
}

function mergeHeaders(
  sent: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): { name: string; value: string }[] {
  const merged = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), { name, value }]))
  for (const [name, value] of Object.entries(more)) merged.set(name.toLowerCase(), { name, value })
  return [...merged.values()]
}
