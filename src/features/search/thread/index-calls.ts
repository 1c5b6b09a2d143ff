import type { IndexQueries } from './protocol.js'
import { TrawlError } from '../../../base/errors.js'
import { type Database, describeSqlError } from '../../../base/sqlite/driver.js'
import { findChunks } from './find-chunks.js'
import { IndexDatabase } from './index-database.js'
import { type IndexCalls, type IndexRequest, type IndexResponse, WRITING } from './protocol.js'

/** Writes in one transaction. */
const MAX_GROUPED_WRITES = 100
/** Time for which a write waits for others. A transaction costs as much processor time as a third of a page. Milliseconds. */
const COMMIT_DELAY_MS = 20

/**
 * Answers the calls of the host in their order. Writes that come together are one transaction: it is whole in the file or
 * absent, and its calls are answered when it is stored.
 */
export class IndexThread {
  readonly #connect: () => Database
  readonly #respond: (response: IndexResponse) => void
  #database: IndexDatabase | undefined
  /** Answers of writes that are not stored yet. */
  #waiting: IndexResponse[] = []
  #isCommitScheduled = false
  #isSweeping = false
  #isClosed = false

  /** @param connect opens the file, on the first call */
  constructor(connect: () => Database, respond: (response: IndexResponse) => void) {
    this.#connect = connect
    this.#respond = respond
  }

  answer({ id, call, given }: IndexRequest): void {
    try {
      if (call === 'close') return this.#close(id)
      const database = this.#open()
      if (!WRITING.has(call)) {
        // What was written before is found, and what is found is stored.
        this.#commit()
        return this.#respond({ id, result: this.#run(database, call, given) })
      }
      database.begin()
      this.#waiting.push({ id, result: this.#run(database, call, given) })
      if (this.#waiting.length >= MAX_GROUPED_WRITES) this.#commit()
      else this.#commitSoon()
    } catch (error) {
      // A write that failed half-way: the transaction has parts of it, and none of its writes is stored.
      if (WRITING.has(call)) this.#fail(error)
      this.#respond(toFailure(id, error))
    }
  }

  #run(database: IndexDatabase, call: Exclude<keyof IndexCalls, 'close'>, given: readonly unknown[]): unknown {
    const calls: IndexQueries = {
      begin: (jobId) => database.beginJob(jobId),
      put: (jobId, page) => database.putPage(jobId, page),
      has: (key, nowMs) => database.hasContent(key, nowMs),
      keys: (jobId) => database.listKeys(jobId),
      keepOnly: (jobId, keys) => database.keepOnly(jobId, keys),
      end: (jobId, expiresAtMs, replacedJobId) => database.endJob(jobId, expiresAtMs, replacedJobId),
      findVectors: (sample) => database.vectors.find(sample),
      openVectors: (sample) => database.vectors.open(sample),
      listMissing: (jobId, after) => {
        const job = database.findJob(jobId)
        return job === undefined ? { chunks: [], after, isLast: true } : database.vectors.listMissing(job, after)
      },
      putVectors: (space, vectors) => database.vectors.put(space, vectors),
      search: (query) => findChunks(database, query),
      forgetExpired: (nowMs) => {
        if (database.forgetExpired(nowMs)) this.#sweepSoon(0)
      },
    }
    return Reflect.apply(calls[call], undefined, given)
  }

  #open(): IndexDatabase {
    if (this.#isClosed) throw new TrawlError('ENGINE_CLOSED', 'the index was closed with its engine')
    if (this.#database) return this.#database
    const database = this.#connect()
    try {
      this.#database = new IndexDatabase(database)
    } catch (error) {
      database.close()
      throw error
    }
    // An earlier process may have been killed during its sweep.
    this.#sweepSoon(0)
    return this.#database
  }

  #commitSoon(): void {
    if (this.#isCommitScheduled) return
    this.#isCommitScheduled = true
    setTimeout(() => {
      this.#isCommitScheduled = false
      this.#commit()
    }, COMMIT_DELAY_MS)
  }

  #commit(): void {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    try {
      this.#database?.commit()
    } catch (error) {
      return this.#fail(error)
    }
    this.#waiting = []
    for (const response of waiting) this.#respond(response)
  }

  #fail(error: unknown): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#database?.rollBack()
    for (const { id } of waiting) this.#respond(toFailure(id, error))
  }

  /** Deletes the contents of forgotten jobs in steps, between the calls. */
  #sweepSoon(from: number): void {
    if (this.#isSweeping) return
    this.#isSweeping = true
    setImmediate(() => {
      this.#isSweeping = false
      if (this.#isClosed || !this.#database) return
      this.#commit()
      try {
        this.#database.begin()
        const next = this.#database.sweep(from)
        this.#database.commit()
        if (next !== undefined) this.#sweepSoon(next)
      } catch {
        // The file is locked for too long, or the disk fails: the next process sweeps the rest.
        this.#database.rollBack()
      }
    })
  }

  #close(id: number): void {
    this.#commit()
    this.#isClosed = true
    this.#database?.close()
    this.#respond({ id, result: undefined })
  }
}

const toFailure = (id: number, error: unknown): IndexResponse => ({
  id,
  error: describeSqlError(error),
  code: error instanceof TrawlError ? error.code : 'SEARCH_ERROR',
})
