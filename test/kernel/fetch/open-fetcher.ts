import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import type { FetchLimits, FetchPlan, PlainFetcher } from '../../../src/kernel/fetch/fetcher.js'
import { createHttpFetcher, type HttpFetcherOptions } from '../../../src/kernel/fetch/http/http-fetcher.js'

const MIB = 1024 * 1024

export const defaultLimits: FetchLimits = {
  wireBytes: 50 * MIB,
  bodyBytes: 100 * MIB,
  redirects: 10,
  headerBytes: 65_536,
}

export interface OpenFetcher extends AsyncDisposable {
  readonly fetcher: PlainFetcher
  get(url: string, plan?: Partial<FetchPlan>, signal?: AbortSignal): Promise<FetchedPage>
  close(): Promise<void>
}

/** An HTTP fetcher that may connect to the test site, for one test. */
export function openFetcher({
  limits,
  ...options
}: Partial<Omit<HttpFetcherOptions, 'limits'>> & { limits?: Partial<FetchLimits> } = {}): OpenFetcher {
  const fetcher = createHttpFetcher({
    allowPrivateNetworks: true,
    ...options,
    limits: { ...defaultLimits, ...limits },
  })
  return {
    fetcher,
    get(url, plan = {}, signal = AbortSignal.timeout(20_000)) {
      const request = { url, sourceURL: url }
      return fetcher.fetch(request, { headers: {}, skipTlsVerification: true, timeoutMs: 20_000, ...plan }, signal)
    },
    close: () => fetcher.close(),
    [Symbol.asyncDispose]: () => fetcher.close(),
  }
}

export const textOf = (page: FetchedPage): string => new TextDecoder().decode(page.body)
