import type { Fetcher, PlainFetcher, Declined, FetchPlan, PageRequest, UsageMeter } from './fetcher.js'
import { createHttpFetcher, type HttpFetcherOptions } from './http/http-fetcher.js'
import type { NamedFetcher } from './feature-fetcher.js'
import type { AddedFetchers } from './renderer.js'
import type { HydratePage } from '../../content/hydration/hydrate.js'
import type { ProxyRoutes } from '../../base/network/proxy-route.js'
import type { ProxyTierMemory } from './proxy-tier-memory.js'
import { channels, runInSpan } from '../../base/tracing/channels.js'
import type { FetchSpan } from '../../base/tracing/spans.js'
import { withoutCredentials } from '../../base/url.js'
import type { FetchedPage } from './fetched-page.js'

/** The fetchers of an engine, with the state that {@link fetchPage} uses to choose among them. */
export interface Fetchers extends Pick<AddedFetchers, 'renderer' | 'enhancedHttp' | 'sessions'> {
  readonly http: PlainFetcher
  /** Fetchers of features, which get URLs of their own. @default none */
  readonly own?: readonly NamedFetcher[]
  /** Extracts a page's text from its embedded data on a worker thread. @default on the caller's thread */
  readonly hydrate?: HydratePage<FetchedPage>
  /** Selects proxies. @default all connections go directly to the site */
  readonly routes?: ProxyRoutes
  /** Remembers the sites that block the basic proxy tier. @default every page starts with the basic tier */
  readonly access?: ProxyTierMemory
}

/** Creates the fetchers of an engine. @param added those of a feature */
export function createFetchers(
  options: HttpFetcherOptions,
  { renderer, enhancedHttp, sessions }: AddedFetchers,
): {
  readonly fetchers: Fetchers
  close(): Promise<void>
} {
  const fetchers = {
    http: traceFetches(createHttpFetcher(options)),
    enhancedHttp: enhancedHttp && traceFetches(enhancedHttp),
    renderer: renderer && traceFetches(renderer),
  }
  return {
    fetchers: { ...fetchers, sessions },
    close: async () => void (await Promise.all(Object.values(fetchers).map(async (fetcher) => fetcher?.close()))),
  }
}

/** Has a fetcher publish a span for each fetch, while there are subscribers. @returns the same fetcher */
function traceFetches<Traced extends Fetcher>(fetcher: Traced): Traced {
  const fetch = fetcher.fetch.bind(fetcher)
  return Object.assign(fetcher, {
    fetch: (request: PageRequest, plan: FetchPlan, signal: AbortSignal): Promise<FetchedPage | Declined> => {
      if (!channels.fetch.hasSubscribers) return fetch(request, plan, signal)
      const { span: parent, meter } = request
      const write = plan.isPrivate ? withoutQuery : (address: string): string => address
      const url = write(withoutCredentials(new URL(request.url)).href)
      const span: FetchSpan = { parent, url, fetcher: fetcher.name, requests: 0, bytes: 0, browserMs: 0 }
      const metered = { ...request, meter: countInSpan(span, meter) }
      return runInSpan(channels.fetch, span, () => fetch(metered, plan, signal), describeAnswer(url, write))
    },
  })
}

const withoutQuery = (url: string): string => url.replace(/[?#].*/s, '')

const describeAnswer =
  (url: string, write: (url: string) => string) =>
  (answer: FetchedPage | Declined): Partial<FetchSpan> => {
    if ('declined' in answer) return {}
    const finalUrl = write(answer.url)
    return { statusCode: answer.statusCode, finalUrl: finalUrl === url ? undefined : finalUrl }
  }

/** Creates a meter that counts in a span what it passes on. */
const countInSpan = (span: FetchSpan, meter: UsageMeter | undefined): UsageMeter => ({
  sent: () => {
    span.requests += 1
    meter?.sent()
  },
  received: (bytes) => {
    span.bytes += bytes
    meter?.received(bytes)
  },
  rendered: (forMs) => {
    span.browserMs += forMs
    meter?.rendered(forMs)
  },
})
