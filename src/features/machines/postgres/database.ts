import { setTimeout as sleep } from 'node:timers/promises'
import { TrawlError } from '../../../base/errors.js'
import {
  codeOf,
  type CreateClient,
  describePgError,
  isConnectionError,
  isRepeatable,
  loadPg,
  type PgRow,
} from '../../../base/postgres/pg-driver.js'
import { resolvePackage } from '../../../base/runtime/optional-package.js'
import type { LedgerConnection } from '../../../kernel/ledger/ledger.js'
import { quoteName } from './schema.js'
import { openConnections, type PgConnections } from './connections.js'
import { OWNER, type PgConnection, type PgStatement, type PgTiming } from './statement.js'

/** Results of statements: the rows of each. */
type PgResults = readonly (readonly PgRow[])[]

/** A server, and how to connect to it. */
export interface PgTarget {
  /** Settings of `pg` for a connection. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly schema: string
  /** Names the server in messages, without the password. */
  readonly label: string
}

/** Durations for a service: it goes on after a minute without network. */
export const PG_TIMING: PgTiming = { connectMs: 5000, statementMs: 30_000, closingMs: 10_000, patienceMs: 90_000 }

/** Time for which a lost connection is awaited when the engine is closed. Milliseconds. */
const CLOSING_PATIENCE_MS = 5000

/** Longest time for which a question about a job waits for a lost connection. Milliseconds. */
const ANSWER_PATIENCE_MS = 3000

/** Interval of a timer that does nothing but keep the process alive. Milliseconds. */
const IDLE_MS = 2 ** 30

/** Error of a request that the server could not be asked. */
class PgLedgerError extends TrawlError {
  readonly isConnection: boolean

  constructor(label: string, given: unknown) {
    const error = describePgError(given)
    const code = codeOf(given)
    // Not the error of `pg` itself, which has values of the statement.
    const cause = Object.assign(new Error(error), code === undefined ? {} : { code })
    super('LEDGER_ERROR', `the ledger ${label} cannot be used: ${error}`, { cause })
    this.isConnection = isConnectionError(given)
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

/** A PostgreSQL server as one engine uses it. Its connections are opened on first use. */
export class PgDatabase {
  readonly #target: PgTarget
  readonly #timing: PgTiming
  readonly #listeners = new Map<string, (payload: string) => void>()
  #connections: PgConnections | undefined
  /** The first connection, for which all statements wait in the order of their calls; undefined before it, and when it has failed. */
  #reached: Promise<void> | undefined
  #owner: number | undefined
  /** Calls that keep the process alive, and the timer by which they do. */
  #awaited = 0
  #alive: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(target: PgTarget, timing: PgTiming) {
    this.#target = target
    this.#timing = timing
  }

  /** The number under which this engine owns jobs; undefined until the server has answered for the first time. */
  get owner(): number | undefined {
    return this.#owner
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

  /** Time for which a question about a job waits for a lost connection: its caller may be a request of a server. Milliseconds. */
  get answerPatienceMs(): number {
    return Math.min(ANSWER_PATIENCE_MS, this.#timing.patienceMs)
  }

  /** True once the server has been asked for anything. */
  get isOpen(): boolean {
    return this.#connections !== undefined
  }

  /** The error for calls that the server refuses. */
  createError(error: string): TrawlError {
    return new PgLedgerError(this.#target.label, new Error(error))
  }

  /** Connects, if it is not connected yet. @returns the number under which this engine owns jobs. @throws TrawlError `LEDGER_ERROR` */
  async connect(): Promise<number> {
    await this.run('control', [])
    return Number(this.#owner)
  }

  /** Connects as {@link PgDatabase.connect} does, for nobody who waits: it does not keep the process alive. */
  async connectInBackground(): Promise<number> {
    await this.#ask('control', [], this.#timing.patienceMs)
    return Number(this.#owner)
  }

  /**
   * Runs statements on one of the connections, after those of earlier calls on it. Several are one transaction. When the connection
   * is lost, they run again on the next one, so that they must have the same effect when they run twice.
   *
   * @param patienceMs time for which a lost connection is awaited. @default that of the timing
   * @throws TrawlError `LEDGER_ERROR`
   */
  async run(
    connection: PgConnection,
    statements: readonly PgStatement[],
    patienceMs = this.#timing.patienceMs,
  ): Promise<PgResults> {
    this.keepAlive()
    try {
      return await this.#ask(connection, statements, patienceMs)
    } finally {
      this.#awaited -= 1
      if (this.#awaited === 0) {
        clearInterval(this.#alive)
        this.#alive = undefined
      }
    }
  }

  /** Runs a statement that nobody waits for: it does not keep the process alive. */
  async runInBackground(
    connection: PgConnection,
    statement: PgStatement,
    patienceMs = this.#timing.patienceMs,
  ): Promise<readonly PgRow[]> {
    const [rows = []] = await this.#ask(connection, [statement], patienceMs)
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
    for (const session of this.#sessions) session.hurry(CLOSING_PATIENCE_MS)
  }

  /** Keeps the process alive until the end of `close`, also for calls in the background. */
  keepAlive(): void {
    this.#awaited += 1
    this.#alive ??= setInterval(() => undefined, IDLE_MS)
  }

  /** Opens a connection for a feature: with the schema of the ledger, which is there by then. @throws TrawlError `LEDGER_ERROR` */
  async openConnection(): Promise<LedgerConnection> {
    await this.connect()
    const { settings, schema } = this.#target
    try {
      const client = loadPg(findPg())({ ...settings, connectionTimeoutMillis: this.#timing.connectMs })
      // One that is lost fails the next statement.
      client.on('error', () => undefined)
      await client.connect()
      await client.query({ text: `SET search_path TO ${quoteName(schema)}, public` })
      return {
        connection: { query: (text, values) => client.query({ text, values }) },
        end: () => client.end(),
      }
    } catch (error) {
      throw new PgLedgerError(this.#target.label, error)
    }
  }

  /** Ends the connections, after the calls under way. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const timeout = new AbortController()
    try {
      const silence = sleep(this.#timing.closingMs, undefined, { signal: timeout.signal })
      await Promise.race([this.#close(), silence])
      for (const session of this.#sessions) session.abandon()
    } finally {
      timeout.abort()
      clearInterval(this.#alive)
    }
  }

  get #sessions(): PgConnections['sessions'][PgConnection][] {
    return this.#connections ? Object.values(this.#connections.sessions) : []
  }

  async #close(): Promise<void> {
    if (!this.#connections) return
    // The statements that wait for it are then in their turn.
    await this.#reached?.catch(() => undefined)
    const { control, ...others } = this.#connections.sessions
    await Promise.all(Object.values(others).map((session) => session.close()))
    // Last: with the lock, the jobs of this engine are free.
    await control.close('SELECT pg_advisory_unlock_all()')
  }

  async #ask(connection: PgConnection, statements: readonly PgStatement[], patienceMs: number): Promise<PgResults> {
    const connections = this.#open()
    const { sessions } = connections
    try {
      // The first connection makes the schema, and refuses what cannot be used.
      await (this.#reached ??= this.#reach(connections, patienceMs))
      const owner = this.#owner ?? null
      const withOwner = statements.map(({ text, values }) => ({
        text,
        values: values.map((value) => (value === OWNER ? owner : value)),
      }))
      return await sessions[connection].run({ statements: withOwner, patienceMs })
    } catch (error) {
      throw new PgLedgerError(this.#target.label, error)
    }
  }

  async #reach(connections: PgConnections, patienceMs: number): Promise<void> {
    try {
      await connections.sessions.control.run({ statements: [], patienceMs })
      this.#owner = connections.owner
    } catch (error) {
      this.#reached = undefined
      throw error
    }
  }

  #open(): PgConnections {
    const { label, settings, schema } = this.#target
    if (this.#isClosed) throw new TrawlError('ENGINE_CLOSED', `the ledger ${label} was closed with its engine`)
    if (this.#connections) return this.#connections
    const library = findPg()
    let load: CreateClient | undefined
    return (this.#connections = openConnections({
      // Loaded with the first connection, so that its error is that of a request.
      create: (given) => (load ??= loadPg(library))(given),
      settings,
      schema,
      timing: this.#timing,
      onNotified: (channel, payload) => this.#listeners.get(channel)?.(payload),
    }))
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
