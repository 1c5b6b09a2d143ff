import type { Candidate, Source } from '../ledger/ledger.js'
import type { BatchPlan } from '../plan/crawl-plan.js'
import { withoutFragment } from '../url.js'
import { FEWEST_PAGES } from './template-group.js'
import type { JobScript } from './job-script.js'

/** A batch: the URLs of a list, each page fetched once, one document for each place that it has in the list. */
export function scriptBatchScrape(plan: BatchPlan): JobScript {
  const seeds = collectSeeds(plan)
  const pages = plan.learnBoilerplate ? countPages(seeds) : new Map<string, number>()
  return {
    kind: 'batch-scrape',
    rules: { limit: Infinity, holdLevelMs: 0 },
    pace: plan.pace,
    page: plan.page,
    seeds,
    keyOf,
    learnsFrom: ({ url }) => (pages.get(new URL(url).host) ?? 0) >= FEWEST_PAGES,
    review: async () => ({}),
    ...(plan.page.keepsNothing && { keepsNothing: true }),
    describe: (document, _row, sourceURL) => ({ ...document, metadata: { ...document.metadata, sourceURL } }),
    startFields: plan.invalidURLs === undefined ? {} : { invalidURLs: [...plan.invalidURLs] },
  }
}

/** How many pages there are of each host. */
function countPages(seeds: readonly Candidate[]): Map<string, number> {
  const pages = new Map<string, number>()
  for (const { url } of seeds) {
    const { host } = new URL(url)
    pages.set(host, (pages.get(host) ?? 0) + 1)
  }
  return pages
}

const keyOf = (url: URL): string => withoutFragment(url).href

function collectSeeds(plan: BatchPlan): Candidate[] {
  const seeds = new Map<string, Candidate & { sources: Source[] }>()
  for (const [order, { url, sourceURL }] of plan.urls.entries()) {
    const key = keyOf(new URL(url))
    const source: Source = { order, url: sourceURL }
    const known = seeds.get(key)
    if (known) known.sources.push(source)
    else seeds.set(key, { key, url, via: 'seed', depth: 0, sources: [source] })
  }
  return [...seeds.values()]
}
