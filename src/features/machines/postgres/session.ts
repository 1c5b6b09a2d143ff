import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CreateClient,
  isConnectionError,
  isRepeatable,
  type PgClient,
  PgConnectionError,
  type PgRow,
} from '../../../base/postgres/pg-driver.js'
import type { PgStatement, PgTiming } from './statement.js'

/** First delay between two attempts to connect, and the longest one. Each is twice the one before. Milliseconds. */
export const [FIRST_DELAY_MS, MAX_DELAY_MS] = [100, 2000]
/** Time without traffic after which the system asks whether the other side is there. Milliseconds. */
const KEEP_ALIVE_MS = 5000

/** Runs a task while a time limit is suspended. */
export type RunUntimed = (task: () => Promise<void>) => Promise<void>

interface SessionOptions {
  readonly create: CreateClient
  readonly settings: Readonly<Record<string, unknown>>
  readonly timing: PgTiming
  /** Prepares a new connection, for a limited time. @param untimed runs a part of it that may take longer */
  prepare(client: PgClient, untimed: RunUntimed): Promise<void>
  /** Connects again at once when the connection is lost, and not only for the next request. */
  readonly staysConnected: boolean
  /** Tests whether the server was reached before, by another connection: an address that never worked is not tried again. */
  wasReached?(): boolean
  /** Called with the channel and the text of each notification. */
  onNotified?(channel: string, payload: string): void
}

/** Statements that run in their turn, and how long they wait for a lost connection. */
interface SessionTask {
  readonly statements: readonly PgStatement[]
  readonly patienceMs: number
}

/**
 * One connection to the server. It keeps the process alive neither by its socket nor by its timers: whoever waits for an answer
 * does. When it is lost, another one takes its place, and the statements under way run again. */
export class PgSession {
  readonly #options: SessionOptions
  /** Names of prepared statements, by text. */
  readonly #names = new Map<string, string>()
  #client: PgClient | undefined
  #connecting: Promise<PgClient> | undefined
  /** The client of an attempt to connect. */
  #attempt: PgClient | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #hasConnected = false
  #isClosed = false
  /** Limit of the patience of all tasks, and the time at which it was set. Milliseconds, and milliseconds since the epoch. */
  #hurry: { readonly patienceMs: number; readonly sinceMs: number } | undefined
  /** The error of the lost connection, until there is another one. */
  #fault: unknown
  /** Time of the first failed attempt since the connection was lost; undefined before it. Milliseconds since the epoch. */
  #failingSinceMs: number | undefined

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** Runs statements after those of earlier calls. Several are one transaction. */
  run(task: SessionTask): Promise<PgRow[][]> {
    const until = Date.now() + task.patienceMs
    return new Promise((resolve, reject) => {
      if (task.patienceMs === 0 && this.#fault !== undefined) return reject(this.#fault)
      let isStarted = false
      let isOver = false
      // Those before it may be more patient.
      const timer = setTimeout(() => {
        if (isStarted || this.#fault === undefined) return
        isOver = true
        reject(this.#fault)
      }, task.patienceMs).unref()
      const start = async (): Promise<void> => {
        clearTimeout(timer)
        isStarted = true
        if (isOver) return
        await this.#perform(task.statements, until).then(resolve, reject)
      }
      this.#tail = this.#tail.then(start)
    })
  }

  /** Limits the patience of all tasks, counted from now on, and of those that start later from their start. */
  hurry(patienceMs: number): void {
    this.#hurry = { patienceMs, sinceMs: Date.now() }
  }

  /** Runs what is left, then `last`, and closes the connection. */
  async close(last?: string): Promise<void> {
    await this.#tail
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    if (!client) return
    try {
      if (last !== undefined) await this.ask(client, { text: last, values: [] })
      await Promise.race([client.end(), sleep(this.#options.timing.connectMs, undefined, { ref: false })])
    } catch {
      // The server closes it, and takes its locks away.
    }
  }

  /** Ends the connection at once, and what is under way on it. */
  abandon(): void {
    this.#isClosed = true
    for (const client of [this.#client, this.#attempt]) client?.connection?.stream?.destroy()
    this.#client = undefined
  }

  /** Runs one statement on a connection, for a limited time. @throws the error of `pg`; PgConnectionError */
  async ask(client: PgClient, { text, values }: PgStatement, name?: string): Promise<PgRow[]> {
    const { statementMs } = this.#options.timing
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      const giveUp = (): void => {
        client.connection?.stream?.destroy()
        reject(new PgConnectionError(`the server has not answered for ${statementMs} ms`))
      }
      // An answer that came while the thread was busy is read first.
      timer = setTimeout(() => setImmediate(giveUp), statementMs).unref()
    })
    const answer = client.query({ text, values, name })
    try {
      return (await Promise.race([answer, silence])).rows
    } finally {
      clearTimeout(timer)
      answer.catch(() => undefined)
    }
  }

  async #perform(statements: readonly PgStatement[], until: number): Promise<PgRow[][]> {
    // Those before it may have tried for a while.
    const sinceMs = this.#failingSinceMs ?? Date.now()
    // They have tried to connect for as long as it waits: each of many would try again, one after another.
    if (!this.#client && this.#fault !== undefined && Date.now() > this.#limit(until, sinceMs)) throw this.#fault
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        return await this.#execute(await this.#open(), statements)
      } catch (error) {
        const isLost = isConnectionError(error)
        if (isLost) this.#fail(this.#client, error)
        if (!isLost && !isRepeatable(error)) throw error
        const isKnown = this.#hasConnected || this.#options.wasReached?.()
        if (!isKnown || this.#isClosed || Date.now() + delayMs > this.#limit(until, sinceMs)) throw error
      }
      await sleep(delayMs, undefined, { ref: false })
    }
  }

  /**
   * Time until which a task is repeated. Milliseconds since the epoch, as its parameters.
   *
   * @param until its own limit
   * @param sinceMs time of its start, or of the first failed attempt of those before it
   */
  #limit(until: number, sinceMs: number): number {
    if (!this.#hurry) return until
    return Math.min(until, Math.max(this.#hurry.sinceMs, sinceMs) + this.#hurry.patienceMs)
  }

  async #execute(client: PgClient, statements: readonly PgStatement[]): Promise<PgRow[][]> {
    const isTransaction = statements.length > 1
    const results: PgRow[][] = []
    if (isTransaction) await this.ask(client, { text: 'BEGIN', values: [] })
    try {
      for (const statement of statements) results.push(await this.ask(client, statement, this.#nameOf(statement.text)))
      if (isTransaction) await this.ask(client, { text: 'COMMIT', values: [] })
    } catch (error) {
      if (isTransaction && !isConnectionError(error)) {
        await this.ask(client, { text: 'ROLLBACK', values: [] }).catch((lost: unknown) => this.#lose(client, lost))
      }
      throw error
    }
    return results
  }

  async #open(): Promise<PgClient> {
    if (this.#client) return this.#client
    // The tasks that are left would try one after another.
    if (this.#isClosed) throw new PgConnectionError('the connection was closed')
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = this.#attempt = undefined))
    return this.#connecting
  }

  async #connect(): Promise<PgClient> {
    const { create, settings, timing, prepare, onNotified } = this.#options
    const client = create({
      ...settings,
      connectionTimeoutMillis: timing.connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    this.#attempt = client
    const lose = (error?: unknown): void => {
      if (client === this.#client) this.#lose(client, error ?? new PgConnectionError('the connection was closed'))
    }
    client.on('error', lose)
    client.on('end', lose)
    if (onNotified) client.on('notification', ({ channel, payload = '' }) => onNotified(channel, payload))
    const limit = (): NodeJS.Timeout =>
      setTimeout(() => client.connection?.stream?.destroy(), timing.connectMs + timing.statementMs).unref()
    let timer = limit()
    try {
      await client.connect()
      client.unref()
      await prepare(client, async (task) => {
        clearTimeout(timer)
        await task()
        timer = limit()
      })
      // It would stay open, with its lock.
      if (this.#isClosed) throw new PgConnectionError('the connection was closed')
    } catch (error) {
      client.connection?.stream?.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
    this.#client = client
    this.#hasConnected = true
    this.#fault = this.#failingSinceMs = undefined
    return client
  }

  /** Counts a failed attempt of a task. */
  #fail(client: PgClient | undefined, error: unknown): void {
    this.#failingSinceMs ??= Date.now()
    this.#lose(client, error)
  }

  #lose(client: PgClient | undefined, error: unknown): void {
    this.#fault = error
    if (!client || client !== this.#client) return
    this.#client = undefined
    client.connection?.stream?.destroy()
    if (this.#options.staysConnected) void this.#reconnect()
  }

  /** Connects again until it succeeds, so that the lock of this engine is back before another one finds its jobs free. */
  async #reconnect(): Promise<void> {
    for (
      let delayMs = FIRST_DELAY_MS;
      !this.#isClosed && !this.#client;
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)
    ) {
      try {
        await this.#open()
      } catch (error) {
        this.#fail(undefined, error)
        await sleep(delayMs, undefined, { ref: false })
      }
    }
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `trawl_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
