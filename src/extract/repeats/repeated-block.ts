/** Hashes of the blocks of a page's content, for comparison with other pages. Plain data, at most 2 KB. */
export interface PageBlocks {
  /** Hash of the whole content, equal for two pages with the same content. */
  readonly whole: number
  /**
   * A hash for each block that may repeat, in document order: 52 bits of its text, structure and ancestors. It is
   * negative if other blocks have the same tag names and classes, as paragraphs do.
   */
  readonly hashes: Float64Array
}

/** Blocks that repeat on other pages of the site and are therefore boilerplate. */
export interface LearntBlocks {
  /** Reason for dropping them, for the trace: `repeats on 5 of 6 pages of /docs/*`. */
  readonly reason: string
  /**
   * Hashes as in {@link PageBlocks}. A block with a negative hash is dropped only at the start or end of the content.
   */
  readonly hashes: Float64Array
}
