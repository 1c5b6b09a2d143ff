/** The state of a page at one scrape, with which the next scrape is compared. */
export interface Snapshot {
  /** The time of the fetch. Milliseconds since the epoch. */
  readonly takenAtMs: number
  /** The Markdown of its main content. */
  readonly markdown: string
}

/** Settings of change tracking: the slice of the plan for `loadSnapshot` and `saveSnapshot`. */
export interface SnapshotPlan {
  /** Name of the series of snapshots; null for the series without a name. */
  readonly tag: string | null
  /** True when the page is compared with the last snapshot, false when it is only stored. */
  readonly compares: boolean
  /** True when the differences are returned. */
  readonly diff: boolean
  /** Maximum tokens of each piece in which a model compares the two texts. */
  readonly pieces?: number
}

/** The store key of a page's snapshots. @see docs/compatibility/documents.md#change-tracking */
export const snapshotKey = (sourceURL: string, tag: string | null): string =>
  `snapshot ${JSON.stringify([tag, sourceURL])}`
