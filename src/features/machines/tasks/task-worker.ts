import { setTimeout as sleep } from 'node:timers/promises'
import { TrawlError } from '../../../base/errors.js'
import type { TaskHandler, TaskWorker } from '../../../kernel/ledger/task-queue.js'
import type { PgDatabase } from '../postgres/database.js'
import { OWNER, type PgStatement } from '../postgres/statement.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'
import { EXCHANGE_INTERVAL_MS, type TaskChannels } from './task-channels.js'
import {
  DELETE_ORPHANS,
  EXCHANGE_AS_WORKER,
  REGISTER_WORKER,
  RENEW_HELD,
  UNREGISTER_WORKER,
} from './task-statements.js'

/** Interval of looking for tasks without a notification, and for those that nobody wants any more. Milliseconds. */
const CHECK_INTERVAL_MS = 500
/** Time for which a lost connection is awaited when a worker stops. Milliseconds. */
const STOP_PATIENCE_MS = 5000

/** Size of the answers of one statement: it has a time to arrive at the server. Characters. */
const MAX_SENT_LENGTH = 16 * 1024 * 1024

/** Name of a task. */
interface TaskName {
  readonly owner: number
  readonly number: number
}

interface HeldTask extends TaskName {
  readonly abort: AbortController
}

const keyOf = ({ owner, number }: TaskName): string => `${owner} ${number}`

/** Takes tasks of other engines from the database, and gives the answers. */
export class PgTaskWorker implements TaskWorker {
  readonly #database: PgDatabase
  readonly #channels: TaskChannels
  readonly #version: string
  readonly #handler: TaskHandler
  readonly #held = new Map<string, HeldTask>()
  readonly #answers: (TaskName & { readonly answer: string })[] = []
  #returned: TaskName[] = []
  #isStopping = false
  #stopped: Promise<void> | undefined
  #exchange: Promise<void> | undefined
  #isWanted = false
  #exchangedAtMs = -Infinity
  #isChecking = false
  #timer: NodeJS.Timeout | undefined
  #onEnd: () => void = () => undefined

  constructor(database: PgDatabase, channels: TaskChannels, version: string, handler: TaskHandler) {
    this.#database = database
    this.#channels = channels
    this.#version = version
    this.#handler = handler
    database.onNotified(channels.workers, () => this.#exchangeSoon())
    this.#check()
    // It keeps the process alive, as a server does.
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS)
  }

  async stop(drain: boolean): Promise<void> {
    if (!drain) {
      const reason = new TrawlError('ENGINE_CLOSED', 'the engine of the worker was closed')
      for (const { abort } of this.#held.values()) abort.abort(reason)
    }
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  async #stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    // From here on, owners see that its places are gone.
    await this.#run(UNREGISTER_WORKER, [OWNER]).catch(() => undefined)
    await this.#run(`UNLISTEN ${this.#channels.workers}`, []).catch(() => undefined)
    const ended = new Promise<void>((resolve) => (this.#onEnd = resolve))
    this.#announceEnd()
    await ended
    await this.#exchange
    await this.#give()
  }

  /** Answers and gives back what is left. A server that is away frees the tasks itself. */
  async #give(): Promise<void> {
    try {
      while (this.#answers.length + this.#returned.length > 0) await this.#exchangeOnce()
    } catch {
      // The engine ends nevertheless.
    }
  }

  #announceEnd(): void {
    if (this.#isStopping && this.#held.size === 0) this.#onEnd()
  }

  /** Runs after the check before it has ended. */
  #check(): void {
    if (this.#isStopping || this.#isChecking) return
    this.#isChecking = true
    // A server that is away is asked again at the next check.
    void this.#checkOnce()
      .catch(() => undefined)
      .finally(() => (this.#isChecking = false))
  }

  async #checkOnce(): Promise<void> {
    // Both are repeated, because they end with the connection, and with a crash of the server.
    await this.#run(`LISTEN ${this.#channels.workers}`, [])
    if (this.#isStopping) return
    await this.#run(REGISTER_WORKER, [OWNER, this.#version, this.#handler.places])
    await this.#run(DELETE_ORPHANS, [])
    const before = [...this.#held.keys()]
    const rows = await this.#run(RENEW_HELD, [OWNER])
    const names = rows.map((row) => ({ owner: Number(row['owner']), number: Number(row['number']) }))
    const listed = new Set(names.map(keyOf))
    for (const key of before) {
      if (!listed.has(key)) this.#held.get(key)?.abort.abort(new TrawlError('SCRAPE_JOB_CANCELLED', 'no longer wanted'))
    }
    // Tasks whose hand-out was lost with the connection.
    const known = new Set([...this.#held.keys(), ...[...this.#answers, ...this.#returned].map(keyOf)])
    this.#returned.push(...names.filter((name) => !known.has(keyOf(name))))
    this.#exchangeSoon()
  }

  /** Number of tasks that may be taken. Answers that wait to be sent fill the memory as tasks under way do. */
  get #free(): number {
    if (this.#isStopping) return 0
    return Math.max(0, this.#handler.places - this.#held.size - this.#answers.length)
  }

  #exchangeSoon(): void {
    // Each task of any owner notifies all workers.
    if (this.#free === 0 && this.#answers.length + this.#returned.length === 0) return
    this.#isWanted = true
    this.#exchange ??= this.#exchangeWhileWanted()
  }

  async #exchangeWhileWanted(): Promise<void> {
    while (this.#isWanted) {
      const delayMs = this.#exchangedAtMs + EXCHANGE_INTERVAL_MS - performance.now()
      if (delayMs > 0) await sleep(delayMs)
      this.#isWanted = false
      this.#exchangedAtMs = performance.now()
      // Asked again at the next check.
      await this.#exchangeOnce().catch(() => undefined)
    }
    this.#exchange = undefined
  }

  async #exchangeOnce(): Promise<void> {
    const [answers, returned] = [this.#takeAnswers(), this.#returned]
    this.#returned = []
    const { ownerPrefix, workers } = this.#channels
    const values = [
      OWNER,
      JSON.stringify(answers),
      JSON.stringify(returned),
      this.#version,
      this.#free,
      ownerPrefix,
      workers,
    ]
    try {
      for (const row of await this.#run(EXCHANGE_AS_WORKER, values)) this.#begin(row)
      if (this.#answers.length > 0) this.#isWanted = true
    } catch (error) {
      this.#answers.unshift(...answers)
      this.#returned.unshift(...returned)
      throw error
    }
  }

  /** Takes as many answers as one statement may have, and at least one. */
  #takeAnswers(): (TaskName & { readonly answer: string })[] {
    let length = 0
    const end = this.#answers.findIndex(({ answer }) => (length += answer.length) > MAX_SENT_LENGTH)
    return this.#answers.splice(0, end === -1 ? Infinity : Math.max(1, end))
  }

  #begin(row: PgRow): void {
    const task = { owner: Number(row['owner']), number: Number(row['number']), abort: new AbortController() }
    const { owner, number } = task
    const key = keyOf(task)
    // One that has exceeded its time came back here.
    if (this.#held.has(key)) return
    if (this.#isStopping) {
      this.#returned.push({ owner, number })
      return
    }
    this.#held.set(key, task)
    void this.#serve(task, String(row['payload']))
  }

  async #serve(task: HeldTask, payload: string): Promise<void> {
    const { owner, number, abort } = task
    const answer = await this.#handler.handle(payload, abort.signal)
    this.#held.delete(keyOf(task))
    if (answer === undefined) this.#returned.push({ owner, number })
    else this.#answers.push({ owner, number, answer })
    this.#exchangeSoon()
    this.#announceEnd()
  }

  async #run(text: string, values: PgStatement['values']): Promise<readonly PgRow[]> {
    const patienceMs = this.#isStopping ? STOP_PATIENCE_MS : undefined
    const [rows = []] = await this.#database.run('tasks', [{ text, values }], patienceMs)
    return rows
  }
}
