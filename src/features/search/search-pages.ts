import { TrawlError } from '../../base/errors.js'
import { checkSearch, searchDefaults } from './check-search.js'
import type { SearchHit, SearchIndex } from './search-index.js'
import type { SearchOptions } from './search-options.js'
import type { ChunkEmbedding } from './chunk-embedding.js'

/** Parts of an engine that search. */
interface SearchParts {
  readonly index: SearchIndex
  /** True where pages of jobs are indexed whose request does not say it. */
  readonly isEverything: boolean
  now(): number
  /** Undefined where searches go by words alone. */
  readonly embedding: ChunkEmbedding | undefined
}

const NOTHING_INDEXED =
  'no job of this engine is in a search index: `createEngine({ index: true })` indexes every job, and `index: true` of its request one'

/**
 * Searches the pages of a job, or of all jobs.
 *
 * @throws InvalidRequestError; TrawlError `BAD_REQUEST` for a job that is not in the index
 */
export type SearchPages = (query: string, options?: SearchOptions, jobId?: string) => Promise<readonly SearchHit[]>

/** Creates the call that searches the pages of one job, or of all. */
export const createSearch =
  ({ index, isEverything, embedding, now }: SearchParts): SearchPages =>
  async (given, options, jobId) => {
    const { query, limit = searchDefaults.limit, filter = {} } = checkSearch(given, options)
    if (jobId === undefined && !isEverything && index.isTemporary && !index.isOpen)
      throw new TrawlError('BAD_REQUEST', NOTHING_INDEXED)
    const scope = jobId === undefined ? {} : { jobId }
    const vector = await embedding?.embedQuery(query)
    const hits = await index.search({ query, limit, filter, nowMs: now(), ...scope, vector })
    if (hits) return hits
    const message = `job ${jobId} is not in the search index of this engine: start it with \`index: true\``
    throw new TrawlError('BAD_REQUEST', message)
  }

/** Minimum time between two removals of expired jobs from the index. Milliseconds. */
const SWEEP_INTERVAL_MS = 60_000

/** Creates the call that removes expired jobs from the index. Searches never find them, also before they are removed. */
export function createIndexSweep(index: SearchIndex): (nowMs: number) => void {
  let nextMs = 0
  return (nowMs) => {
    if (nowMs < nextMs || !index.isOpen) return
    nextMs = nowMs + SWEEP_INTERVAL_MS
    // The next call tries again.
    index.forgetExpired(nowMs).catch(() => (nextMs = 0))
  }
}
