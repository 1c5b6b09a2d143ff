import { onAbort } from '../../../base/concurrency/on-abort.js'
import type { PageTask, TaskResult } from '../../../kernel/ledger/task-queue.js'
import type { PgDatabase } from '../postgres/database.js'
import { OWNER } from '../postgres/statement.js'
import {
  DELETE_ORPHANS,
  DELETE_OWN,
  EXCHANGE_AS_OWNER,
  FREE_TASKS,
  HAS_WORKERS,
  LIST_TASKS,
} from './task-statements.js'
import type { TaskChannels } from './task-channels.js'
import { EXCHANGE_INTERVAL_MS } from './task-channels.js'

/** Interval of looking for workers where there were none. Milliseconds. */
const SEARCH_INTERVAL_MS = 1000
/** Interval of looking at workers and at the tasks under way. A notification that is lost costs no more than this. Milliseconds. */
const CHECK_INTERVAL_MS = 400
/** Number of workers that may end, or hang, with a task before it fails. */
const MAX_LOSSES = 3
/** Time for which a task waits to be taken while there are workers. Milliseconds. */
const MAX_WAIT_MS = 10_000
/** Answers of one statement. */
const MAX_ANSWERS = 16
/**
 * Tasks are sent before there are places for them: as many as workers answer in this time. A worker then takes the next task in
 * the exchange in which it gives an answer, in place of waiting until the answer is recorded and the next page is sent, which
 * takes 30 to 80 ms. A task of slow pages is not sent early, because it would wait for longer than that. Milliseconds.
 */
const AHEAD_MS = 60
/** Largest part of the places for which tasks are sent early. */
const MAX_AHEAD = 0.25

interface SentTask {
  readonly task: PageTask
  readonly version: string
  /** True once the server has it. */
  isSent: boolean
  /** Time since which the task waits to be taken, on the clock of `performance.now()`; undefined while a worker has it. */
  waitsSinceMs: number | undefined
  end(result: TaskResult): void
}

/** Sends the tasks of one engine to the database, and fetches their answers. Nothing is asked of the server while no job follows. */
export class PgTaskSender {
  readonly #database: PgDatabase
  readonly #channels: TaskChannels
  readonly #tasks = new Map<number, SentTask>()
  readonly #followers = new Set<() => void>()
  #version = ''
  #toSend: number[] = []
  #toDrop: number[] = []
  #last = 0
  #capacity = 0
  /** Answers since the last check. */
  #answered = 0
  #checkedAtMs = 0
  #checkTimer: NodeJS.Timeout | undefined
  #exchangeTimer: NodeJS.Timeout | undefined
  #isExchanging = false
  #isWanted = false
  #exchangedAtMs = -Infinity
  #isClosed = false

  constructor(database: PgDatabase, channels: TaskChannels) {
    this.#database = database
    this.#channels = channels
  }

  get capacity(): number {
    return this.#capacity
  }

  follow(version: string, onChange: () => void): () => void {
    this.#version = version
    this.#followers.add(onChange)
    if (this.#followers.size === 1) this.#checkAfter(0)
    return () => {
      this.#followers.delete(onChange)
    }
  }

  send(task: PageTask, signal: AbortSignal): Promise<TaskResult> {
    signal.throwIfAborted()
    if (this.#isClosed) return Promise.resolve({ reason: 'unserved' })
    // A task may be sent when its job has ended.
    if (!this.#checkTimer) this.#checkAfter(CHECK_INTERVAL_MS)
    return new Promise((resolve, reject) => {
      const number = ++this.#last
      const leave = (): void => {
        this.#drop(number)
        reject(signal.reason)
      }
      onAbort(signal, leave)
      this.#tasks.set(number, {
        task,
        version: this.#version,
        isSent: false,
        waitsSinceMs: undefined,
        end: (result) => {
          signal.removeEventListener('abort', leave)
          this.#drop(number)
          resolve(result)
        },
      })
      this.#toSend.push(number)
      this.#exchangeSoon()
    })
  }

  /** Ends the timers, and deletes the tasks. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#checkTimer)
    clearTimeout(this.#exchangeTimer)
    this.#endAll()
    if (this.#last === 0) return
    const values = [OWNER]
    // A server that cannot be asked keeps them until another engine sees that their owner is gone.
    void this.#database.runInBackground('tasks', { text: DELETE_OWN, values }, 0).catch(() => undefined)
  }

  #drop(number: number): void {
    if (this.#tasks.delete(number)) this.#toDrop.push(number)
    this.#exchangeSoon()
  }

  /** Exchanges at a limited rate, because a notification takes a lock of the whole server. */
  #exchangeSoon(): void {
    this.#isWanted = true
    if (this.#isExchanging || this.#exchangeTimer || this.#isClosed) return
    const delayMs = Math.max(0, this.#exchangedAtMs + EXCHANGE_INTERVAL_MS - performance.now())
    this.#exchangeTimer = setTimeout(() => {
      this.#exchangeTimer = undefined
      void this.#exchange()
    }, delayMs)
  }

  async #exchange(): Promise<void> {
    this.#isExchanging = true
    this.#isWanted = false
    this.#exchangedAtMs = performance.now()
    const [numbers, dropped] = [this.#toSend, this.#toDrop]
    this.#toSend = []
    this.#toDrop = []
    const sent = numbers.flatMap((number) => {
      const one = this.#tasks.get(number)
      return one ? [{ number, one }] : []
    })
    const rows = sent.map(({ number, one: { task, version } }) => {
      const { jobId: job, near = null, leaseMs, payload } = task
      return { number, version, job, near, lease_ms: leaseMs, payload }
    })
    const values = [OWNER, JSON.stringify(rows), dropped.join(), this.#channels.workers, MAX_ANSWERS]
    try {
      const answers = await this.#database.runInBackground('tasks', { text: EXCHANGE_AS_OWNER, values })
      for (const { one } of sent) one.isSent = true
      for (const { number, worker, answer } of answers) {
        const one = this.#tasks.get(Number(number))
        if (one) {
          this.#answered += 1
          one.end({ answer: String(answer), worker: Number(worker) })
        } else this.#toDrop.push(Number(number))
      }
      if (answers.length > 0) this.#isWanted = true
    } catch {
      // The pages are scraped by this engine: its job fails when the ledger cannot be written either.
      this.#setCapacity(0)
      this.#endAll()
    }
    this.#isExchanging = false
    if (this.#isWanted) this.#exchangeSoon()
  }

  #endAll(): void {
    for (const { end } of this.#tasks.values()) end({ reason: 'unserved' })
  }

  #checkAfter(delayMs: number): void {
    clearTimeout(this.#checkTimer)
    if (this.#isClosed) return
    this.#checkTimer = setTimeout(() => {
      // A server that cannot be asked has no workers.
      void this.#check()
        .catch(() => this.#setCapacity(0))
        .finally(() => {
          this.#checkTimer = undefined
          if (this.#tasks.size > 0 || (this.#followers.size > 0 && this.#capacity > 0))
            this.#checkAfter(CHECK_INTERVAL_MS)
          else if (this.#followers.size > 0) this.#checkAfter(SEARCH_INTERVAL_MS)
          else this.#capacity = 0
        })
    }, delayMs).unref()
  }

  /** Looks at the workers, and at the tasks that the server has. */
  async #check(): Promise<void> {
    const ask = this.#database.runInBackground.bind(this.#database)
    if (this.#capacity === 0 && this.#tasks.size === 0) {
      const [row] = await ask('writer', { text: HAS_WORKERS, values: [OWNER, this.#version] })
      if (row?.['orphans'] === true) await ask('writer', { text: DELETE_ORPHANS, values: [] })
      if (row?.['found'] !== true) return
    }
    const own = this.#channels.owner(await this.#database.connectInBackground())
    this.#database.onNotified(own, () => this.#exchangeSoon())
    // Repeated, because it ends with the connection.
    await ask('tasks', { text: `LISTEN ${own}`, values: [] })
    const values = [OWNER, this.#version, this.#channels.workers]
    const [row] = await ask('tasks', { text: FREE_TASKS, values })
    const [places = 0, tasks = 0, owners = 0] = ['places', 'tasks', 'owners'].map((name) => Number(row?.[name]))
    const sent = [...this.#tasks].filter(([, { isSent }]) => isSent)
    const listed = await ask('tasks', { text: LIST_TASKS, values: [OWNER] })
    this.#compare(sent, new Map(listed.map((one) => [Number(one['number']), one])), places)
    // Several owners share the places.
    const shared = Math.max(places - tasks, Math.floor(places / (owners + 1)))
    this.#setCapacity(shared + Math.min(Math.ceil(shared * MAX_AHEAD), this.#countAhead()))
  }

  /** Number of tasks that workers answer in {@link AHEAD_MS}, at the rate since the last check. */
  #countAhead(): number {
    const nowMs = performance.now()
    const ahead = (this.#answered * AHEAD_MS) / Math.max(1, nowMs - this.#checkedAtMs)
    this.#answered = 0
    this.#checkedAtMs = nowMs
    return Math.round(ahead)
  }

  /** @param sent tasks that the server had before it listed those that it has */
  #compare(
    sent: readonly (readonly [number, SentTask])[],
    listed: ReadonlyMap<number, Readonly<Record<string, unknown>>>,
    places: number,
  ): void {
    for (const [number, one] of sent) {
      const row = listed.get(number)
      if (!this.#tasks.has(number)) continue
      if (!row) {
        // The server has crashed: the table is not logged.
        one.isSent = false
        this.#toSend.push(number)
      } else if (row['answered'] === true) this.#isWanted = true
      else if (Number(row['losses']) >= MAX_LOSSES) one.end({ reason: 'lost' })
      else if (row['waits'] !== true) one.waitsSinceMs = undefined
      else if (places === 0 || row['stranded'] === true || hasWaitedLong(one)) one.end({ reason: 'unserved' })
    }
    for (const number of listed.keys()) if (!this.#tasks.has(number)) this.#toDrop.push(number)
    if (this.#isWanted || this.#toSend.length + this.#toDrop.length > 0) this.#exchangeSoon()
  }

  #setCapacity(capacity: number): void {
    if (capacity === this.#capacity) return
    this.#capacity = capacity
    for (const wake of this.#followers) wake()
  }
}

/** Tests for a task that no worker takes, although there are some. A page that one worker has is worth a longer wait. */
function hasWaitedLong(one: SentTask): boolean {
  const nowMs = performance.now()
  one.waitsSinceMs ??= nowMs
  return nowMs - one.waitsSinceMs > (one.task.near === undefined ? MAX_WAIT_MS : one.task.leaseMs)
}
