import type { Document } from '../../index.js'

/** Where the pages of a command go. */
export interface Output {
  /** Takes a page; resolves when it is safe, or taken by whoever reads. */
  write(document: Document): Promise<void>
  /**
   * Gives what was written its final name. Waits for nothing, so that it can be called on the way out; calling it again
   * does nothing.
   */
  close(): void
  /** Where the pages went, for a reader: `out/`. */
  readonly place: string
}
