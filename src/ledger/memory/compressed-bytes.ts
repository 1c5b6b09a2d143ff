import { CompressedBlocks } from '../../collections/compressed-blocks.js'
import { BATCH_BYTES, type ByteStorage, type StoredBytes } from './byte-storage.js'

/** Documents are kept as long as their job, so that a little more time is worth it. */
const LEVEL = 3

/** Bytes that are compressed in memory. */
export class CompressedBytes implements ByteStorage {
  readonly #blocks = new CompressedBlocks({ level: LEVEL, blockBytes: BATCH_BYTES })

  write(parts: readonly Uint8Array[]): Promise<readonly StoredBytes[]> {
    return this.#blocks.write(parts)
  }

  async close(): Promise<void> {
    this.#blocks.close()
  }
}
