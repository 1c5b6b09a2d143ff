import { type FlagOption, listBatchOptions, listCrawlOptions, listScrapeOptions } from '../../options/flag-options.js'
import type { Flag } from './flag.js'
import { toFlagName } from './flag.js'
import { appendDefault } from './append-default.js'

/** Flags of a single page: every scrape option of the interface. */
export const scrapeFlags = (): Flag[] => toFlags(listScrapeOptions(), 'Each page')

/** Flags of a batch: every option of the interface. */
export const batchFlags = (): Flag[] => [...toFlags(listBatchOptions(), 'The batch'), ...scrapeFlags()]

/** Flags of a crawl: every option of the interface, and the scrape options. */
export const crawlFlags = (): Flag[] => [
  ...toFlags(listCrawlOptions(), 'The crawl'),
  ...toFlags(listScrapeOptions(), 'Each page', ['scrapeOptions']),
]

const toFlags = (options: readonly FlagOption[], section: string, within: readonly string[] = []): Flag[] =>
  options.map(({ name, valueType, help, default: value }) => {
    const [first, ...rest] = [...within, name]
    const description = appendDefault(help, value)
    return { name: toFlagName(name), target: 'request', path: [first, ...rest], valueType, description, section }
  })
