import { numberIn, numberOf, type SqlRow, textIn, textOf } from '../../../base/sqlite/driver.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type { ChunkToEmbed, ChunkVector, EmbeddingTurn, VectorSpace } from '../search-index.js'
import { findSpace } from './embedding-space.js'
import { LoadedVectors } from './loaded-vectors.js'
import { isSameEmbedder, packVector } from './pack-vector.js'
import type { StatementCache } from './statement-cache.js'
import { findNearest, type NearestQuery, type RankedChunk } from './vector-search.js'

/** Chunk numbers that one turn looks at, so that a search does not wait for long. */
const TURN_NUMBERS = 20_000
/** Maximum chunks of one turn. */
const TURN_CHUNKS = 256

/** The vectors of the chunks of an index: written to its file, and searched there and in memory. */
export class VectorTable {
  readonly #sql: StatementCache
  readonly #loaded: LoadedVectors

  constructor(sql: StatementCache) {
    this.#sql = sql
    this.#loaded = new LoadedVectors(sql)
  }

  /** Makes the next search look for changes of this connection. Those of others are noticed by themselves. */
  noteChange(): void {
    this.#loaded.noteChange()
  }

  /** Finds the vectors of the file. @param sample vector of a fixed text, which tells embedders apart */
  find(sample: Float32Array): VectorSpace | undefined {
    const known = findSpace(this.#sql)
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
    return { number: findSpace(this.#sql)?.number ?? 0, isSame: !known }
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
    const known = findSpace(this.#sql)
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
  findNearest(query: NearestQuery): readonly RankedChunk[] {
    return findNearest(this.#sql, this.#loaded, query)
  }
}

function toChunk(row: SqlRow): ChunkToEmbed {
  const path = (parseJson(textOf(row, 'path')) as string[]).join(' > ')
  const above = [textIn(row, 'title') ?? '', path].filter((text) => text !== '').join('\n')
  return { chunk: numberOf(row, 'chunk'), text: `${above}\n\n${textOf(row, 'markdown')}`.trim() }
}
