/** A stored text. */
export interface StoredText {
  /** @throws TrawlError when the storage is closed or fails */
  read(): Promise<string>
  /** Tells the storage that the text is no longer needed. */
  drop(): void
}

/** Size of texts that are written together, in one turn of the event loop. Bytes. */
export const BATCH_BYTES = 256 * 1024

/** Storage of texts that take too much memory as they are. Closed, it holds none. */
export interface TextStorage {
  /** Stores texts, together. Not to be called again before it resolves. */
  write(texts: readonly string[]): Promise<readonly StoredText[]>
  close(): Promise<void>
}
