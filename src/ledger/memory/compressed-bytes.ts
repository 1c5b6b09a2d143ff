import { CompressedBlocks } from '../../collections/compressed-blocks.js'
import { BATCH_BYTES, type ByteStorage, type StoredBytes } from './byte-storage.js'

/** Documents are kept as long as their job, so that a little more time is worth it. */
const LEVEL = 3
/** Share of dropped bytes from which on what is left of their blocks is compressed again. */
const MAX_DROPPED_SHARE = 1 / 4

/** Bytes that are compressed in memory, of all jobs together. */
export class CompressedBytes implements ByteStorage {
  readonly #blocks = new CompressedBlocks({ level: LEVEL, blockBytes: BATCH_BYTES })
  #isTidying = false

  get heldBytes(): number {
    return this.#blocks.storedBytes - this.#blocks.droppedBytes
  }

  async write(parts: readonly Uint8Array[]): Promise<readonly StoredBytes[]> {
    const written = await this.#blocks.write(parts)
    return written.map((part) => ({
      read: () => part.read(),
      drop: () => {
        part.drop()
        void this.#tidy()
      },
    }))
  }

  async close(): Promise<void> {
    this.#blocks.close()
  }

  /** Frees the memory of dropped bytes while they take much of it. */
  async #tidy(): Promise<void> {
    if (this.#isTidying) return
    this.#isTidying = true
    const isSparse = (): boolean => this.#blocks.droppedBytes > this.#blocks.storedBytes * MAX_DROPPED_SHARE
    // A block that cannot be compressed again stays as it is.
    while (isSparse() && (await this.#blocks.repack().catch(() => false)));
    this.#isTidying = false
  }
}
