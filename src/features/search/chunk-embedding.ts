import { type Follower, followSignals, withTimeout } from '../../base/concurrency/deadline.js'
import { onAbort } from '../../base/concurrency/on-abort.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { messageOf, TrawlError } from '../../base/errors.js'
import { type Embedder, MAX_EMBED_TEXTS } from '../../base/llm/embedder.js'
import type { ChunkToEmbed, ChunkVectors, IndexQuery } from './search-index.js'

/** Text whose vector tells embedders apart. Another text would make all vectors of existing files again. */
const SAMPLE = 'Refunds for annual plans are paid within fourteen days of the purchase.'
/** Calls of `embed` in a row that fail before the rest is left for later. */
const MAX_FAILURES = 3
/** Delay after failures, before a new page makes it try again. Milliseconds. */
const PAUSE_MS = 30_000
/** Time for the vector of a query: a search that has none then goes by words. Milliseconds. */
const QUERY_MS = 10_000

/** Message of an index that has the vectors of another embedder. */
export const OTHER_EMBEDDER =
  'its vectors were made by another `embed`: index the pages again with this one, or use another file'

/** The chunks of a job that are embedded. */
interface JobChunks extends Follower {
  readonly id: string
  /** Number of the chunk after which the next ones are looked for. */
  after: number
  /** The run in the background. */
  running: Promise<void> | undefined
  /** Time from which on another run may begin. By `performance.now()`. */
  pausedUntilMs: number
  /** Warning for the job, from the last run. */
  failure: string | undefined
  hasReplaced: boolean
}

/** Settings of {@link ChunkEmbedding}. */
interface ChunkEmbeddingOptions {
  readonly vectors: ChunkVectors
  readonly embedder: Embedder
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
}

/**
 * Gives the chunks of an index their vectors. The chunks wait in the index, not in memory, and pages do not wait for them: a
 * job embeds in the background what it has indexed, and the rest at its end. What has failed, or was under way when the process
 * died, has no vector, and is found by its words.
 */
export class ChunkEmbedding {
  readonly #vectors: ChunkVectors
  readonly #embedder: Embedder
  readonly #closing: AbortSignal
  readonly #jobs = new Map<string, JobChunks>()
  #sample: Promise<Float32Array> | undefined
  #space: number | undefined

  constructor({ vectors, embedder, closing }: ChunkEmbeddingOptions) {
    this.#vectors = vectors
    this.#embedder = embedder
    this.#closing = closing
  }

  /** Embeds the new chunks of a job in the background. */
  wake(jobId: string): void {
    const job = this.#jobOf(jobId)
    if (performance.now() >= job.pausedUntilMs) void this.#start(job)
  }

  /** Embeds the chunks of a job that have no vector. @returns warnings for the job */
  async finish(jobId: string, signal: AbortSignal): Promise<readonly string[]> {
    const job = this.#jobOf(jobId)
    const stop = (): void => job.abort(signal.reason)
    onAbort(signal, stop)
    if (signal.aborted) stop()
    await job.running
    // Also chunks that were in the index before, and those that have failed.
    job.after = 0
    await this.#start(job)
    signal.removeEventListener('abort', stop)
    this.stop(jobId)
    return [
      ...(job.hasReplaced ? [REPLACED] : []),
      ...(job.failure === undefined
        ? []
        : [`Some chunks have no vector, and are found by words alone: ${job.failure}.`]),
    ]
  }

  /** Leaves the chunks of a job that have no vector without one. */
  stop(jobId: string): void {
    const job = this.#jobs.get(jobId)
    this.#jobs.delete(jobId)
    job?.abort(new TrawlError('SCRAPE_JOB_CANCELLED', `job ${jobId} has ended`))
    job?.[Symbol.dispose]()
  }

  /**
   * Embeds a query.
   *
   * @returns undefined when `embed` fails, and when the index has no vectors: the search goes by words
   * @throws TrawlError `SEARCH_ERROR` when the index has the vectors of another embedder
   */
  async embedQuery(query: string): Promise<IndexQuery['vector']> {
    if (query.trim() === '') return undefined
    using limit = withTimeout(this.#closing, QUERY_MS)
    const space = await this.#findSpace(limit.signal)
    if (space === undefined) return undefined
    try {
      const [numbers] = await this.#embedder.embed([query], { purpose: 'query', signal: limit.signal })
      return numbers && { space, numbers }
    } catch {
      this.#closing.throwIfAborted()
      return undefined
    }
  }

  #jobOf(id: string): JobChunks {
    const known = this.#jobs.get(id)
    if (known) return known
    const state = { id, after: 0, running: undefined, pausedUntilMs: 0, failure: undefined, hasReplaced: false }
    const job: JobChunks = Object.assign(followSignals(this.#closing), state)
    this.#jobs.set(id, job)
    return job
  }

  #start(job: JobChunks): Promise<void> {
    const run = async (): Promise<void> => {
      await this.#run(job).catch((error: unknown) => this.#fail(job, error))
      job.running = undefined
    }
    return (job.running ??= run())
  }

  async #run(job: JobChunks): Promise<void> {
    job.failure = undefined
    const space = await this.#openSpace(job)
    for (let failures = 0; failures < MAX_FAILURES && !job.signal.aborted;) {
      const { chunks, after, isLast } = await this.#vectors.listMissing(job.id, job.after)
      const batches: ChunkToEmbed[][] = []
      for (let at = 0; at < chunks.length; at += MAX_EMBED_TEXTS) batches.push(chunks.slice(at, at + MAX_EMBED_TEXTS))
      const embedded = await Promise.all(
        batches.map((batch) => this.#embedBatch(batch, space, job).catch((error: unknown) => this.#fail(job, error))),
      )
      for (const isStored of embedded) failures = isStored ? 0 : failures + 1
      job.after = after
      if (isLast) return
    }
  }

  /** @returns true when the vectors are stored */
  async #embedBatch(chunks: readonly ChunkToEmbed[], space: number, { signal }: JobChunks): Promise<boolean> {
    const texts = chunks.map(({ text }) => text)
    const vectors = await this.#embedder.embed(texts, { purpose: 'passage', signal })
    const pairs = chunks.flatMap(({ chunk }, at) => {
      const vector = vectors[at]
      return vector ? [{ chunk, vector }] : []
    })
    if (await this.#vectors.put(space, pairs)) return true
    this.#space = undefined
    throw new TrawlError('SEARCH_ERROR', OTHER_EMBEDDER)
  }

  #fail(job: JobChunks, error: unknown): false {
    job.pausedUntilMs = performance.now() + PAUSE_MS
    if (!job.signal.aborted) job.failure = messageOf(error)
    return false
  }

  /** Prepares the index for the vectors of this embedder: those of another one are deleted. */
  async #openSpace(job: JobChunks): Promise<number> {
    if (this.#space !== undefined) return this.#space
    const { number, isSame } = await this.#vectors.open(await this.#embedSample(job.signal))
    job.hasReplaced ||= !isSame
    this.#space = number
    return number
  }

  async #findSpace(signal: AbortSignal): Promise<number | undefined> {
    if (this.#space !== undefined) return this.#space
    const sample = await this.#embedSample(signal).catch(() => undefined)
    const found = sample && (await this.#vectors.find(sample))
    if (found && !found.isSame)
      throw new TrawlError('SEARCH_ERROR', `the search index cannot be used: ${OTHER_EMBEDDER}`)
    this.#space = found?.number
    return this.#space
  }

  async #embedSample(signal: AbortSignal): Promise<Float32Array> {
    this.#sample ??= this.#embedder
      .embed([SAMPLE], { purpose: 'passage', signal: this.#closing })
      .then(([sample = new Float32Array(0)]) => sample)
    try {
      return await untilAborted(this.#sample, signal)
    } catch (error) {
      // The next one tries again.
      if (!signal.aborted) this.#sample = undefined
      throw error
    }
  }
}

const REPLACED =
  'The vectors of the search index were made by another `embed`, and were deleted: the pages of this job have new ones, those of other jobs are found by words alone.'
