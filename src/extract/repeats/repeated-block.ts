/** The blocks of a page's content, as they are compared with those of other pages. Plain data, at most 2 KB. */
export interface PageBlocks {
  /** The content as a whole: the same for two pages with the same content. */
  readonly whole: number
  /**
   * A number for each block that could be found again, in document order: 52 bits of what it says, how it is built and
   * in what it stands. Negative for one that shares its place in the page with others, as paragraphs do.
   */
  readonly hashes: Float64Array
}

/** Blocks that other pages have taught to be boilerplate. */
export interface LearntBlocks {
  /** Why they are dropped, for a reader: `repeats on 5 of 6 pages of /docs/*`. */
  readonly reason: string
  /** As in {@link PageBlocks}: a negative one is dropped at the borders of the content alone. */
  readonly hashes: Float64Array
}
