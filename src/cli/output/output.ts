/** Name of standard output as a destination. */
export const STANDARD_OUTPUT = 'standard output'

/** Destination of the pages of a command, or of the rows of their lists. */
export interface Output<Item> {
  /** Writes an item; resolves when it is stored, or consumed by the reader. */
  write(item: Item): Promise<void>
  /** Tests for an item of which nothing is left in the output: a page that is gone, whose file is deleted. @default none is */
  omits?(item: Item): boolean
  /**
   * Finishes the files that were written. It is synchronous, so that it can be called at exit. Further calls do nothing.
   */
  close(): void
  /**
   * Says that all items of the job were written, before `close`: what an earlier run has left of others can go.
   *
   * @param hasFailures true if a page of the job failed
   * @returns lines for the summary
   */
  complete?(hasFailures: boolean): readonly string[]
  /** Name of the destination, for messages: `out/`. */
  readonly destination: string
}
