import type { Worker } from 'node:worker_threads'
import { TrawlError } from '../../../base/errors.js'
import { openWorkerCode } from '../../../base/runtime/worker-thread.js'
import { locateSqlite } from '../../../base/sqlite/driver.js'
import { createPrivateFile } from '../../../base/sqlite/private-file.js'
import type { SearchIndex } from '../search-index.js'
import type { IndexCalls, IndexRequest, IndexResponse, IndexThreadData } from './protocol.js'

/** A call that waits for its answer. */
interface PendingCall {
  readonly timer: NodeJS.Timeout
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Calls of the thread, as the host makes them. */
type Call = <Name extends keyof IndexCalls>(
  name: Name,
  ...given: Parameters<IndexCalls[Name]>
) => Promise<ReturnType<IndexCalls[Name]>>

/** Time limit of a call. A thread that takes longer is ended, and its calls fail. Milliseconds. */
const CALL_MS = 120_000
/** Time for the thread to store what it was given, when the engine is closed. Milliseconds. */
const CLOSING_MS = 10_000

/** The thread of an index, started with the first call. */
class IndexClient {
  readonly #file: string
  readonly #label: string
  readonly #calls = new Map<number, PendingCall>()
  #worker: Promise<Worker> | undefined
  #running: Worker | undefined
  #last = 0
  #isClosed = false

  constructor(file: string) {
    this.#file = file
    this.#label = file === '' ? 'the search index' : `the search index ${file}`
  }

  get isOpen(): boolean {
    return this.#worker !== undefined
  }

  readonly call: Call = async (name, ...given) => {
    if (this.#isClosed) throw new TrawlError('ENGINE_CLOSED', `${this.#label} was closed with its engine`)
    return this.#send(await (this.#worker ??= this.#start()), name, given) as never
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const worker = await this.#worker?.catch(() => undefined)
    if (!worker) return
    const timer = setTimeout(() => void worker.terminate(), CLOSING_MS)
    await this.#send(worker, 'close', []).catch(() => undefined)
    clearTimeout(timer)
    await worker.terminate()
  }

  #send(worker: Worker, call: keyof IndexCalls, given: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#running !== worker) return reject(this.#createError('its thread has ended'))
      const id = ++this.#last
      const timer = setTimeout(() => void worker.terminate(), CALL_MS).unref()
      this.#calls.set(id, { resolve, reject, timer })
      worker.ref()
      worker.postMessage({ id, call, given } satisfies IndexRequest, [])
    })
  }

  async #start(): Promise<Worker> {
    const workerData: IndexThreadData = {
      library: locateSqlite({ code: 'SEARCH_ERROR', name: 'the search index' }),
      file: this.#file,
    }
    if (this.#file !== '') this.#createFile()
    const start = await openWorkerCode({ file: '#search-worker', packed: () => import('./packed-search-worker.js') })
    const worker = start({ workerData, execArgv: [] })
    this.#running = worker
    worker.unref()
    worker.on('message', (response: IndexResponse) => this.#settle(response))
    const end = (error?: unknown): void => {
      if (this.#running !== worker) return
      // The next call starts another thread.
      this.#running = undefined
      this.#worker = undefined
      const reason = error instanceof Error ? error.message : 'its thread has ended'
      for (const id of this.#calls.keys()) this.#settle({ id, error: reason, code: 'SEARCH_ERROR' })
    }
    worker.on('error', end)
    worker.on('exit', () => end())
    return worker
  }

  #createFile(): void {
    try {
      createPrivateFile(this.#file)
    } catch (cause) {
      throw this.#createError(cause instanceof Error ? cause.message : 'no file can be created', cause)
    }
  }

  #settle(response: IndexResponse): void {
    const call = this.#calls.get(response.id)
    this.#calls.delete(response.id)
    clearTimeout(call?.timer)
    if (this.#calls.size === 0) this.#running?.unref()
    if ('result' in response) return call?.resolve(response.result)
    const { error, code } = response
    call?.reject(code === 'SEARCH_ERROR' ? this.#createError(error) : new TrawlError(code, error))
  }

  #createError(reason: string, cause?: unknown): TrawlError {
    return new TrawlError('SEARCH_ERROR', `${this.#label} cannot be used: ${reason}`, { cause })
  }
}

/** Opens an index in a thread of its own. Nothing is started before the first call. @param file empty for a temporary file */
export function openIndex(file: string): SearchIndex {
  const client = new IndexClient(file)
  const { call } = client
  return {
    begin: (jobId) => call('begin', jobId),
    put: (jobId, page) => call('put', jobId, page),
    has: (key, nowMs) => call('has', key, nowMs),
    keys: (jobId) => call('keys', jobId),
    keepOnly: (jobId, keys) => call('keepOnly', jobId, keys),
    end: (jobId, expiresAtMs, replacedJobId) =>
      replacedJobId === undefined ? call('end', jobId, expiresAtMs) : call('end', jobId, expiresAtMs, replacedJobId),
    vectors: {
      find: (sample) => call('findVectors', sample),
      open: (sample) => call('openVectors', sample),
      listMissing: (jobId, after) => call('listMissing', jobId, after),
      put: (space, vectors) => call('putVectors', space, vectors),
    },
    search: (query) => call('search', query),
    get isOpen() {
      return client.isOpen
    },
    forgetExpired: (nowMs) => call('forgetExpired', nowMs),
    close: () => client.close(),
  }
}
