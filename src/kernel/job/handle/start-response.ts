import { compact } from '../../../base/collections/compact.js'
import type { BatchScrapeJob, CrawlJob, StartResponse } from '../job.js'

/** Creates the start response of a job. Options generated from a `prompt` are included once they are known. */
export const toStartResponse = ({
  id,
  url,
  invalidURLs,
  promptGeneratedOptions,
  finalCrawlerOptions,
}: Pick<BatchScrapeJob<unknown>, 'id' | 'url' | 'invalidURLs'> &
  Pick<CrawlJob<unknown>, 'promptGeneratedOptions' | 'finalCrawlerOptions'>): StartResponse =>
  compact({
    success: true as const,
    id,
    url,
    invalidURLs: invalidURLs && [...invalidURLs],
    promptGeneratedOptions: finalCrawlerOptions && promptGeneratedOptions,
    finalCrawlerOptions: promptGeneratedOptions && finalCrawlerOptions,
  })
