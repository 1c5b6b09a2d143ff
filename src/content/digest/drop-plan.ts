/** The part of a page that is left out. */
export interface DroppedPart {
  /** Name of the feature. */
  readonly feature: string
}

/** The part of a feature in a digest, by what a job has learnt of other pages. Plain data. */
export interface DropPlan extends DroppedPart {
  /** Facts that decide what is left out. Plans of many pages have the same objects, each of which is sent to another engine once. */
  readonly learnt: readonly object[]
}
