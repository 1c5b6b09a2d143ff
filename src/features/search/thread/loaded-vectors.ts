import { TrawlError } from '../../../base/errors.js'
import { bytesOf, numberOf } from '../../../base/sqlite/driver.js'
import { OTHER_EMBEDDER } from '../chunk-embedding.js'
import { findSpace } from './embedding-space.js'
import { packedLength } from './pack-vector.js'
import { SignIndex } from './sign-index.js'
import type { StatementCache } from './statement-cache.js'
import { VectorMemory } from './vector-memory.js'

/** Vectors from which the mean of all is taken. */
const SAMPLES = 2000
/** Vectors that are read from the file at once. */
const READ_ROWS = 2000
/** The vectors are read again when this part of them was deleted, or their number has grown by this factor. */
const MAX_DELETED = 0.25
const MAX_GROWTH = 2
/** Smallest number of vectors whose growth is looked at. */
const MIN_SAMPLED = 1000

/** Vectors in memory. */
interface VectorsInMemory {
  /** Signs of all vectors of the file, and of those that were deleted since they were read. */
  readonly signs: SignIndex
  /** Numbers of the vectors, as far as they fit. */
  readonly memory: VectorMemory
}

/** The vectors of an index's file, as far as they are kept in memory for searches. */
export class LoadedVectors {
  readonly #sql: StatementCache
  readonly #maxBytes: number | undefined
  #vectors: VectorsInMemory | undefined
  /** Space of the vectors, the number of the last one that was read, and their number when the mean was taken. */
  #read = { space: 0, last: 0, sampled: 0 }
  #hasDeleted = false
  #version: number | undefined
  #isChanged = true

  /** @param maxBytes limit of the vectors in memory. @default that of `VectorMemory` */
  constructor(sql: StatementCache, maxBytes?: number) {
    this.#sql = sql
    this.#maxBytes = maxBytes
  }

  /** True if some of the vectors in memory were deleted from the file. */
  get hasDeleted(): boolean {
    return this.#hasDeleted
  }

  /** Makes the next search look for changes of this connection. Those of others are noticed by themselves. */
  noteChange(): void {
    this.#isChanged = true
  }

  /**
   * Reads the vectors that were added since the last call.
   *
   * @throws TrawlError when the vectors of the file are of another embedder
   */
  refresh(space: number, dimensions: number): VectorsInMemory {
    const version = numberOf(this.#sql.get('PRAGMA data_version') ?? {}, 'data_version')
    const isSame = !this.#isChanged && version === this.#version && this.#read.space === space
    if (isSame && this.#vectors) return this.#vectors
    const known = findSpace(this.#sql)
    if (known?.number !== space || known.dimensions !== dimensions) throw new TrawlError('SEARCH_ERROR', OTHER_EMBEDDER)
    const count = this.#count()
    const size = this.#vectors?.signs.size ?? 0
    const deleted = this.#count('WHERE number > ?', this.#read.last) + size - count
    const isOld = this.#read.space !== space || count > MAX_GROWTH * this.#read.sampled || deleted > MAX_DELETED * count
    if (!this.#vectors || isOld) {
      this.#vectors = {
        signs: new SignIndex(this.#readSample(), dimensions),
        memory: new VectorMemory(packedLength(dimensions), this.#maxBytes),
      }
      this.#read = { space, last: 0, sampled: Math.max(count, MIN_SAMPLED) }
    }
    this.#readAdded(this.#vectors)
    this.#hasDeleted = this.#vectors.signs.size > count
    this.#version = version
    this.#isChanged = false
    return this.#vectors
  }

  #readAdded({ signs, memory }: VectorsInMemory): void {
    for (;;) {
      const rows = this.#sql.all(
        'SELECT number, vector FROM vectors WHERE number > ? ORDER BY number LIMIT ?',
        this.#read.last,
        READ_ROWS,
      )
      for (const row of rows) {
        const [number, vector] = [numberOf(row, 'number'), bytesOf(row, 'vector')]
        signs.add(number, vector)
        memory.add(number, vector)
      }
      this.#read.last = numberOf(rows.at(-1) ?? { number: this.#read.last }, 'number')
      if (rows.length < READ_ROWS) return
    }
  }

  #count(where = '', ...values: readonly number[]): number {
    return numberOf(this.#sql.get(`SELECT count(*) AS count FROM vectors ${where}`, ...values) ?? {}, 'count')
  }

  /** Reads some vectors, evenly over all. */
  #readSample(): Uint8Array[] {
    const { first = 0, last = 0 }: { first?: unknown; last?: unknown } =
      this.#sql.get('SELECT min(number) AS first, max(number) AS last FROM vectors') ?? {}
    const step = Math.max(1, (Number(last) - Number(first)) / SAMPLES)
    const numbers = Array.from({ length: SAMPLES }, (_, at) => Math.floor(Number(first) + at * step))
    const text = 'SELECT vector FROM vectors WHERE number IN (SELECT value FROM json_each(?))'
    const rows = this.#sql.all(text, JSON.stringify(numbers))
    return rows.map((row) => bytesOf(row, 'vector'))
  }
}
