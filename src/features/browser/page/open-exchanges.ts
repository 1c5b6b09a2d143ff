import type { FetcherResponse, NamedFetcher } from '../../../kernel/fetch/feature-fetcher.js'
import type { FetchLimits, FetchPlan } from '../../../kernel/fetch/fetcher.js'
import type { ExchangeObserver } from '../../../base/http/observe-exchanges.js'
import { joinHeader } from '../../../base/http/header-values.js'
import { parseUrl } from '../../../base/url.js'
import type { GivenResponse, PageExchanges, PausedRequest, SeenResponse } from './intercept-requests.js'

/** Receivers of the exchanges of pages. */
interface ExchangeParts {
  readonly own?: readonly NamedFetcher[]
  readonly observer?: ExchangeObserver
  readonly limits: FetchLimits
}

/** Facts about a page. */
interface PageFacts {
  readonly plan: Pick<FetchPlan, 'recorder' | 'isPrivate'>
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Opens what answers the requests of a page, or is told of their responses; undefined for nothing, which pauses no request. */
export function openExchanges(
  { own = [], observer, limits }: ExchangeParts,
  facts: PageFacts,
): PageExchanges | undefined {
  const isObserved = observer?.isActive === true
  if (own.length === 0 && !isObserved) return undefined
  return {
    ...(own.length > 0 && { answer: (held) => answer(own, held, limits, facts.signal) }),
    ...(isObserved && { record: (held, seen) => record(observer, held, seen, facts) }),
  }
}

/** Answers a request by the fetcher whose own its URL is. What that does not take is stopped: it is not for the network. */
async function answer(
  own: readonly NamedFetcher[],
  { url, method, headers }: PausedRequest,
  { wireBytes, bodyBytes, headerBytes }: FetchLimits,
  signal: AbortSignal,
): Promise<GivenResponse | 'stop' | undefined> {
  try {
    const [target = ''] = url.split('#', 1)
    const found = own.find(({ fetcher }) => fetcher.handles(target, method))
    if (!found) return undefined
    if (method !== 'GET' || found.fetcher.servesBrowser !== true) return 'stop'
    const limits = { wireBytes, bodyBytes, headerBytes }
    return await toGiven(await found.fetcher.fetch({ url: target, method, headers, signal, limits }))
  } catch {
    // The page sees a request that failed, as if there were no network.
    return 'stop'
  }
}

async function toGiven({ status = 200, headers = {}, body }: FetcherResponse): Promise<GivenResponse> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const lines = entries.flatMap(([name, value]) => [value ?? []].flat().map((line) => ({ name, value: line })))
  const parts: Uint8Array[] = []
  if (typeof body === 'string' || body instanceof Uint8Array) parts.push(Buffer.from(body))
  else if (body) for await (const part of body) parts.push(part)
  return { statusCode: status, headers: lines, body: Buffer.concat(parts) }
}

/** Tells the observer of a response. */
function record(
  observer: ExchangeObserver,
  { url, method, headers }: PausedRequest,
  { statusCode, statusText, headers: lines, body }: SeenResponse,
  { plan: { recorder, isPrivate }, now }: PageFacts,
): void {
  const parsed = parseUrl(url)
  if (!parsed) return
  const byName: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  // The protocol puts the lines of a repeated header into one value.
  for (const { name, value } of lines) (byName[name.toLowerCase()] ??= []).push(...value.split('\n'))
  const { 'set-cookie': setCookies = [], ...others } = byName
  const joined = Object.fromEntries(Object.entries(others).map(([name, values]) => [name, joinHeader(name, values)]))
  observer.observe({
    url: parsed,
    method,
    requestHeaders: headers,
    sentAtMs: now(),
    tookMs: 0,
    response: {
      statusCode,
      statusText,
      headers: joined,
      setCookies,
      body: body ? [body] : [],
      isWhole: body !== undefined,
      isDecoded: true,
    },
    recorder,
    isPrivate,
  })
}
