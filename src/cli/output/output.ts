import type { Document } from '../../index.js'

/** Destination of the pages of a command. */
export interface Output {
  /** Writes a page; resolves when it is stored, or consumed by the reader. */
  write(document: Document): Promise<void>
  /**
   * Finishes the files that were written. Synchronous, so that it can be called during exit; further calls do nothing.
   */
  close(): void
  /** Name of the destination, for messages: `out/`. */
  readonly destination: string
}
