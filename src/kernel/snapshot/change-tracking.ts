import type { PageDiff } from '../../content/compare/compare.js'

/** Difference between a page and its last snapshot. */
export interface ChangeTracking {
  /** Time of the last snapshot, ISO 8601; null when there is none. */
  previousScrapeAt: string | null
  /** `removed`: the page is gone (404, 410) and had a snapshot. `new`: there was no snapshot. */
  changeStatus: 'new' | 'same' | 'changed' | 'removed'
  /** `hidden` for a page that an earlier crawl reached and this one did not. */
  visibility: 'visible' | 'hidden'
  /** In mode `git-diff`, when changed. */
  diff?: PageDiff
  /** In mode `json`, when changed: `previous` and `current` of each value that differs. */
  json?: unknown
}

/** Fields of a document that was compared: by a format of its page, or by a crawl with `since`. */
export interface ChangeTrackingFields {
  /**
   * The difference from the last snapshot. Absent, with a `warning`, when snapshots could not be read, and for a page
   * that is gone and never had one.
   */
  changeTracking?: ChangeTracking
}
