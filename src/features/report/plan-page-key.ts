import { pageKey } from '../../kernel/frontier/duplicates/same-page.js'
import { crawlOptionDefinitions } from '../../kernel/options/crawl-options.js'
import { withoutFragment } from '../../base/url.js'
import { fillSlice } from '../../kernel/plan/fill-slice.js'
import { mergeOptions, type PromptedOptions } from '../../kernel/plan/crawl/prompted-options.js'

/**
 * Plans the keys of a crawl's pages alone, for a job that is read and not run.
 *
 * @param request checked request of the crawl
 * @param generated options that were generated from its prompt
 * @returns a function that makes the ledger key of a URL
 */
export function planPageKey(request: object, generated: PromptedOptions = {}): (url: URL) => string {
  const options = mergeOptions(request, generated)
  const { ignoreQueryParameters, deduplicateSimilarURLs } = fillSlice(options, crawlOptionDefinitions, 'scope')
  return (url) => pageKey(withoutFragment(url), { ignoreQueryParameters, deduplicateSimilarURLs })
}
