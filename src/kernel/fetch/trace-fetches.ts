import { channels, runInSpan } from '../../base/tracing/channels.js'
import type { FetchSpan } from '../../base/tracing/spans.js'
import { withoutCredentials } from '../../base/url.js'
import type { FetchedPage } from './fetched-page.js'
import type { Declined, Fetcher, FetchPlan, PageRequest, UsageMeter } from './fetcher.js'

/** Has a fetcher publish a span for each fetch, while there are subscribers. @returns the same fetcher */
export function traceFetches(fetcher: Fetcher): Fetcher {
  const fetch = fetcher.fetch.bind(fetcher)
  return Object.assign(fetcher, {
    fetch: (request: PageRequest, plan: FetchPlan, signal: AbortSignal): Promise<FetchedPage | Declined> => {
      if (!channels.fetch.hasSubscribers) return fetch(request, plan, signal)
      const { span: parent, meter } = request
      const url = withoutCredentials(new URL(request.url)).href
      const span: FetchSpan = { parent, url, fetcher: fetcher.name, requests: 0, bytes: 0, browserMs: 0 }
      const metered = { ...request, meter: countInSpan(span, meter) }
      return runInSpan(channels.fetch, span, () => fetch(metered, plan, signal), describeAnswer(url))
    },
  })
}

const describeAnswer =
  (url: string) =>
  (answer: FetchedPage | Declined): Partial<FetchSpan> =>
    'declined' in answer ? {} : { statusCode: answer.statusCode, finalUrl: answer.url === url ? undefined : answer.url }

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
