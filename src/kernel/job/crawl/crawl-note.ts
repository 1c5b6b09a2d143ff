import type { LedgerRow } from '../../ledger/ledger.js'
import type { ContentSample } from './crawl-content.js'

/** Data about a page that the ledger stores, for a crawl that resumes in another process, beside those of its guide. */
export interface CrawlNote {
  /**
   * Sample of the page's content, or `repeat` for a URL that only redirects to a known page. The name is part of the
   * stored format.
   */
  readonly sight?: ContentSample | 'repeat'
  /** Part of the memory of the crawl: see `CrawlMemory.record`. */
  readonly recorded?: unknown
}

/** Note of an earlier process, with its row. */
export interface NotedRow {
  readonly row: LedgerRow
  readonly note: unknown
}
