import type { Document } from '../../index.js'

/** Destination of the pages of a command. */
export interface Output {
  /** Writes a page; resolves when it is stored, or consumed by the reader. */
  write(document: Document): Promise<void>
  /**
   * Finishes the files that were written. It is synchronous, so that it can be called at exit. Further calls do nothing.
   */
  close(): void
  /** Name of the destination, for messages: `out/`. */
  readonly destination: string
}
