import type { Checked } from '../../options/fields/checked-request.js'
import type { CrawlRequest } from '../../options/crawl-options.js'
import type { JobOptions } from '../../options/job-options.js'

/** Options that a model generated from the `prompt` of a crawl. */
export type PromptedOptions = Readonly<
  Pick<
    Checked<CrawlRequest>,
    | 'includePaths'
    | 'excludePaths'
    | 'maxDiscoveryDepth'
    | 'sitemap'
    | 'ignoreQueryParameters'
    | 'deduplicateSimilarURLs'
    | 'limit'
    | 'crawlEntireDomain'
    | 'allowExternalLinks'
    | 'allowSubdomains'
    | 'delay'
    | 'regexOnFullURL'
    | 'maxConcurrency'
    | 'scrapeOptions'
  >
>

/** Options of a crawl with a `prompt`: those of the request, and those that were generated. */
export type CrawlerOptions = Readonly<Omit<Checked<CrawlRequest>, 'prompt' | 'scrapeOptions' | keyof JobOptions>>

/** Merges generated options into a request. Options of the request win, also within `scrapeOptions`. */
export function mergeOptions(
  request: object & Pick<CrawlRequest, 'scrapeOptions'>,
  generated: PromptedOptions,
): object {
  if (generated.scrapeOptions === undefined) return { ...request, ...generated }
  return { ...request, ...generated, scrapeOptions: { ...generated.scrapeOptions, ...request.scrapeOptions } }
}
