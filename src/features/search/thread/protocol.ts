import type { ErrorCode } from '../../../base/errors.js'
import type { ChunkVector, EmbeddingTurn, IndexQuery, PageToIndex, SearchHit, VectorSpace } from '../search-index.js'

/** Start data of the thread that has the index. */
export interface IndexThreadData {
  /** Name or file of the SQLite library. */
  readonly library: string
  /** Path of the file; empty for a temporary one. */
  readonly file: string
}

/** Calls of an index that is open. */
export interface IndexQueries {
  begin(jobId: string): void
  put(jobId: string, page: PageToIndex): void
  has(key: string, nowMs: number): boolean
  keys(jobId: string): readonly string[] | undefined
  keepOnly(jobId: string, keys: readonly string[]): void
  end(jobId: string, expiresAtMs: number, replacedJobId?: string): void
  findVectors(sample: Float32Array): VectorSpace | undefined
  openVectors(sample: Float32Array): VectorSpace
  listMissing(jobId: string, after: number): EmbeddingTurn
  putVectors(space: number, vectors: readonly ChunkVector[]): boolean
  search(query: IndexQuery): readonly SearchHit[] | undefined
  forgetExpired(nowMs: number): void
}

/** Calls of the thread: arguments and result of each. */
export interface IndexCalls extends IndexQueries {
  close(): void
}

/** Calls that write. Their answers wait for the end of the transaction. */
export const WRITING: ReadonlySet<keyof IndexCalls> = new Set([
  'begin',
  'put',
  'keepOnly',
  'end',
  'openVectors',
  'putVectors',
  'forgetExpired',
])

/** A call to the thread. */
export interface IndexRequest {
  readonly id: number
  readonly call: keyof IndexCalls
  readonly given: readonly unknown[]
}

/** Answer of the thread. */
export type IndexResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly code: ErrorCode }
