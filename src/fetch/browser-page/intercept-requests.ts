import type { CDPSession } from 'playwright'

/** A request of a page that stands still until something is said of it. */
export interface PausedRequest {
  readonly url: string
  readonly method: string
  /** The frame that asks, by the protocol's name for it. */
  readonly frameId: string
  /** As Playwright names it: `document`, `script`, `image`, `xhr`, `fetch`, `media`, … */
  readonly resourceType: string
  readonly headers: Readonly<Record<string, string>>
}

/** One that has a say in what a page sends. */
export interface Interceptor {
  /** URLs with `*` for anything and `?` for any character: other requests are not held up for it. */
  readonly patterns: readonly string[]
  /** @returns whether the request is stopped; other headers for it; undefined to leave it as it is */
  judge(held: PausedRequest): 'stop' | Readonly<Record<string, string>> | undefined
}

/**
 * Asks about requests of a page before they are sent, redirects among them. Playwright's own routes would hold up every
 * request of the page, and not see the redirects.
 */
export async function interceptRequests(session: CDPSession, interceptors: readonly Interceptor[]): Promise<void> {
  const patterns = interceptors.flatMap((interceptor) => interceptor.patterns).map((urlPattern) => ({ urlPattern }))
  if (patterns.length === 0) return
  session.on('Fetch.requestPaused', ({ requestId, request, resourceType, frameId }) => {
    const verdict = judgeByAll(interceptors, {
      url: request.url,
      method: request.method,
      frameId,
      resourceType: resourceType.toLowerCase(),
      headers: request.headers,
    })
    const answered =
      verdict === 'stop'
        ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
        : session.send('Fetch.continueRequest', { requestId, ...(verdict && { headers: listHeaders(verdict) }) })
    // A request that was given up meanwhile is nobody's any more.
    answered.catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns })
}

/** From now on, asks about every request, as if all interceptors had named it. */
export async function interceptAllRequests(session: CDPSession): Promise<void> {
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
}

function judgeByAll(interceptors: readonly Interceptor[], held: PausedRequest): ReturnType<Interceptor['judge']> {
  let { headers } = held
  for (const interceptor of interceptors) {
    const verdict = interceptor.judge({ ...held, headers })
    if (verdict === 'stop') return verdict
    if (verdict) headers = verdict
  }
  return headers === held.headers ? undefined : headers
}

const listHeaders = (headers: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
