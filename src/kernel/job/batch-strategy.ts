import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { UrlCandidate, Source } from '../ledger/ledger.js'
import type { BatchPlan } from '../plan/batch-plan.js'
import { type UrlLike, withoutFragment, withScheme } from '../../base/url.js'
import type { JobStrategy } from './job-strategy.js'

/** URLs processed between two looks at the clock. */
const SLICE_SIZE = 64

/**
 * Creates the strategy of a batch: each page of a list is fetched once, and gives one document for each of its positions in the list.
 *
 * @param planMore validates further URLs of the batch. @throws InvalidRequestError
 */
export function createBatchStrategy(plan: BatchPlan, planMore: (urls: Iterable<UrlLike>) => BatchPlan): JobStrategy {
  let length = plan.urls.length
  let seeds: readonly UrlCandidate[] = []
  const dropped = plan.invalidURLs && [...plan.invalidURLs]
  return {
    kind: 'batch-scrape',
    plan,
    rules: { limit: Infinity, holdLevelMs: 0 },
    list: {
      invalidURLs: dropped,
      append(given) {
        const { urls, invalidURLs = [] } = planMore(given)
        for (const url of invalidURLs) dropped?.push(url)
        return () => {
          const from = length
          length += urls.length
          return collectSeeds(urls, from)
        }
      },
    },
    get seeds() {
      return seeds
    },
    keyOf: batchKey,
    // Not at the call, which would hold the thread of the caller for half a second: 100,000 URLs.
    async prepare() {
      seeds = await collectSeeds(plan.urls, 0)
    },
    async restore(rows, past) {
      for await (const note of past?.notes ?? []) void note
      for (const { sources = [] } of rows) for (const { order } of sources) length = Math.max(length, order + 1)
    },
    describe: (document, _row, sourceURL) => ({ ...document, metadata: { ...document.metadata, sourceURL } }),
  }
}

/** Returns the ledger key of a URL in a batch. */
export const batchKey = (url: URL): string => withoutFragment(url).href

/** @param from list position of the first URL */
async function collectSeeds(urls: BatchPlan['urls'], from: number): Promise<readonly UrlCandidate[]> {
  const seeds = new Map<string, UrlCandidate & { sources: Source[] }>()
  for (const [index, sourceURL] of urls.entries()) {
    if (index % SLICE_SIZE === SLICE_SIZE - 1) await yieldIfHeld()
    const url = new URL(withScheme(sourceURL))
    const key = batchKey(url)
    const source: Source = { order: from + index, url: sourceURL }
    const known = seeds.get(key)
    if (known) known.sources.push(source)
    else seeds.set(key, { key, url: url.href, via: 'seed', depth: 0, sources: [source] })
  }
  return [...seeds.values()]
}
