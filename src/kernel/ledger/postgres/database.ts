import { MessageChannel, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import { TrawlError } from '../../../base/errors.js'
import { isRepeatable, type PgRow } from '../../../base/postgres/pg-driver.js'
import { resolvePackage } from '../../../base/runtime/optional-package.js'
import { startWorkerNow } from '../../../base/runtime/worker-thread.js'
import { packed } from './packed-postgres-worker.js'
import {
  CLOSE,
  HURRY,
  type PgFailure,
  type PgNotification,
  type PgRequest,
  type PgResponse,
  type PgStatement,
  type PgThreadData,
  type PgTiming,
} from './protocol.js'
import { SELECT_OWNER } from './session-lock.js'

/** Results of statements: the rows of each. */
export type PgResults = readonly (readonly PgRow[])[]

/** A server, and how to connect to it. */
export interface PgTarget {
  /** Settings of `pg` for a connection. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly schema: string
  /** Names the server in messages, without the password. */
  readonly label: string
}

/** Durations for a service: it goes on after a minute without network, and its thread waits for ten seconds at most. */
export const PG_TIMING: PgTiming = { connectMs: 5000, statementMs: 30_000, blockingMs: 10_000, patienceMs: 90_000 }

/** Longest part of {@link PgTiming.patienceMs} for which the host's thread waits for a lost connection. Milliseconds. */
const BLOCKING_PATIENCE_MS = 3000

/** Time after a failed request in which the host's thread does not wait for the connection again. Milliseconds. */
const RETRY_MS = 5000

/** A call that waits for its answer. */
interface PendingCall {
  /** Set for a call that does not keep the process alive. */
  readonly isBackground?: true
  resolve(results: PgResults): void
  reject(error: unknown): void
}

/** Error of a request that the server could not be asked. */
class PgLedgerError extends TrawlError {
  readonly isConnection: boolean

  constructor(label: string, { error, sqlState, isConnection }: Omit<PgFailure, 'id'>) {
    const cause = Object.assign(new Error(error), sqlState === undefined ? {} : { code: sqlState })
    super('LEDGER_ERROR', `the ledger ${label} cannot be used: ${error}`, { cause })
    this.isConnection = isConnection
  }
}

/** Tests for the error of a connection that is lost. */
export const isLostConnection = (error: unknown): boolean => error instanceof PgLedgerError && error.isConnection

/** Tests for the error of a request that may succeed later: its connection is lost, or the server has ended its statement. */
export const isPassing = (error: unknown): boolean =>
  isLostConnection(error) || (error instanceof PgLedgerError && isRepeatable(error.cause))

/** Tests for SQLSTATE `unique_violation`. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof TrawlError && error.cause instanceof Error && 'code' in error.cause && error.cause.code === '23505'

/** A PostgreSQL server as one engine uses it: connections in a thread of their own, opened on first use. */
export class PgDatabase {
  readonly #target: PgTarget
  readonly #timing: PgTiming
  readonly #calls = new Map<number, PendingCall>()
  readonly #counters = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  readonly #channel = new MessageChannel()
  readonly #listeners = new Map<string, (payload: string) => void>()
  #worker: Worker | undefined
  #exited: Promise<void> = Promise.resolve()
  #last = 0
  /** Calls that keep the process alive. */
  #awaited = 0
  #owner: number | undefined
  #isClosed = false
  /** The error with which the thread has ended by itself. */
  #end: string | undefined
  /** End of the time in which the connection counts as lost, on the clock of `performance.now()`. */
  #lostUntilMs = 0

  constructor(target: PgTarget, timing: PgTiming) {
    this.#target = target
    this.#timing = timing
    // The port is only read with `receiveMessageOnPort`, and must not keep the process alive.
    this.#channel.port1.unref()
  }

  /** The number under which this engine owns jobs. */
  get owner(): number {
    return (this.#owner ??= Number(this.ask([{ text: SELECT_OWNER, values: [] }])[0]?.[0]?.['owner']))
  }

  /** Names the server in messages. */
  get label(): string {
    return this.#target.label
  }

  get schema(): string {
    return this.#target.schema
  }

  /** Time for which a lost connection is awaited. Milliseconds. */
  get patienceMs(): number {
    return this.#timing.patienceMs
  }

  /** True once the server has been asked for anything. */
  get isOpen(): boolean {
    return this.#worker !== undefined
  }

  /** The error for calls that the server refuses. */
  createError(error: string): TrawlError {
    return new PgLedgerError(this.#target.label, { error, isConnection: false })
  }

  /**
   * Runs statements after those of earlier calls on the connection, and waits for them with the host's thread. Several are
   * one transaction.
   *
   * @throws TrawlError `LEDGER_ERROR`
   */
  ask(statements: readonly PgStatement[], connection: PgRequest['connection'] = 'control'): PgResults {
    const isKnownLost = performance.now() < this.#lostUntilMs
    const patienceMs = isKnownLost ? 0 : Math.min(BLOCKING_PATIENCE_MS, this.#timing.patienceMs)
    const id = this.#post({ connection, statements, patienceMs, isBlocking: true })
    // A thread that did not answer the call before may have ended: the host is told of it in a later turn.
    const waitMs = isKnownLost ? Math.min(BLOCKING_PATIENCE_MS, this.#timing.blockingMs) : this.#timing.blockingMs
    const until = performance.now() + waitMs
    for (;;) {
      const seen = Atomics.load(this.#counters, 0)
      const received: { message: PgResponse } | undefined = receiveMessageOnPort(this.#channel.port1)
      if (received?.message.id === id) {
        if ('error' in received.message && received.message.isConnection)
          this.#lostUntilMs = performance.now() + RETRY_MS
        return this.#read(received.message)
      }
      // The late answer to a request that was given up.
      if (received) continue
      const leftMs = until - performance.now()
      if (leftMs > 0 && Atomics.wait(this.#counters, 0, seen, leftMs) !== 'timed-out') continue
      Atomics.store(this.#counters, 1, id)
      this.#lostUntilMs = performance.now() + RETRY_MS
      const error = `the server has not answered for ${waitMs} ms`
      throw new PgLedgerError(this.#target.label, { error, isConnection: true })
    }
  }

  /**
   * Runs statements on one of the connections. When it is lost, they run again on the next one, so that they must have the
   * same effect when they run twice.
   *
   * @param patienceMs time for which a lost connection is awaited. @default that of the timing
   */
  run(
    connection: PgRequest['connection'],
    statements: readonly PgStatement[],
    patienceMs = this.#timing.patienceMs,
  ): Promise<PgResults> {
    return new Promise((resolve, reject) => {
      const id = this.#post({ connection, statements, patienceMs })
      this.#calls.set(id, { resolve, reject })
      this.#awaited += 1
      this.#worker?.ref()
    })
  }

  /** Runs a statement that nobody waits for: it does not keep the process alive. */
  async runInBackground(
    connection: PgRequest['connection'],
    statement: PgStatement,
    patienceMs = this.#timing.patienceMs,
  ): Promise<readonly PgRow[]> {
    const [rows = []] = await new Promise<PgResults>((resolve, reject) => {
      const id = this.#post({ connection, statements: [statement], patienceMs })
      this.#calls.set(id, { resolve, reject, isBackground: true })
    })
    return rows
  }

  /** Selects rows on the connection of long results. */
  async select(text: string, values: PgStatement['values']): Promise<readonly PgRow[]> {
    const [rows = []] = await this.run('reader', [{ text, values }])
    return rows
  }

  /** Calls `listener` for each notification of a channel, for which some connection has to `LISTEN`. */
  onNotified(channel: string, listener: (payload: string) => void): void {
    this.#listeners.set(channel, listener)
  }

  /** Waits no longer than a few seconds for a lost connection from now on. */
  hurry(): void {
    this.#worker?.postMessage(HURRY, [])
  }

  /** Keeps the process alive until the end of `close`, also for calls in the background. */
  keepAlive(): void {
    this.#awaited += 1
    this.#worker?.ref()
  }

  /** Ends the connections, after the calls under way. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const worker = this.#worker
    if (!worker) return
    worker.ref()
    worker.postMessage(CLOSE, [])
    const timer = setTimeout(() => void worker.terminate(), this.#timing.blockingMs)
    await this.#exited
    clearTimeout(timer)
    this.#channel.port1.close()
  }

  #post(request: Omit<PgRequest, 'id'>): number {
    const id = ++this.#last
    this.#open().postMessage({ id, ...request } satisfies PgRequest, [])
    return id
  }

  #read(response: PgResponse): PgResults {
    if ('results' in response) return response.results
    throw new PgLedgerError(this.#target.label, response)
  }

  #open(): Worker {
    const { label, settings, schema } = this.#target
    if (this.#isClosed) throw new TrawlError('ENGINE_CLOSED', `the ledger ${label} was closed with its engine`)
    if (this.#end !== undefined) throw this.createError(this.#end)
    if (this.#worker) return this.#worker
    const data: PgThreadData = {
      library: findPg(),
      settings,
      schema,
      timing: this.#timing,
      port: this.#channel.port2,
      signal: this.#counters.buffer,
    }
    const worker = startWorkerNow(
      { file: '#postgres-worker', packed },
      // With the environment: `pg` reads `PGHOST`, `PGPASSWORD` and so on where a setting is absent.
      { workerData: data, transferList: [this.#channel.port2], execArgv: [] },
    )
    worker.unref()
    worker.on('message', (message: PgResponse | PgNotification) => {
      if ('channel' in message) this.#listeners.get(message.channel)?.(message.payload)
      else this.#settle(message)
    })
    this.#exited = new Promise((resolve) => {
      const end = (error?: unknown): void => {
        const reason = error instanceof Error ? error.message : 'its thread has ended'
        this.#end ??= reason
        for (const id of this.#calls.keys()) this.#settle({ id, error: reason, isConnection: true })
        resolve()
      }
      worker.on('error', end)
      worker.on('exit', () => end())
    })
    return (this.#worker = worker)
  }

  #settle(response: PgResponse): void {
    const call = this.#calls.get(response.id)
    this.#calls.delete(response.id)
    if (call && !call.isBackground) this.#awaited -= 1
    if (this.#awaited === 0 && !this.#isClosed) this.#worker?.unref()
    try {
      call?.resolve(this.#read(response))
    } catch (error) {
      call?.reject(error)
    }
  }
}

/** Finds the file of the package `pg`. @throws TrawlError `LEDGER_ERROR` where it is not installed */
function findPg(): string {
  try {
    return resolvePackage('pg')
  } catch (cause) {
    throw new TrawlError('LEDGER_ERROR', '`postgres()` needs the package `pg`: npm install pg', { cause })
  }
}
