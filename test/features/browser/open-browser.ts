import { builtIn } from '../../../src/features/create-engine.js'
import type { BrowserPlan } from '../../../src/kernel/fetch/browser-plan.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import type { Declined, Fetcher, FetchLimits, FetchPlan } from '../../../src/kernel/fetch/fetcher.js'
import { type BrowserFetcherOptions, createBrowserFetcher } from '../../../src/features/browser/browser-fetcher.js'
import { defaultLimits } from '../../kernel/fetch/open-fetcher.js'

export interface OpenBrowser extends AsyncDisposable {
  readonly fetcher: Fetcher
  get(url: string, plan?: Partial<FetchPlan>, signal?: AbortSignal): Promise<FetchedPage>
  /** As `get`, with the steps of a browser. */
  render(url: string, browser: Partial<BrowserPlan>, plan?: Partial<FetchPlan>): Promise<FetchedPage>
  ask(url: string, plan?: Partial<FetchPlan>, signal?: AbortSignal): Promise<FetchedPage | Declined>
  close(): Promise<void>
}

type Options = Partial<Omit<BrowserFetcherOptions, 'limits' | 'browser'>> & {
  limits?: Partial<FetchLimits>
  browser?: Partial<BrowserFetcherOptions['browser']>
}

/** A browser fetcher that may connect to the test site, for one test. */
export function openBrowser({ limits, browser, ...options }: Options = {}): OpenBrowser {
  const fetcher = createBrowserFetcher({
    allowPrivateNetworks: true,
    captures: builtIn.formats.captures,
    ...options,
    limits: { ...defaultLimits, ...limits },
    browser: { maxPages: 4, pagesPerBrowser: 100, ...browser },
  })
  const ask: OpenBrowser['ask'] = (url, plan = {}, signal = AbortSignal.timeout(25_000)) =>
    fetcher.fetch(
      { url, sourceURL: url },
      { headers: {}, skipTlsVerification: true, timeoutMs: 25_000, ...plan },
      signal,
    )
  const get: OpenBrowser['get'] = async (url, plan, signal) => {
    const page = await ask(url, plan, signal)
    if ('declined' in page) throw new Error(`declined: ${page.declined}`)
    return page
  }
  return {
    fetcher,
    ask,
    get,
    render: (url, more, plan = {}) =>
      get(url, { ...plan, browser: { waitForMs: 0, actions: [], captures: {}, blockAds: false, ...more } }),
    close: () => fetcher.close(),
    [Symbol.asyncDispose]: () => fetcher.close(),
  }
}
