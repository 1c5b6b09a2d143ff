import type { CDPSession } from 'playwright'

/** A request of a page that is paused until it is continued or stopped. */
export interface PausedRequest {
  readonly url: string
  readonly method: string
  /** The protocol's id of the frame that sends it. */
  readonly frameId: string
  /** Playwright's name of the type: `document`, `script`, `image`, `xhr`, `fetch`, `media`, … */
  readonly resourceType: string
  readonly headers: Readonly<Record<string, string>>
}

/** A rule that stops requests of a page, or changes their headers. */
export interface Interceptor {
  /** URLs with `*` for any text and `?` for any character: other requests are not paused for this rule. */
  readonly patterns: readonly string[]
  /** The protocol's name of the type of those requests. @default all types */
  readonly resourceType?: 'Document' | 'Other'
  /** @returns `stop`, or other headers for the request; undefined to leave it as it is */
  judge(held: PausedRequest): 'stop' | Readonly<Record<string, string>> | undefined
}

/**
 * Applies interceptors to the requests of a page before they are sent, redirects included. Playwright's own routes would
 * pause every request of the page, and would not see redirects.
 *
 * No site gets a log-in: a whole browser would show a page of its own in place of a response that asks for one.
 */
export async function interceptRequests(session: CDPSession, interceptors: readonly Interceptor[]): Promise<void> {
  const patterns = interceptors.flatMap(({ patterns: urls, resourceType }) =>
    urls.map((urlPattern) => ({ urlPattern, resourceType })),
  )
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
        : session.send('Fetch.continueRequest', { requestId, headers: verdict && listHeaders(verdict) })
    // The request may have been cancelled meanwhile.
    answered.catch(() => undefined)
  })
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    // The credentials of the page's proxy are known to the browser.
    const response = authChallenge.source === 'Proxy' ? 'Default' : 'CancelAuth'
    const answer = { requestId, authChallengeResponse: { response } } as const
    session.send('Fetch.continueWithAuth', answer).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns, handleAuthRequests: true })
}

/** Stops the requests of a browser for the icon of its tab: nobody sees it, and `robots.txt` may exclude it. */
export const stopIcons: Interceptor = {
  patterns: ['http://*', 'https://*'],
  resourceType: 'Other',
  // The images of the page itself have a type of their own.
  judge: ({ resourceType, headers }) =>
    resourceType === 'other' && (headers['Accept'] ?? '').startsWith('image/') ? 'stop' : undefined,
}

/** Changes no document. Requests that are paused are refused a log-in: see {@link interceptRequests}. */
export const refuseLogins: Interceptor = {
  patterns: ['http://*', 'https://*'],
  resourceType: 'Document',
  judge: () => undefined,
}

/** Pauses every request from now on, as if its URL were among the patterns of the interceptors. */
export async function interceptAllRequests(session: CDPSession): Promise<void> {
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true })
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
