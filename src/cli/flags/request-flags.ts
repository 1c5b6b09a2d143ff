import { listBatchOptions, listCrawlOptions, listOptions, listScrapeOptions } from './flag-options.js'
import { builtIn } from '../../features/create-engine.js'
import type { Flag } from './flag.js'
import { toFlag } from './to-flag.js'

/** Lists the flags of a single page: one for each page option. */
export const scrapeFlags = (): Flag[] => listPageFlags()

/** Lists the flags of a batch: one for each of its options, and for each page option. */
export const batchFlags = (): Flag[] => [
  ...listBatchOptions(builtIn.options).map((option) => toFlag(option, { target: 'request', section: 'The batch' })),
  ...listPageFlags(),
]

/** Lists the flags of a crawl: one for each of its options, and for each page option. */
export const crawlFlags = (): Flag[] => [
  ...listCrawlOptions(builtIn.options).map((option) => toFlag(option, { target: 'request', section: 'The crawl' })),
  ...listPageFlags('scrapeOptions'),
]

/** Lists the flags of a call of a feature for a site: one for each of its options. */
export const siteFlags = (call: string): Flag[] =>
  listOptions(builtIn.options.calls[call] ?? {}).map((option) =>
    toFlag(option, { target: 'request', section: 'The site' }),
  )

/** Lists the flags of the page options. @param within option of the request that has them */
export const listPageFlags = (within?: string): Flag[] =>
  listScrapeOptions(builtIn.options).map((option) =>
    toFlag(option, { target: 'request', section: 'Each page', within }),
  )
