/** Stored bytes. */
export interface StoredBytes {
  /** @throws TrawlError when the storage is closed or fails */
  read(): Promise<Uint8Array>
  /** Tells the storage that the bytes are no longer needed. */
  drop(): void
}

/** Size of what is written together, in one turn of the event loop. Bytes. */
export const BATCH_BYTES = 256 * 1024

/** Storage of what takes too much memory as it is. Closed, it holds nothing. */
export interface ByteStorage {
  /** Size in memory. Bytes. */
  readonly heldBytes: number
  /** Stores parts, together. */
  write(parts: readonly Uint8Array[]): Promise<readonly StoredBytes[]>
  close(): Promise<void>
}
