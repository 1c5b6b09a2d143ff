import { type PackedVector, readPacked } from './pack-vector.js'

/** Bits of a word. */
const BITS = 32

/**
 * The signs of vectors, one bit for each number: 48 bytes for a vector of 384 numbers. Vectors with many equal signs are
 * similar, which is fast to count. The signs are those of the differences from a mean, because models give vectors that have
 * a large part in common.
 */
export class SignIndex {
  readonly #mean: Float32Array
  readonly #wordsEach: number
  #ids = new Float64Array(1024)
  #signs: Int32Array
  #size = 0

  /** @param sample packed vectors from which the mean is taken, of the same length as all others */
  constructor(sample: readonly Uint8Array[], dimensions: number) {
    this.#mean = meanOf(sample, dimensions)
    this.#wordsEach = Math.ceil(dimensions / BITS)
    this.#signs = new Int32Array(this.#ids.length * this.#wordsEach)
  }

  get size(): number {
    return this.#size
  }

  /** Adds a vector. */
  add(id: number, packed: Uint8Array): void {
    if (this.#size === this.#ids.length) this.#grow()
    const { scale, numbers } = readPacked(packed)
    this.#ids[this.#size] = id
    this.#writeSigns(this.#signs, this.#size * this.#wordsEach, (at) => (numbers[at] ?? 0) * scale)
    this.#size += 1
  }

  /** Lists the identifiers of the vectors that have most signs in common with a query, in the order in which they were added. */
  findNearest(query: Float32Array, most: number): number[] {
    if (this.#size <= most) return [...this.#ids.subarray(0, this.#size)]
    const signs = new Int32Array(this.#wordsEach)
    this.#writeSigns(signs, 0, (at) => query[at] ?? 0)
    const distances = this.#measure(signs)
    const limit = findLimit(distances, most, this.#wordsEach * BITS)
    const near: number[] = []
    for (let at = 0, left = limit.equal; at < distances.length; at += 1) {
      const distance = distances[at] ?? 0
      if (distance > limit.distance || (distance === limit.distance && left === 0)) continue
      if (distance === limit.distance) left -= 1
      near.push(this.#ids[at] ?? 0)
    }
    return near
  }

  /** Counts the signs of each vector that differ from those of a query. */
  #measure(signs: Int32Array): Uint16Array {
    const [all, each] = [this.#signs, this.#wordsEach]
    const distances = new Uint16Array(this.#size)
    for (let vector = 0, word = 0; vector < distances.length; vector += 1) {
      let distance = 0
      for (let at = 0; at < each; at += 1, word += 1) distance += countBits((all[word] ?? 0) ^ (signs[at] ?? 0))
      distances[vector] = distance
    }
    return distances
  }

  #writeSigns(signs: Int32Array, from: number, valueAt: (at: number) => number): void {
    for (const [at, mean] of this.#mean.entries()) {
      const word = from + Math.floor(at / BITS)
      if (valueAt(at) > mean) signs[word] = (signs[word] ?? 0) | (1 << (at % BITS))
    }
  }

  #grow(): void {
    const [ids, signs] = [this.#ids, this.#signs]
    this.#ids = new Float64Array(2 * ids.length)
    this.#signs = new Int32Array(2 * signs.length)
    this.#ids.set(ids)
    this.#signs.set(signs)
  }
}

function meanOf(sample: readonly Uint8Array[], dimensions: number): Float32Array {
  const mean = new Float32Array(dimensions)
  for (const packed of sample) addTo(mean, readPacked(packed), sample.length)
  return mean
}

function addTo(mean: Float32Array, { scale, numbers }: PackedVector, count: number): void {
  for (const [at, value] of numbers.entries()) mean[at] = (mean[at] ?? 0) + (value * scale) / count
}

/** A distance, and how many of the vectors at this distance are wanted beside all nearer ones. */
interface DistanceLimit {
  readonly distance: number
  readonly equal: number
}

function findLimit(distances: Uint16Array, most: number, longest: number): DistanceLimit {
  const counts = new Uint32Array(longest + 1)
  for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1
  let [distance, nearer] = [0, 0]
  while (distance < longest && nearer + (counts[distance] ?? 0) < most) {
    nearer += counts[distance] ?? 0
    distance += 1
  }
  return { distance, equal: most - nearer }
}

/** Counts the bits that are set. @see https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
