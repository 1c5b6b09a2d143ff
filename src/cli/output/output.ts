/** Name of standard output as a destination. */
export const STANDARD_OUTPUT = 'standard output'

/** Fate of an item: it was written; the output has it as it is; nothing of it is left, because its page is gone or came as an error. */
export type Written = 'written' | 'unchanged' | 'omitted'

/** Folder in which files wait until their pages are written. */
export interface WaitingFiles {
  /** Its path. Of a job that another process can go on with, it is known once the job has an id. */
  folder: string
  /** True to leave it where the job did not end: another process can go on with it. */
  readonly isKept: boolean
}

/** Destination of the pages of a command, or of the rows of their lists. */
export interface Output<Item> {
  /** Writes an item; resolves when it is stored, or consumed by the reader. @returns what became of it; nothing for `written` */
  write(item: Item): Promise<Written | void>
  /**
   * Finishes the files that were written. It is synchronous, so that it can be called at exit. Further calls do nothing.
   */
  close(): void
  /** Tests for a page of an earlier run, by its URL. Absent for an output that is made anew. */
  hasEarlier?(url: string): boolean
  /** Lists unchanged pages that came without their text, which the output does not have: they are to be read again. */
  lacking?(): readonly string[]
  /**
   * Says that all items of the job were written, before `close`: what an earlier run has left of others can go.
   *
   * @param left pages that have left their URL, as the site says
   * @param gaps why pages that the job did not meet may exist; empty if it has seen its whole site
   * @returns lines for the summary
   */
  complete?(left: ReadonlySet<string>, gaps: readonly string[]): readonly string[]
  /** Says how many files were saved beside their pages, and which were not, before `close`. @returns lines for the summary */
  describeFiles?(): readonly string[]
  /** Name of the destination, for messages: `out/`. */
  readonly destination: string
}
