import type { UrlCandidate, Source } from '../ledger/ledger.js'
import type { BatchPlan } from '../plan/batch-plan.js'
import { type UrlLike, withoutFragment } from '../url.js'
import { MIN_PAGES } from './boilerplate/template-group.js'
import type { JobStrategy } from './job-strategy.js'

/**
 * Creates the strategy of a batch: each page of a list is fetched once, and gives one document for each of its positions in the list.
 *
 * @param planMore validates further URLs of the batch. @throws InvalidRequestError
 */
export function createBatchStrategy(
  plan: BatchPlan,
  planMore: (urls: Iterable<UrlLike>) => Pick<BatchPlan, 'urls' | 'invalidURLs'>,
): JobStrategy {
  const seeds = collectSeeds(plan.urls, 0)
  let length = plan.urls.length
  const dropped = plan.invalidURLs && [...plan.invalidURLs]
  const pages = plan.learnBoilerplate ? countPages(seeds) : new Map<string, number>()
  return {
    kind: 'batch-scrape',
    rules: { limit: Infinity, holdLevelMs: 0 },
    throttle: plan.throttle,
    budget: plan.budget,
    page: plan.page,
    ...(plan.webhook && { webhook: plan.webhook }),
    ...(plan.index && { index: plan.index }),
    seeds,
    keyOf: batchKey,
    learnsFrom: ({ url }) => (pages.get(new URL(url).host) ?? 0) >= MIN_PAGES,
    review: async () => ({}),
    ...(plan.page.zeroDataRetention && { zeroDataRetention: true }),
    ...(!plan.retain && { dropsDocuments: true }),
    describe: (document, _row, sourceURL) => ({ ...document, metadata: { ...document.metadata, sourceURL } }),
    async restore(rows, notes) {
      for await (const note of notes) void note
      for (const { sources = [] } of rows) for (const { order } of sources) length = Math.max(length, order + 1)
    },
    append(given) {
      const { urls, invalidURLs = [] } = planMore(given)
      for (const url of invalidURLs) dropped?.push(url)
      return () => {
        const candidates = collectSeeds(urls, length)
        length += urls.length
        return candidates
      }
    },
    startFields: dropped ? { invalidURLs: dropped } : {},
  }
}

/** Counts the pages of each host. */
function countPages(seeds: readonly UrlCandidate[]): Map<string, number> {
  const pages = new Map<string, number>()
  for (const { url } of seeds) {
    const { host } = new URL(url)
    pages.set(host, (pages.get(host) ?? 0) + 1)
  }
  return pages
}

/** Returns the ledger key of a URL in a batch. */
export const batchKey = (url: URL): string => withoutFragment(url).href

/** @param from list position of the first URL */
function collectSeeds(urls: BatchPlan['urls'], from: number): UrlCandidate[] {
  const seeds = new Map<string, UrlCandidate & { sources: Source[] }>()
  for (const [index, { url, sourceURL }] of urls.entries()) {
    const key = batchKey(new URL(url))
    const source: Source = { order: from + index, url: sourceURL }
    const known = seeds.get(key)
    if (known) known.sources.push(source)
    else seeds.set(key, { key, url, via: 'seed', depth: 0, sources: [source] })
  }
  return [...seeds.values()]
}
