import { multiply, readPacked } from './pack-vector.js'

/** Maximum bytes of the vectors in memory: those of 170,000 chunks with 384 numbers each. */
const MAX_BYTES = 64 * 1024 * 1024
/** Vectors that one block of memory has, at most, and those that the first block has room for at first. */
const BLOCK_VECTORS = 4096
const FIRST_VECTORS = 64

/**
 * The packed vectors of an index in memory, one after the other, up to a limit of bytes. To read a thousand vectors from the file takes
 * 30 ms, and a search compares as many.
 */
export class VectorMemory {
  readonly #bytesEach: number
  /** Vectors that fit into the limit. */
  readonly #capacity: number
  /** Identifiers of the vectors, ascending. */
  readonly #ids: number[] = []
  /** Blocks of {@link BLOCK_VECTORS} vectors each. The last one has room for fewer, if the limit is near or there is only one. */
  readonly #blocks: Uint8Array[] = []

  /** @param bytesEach length of each packed vector */
  constructor(bytesEach: number, maxBytes = MAX_BYTES) {
    this.#bytesEach = bytesEach
    this.#capacity = Math.floor(maxBytes / bytesEach)
  }

  /** Memory that is in use, in bytes. */
  get bytes(): number {
    return this.#blocks.reduce((bytes, block) => bytes + block.length, 0)
  }

  /** Adds a vector with a higher identifier than the last one. One that would exceed the limit is left out. */
  add(id: number, packed: Uint8Array): void {
    const at = this.#ids.length
    if (at >= this.#capacity || packed.length !== this.#bytesEach) return
    this.#makeRoomFor(at).set(packed, (at % BLOCK_VECTORS) * this.#bytesEach)
    this.#ids.push(id)
  }

  /** Returns the product of a vector with a query; undefined for one that is not in memory. */
  scoreOf(id: number, query: Float32Array): number | undefined {
    const at = this.#find(id)
    const block = at === undefined ? undefined : this.#blocks[Math.floor(at / BLOCK_VECTORS)]
    if (at === undefined || !block) return undefined
    const from = (at % BLOCK_VECTORS) * this.#bytesEach
    return multiply(readPacked(block.subarray(from, from + this.#bytesEach)), query)
  }

  /** Returns the block of a vector. The first block doubles until it is full, because most indexes are small. */
  #makeRoomFor(at: number): Uint8Array {
    const index = Math.floor(at / BLOCK_VECTORS)
    const known = this.#blocks[index]
    const inBlock = at % BLOCK_VECTORS
    if (known && (inBlock + 1) * this.#bytesEach <= known.length) return known
    const wanted = index > 0 ? BLOCK_VECTORS : Math.max(FIRST_VECTORS, 2 * inBlock)
    const vectors = Math.min(wanted, BLOCK_VECTORS, this.#capacity - index * BLOCK_VECTORS)
    const block = new Uint8Array(vectors * this.#bytesEach)
    if (known) block.set(known)
    this.#blocks[index] = block
    return block
  }

  #find(id: number): number | undefined {
    let [low, high] = [0, this.#ids.length - 1]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = this.#ids[middle] ?? 0
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}
