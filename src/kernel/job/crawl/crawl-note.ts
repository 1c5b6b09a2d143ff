import type { LedgerRow } from '../../ledger/ledger.js'
import type { PageWords } from '../../../features/relevance/goal-matcher.js'
import type { TermCounts } from '../../../features/relevance/relevance-model.js'
import type { SearchPage } from '../../../features/site-search/search-page.js'
import type { SiteIndexFiles } from '../../../features/site-search/site-index.js'
import type { ContentSample } from './crawl-content.js'
import type { RecordedPage } from './crawl-memory.js'

/** Data about a page of a crawl with a goal. */
export interface GoalNote extends PageWords {
  readonly relevance: number
  /** True for a page with a link that promises more than the link to the page. */
  readonly isHub?: true
}

/** A search index, with the numbers of pages that the crawl learnt from it. */
export interface NotedIndex extends SiteIndexFiles {
  /** Absent for an index that was not read, or that has no texts. */
  readonly counts?: TermCounts
}

/** Search pages that the crawl asked. */
export interface NotedSearch {
  readonly pages: readonly SearchPage[]
  /** Scores of the pages that it found, by their URLs. Absent while there is no answer. */
  readonly found?: readonly (readonly [url: string, score: number])[]
}

/** Data about a page that the ledger stores, for a crawl that resumes in another process. */
export interface CrawlNote {
  /**
   * Sample of the page's content, or `repeat` for a URL that only redirects to a known page. The name is part of the
   * stored format.
   */
  readonly sight?: ContentSample | 'repeat'
  /** Entry in the record of the crawl. */
  readonly recorded?: RecordedPage
  /** Words of the crawl's goal on the page. */
  readonly goal?: GoalNote
  /** Search index that the page was the first to name. */
  readonly siteIndex?: NotedIndex
  /** Search that the crawl asked because of this page. */
  readonly siteSearch?: NotedSearch
}

/** Note of an earlier process, with its row. */
export interface NotedRow {
  readonly row: LedgerRow
  readonly note: unknown
}
