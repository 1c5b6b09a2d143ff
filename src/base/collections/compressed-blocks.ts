import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { ByteSlabs, type SlabPart } from './byte-slabs.js'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/**
 * Base-2 logarithm of the window. It is about a block: a larger one makes a hundredth less, but each thread of the pool
 * keeps some megabytes more.
 */
const WINDOW_BITS = 18

/**
 * Size of the buffer for compressed bytes, as a share of the bytes: nearly always enough. Each further buffer is a turn of
 * the event loop, and of Node's default size, a block needs up to 16.
 */
const BUFFER_SHARE = 1 / 4
/** Minimum size of a buffer. Bytes. */
const MIN_BUFFER = 1024

/** Size of a slab, in blocks before compression: compressed, it takes about 30. */
const BLOCKS_IN_SLAB = 4

const NOTHING = new Uint8Array()

/** Bytes that were compressed together, so that what they share is stored once. */
interface Block {
  /** The compressed bytes, or the bytes as they are where compression does not make them smaller. */
  readonly stored: SlabPart
  readonly isCompressed: boolean
  /** Size before compression. Bytes. */
  readonly length: number
  readonly isShared: boolean
  /** Parts that are still needed. */
  readonly live: Set<CompressedPart>
  /** Size of these before compression. Bytes. */
  liveLength: number
}

interface BlockPlace {
  readonly block: Block
  readonly start: number
}

/** Bytes in a compressed block. */
export class CompressedPart {
  readonly #blocks: CompressedBlocks
  readonly length: number
  #place: BlockPlace

  constructor(blocks: CompressedBlocks, length: number, place: BlockPlace) {
    this.#blocks = blocks
    this.length = length
    this.#place = place
  }

  /** The part's share of the compressed block. Bytes. */
  get size(): number {
    return shareOf(this.#place.block, this.length)
  }

  /** Reads the bytes: a view of the decompressed block, which others read as well. */
  async read(): Promise<Uint8Array> {
    // The part may be moved to another block in the meantime.
    const { block, start } = this.#place
    const bytes = await this.#blocks.open(block)
    return bytes.subarray(start, start + this.length)
  }

  /** Tells the block that the part is no longer needed. A block without parts is freed. */
  drop(): void {
    this.#blocks.release(this.#place.block, this)
  }

  /** Moves the part to another block, which has the same bytes at this place. */
  move(place: BlockPlace): void {
    this.#place = place
  }
}

/**
 * Compresses bytes in memory, on threads of the pool. Pages and documents of one site repeat their markup, links and
 * phrases: level 1 makes an eighth of documents of javadoc, in 0.04 ms for each, level 3 a ninth in 0.07 ms. Deflate
 * makes a seventh in 0.07 ms.
 *
 * The memory of a dropped part is free only when its whole block is: {@link storedBytes} counts it until then, and
 * {@link repack} frees it.
 */
export class CompressedBlocks {
  readonly #level: number
  readonly #aloneBytes: number
  readonly #slabs: ByteSlabs
  /**
   * Buffer in which parts are joined, absent while a block is being compressed. A new one for each block is garbage of
   * its size until V8 collects it, and leaves a hole in the memory of the process.
   */
  #scratch: Uint8Array | undefined
  #storedBytes = 0
  #droppedBytes = 0
  /** Blocks at least half of which is dropped. */
  readonly #sparse = new Set<Block>()
  /** The shared block that was read last, and its bytes: readers go through the parts in about the order of writing. */
  #last: { readonly block: Block; readonly bytes: Promise<Uint8Array> } | undefined

  /**
   * @param options.level quality of Brotli, 0 to 11
   * @param options.blockBytes usual size of what is written together: a part of at least a quarter has a block of its own
   */
  constructor({ level, blockBytes }: { level: number; blockBytes: number }) {
    this.#level = level
    this.#aloneBytes = blockBytes / 4
    this.#slabs = new ByteSlabs(blockBytes * BLOCKS_IN_SLAB)
  }

  /** Size of the compressed blocks, with the parts that were dropped. Bytes. */
  get storedBytes(): number {
    return this.#storedBytes
  }

  /** Size of the block that was read last, which stays decompressed. Bytes. */
  get openBytes(): number {
    return this.#last?.block.length ?? 0
  }

  /** Share of {@link storedBytes} that belongs to dropped parts. Bytes. */
  get droppedBytes(): number {
    return this.#droppedBytes
  }

  /** Compresses the bytes: large parts alone, the others together. */
  async write(parts: readonly Uint8Array[]): Promise<readonly CompressedPart[]> {
    const written: CompressedPart[] = []
    const small: number[] = []
    for (const [at, part] of parts.entries()) {
      if (part.length < this.#aloneBytes) small.push(at)
      else await this.#writeTogether([at], parts, written)
    }
    if (small.length > 0) await this.#writeTogether(small, parts, written)
    return written
  }

  /** Compresses some of the parts to one block. @param written gets them in their places */
  async #writeTogether(
    places: readonly number[],
    parts: readonly Uint8Array[],
    written: CompressedPart[],
  ): Promise<void> {
    const group: Uint8Array[] = []
    for (const at of places) group.push(parts[at] ?? NOTHING)
    const block = await this.#makeBlock(group)
    let start = 0
    for (const at of places) {
      const length = parts[at]?.length ?? 0
      const part = new CompressedPart(this, length, { block, start })
      block.live.add(part)
      written[at] = part
      start += length
    }
  }

  /** Decompresses a block. */
  async open(block: Block): Promise<Uint8Array> {
    if (!block.isCompressed) return block.stored.bytes
    if (!block.isShared) return this.#decompress(block)
    if (this.#last?.block !== block) {
      const last = { block, bytes: this.#decompress(block) }
      this.#last = last
      // The next reader tries again.
      last.bytes.catch(() => {
        if (this.#last === last) this.#last = undefined
      })
    }
    return this.#last.bytes
  }

  #decompress({ stored, length }: Block): Promise<Uint8Array> {
    return decompress(stored.bytes, { chunkSize: Math.max(length, MIN_BUFFER) })
  }

  /** Counts a part of a block as dropped. */
  release(block: Block, part: CompressedPart): void {
    if (!block.live.delete(part)) return
    block.liveLength -= part.length
    this.#droppedBytes += shareOf(block, part.length)
    if (block.live.size === 0) this.#free(block)
    else if (block.liveLength <= block.length / 2) this.#sparse.add(block)
  }

  /**
   * Compresses what is left of a block at least half of which is dropped.
   *
   * @returns false when there is no such block
   */
  async repack(): Promise<boolean> {
    const [block] = this.#sparse
    if (block === undefined) return false
    this.#sparse.delete(block)
    const parts = Array.from(block.live)
    const left = await Promise.all(parts.map((part) => part.read()))
    const next = await this.#makeBlock(left)
    for (const part of parts) next.live.add(part)
    let start = 0
    for (const part of parts) {
      // It may have been dropped in the meantime.
      if (block.live.has(part)) part.move({ block: next, start })
      else this.release(next, part)
      start += part.length
    }
    if (block.live.size > 0) this.#free(block)
    return true
  }

  /** Frees the block that was read last. No part is to be read any more. */
  close(): void {
    this.#last = undefined
    this.#scratch = undefined
    this.#sparse.clear()
  }

  /** Compresses bytes to a block, which is counted as held. */
  async #makeBlock(parts: readonly Uint8Array[]): Promise<Block> {
    const [only] = parts
    if (parts.length === 1 && only) return this.#compress(only, false)
    const scratch = this.#takeScratch(parts.reduce((sum, { length }) => sum + length, 0))
    let length = 0
    for (const part of parts) {
      scratch.set(part, length)
      length += part.length
    }
    try {
      return await this.#compress(scratch.subarray(0, length), true)
    } finally {
      this.#scratch = scratch
    }
  }

  #takeScratch(length: number): Uint8Array {
    const scratch = this.#scratch
    this.#scratch = undefined
    if (scratch && scratch.length >= length) return scratch
    // A shared block exceeds its usual size by less than one part.
    return new Uint8Array(Math.max(length, this.#aloneBytes * 5))
  }

  async #compress(bytes: Uint8Array, isShared: boolean): Promise<Block> {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: this.#level,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    const chunkSize = Math.max(Math.ceil(bytes.length * BUFFER_SHARE), MIN_BUFFER)
    const compressed = await compress(bytes, { params, chunkSize })
    const isCompressed = compressed.length < bytes.length
    const stored = this.#slabs.add(isCompressed ? compressed : bytes)
    const { length } = bytes
    this.#storedBytes += stored.bytes.length
    return {
      stored,
      isCompressed,
      length,
      isShared,
      live: new Set(),
      liveLength: length,
    }
  }

  #free(block: Block): void {
    this.#slabs.remove(block.stored)
    this.#storedBytes -= block.stored.bytes.length
    this.#droppedBytes -= shareOf(block, block.length - block.liveLength)
    this.#sparse.delete(block)
    if (this.#last?.block === block) this.#last = undefined
  }
}

const shareOf = ({ stored, length: total }: Block, length: number): number =>
  total === 0 ? 0 : (stored.bytes.length * length) / total
