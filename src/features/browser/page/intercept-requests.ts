import type { CDPSession } from 'playwright'

/** A request of a page that is paused until it is continued or stopped. */
export interface PausedRequest {
  /** The same for a request and those to which redirects turn it. */
  readonly chain: string
  readonly url: string
  readonly method: string
  /** The protocol's id of the frame that sends it. */
  readonly frameId: string
  /** Playwright's name of the type: `document`, `script`, `image`, `xhr`, `fetch`, `media`, … */
  readonly resourceType: string
  readonly headers: Readonly<Record<string, string>>
  /** Returns its body, as far as the browser has it as text. */
  readonly readBody: () => string
}

type ResourceType = 'Document' | 'XHR' | 'Fetch' | 'Other'

/** A rule that stops requests of a page, or changes their headers. */
export interface Interceptor {
  /** URLs with `*` for any text and `?` for any character: other requests are not paused for this rule. */
  readonly patterns: readonly string[]
  /** The protocol's names of the types of those requests. @default all types */
  readonly resourceTypes?: readonly ResourceType[]
  /** @returns whether it ends, or other headers for the request; undefined to leave it as it is */
  judge(held: PausedRequest): keyof typeof REASONS | Readonly<Record<string, string>> | undefined
}

/** The protocol's reasons for requests that end here: those that a reader needs none of, and forms that are kept from their host. */
const REASONS = { stop: 'BlockedByClient', deny: 'AccessDenied' } as const

/** A response that is given in the place of one of the network. */
export interface GivenResponse {
  readonly statusCode: number
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body: Buffer
}

/** A response of the network, as the browser has received it. */
export interface SeenResponse extends Omit<GivenResponse, 'body'> {
  /** Decoded; undefined where it does not end, or is of a kind that is not read. */
  readonly body: Buffer | undefined
  readonly statusText: string
}

/** Functions that answer the requests of a page, or are told of their responses. Requests are paused for it. */
export interface PageExchanges {
  /** Answers a request. @returns undefined to send it. Does not reject */
  answer?(held: PausedRequest): Promise<GivenResponse | 'stop' | undefined>
  /** Is told of a response. Does not throw. */
  record?(held: PausedRequest, response: SeenResponse): void
}

/** Types of responses that may never end. */
const ENDLESS: ReadonlySet<string> = new Set(['eventsource', 'media', 'websocket', 'ping'])

/**
 * Applies interceptors to the requests of a page before they are sent, redirects included. Playwright's own routes would
 * pause every request of the page, and would not see redirects.
 *
 * No site gets a log-in: a whole browser would show a page of its own in place of a response that asks for one.
 */
export async function interceptRequests(
  session: CDPSession,
  interceptors: readonly Interceptor[],
  exchanges: PageExchanges = {},
): Promise<void> {
  const patterns: { urlPattern: string; resourceType?: ResourceType; requestStage?: 'Response' }[] =
    interceptors.flatMap(({ patterns: urls, resourceTypes = [undefined] }) =>
      urls.flatMap((urlPattern) => resourceTypes.map((resourceType) => ({ urlPattern, resourceType }))),
    )
  if (exchanges.answer) patterns.push({ urlPattern: 'http*' })
  if (exchanges.record) patterns.push({ urlPattern: 'http*', requestStage: 'Response' })
  if (patterns.length === 0) return
  session.on('Fetch.requestPaused', (event) => {
    const { requestId, networkId = requestId, request, resourceType, frameId } = event
    const held = {
      chain: networkId,
      url: request.url,
      method: request.method,
      frameId,
      resourceType: resourceType.toLowerCase(),
      headers: request.headers,
      readBody: () => readBody(request),
    }
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      passResponse(session, event, held, exchanges).catch(() => undefined)
      return
    }
    const verdict = judgeByAll(interceptors, held)
    if (exchanges.answer && typeof verdict !== 'string') {
      answerRequest(session, requestId, exchanges.answer(held), verdict).catch(() => undefined)
      return
    }
    const answered =
      typeof verdict === 'string'
        ? session.send('Fetch.failRequest', { requestId, errorReason: REASONS[verdict] })
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

const readBody = ({ postDataEntries = [] }: { readonly postDataEntries?: { readonly bytes?: string }[] }): string =>
  Buffer.concat(postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))).toString()

/** Answers a paused request, or sends it. */
async function answerRequest(
  session: CDPSession,
  requestId: string,
  answering: ReturnType<NonNullable<PageExchanges['answer']>>,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  const answer = await answering
  if (answer === undefined)
    await session.send('Fetch.continueRequest', { requestId, headers: headers && listHeaders(headers) })
  else if (answer === 'stop')
    await session.send('Fetch.failRequest', { requestId, errorReason: 'InternetDisconnected' })
  else {
    const { statusCode: responseCode, headers: responseHeaders, body } = answer
    await session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode,
      responseHeaders: [...responseHeaders],
      body: body.toString('base64'),
    })
  }
}

/** Response as the protocol describes it. */
interface PausedResponse {
  readonly requestId: string
  readonly responseStatusCode?: number
  readonly responseStatusText?: string
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[]
}

/** Tells of a response, and lets the page have it. */
async function passResponse(
  session: CDPSession,
  {
    requestId,
    responseStatusCode: statusCode,
    responseStatusText: statusText = '',
    responseHeaders: headers = [],
  }: PausedResponse,
  held: PausedRequest,
  { record }: PageExchanges,
): Promise<void> {
  try {
    if (statusCode === undefined || !record) return
    const isRedirect = statusCode >= 300 && statusCode < 400
    const body = isRedirect
      ? Buffer.alloc(0)
      : ENDLESS.has(held.resourceType)
        ? undefined
        : await readPaused(session, requestId)
    record(held, { statusCode, statusText, headers, body })
  } finally {
    await session.send('Fetch.continueRequest', { requestId })
  }
}

const readPaused = (session: CDPSession, requestId: string): Promise<Buffer | undefined> =>
  session.send('Fetch.getResponseBody', { requestId }).then(
    ({ body, base64Encoded }) => Buffer.from(body, base64Encoded ? 'base64' : 'utf8'),
    () => undefined,
  )

/** Stops the requests of a browser for the icon of its tab: nobody sees it, and `robots.txt` may exclude it. */
export const stopIcons: Interceptor = {
  patterns: ['http://*', 'https://*'],
  resourceTypes: ['Other'],
  // The images of the page itself have a type of their own.
  judge: ({ resourceType, headers }) =>
    resourceType === 'other' && (headers['Accept'] ?? '').startsWith('image/') ? 'stop' : undefined,
}

/** Changes no document. Requests that are paused are refused a log-in: see {@link interceptRequests}. */
export const refuseLogins: Interceptor = {
  patterns: ['http://*', 'https://*'],
  resourceTypes: ['Document'],
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
    if (typeof verdict === 'string') return verdict
    if (verdict) headers = verdict
  }
  return headers === held.headers ? undefined : headers
}

const listHeaders = (headers: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
