import { TrawlError } from '../../base/errors.js'
import type { JobTools } from '../../kernel/job/job-tools.js'
import { checkSearch, searchDefaults } from './check-search.js'
import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import type { ChunkEmbedding } from './chunk-embedding.js'

/** Parts of an engine that search. */
interface SearchParts extends Pick<EnginePlan, 'index' | 'indexesPages' | 'now'> {
  /** Undefined where searches go by words alone. */
  readonly embedding: Pick<ChunkEmbedding, 'embedQuery'> | undefined
}

const NOTHING_INDEXED =
  'no job of this engine is in a search index: `createEngine({ index: true })` indexes every job, and `index: true` of its request one'

/** Creates the call that searches the pages of one job, or of all. */
export const createSearch =
  ({ index, indexesPages, embedding, now }: SearchParts): JobTools['search'] =>
  async (given, options, jobId) => {
    const { query, limit = searchDefaults.limit, filter = {} } = checkSearch(given, options)
    if (jobId === undefined && !indexesPages && index.isTemporary && !index.isOpen)
      throw new TrawlError('BAD_REQUEST', NOTHING_INDEXED)
    const scope = jobId === undefined ? {} : { jobId }
    const vector = await embedding?.embedQuery(query)
    const hits = await index.search({ query, limit, filter, nowMs: now(), ...scope, ...(vector && { vector }) })
    if (hits) return hits
    const message = `job ${jobId} is not in the search index of this engine: start it with \`index: true\``
    throw new TrawlError('BAD_REQUEST', message)
  }

/** Minimum time between two removals of expired jobs from the index. Milliseconds. */
const SWEEP_INTERVAL_MS = 60_000

/** Creates the call that removes expired jobs from the index. Searches never find them, also before they are removed. */
export function createIndexSweep(index: EnginePlan['index']): JobTools['forgetIndexed'] {
  let nextMs = 0
  return (nowMs) => {
    if (nowMs < nextMs || !index.isOpen) return
    nextMs = nowMs + SWEEP_INTERVAL_MS
    // The next call tries again.
    index.forgetExpired(nowMs).catch(() => (nextMs = 0))
  }
}
