import { compact } from '../../../base/collections/compact.js'
import type { CrawlJob, StartResponse } from '../job.js'

/** A job with what its start response has. */
interface StartedJob {
  readonly id: string
  readonly url: string
  readonly invalidURLs?: readonly string[]
  readonly promptGeneratedOptions?: CrawlJob<unknown>['promptGeneratedOptions']
  readonly finalCrawlerOptions?: CrawlJob<unknown>['finalCrawlerOptions']
}

/** Creates the start response of a job. Options generated from a `prompt` are included once they are known. */
export const toStartResponse = ({
  id,
  url,
  invalidURLs,
  promptGeneratedOptions,
  finalCrawlerOptions,
}: StartedJob): StartResponse =>
  compact({
    success: true as const,
    id,
    url,
    invalidURLs: invalidURLs && [...invalidURLs],
    promptGeneratedOptions: finalCrawlerOptions && promptGeneratedOptions,
    finalCrawlerOptions: promptGeneratedOptions && finalCrawlerOptions,
  })
