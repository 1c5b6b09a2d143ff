import { TrawlError } from '../../../base/errors.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { makeUuid } from '../../../base/uuid.js'
import type { JobRange, SharedJob, StoredJob } from '../../../kernel/ledger/job-store.js'
import type { Counts } from '../../../kernel/ledger/ledger.js'
import { isPassing, type PgDatabase } from '../postgres/database.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'
import { isAlive, OWNER_IS_ALIVE } from '../postgres/session-lock.js'
import { OWNER } from '../postgres/statement.js'
import { HAS_REQUEST, JOB_COLUMNS, JOB_COLUMNS_WITHOUT_REQUEST, toJob, numberIn } from '../postgres/stored-job-row.js'
import type {
  JobCommand,
  JobNews,
  JobWatch,
  JobWatcher,
  ListedJob,
  RemoteLedger,
  ServedJob,
  SharedJobs,
} from '../../../kernel/ledger/shared-jobs.js'
import { StoredValues } from '../../../kernel/ledger/stored-values.js'
import { CommandAnswers, type ReceivedCommand } from './command-answers.js'
import { PostgresRemoteLedger } from './postgres-remote-ledger.js'
import { SentCommands } from './sent-commands.js'
import { listIn, SharedDatabase, toList } from './shared-database.js'

/** Time for which the end of a cancelled job is awaited: the engine that cancels it may have died. Milliseconds. */
const LAST_ROWS_MS = 5000

/** Time after which an unchanged position is written again: a crash of the server forgets it. Milliseconds. */
const POSITION_MS = 5000

/** The jobs of this engine, with the position of the slowest living reader of another, and the commands for each. */
const SELECT_SERVED = `SELECT id, generation,
    (SELECT min(next) FROM readers WHERE job = jobs.number AND ${isAlive('readers.owner')}) AS next,
    (SELECT json_agg(json_build_object('id', commands.id, 'command', command::json, 'begun', commands.generation)
       ORDER BY commands.id)::text
       FROM commands WHERE job = jobs.number AND outcome IS NULL AND NOT commands.id = ANY (${listIn(3)})) AS commands
  FROM jobs WHERE id = ANY (${listIn(1)}) AND owner = $2`

const SELECT_NEWS = `SELECT id, state, completed_at IS NOT NULL AS settled, generated IS NOT NULL AS generated, counts,
    coalesce((SELECT max(sequence) + 1 FROM documents WHERE job = jobs.number), 0) AS delivered
  FROM jobs WHERE id = ANY (${listIn(1)})`

const WRITE_POSITIONS = `INSERT INTO readers (job, owner, next)
  SELECT number, $1, given.next FROM unnest(${listIn(2)}, ${listIn(3)}::integer[]) AS given (id, next) JOIN jobs USING (id)
  ON CONFLICT (job, owner) DO UPDATE SET next = excluded.next`

const DELETE_POSITIONS = `DELETE FROM readers WHERE owner = $1 AND job IN (SELECT number FROM jobs WHERE id = ANY (${listIn(2)}))`

const engineClosed = (): TrawlError =>
  new TrawlError('ENGINE_CLOSED', 'the engine was closed: the job goes on in the engine that runs it')

const readCounts = ({ counts }: PgRow, values = new StoredValues()): Counts | undefined =>
  values.object('counts', typeof counts === 'string' ? counts : undefined) as Counts | undefined

/**
 * The jobs that several engines use at the same time. Each engine asks the database twice a second about the jobs that it
 * runs and those that it watches, and sooner when another one tells it that a job has changed.
 */
export class PostgresSharedJobs implements SharedJobs {
  readonly #full: PgDatabase
  readonly #database: SharedDatabase
  readonly #answers: CommandAnswers
  readonly #commands: SentCommands
  readonly #served = new Map<string, ServedJob>()
  /** Ids of the served jobs with readers in other engines. */
  readonly #read = new Set<string>()
  readonly #left: LeftJobs
  readonly #watched = new Map<string, Set<JobWatcher>>()
  /** Positions of this engine's readers in the database. */
  readonly #positions = new Map<string, number>()
  /** Time at which all positions were written. On the clock of `performance.now()`. */
  #positionsAtMs = -Infinity
  /** Times at which watched jobs were found to be ending. */
  readonly #endedAtMs = new Map<string, number>()
  readonly #clock: PollClock
  #failingSinceMs: number | undefined
  #isClosed = false
  /** Time of the last command. Milliseconds since the epoch. */
  #sentAtMs = 0

  constructor(database: PgDatabase) {
    this.#full = database
    this.#database = new SharedDatabase(database, (id) => {
      if (this.#watched.has(id) || this.#served.get(id)?.isRunning) this.#clock.hurry()
    })
    this.#left = new LeftJobs(this.#database)
    this.#answers = new CommandAnswers(this.#database)
    this.#commands = new SentCommands(this.#database)
    this.#clock = new PollClock(
      () => this.#poll(),
      () => {
        if (this.#isAwaited) return 'waiting'
        const isIdle = this.#watched.size + this.#positions.size + this.#served.size === 0
        return isIdle && this.#commands.isSettled ? 'none' : 'idle'
      },
    )
  }

  serve(id: string, job: ServedJob): void {
    this.#served.set(id, job)
    this.#left.forget(id)
    this.#clock.schedule()
  }

  announce(id: string): void {
    if (this.#read.has(id) || this.#served.get(id)?.isRunning === false) this.#database.notify(id)
  }

  wentOn(id: string): boolean {
    return this.#left.wentOn(id)
  }

  async find(id: string): Promise<StoredJob | undefined> {
    // A question as those of `JobStore.acquire`, which it follows.
    const statement = { text: `SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1`, values: [id] }
    const [[row] = []] = await this.#full.run('control', [statement], this.#full.answerPatienceMs)
    return row && toJob(row)
  }

  async read(id: string): Promise<SharedJob | undefined> {
    const text = `SELECT ${JOB_COLUMNS_WITHOUT_REQUEST}, ${OWNER_IS_ALIVE} AS held FROM jobs WHERE id = $1`
    const [row] = await this.#full.select(text, [id])
    return row && { stored: toJob(row), isHeld: row['held'] === true }
  }

  async list({ skip, limit, nowMs }: JobRange): Promise<readonly ListedJob[]> {
    const text = `SELECT ${JOB_COLUMNS_WITHOUT_REQUEST}, ${HAS_REQUEST}, counts, ${OWNER_IS_ALIVE} AS held FROM jobs
      WHERE coalesce(expires_at > $3, TRUE) ORDER BY number DESC LIMIT $1 OFFSET $2`
    const rows = await this.#full.select(text, [limit, skip, Math.floor(nowMs)])
    return rows.map((row) => {
      const values = new StoredValues()
      const counts = readCounts(row, values)
      return { stored: toJob(row, values), isHeld: row['held'] === true, counts }
    })
  }

  async open<Doc>(id: string): Promise<RemoteLedger<Doc>> {
    const [row] = await this.#full.select('SELECT number FROM jobs WHERE id = $1', [id])
    if (!row) throw new TrawlError('JOB_NOT_FOUND', `job ${id} has expired`)
    return new PostgresRemoteLedger<Doc>(this.#full, Number(row['number']))
  }

  watch(id: string, watcher: JobWatcher): JobWatch {
    if (this.#isClosed) throw engineClosed()
    const watchers = this.#watched.get(id) ?? new Set()
    this.#watched.set(id, watchers.add(watcher))
    this.#clock.hurry()
    return {
      hurry: () => this.#clock.hurry(),
      stop: () => {
        watchers.delete(watcher)
        if (watchers.size > 0 || this.#watched.get(id) !== watchers) return
        this.#watched.delete(id)
        this.#endedAtMs.delete(id)
        this.#clock.schedule()
      },
    }
  }

  send(id: string, command: JobCommand): Promise<void> {
    // Commands of an engine are carried out in their order, by their ids.
    this.#sentAtMs = Math.max(Date.now(), this.#sentAtMs + 1)
    return this.#commands.send(makeUuid(this.#sentAtMs), id, command, () => this.#clock.hurry())
  }

  /** Forgets a job of this engine. */
  forget(id: string): void {
    this.#served.delete(id)
    this.#read.delete(id)
    this.#left.forget(id)
  }

  /** Tells other engines what they are not told yet, and ends all watches. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#clock.close()
    this.#fail(engineClosed())
    await this.#commands.withdraw().catch(() => undefined)
    await this.#database.flush()
  }

  get #isAwaited(): boolean {
    if (!this.#commands.isEmpty) return true
    return [...this.#watched.values()].some((watchers) => [...watchers].some(({ isWaiting }) => isWaiting))
  }

  #listRunning(): readonly string[] {
    return [...this.#served].flatMap(([id, { isRunning }]) => (isRunning ? [id] : []))
  }

  #fail(error: unknown): void {
    const watchers = [...this.#watched.values()].flatMap((some) => [...some])
    this.#watched.clear()
    this.#endedAtMs.clear()
    for (const watcher of watchers) watcher.fail(error)
    this.#commands.fail(error)
  }

  async #poll(): Promise<void> {
    try {
      await this.#serveOthers()
      await this.#left.poll(this.#served)
      await this.#writePositions()
      await this.#tellWatchers()
      await this.#commands.poll()
      this.#failingSinceMs = undefined
    } catch (error) {
      const nowMs = performance.now()
      this.#failingSinceMs ??= nowMs
      // Those who wait are as patient as a running job.
      if (!isPassing(error) || nowMs - this.#failingSinceMs > this.#full.patienceMs) this.#fail(error)
    }
  }

  async #serveOthers(): Promise<void> {
    const ids = this.#listRunning()
    if (ids.length === 0) return
    const rows = await this.#database.poll(SELECT_SERVED, [toList(ids), OWNER, toList(this.#answers.underWay)], false)
    const found = new Map(rows.map((row) => [String(row['id']), row]))
    for (const id of ids) {
      const job = this.#served.get(id)
      const row = found.get(id)
      const next = row?.['next']
      if (typeof next === 'number') this.#read.add(id)
      else this.#read.delete(id)
      job?.followReaders(typeof next === 'number' ? next : undefined)
      if (!job || typeof row?.['commands'] !== 'string') continue
      const commands = parseJson(row['commands']) as readonly ReceivedCommand[]
      this.#answers.answer(id, job, Number(row['generation']), commands)
    }
  }

  /** Writes how far the readers of this engine are, as far as it has changed. */
  async #writePositions(): Promise<void> {
    const present = new Map<string, number>()
    for (const [id, watchers] of this.#watched) {
      const positions = [...watchers].flatMap(({ position }) => (position === undefined ? [] : [position]))
      if (positions.length > 0) present.set(id, Math.min(...positions))
    }
    const closed = [...this.#positions.keys()].filter((id) => !present.has(id))
    const nowMs = performance.now()
    const isDue = nowMs - this.#positionsAtMs >= POSITION_MS
    const written = [...present].filter(([id, next]) => isDue || this.#positions.get(id) !== next)
    if (written.length > 0) {
      const values = [OWNER, toList(written.map(([id]) => id)), toList(written.map(([, next]) => next))]
      await this.#database.poll(WRITE_POSITIONS, values, this.#isAwaited)
    }
    if (isDue) this.#positionsAtMs = nowMs
    if (closed.length > 0) await this.#database.poll(DELETE_POSITIONS, [OWNER, toList(closed)], false)
    for (const id of closed) this.#positions.delete(id)
    for (const id of closed) this.#database.notify(id)
    for (const [id, next] of present) {
      if (this.#positions.get(id) !== next) this.#database.notify(id)
      this.#positions.set(id, next)
    }
  }

  async #tellWatchers(): Promise<void> {
    const watched = [...this.#watched]
    if (watched.length === 0) return
    const rows = await this.#database.poll(SELECT_NEWS, [toList(watched.map(([id]) => id))], this.#isAwaited)
    const found = new Map(rows.map((row) => [String(row['id']), this.#toNews(row)]))
    for (const [id, watchers] of watched) for (const watcher of watchers) watcher.tell(found.get(id))
  }

  #toNews(row: PgRow): JobNews {
    const id = String(row['id'])
    const state = String(row['state']) as JobNews['state']
    const endedAtMs = this.#endedAtMs.get(id) ?? performance.now()
    if (state !== 'scraping') this.#endedAtMs.set(id, endedAtMs)
    const isSettled = row['settled'] === true || performance.now() - endedAtMs > LAST_ROWS_MS
    const isGenerated = row['generated'] === true
    const delivered = Number(row['delivered'])
    return { state, hasEnded: state !== 'scraping' && isSettled, isGenerated, delivered, counts: readCounts(row) }
  }
}

/** The owner of a job that failed here is this engine until the server has its release. */
const SELECT_LEFT = `SELECT id, completed_at, coalesce(owner <> $2, FALSE) AND ${OWNER_IS_ALIVE} AS held
  FROM jobs WHERE id = ANY (${listIn(1)})`

/** Finds the jobs that have ended in this engine, and that another one has gone on with since. */
class LeftJobs {
  readonly #database: SharedDatabase
  readonly #wentOn = new Set<string>()

  constructor(database: SharedDatabase) {
    this.#database = database
  }

  /** True when another engine was seen to go on with a job. */
  wentOn(id: string): boolean {
    return this.#wentOn.has(id)
  }

  /** Forgets what was seen of a job. */
  forget(id: string): void {
    this.#wentOn.delete(id)
  }

  /** Asks about those of the jobs that may go on elsewhere. */
  async poll(served: ReadonlyMap<string, ServedJob>): Promise<void> {
    const asked = [...served].flatMap(([id, job]) => {
      const { left } = job
      return left && !this.wentOn(id) ? [{ id, job, ...left }] : []
    })
    if (asked.length === 0) return
    const ids = toList(asked.map(({ id }) => id))
    const rows = await this.#database.poll(SELECT_LEFT, [ids, OWNER], false)
    const found = new Map(rows.map((row) => [String(row['id']), row]))
    for (const { id, job, completedAtMs, isStored } of asked) {
      const row = found.get(id)
      // Another handle may have replaced the job meanwhile, and the job may have been resumed here and stopped again.
      if (!row || served.get(id) !== job || job.left?.completedAtMs !== completedAtMs) continue
      const endedAtMs = numberIn(row, 'completed_at')
      const isGoingOn = endedAtMs === undefined ? isStored || row['held'] === true : endedAtMs !== completedAtMs
      if (isGoingOn) this.#wentOn.add(id)
    }
  }
}

/** Longest time between two polls while there is something to ask. Milliseconds. */
const POLL_MS = 500
/** Shortest time between two polls, however often other engines call. Milliseconds. */
const MIN_POLL_MS = 100

/** Demand for polls. `waiting`: a caller waits for the answer, which keeps the process alive. */
type PollDemand = 'none' | 'idle' | 'waiting'

/** Asks a server twice a second, and sooner when it is told to, one poll at a time. */
class PollClock {
  readonly #poll: () => Promise<void>
  readonly #demand: () => PollDemand
  #timer: NodeJS.Timeout | undefined
  #isPolling = false
  #isHurried = false
  #isClosed = false
  #polledAtMs = -Infinity

  /** @param poll must not reject */
  constructor(poll: () => Promise<void>, demand: () => PollDemand) {
    this.#poll = poll
    this.#demand = demand
  }

  /** Polls as soon as the least interval allows. */
  hurry(): void {
    this.#isHurried = true
    this.schedule()
  }

  /** Plans the next poll; to be called when the demand has changed. */
  schedule(): void {
    clearTimeout(this.#timer)
    const demand = this.#demand()
    if (this.#isClosed || this.#isPolling || demand === 'none') return
    const dueMs = this.#polledAtMs + (this.#isHurried ? MIN_POLL_MS : POLL_MS)
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, dueMs - performance.now()))
    if (demand === 'idle') this.#timer.unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#isPolling = true
    this.#isHurried = false
    await this.#poll()
    this.#polledAtMs = performance.now()
    this.#isPolling = false
    this.schedule()
  }
}
