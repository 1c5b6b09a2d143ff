import { TrawlError } from '../../errors.js'
import { bytesOf, numberIn, numberOf, type SqlRow, type SqlValue, textIn, textOf } from '../../sqlite/driver.js'
import { parseJson } from '../../text/parse-json.js'
import { OTHER_EMBEDDER } from '../chunk-embedding.js'
import type { ChunkToEmbed, ChunkVector, EmbeddingTurn, VectorSpace } from '../search-index.js'
import { multiply, packVector, readPacked } from './pack-vector.js'
import { SignIndex } from './sign-index.js'
import type { StatementCache } from './statement-cache.js'

/** Cosine of the vectors of one text from which on they are of the same embedder. Models compute with rounding errors. */
const SAME_EMBEDDER = 0.99
/** Chunk numbers that one turn looks at, so that a search does not wait for long. */
const TURN_NUMBERS = 20_000
/** Maximum chunks of one turn. */
const TURN_CHUNKS = 256
/** Vectors that are compared with their numbers, after they were chosen by their signs. At least as many as are wanted. */
const COMPARED = 1000
/** The same for a search of some pages, which are few among all. */
const MAX_COMPARED = 20_000
/** Vectors from which the mean of all is taken. */
const SAMPLES = 2000
/** Vectors that are read from the file at once. */
const READ_ROWS = 2000
/** The signs are read again when this part of the vectors was deleted, or the number of vectors has grown by this factor. */
const MAX_DELETED = 0.25
const MAX_GROWTH = 2

/** A chunk that a search has found. */
export interface RankedChunk {
  readonly chunk: number
  /** Higher is better. */
  readonly score: number
}

/** A search by a vector. */
interface NearestQuery {
  /** Space of the query's vector. */
  readonly space: number
  readonly query: Float32Array
  /** Maximum candidates. */
  readonly most: number
  /** Limits the candidates to chunks that a query of SQL lists. @default all */
  readonly within?: { readonly sql: string; readonly values: readonly SqlValue[] }
}

/** The vectors of the chunks of an index: written to its file, and searched by their signs in memory. */
export class VectorTable {
  readonly #sql: StatementCache
  #signs: SignIndex | undefined
  /** Space of the signs, the number of the last vector that was read, and the number of vectors when the mean was taken. */
  #read = { space: 0, last: 0, sampled: 0 }
  #version: number | undefined
  #isChanged = true

  constructor(sql: StatementCache) {
    this.#sql = sql
  }

  /** Makes the next search look for changes of this connection. Those of others are noticed by themselves. */
  noteChange(): void {
    this.#isChanged = true
  }

  /** Finds the vectors of the file. @param sample vector of a fixed text, which tells embedders apart */
  find(sample: Float32Array): VectorSpace | undefined {
    const known = this.#findSpace()
    return known && { number: known.number, isSame: isSame(known.sample, sample) }
  }

  /** Prepares the table for the vectors of an embedder: those of another one are deleted. */
  open(sample: Float32Array): VectorSpace {
    const known = this.find(sample)
    if (known?.isSame) return known
    this.noteChange()
    this.#sql.run('DELETE FROM vectors')
    this.#sql.run('DELETE FROM spaces')
    // `libsql` takes bytes that are the only value of a statement for named parameters.
    this.#sql.run('INSERT INTO spaces (dimensions, sample) VALUES (?, ?)', sample.length, packVector(sample))
    return { number: this.#findSpace()?.number ?? 0, isSame: !known }
  }

  /** Lists chunks of a job that have no vector, after a chunk number. */
  listMissing(job: number, after: number): EmbeddingTurn {
    const rows = this.#sql.all(
      `SELECT chunks.number AS chunk, title, path, markdown FROM chunks JOIN contents ON contents.number = chunks.content
         WHERE chunks.number > ? AND chunks.number <= ?
         AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.chunk = chunks.number)
         AND EXISTS (SELECT 1 FROM pages WHERE pages.content = chunks.content AND pages.job = ?)
         ORDER BY chunks.number LIMIT ?`,
      after,
      after + TURN_NUMBERS,
      job,
      TURN_CHUNKS,
    )
    const last = numberIn(this.#sql.get('SELECT max(number) AS last FROM chunks') ?? {}, 'last') ?? 0
    const reached = rows.length < TURN_CHUNKS ? after + TURN_NUMBERS : numberOf(rows.at(-1) ?? {}, 'chunk')
    return { chunks: rows.map(toChunk), after: Math.min(reached, Math.max(after, last)), isLast: reached >= last }
  }

  /** Stores vectors, of chunks that are still there. @returns false for those of another embedder, which are not stored */
  put(space: number, vectors: readonly ChunkVector[]): boolean {
    const known = this.#findSpace()
    if (known?.number !== space || vectors.some(({ vector }) => vector.length !== known.dimensions)) return false
    for (const { chunk, vector } of vectors) {
      this.#sql.run(
        'INSERT OR REPLACE INTO vectors (chunk, vector) SELECT number, ? FROM chunks WHERE number = ?',
        packVector(vector),
        chunk,
      )
    }
    this.noteChange()
    return true
  }

  /** Deletes the vectors of the chunks of a content. */
  deleteContent(content: number): void {
    this.#sql.run('DELETE FROM vectors WHERE chunk IN (SELECT number FROM chunks WHERE content = ?)', content)
    this.noteChange()
  }

  /**
   * Finds the chunks with the most similar vectors, best first.
   *
   * @returns fewer than `most` only where there are no more
   * @throws TrawlError when the vectors are of another embedder
   */
  findNearest({ space, query, most, within }: NearestQuery): RankedChunk[] {
    const signs = this.#refresh(space, query.length)
    if (!within) {
      const wanted = Math.max(most, COMPARED)
      const compare = (near: string): RankedChunk[] => this.#compare(query, NEAR, near)
      return choose(signs, { query, wanted, first: wanted }, compare).slice(0, most)
    }
    const some = `chunk IN (${within.sql})`
    const all = this.#compare(query, `${some} LIMIT ${MAX_COMPARED}`, ...within.values)
    if (all.length < MAX_COMPARED) return all.slice(0, most)
    const compare = (near: string): RankedChunk[] => this.#compare(query, `${NEAR} AND ${some}`, near, ...within.values)
    return choose(signs, { query, wanted: most, first: MAX_COMPARED }, compare).slice(0, most)
  }

  #compare(query: Float32Array, where: string, ...values: readonly SqlValue[]): RankedChunk[] {
    return this.#sql
      .all(`SELECT chunk, vector FROM vectors WHERE ${where}`, ...values)
      .map((row) => ({ chunk: numberOf(row, 'chunk'), score: multiply(readPacked(bytesOf(row, 'vector')), query) }))
      .sort((a, b) => b.score - a.score || a.chunk - b.chunk)
  }

  /** Reads the signs of vectors that were added. */
  #refresh(space: number, dimensions: number): SignIndex {
    const version = numberOf(this.#sql.get('PRAGMA data_version') ?? {}, 'data_version')
    if (!this.#isChanged && version === this.#version && this.#read.space === space && this.#signs) return this.#signs
    const known = this.#findSpace()
    if (known?.number !== space || known.dimensions !== dimensions) throw new TrawlError('SEARCH_ERROR', OTHER_EMBEDDER)
    this.#version = version
    this.#isChanged = false
    const count = numberOf(this.#sql.get('SELECT count(*) AS count FROM vectors') ?? {}, 'count')
    const deleted = this.#countAdded() + (this.#signs?.size ?? 0) - count
    const isOld = this.#read.space !== space || count > MAX_GROWTH * this.#read.sampled || deleted > MAX_DELETED * count
    if (!this.#signs || isOld) {
      this.#signs = new SignIndex(this.#readSample(), dimensions)
      this.#read = { space, last: 0, sampled: Math.max(count, COMPARED) }
    }
    this.#readAdded(this.#signs)
    return this.#signs
  }

  #readAdded(signs: SignIndex): void {
    for (;;) {
      const rows = this.#sql.all(
        'SELECT number, vector FROM vectors WHERE number > ? ORDER BY number LIMIT ?',
        this.#read.last,
        READ_ROWS,
      )
      for (const row of rows) signs.add(numberOf(row, 'number'), bytesOf(row, 'vector'))
      this.#read.last = numberOf(rows.at(-1) ?? { number: this.#read.last }, 'number')
      if (rows.length < READ_ROWS) return
    }
  }

  #countAdded(): number {
    const text = 'SELECT count(*) AS count FROM vectors WHERE number > ?'
    return numberOf(this.#sql.get(text, this.#read.last) ?? {}, 'count')
  }

  /** Reads some vectors, evenly over all. */
  #readSample(): Uint8Array[] {
    const { first = 0, last = 0 }: { first?: unknown; last?: unknown } =
      this.#sql.get('SELECT min(number) AS first, max(number) AS last FROM vectors') ?? {}
    const step = Math.max(1, (Number(last) - Number(first)) / SAMPLES)
    const numbers = Array.from({ length: SAMPLES }, (_, at) => Math.floor(Number(first) + at * step))
    const rows = this.#sql.all(`SELECT vector FROM vectors WHERE ${NEAR}`, JSON.stringify(numbers))
    return rows.map((row) => bytesOf(row, 'vector'))
  }

  #findSpace(): { readonly number: number; readonly dimensions: number; readonly sample: Uint8Array } | undefined {
    const row = this.#sql.get('SELECT number, dimensions, sample FROM spaces')
    return (
      row && {
        number: numberOf(row, 'number'),
        dimensions: numberOf(row, 'dimensions'),
        sample: bytesOf(row, 'sample'),
      }
    )
  }
}

const NEAR = 'number IN (SELECT value FROM json_each(?))'

/** A choice of vectors by their signs. */
interface Choice {
  readonly query: Float32Array
  /** Number of chunks that are wanted. */
  readonly wanted: number
  /** Number of vectors that are chosen at first. */
  readonly first: number
}

/** Chooses vectors by their signs: more of them until enough are found, because the nearest ones may be deleted or out of scope. */
function choose(
  signs: SignIndex,
  { query, wanted, first }: Choice,
  compare: (near: string) => RankedChunk[],
): RankedChunk[] {
  for (let chosen = first; ; chosen *= 2) {
    const found = compare(JSON.stringify(signs.findNearest(query, chosen)))
    if (found.length >= wanted || chosen >= signs.size) return found
  }
}

function isSame(known: Uint8Array, sample: Float32Array): boolean {
  const packed = readPacked(known)
  if (packed.numbers.length !== sample.length) return false
  // An embedder may give the text no direction.
  return packed.scale === 0 ? sample.every((value) => value === 0) : multiply(packed, sample) >= SAME_EMBEDDER
}

function toChunk(row: SqlRow): ChunkToEmbed {
  const path = (parseJson(textOf(row, 'path')) as string[]).join(' > ')
  const above = [textIn(row, 'title') ?? '', path].filter((text) => text !== '').join('\n')
  return { chunk: numberOf(row, 'chunk'), text: `${above}\n\n${textOf(row, 'markdown')}`.trim() }
}
