import { CompressedBlocks, type CompressedPart } from '../collections/compressed-blocks.js'
import { BATCH_BYTES, type ByteStorage, type StoredBytes } from './byte-storage.js'

/** Documents are kept as long as their job, so that a little more time is worth it. */
const LEVEL = 3
/** Share of dropped bytes from which on what is left of their blocks is compressed again. */
const MAX_DROPPED_SHARE = 1 / 4

/** Bytes that are compressed in memory, of all jobs together. */
export class CompressedBytes implements ByteStorage {
  readonly #blocks = new CompressedBlocks({ level: LEVEL, blockBytes: BATCH_BYTES })
  readonly #onDrop = (): void => void this.#tidy()
  #isTidying = false

  get heldBytes(): number {
    return this.#blocks.storedBytes - this.#blocks.droppedBytes
  }

  async write(parts: readonly Uint8Array[]): Promise<readonly StoredBytes[]> {
    const written = await this.#blocks.write(parts)
    return written.map((part) => new KeptPart(part, this.#onDrop))
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

/** One part of the bytes. A class: an object with two functions would take three times as much memory, for each document. */
class KeptPart implements StoredBytes {
  readonly #part: CompressedPart
  readonly #onDrop: () => void

  constructor(part: CompressedPart, onDrop: () => void) {
    this.#part = part
    this.#onDrop = onDrop
  }

  read(): Promise<Uint8Array> {
    return this.#part.read()
  }

  drop(): void {
    this.#part.drop()
    this.#onDrop()
  }
}
