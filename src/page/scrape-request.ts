import type { Extractors } from '../extractor/extractors.js'
import type { LastSeen, PageRequest } from '../fetch/fetcher.js'
import type { Spending } from '../llm/spending.js'

/** Request for a page in the pipeline. Some members are shared with other pages of the same job. */
export interface ScrapeRequest extends PageRequest {
  /** The job's spending on a language model. @default a budget of the page's own */
  readonly spending?: Spending
  /** Extractors written for the job's pages. @default none, and for this page alone */
  readonly extractors?: Extractors
  /** The version of the page seen last: an unchanged page is not read. @default the page is read */
  readonly lastSeen?: LastSeen
  /**
   * Called before the site is asked.
   *
   * @throws TrawlError when the site is not to be asked.
   * @default the site is asked
   */
  readonly admit?: () => void
}
