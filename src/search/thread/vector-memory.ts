import { multiply, readPacked } from './pack-vector.js'

/** Maximum bytes of the vectors in memory: those of 170,000 chunks with 384 numbers each. */
const MAX_BYTES = 64 * 1024 * 1024
/** Vectors that one piece of memory has. */
const BLOCK_VECTORS = 4096

/**
 * The packed vectors of an index in memory, one after the other, up to a limit of bytes. To read a thousand vectors from the file takes
 * 30 ms, and a search compares as many.
 */
export class VectorMemory {
  readonly #bytesEach: number
  readonly #maxBytes: number
  /** Identifiers of the vectors, ascending. */
  readonly #ids: number[] = []
  readonly #blocks: Uint8Array[] = []

  /** @param bytesEach length of each packed vector */
  constructor(bytesEach: number, maxBytes = MAX_BYTES) {
    this.#bytesEach = bytesEach
    this.#maxBytes = maxBytes
  }

  /** Adds a vector with a higher identifier than the last one. One that would exceed the limit is left out. */
  add(id: number, packed: Uint8Array): void {
    const at = this.#ids.length
    if ((at + 1) * this.#bytesEach > this.#maxBytes || packed.length !== this.#bytesEach) return
    if (at % BLOCK_VECTORS === 0) this.#blocks.push(new Uint8Array(BLOCK_VECTORS * this.#bytesEach))
    this.#blocks.at(-1)?.set(packed, (at % BLOCK_VECTORS) * this.#bytesEach)
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
