import { bytesOf, numberOf, type SqlValue } from '../../../base/sqlite/driver.js'
import type { LoadedVectors } from './loaded-vectors.js'
import { multiply, readPacked } from './pack-vector.js'
import type { SignIndex } from './sign-index.js'
import type { StatementCache } from './statement-cache.js'
import type { VectorMemory } from './vector-memory.js'

/** Vectors that are compared with their numbers, after they were chosen by their signs. At least as many as are wanted. */
const COMPARED = 1000
/** The same for a search of some pages, which are few among all. */
const MAX_COMPARED = 20_000
/** Best vectors that are looked up in the file at once. At least as many as are wanted. */
const MIN_LOOKED_UP = 250

/** A chunk that a search has found. */
export interface RankedChunk {
  readonly chunk: number
  /** Higher is better. */
  readonly score: number
}

/** A search by a vector. */
export interface NearestQuery {
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

/** Some vectors, ranked. */
interface Ranking {
  /** Best first. */
  readonly ranked: readonly RankedChunk[]
  /** Vectors that were compared, without those that are deleted or out of scope. */
  readonly compared: number
}

/**
 * Finds the chunks with the most similar vectors, best first.
 *
 * @returns fewer than `most` only where there are no more
 * @throws TrawlError when the vectors are of another embedder
 */
export function findNearest(
  sql: StatementCache,
  loaded: LoadedVectors,
  { space, query, most, within }: NearestQuery,
): readonly RankedChunk[] {
  const { signs, memory } = loaded.refresh(space, query.length)
  const search = new VectorSearch(sql, memory, query)
  const wanted = Math.max(most, COMPARED)
  if (within) {
    const all = search.rankAll(within)
    if (all.length < MAX_COMPARED) return all.slice(0, most)
    return choose(signs, { query, wanted, first: MAX_COMPARED }, (near) => search.rankSome(near, most, within))
  }
  const rank = (near: readonly number[]): Ranking =>
    loaded.hasDeleted ? search.rankSome(near, most) : search.rankLive(near, most)
  return choose(signs, { query, wanted, first: wanted }, rank)
}

/** A choice of vectors by their signs. */
interface Choice {
  readonly query: Float32Array
  /** Number of vectors that are to be compared. */
  readonly wanted: number
  /** Number of vectors that are chosen at first. */
  readonly first: number
}

/** Chooses vectors by their signs: more of them until enough are compared, because the nearest ones may be deleted or out of scope. */
function choose(
  signs: SignIndex,
  { query, wanted, first }: Choice,
  rank: (near: readonly number[]) => Ranking,
): readonly RankedChunk[] {
  for (let chosen = first; ; chosen *= 2) {
    const { ranked, compared } = rank(signs.findNearest(query, chosen))
    if (compared >= wanted || chosen >= signs.size) return ranked
  }
}

/** A number of a vector, and its score. */
interface ScoredVector {
  readonly number: number
  readonly score: number
}

/** Numbers of vectors. */
const SOME = 'number IN (SELECT value FROM json_each(?))'

/** Compares the vectors of a file with that of a query: those in memory there, the others from the file. */
class VectorSearch {
  readonly #sql: StatementCache
  readonly #memory: VectorMemory
  readonly #query: Float32Array

  constructor(sql: StatementCache, memory: VectorMemory, query: Float32Array) {
    this.#sql = sql
    this.#memory = memory
    this.#query = query
  }

  /** Ranks the vectors of a scope, up to {@link MAX_COMPARED} of them. */
  rankAll({ sql, values }: VectorScope): readonly RankedChunk[] {
    const text = `SELECT number, chunk FROM vectors WHERE chunk IN (${sql}) LIMIT ${MAX_COMPARED}`
    const chunks = new Map(
      this.#sql.all(text, ...values).map((row) => [numberOf(row, 'number'), numberOf(row, 'chunk')]),
    )
    const { known, missing } = this.#score([...chunks.keys()])
    return [...known.flatMap((vector) => toChunks(vector, chunks)), ...this.#compare(SOME, missing)].sort(byScore)
  }

  /** Ranks some vectors, without those that are deleted or out of scope. @returns `most` at most */
  rankSome(near: readonly number[], most: number, within?: VectorScope): Ranking {
    const { known, missing } = this.#score(near)
    // The plus keeps SQLite from asking for each number whether the scope has each chunk: minutes instead of 70 ms.
    const where = within ? `${SOME} AND +chunk IN (${within.sql})` : SOME
    const values = within?.values ?? []
    const numbers = known.map(({ number }) => number)
    const chunks = this.#listChunks(where, numbers, values)
    const others = this.#compare(where, missing, values)
    const ranked = [...known.flatMap((vector) => toChunks(vector, chunks)), ...others].sort(byScore)
    return { ranked: ranked.slice(0, most), compared: ranked.length }
  }

  /** Ranks some vectors of which none is deleted: only the best ones are looked up. @returns `most` at most */
  rankLive(near: readonly number[], most: number): Ranking {
    const { known, missing } = this.#score(near)
    known.sort((a, b) => b.score - a.score || a.number - b.number)
    const best = known.slice(0, Math.max(most, MIN_LOOKED_UP))
    const numbers = best.map(({ number }) => number)
    const chunks = this.#listChunks(SOME, numbers)
    const ranked = [...best.flatMap((vector) => toChunks(vector, chunks)), ...this.#compare(SOME, missing)]
    return { ranked: ranked.sort(byScore).slice(0, most), compared: near.length }
  }

  /** Compares the vectors in memory. */
  #score(numbers: readonly number[]): { readonly known: ScoredVector[]; readonly missing: readonly number[] } {
    const known: ScoredVector[] = []
    const missing: number[] = []
    for (const number of numbers) {
      const score = this.#memory.scoreOf(number, this.#query)
      if (score === undefined) missing.push(number)
      else known.push({ number, score })
    }
    return { known, missing }
  }

  #listChunks(
    where: string,
    numbers: readonly number[],
    values: readonly SqlValue[] = [],
  ): ReadonlyMap<number, number> {
    const text = `SELECT number, chunk FROM vectors WHERE ${where}`
    const rows = this.#sql.all(text, JSON.stringify(numbers), ...values)
    return new Map(rows.map((row) => [numberOf(row, 'number'), numberOf(row, 'chunk')]))
  }

  /** Compares vectors of the file. */
  #compare(where: string, numbers: readonly number[], values: readonly SqlValue[] = []): RankedChunk[] {
    if (numbers.length === 0) return []
    return this.#sql
      .all(`SELECT chunk, vector FROM vectors WHERE ${where}`, JSON.stringify(numbers), ...values)
      .map((row) => ({
        chunk: numberOf(row, 'chunk'),
        score: multiply(readPacked(bytesOf(row, 'vector')), this.#query),
      }))
  }
}

function toChunks({ number, score }: ScoredVector, chunks: ReadonlyMap<number, number>): RankedChunk[] {
  const chunk = chunks.get(number)
  return chunk === undefined ? [] : [{ chunk, score }]
}

const byScore = (a: RankedChunk, b: RankedChunk): number => b.score - a.score || a.chunk - b.chunk
