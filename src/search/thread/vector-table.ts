import { TrawlError } from '../../errors.js'
import { bytesOf, numberIn, numberOf, type SqlRow, type SqlValue, textIn, textOf } from '../../sqlite/driver.js'
import { parseJson } from '../../text/parse-json.js'
import { OTHER_EMBEDDER } from '../chunk-embedding.js'
import type { ChunkToEmbed, ChunkVector, EmbeddingTurn, VectorSpace } from '../search-index.js'
import { isSameEmbedder, multiply, packedLength, packVector, readPacked } from './pack-vector.js'
import { SignIndex } from './sign-index.js'
import type { StatementCache } from './statement-cache.js'
import { VectorMemory } from './vector-memory.js'

/** Chunk numbers that one turn looks at, so that a search does not wait for long. */
const TURN_NUMBERS = 20_000
/** Maximum chunks of one turn. */
const TURN_CHUNKS = 256
/** Vectors that are compared with their numbers, after they were chosen by their signs. At least as many as are wanted. */
const COMPARED = 1000
/** The same for a search of some pages, which are few among all. */
const MAX_COMPARED = 20_000
/** Best vectors that are looked up in the file at once, to leave out those that were deleted. At least as many as are wanted. */
const MIN_LOOKED_UP = 250
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
  readonly within?: VectorScope
}

/** Chunks that a query of SQL lists. */
interface VectorScope {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

type Ranking = Pick<NearestQuery, 'query' | 'most' | 'within'>

/** The vectors of the chunks of an index: written to its file, and searched by their signs in memory, and by their numbers as far as these are. */
export class VectorTable {
  readonly #sql: StatementCache
  #signs: SignIndex | undefined
  #memory: VectorMemory | undefined
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
    return known && { number: known.number, isSame: isSameEmbedder(known.sample, sample) }
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
      const first = Math.max(most, COMPARED)
      return choose(signs, { query, wanted: most, first }, (near) => this.#rank(near, { query, most }))
    }
    const all = this.#rankAll(query, within)
    if (all.length < MAX_COMPARED) return all.slice(0, most)
    const rank = (near: readonly number[]): RankedChunk[] => this.#rank(near, { query, most, within })
    return choose(signs, { query, wanted: most, first: MAX_COMPARED }, rank)
  }

  /** Ranks the vectors of a scope, up to {@link MAX_COMPARED} of them. */
  #rankAll(query: Float32Array, within: VectorScope): RankedChunk[] {
    const where = `chunk IN (${within.sql}) LIMIT ${MAX_COMPARED}`
    const rows = this.#sql.all(`SELECT number, chunk FROM vectors WHERE ${where}`, ...within.values)
    const ranked: RankedChunk[] = []
    for (const row of rows) {
      const score = this.#memory?.scoreOf(numberOf(row, 'number'), query)
      if (score === undefined) return this.#compare(query, where, ...within.values)
      ranked.push({ chunk: numberOf(row, 'chunk'), score })
    }
    return ranked.sort(byScore)
  }

  /** Ranks some vectors, and leaves out those that are deleted or out of scope. @returns `most` at most */
  #rank(near: readonly number[], { query, most, within }: Ranking): RankedChunk[] {
    const known: { readonly number: number; readonly score: number }[] = []
    const others: number[] = []
    for (const number of near) {
      const score = this.#memory?.scoreOf(number, query)
      if (score === undefined) others.push(number)
      else known.push({ number, score })
    }
    known.sort((a, b) => b.score - a.score || a.number - b.number)
    const some = within ? ` AND +chunk IN (${within.sql})` : ''
    const where = `number IN (SELECT value FROM json_each(?))${some}`
    const values = within?.values ?? []
    const ranked = this.#compare(query, where, JSON.stringify(others), ...values)
    // The plus keeps SQLite from asking for each number whether the scope has each chunk: minutes instead of 70 ms.
    // The best ones are looked up first; those of a scope at once, so that the scope is read once.
    const step = within ? Math.max(1, known.length) : Math.max(most, MIN_LOOKED_UP)
    const wanted = ranked.length + most
    for (let at = 0; at < known.length && ranked.length < wanted; at += step) {
      const part = known.slice(at, at + step)
      const chunks = this.#listChunks(where, JSON.stringify(part.map(({ number }) => number)), ...values)
      for (const { number, score } of part) {
        const chunk = chunks.get(number)
        if (chunk !== undefined) ranked.push({ chunk, score })
      }
    }
    return ranked.sort(byScore).slice(0, most)
  }

  #listChunks(where: string, ...values: readonly SqlValue[]): ReadonlyMap<number, number> {
    const rows = this.#sql.all(`SELECT number, chunk FROM vectors WHERE ${where}`, ...values)
    return new Map(rows.map((row) => [numberOf(row, 'number'), numberOf(row, 'chunk')]))
  }

  #compare(query: Float32Array, where: string, ...values: readonly SqlValue[]): RankedChunk[] {
    return this.#sql
      .all(`SELECT chunk, vector FROM vectors WHERE ${where}`, ...values)
      .map((row) => ({ chunk: numberOf(row, 'chunk'), score: multiply(readPacked(bytesOf(row, 'vector')), query) }))
      .sort(byScore)
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
      this.#memory = new VectorMemory(packedLength(dimensions))
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
      for (const row of rows) {
        const [number, vector] = [numberOf(row, 'number'), bytesOf(row, 'vector')]
        signs.add(number, vector)
        this.#memory?.add(number, vector)
      }
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
    const text = 'SELECT vector FROM vectors WHERE number IN (SELECT value FROM json_each(?))'
    const rows = this.#sql.all(text, JSON.stringify(numbers))
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

const byScore = (a: RankedChunk, b: RankedChunk): number => b.score - a.score || a.chunk - b.chunk

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
  rank: (near: readonly number[]) => RankedChunk[],
): RankedChunk[] {
  for (let chosen = first; ; chosen *= 2) {
    const found = rank(signs.findNearest(query, chosen))
    if (found.length >= wanted || chosen >= signs.size) return found
  }
}

function toChunk(row: SqlRow): ChunkToEmbed {
  const path = (parseJson(textOf(row, 'path')) as string[]).join(' > ')
  const above = [textIn(row, 'title') ?? '', path].filter((text) => text !== '').join('\n')
  return { chunk: numberOf(row, 'chunk'), text: `${above}\n\n${textOf(row, 'markdown')}`.trim() }
}
