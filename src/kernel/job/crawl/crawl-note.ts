import type { LedgerRow } from '../../ledger/ledger.js'
import type { GoalNote, NotedIndex, NotedSearch } from '../../../features/goal/goal-note.js'
import type { ContentSample } from './crawl-content.js'
import type { RecordedPage } from './crawl-memory.js'

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
