/** A page as it was when it was scraped: what the next scrape is compared with. */
export interface Snapshot {
  /** When the page was fetched. Milliseconds since the epoch. */
  readonly takenAtMs: number
  /** The Markdown of its main content. */
  readonly markdown: string
}

/** How a page is followed over its scrapes: the slice of the plan that `recallSnapshot` and `keepSnapshot` read. */
export interface SnapshotPlan {
  /** Names the series of snapshots; null is one of its own. */
  readonly tag: string | null
  /** Whether the page is compared with the last snapshot, or only kept for later. */
  readonly compares: boolean
  /** Whether the differences are told. */
  readonly diff: boolean
  /** The most tokens of a piece, when a model is to compare the two texts in pieces. */
  readonly pieces?: number
}

/** What a page's snapshots are kept under. @see docs/compatibility.md#change-tracking */
export const snapshotKey = (sourceURL: string, tag: string | null): string =>
  `snapshot ${JSON.stringify([tag, sourceURL])}`
