import { bytesOf, numberOf } from '../../../base/sqlite/driver.js'
import type { StatementCache } from './statement-cache.js'

/** The vectors that one embedder gives, which are those of the file. */
interface EmbeddingSpace {
  readonly number: number
  readonly dimensions: number
  /** Packed vector of a fixed text. */
  readonly sample: Uint8Array
}

/** Reads the space of the vectors of a file; undefined before the first vector. */
export function findSpace(sql: StatementCache): EmbeddingSpace | undefined {
  const row = sql.get('SELECT number, dimensions, sample FROM spaces')
  return (
    row && {
      number: numberOf(row, 'number'),
      dimensions: numberOf(row, 'dimensions'),
      sample: bytesOf(row, 'sample'),
    }
  )
}
