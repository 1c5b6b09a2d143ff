import type { JobBudget, JobUse } from '../../accounting/budget.js'
import { TrawlError } from '../../errors.js'
import { parseJson } from '../../text/parse-json.js'
import type { JobChange, JobStore, StopReason, StoredJob } from '../job-store.js'
import type { PgDatabase, PgResults } from './database.js'
import type { PgRow, PgStatement, PgValue } from './protocol.js'
import { OWNER_IS_ALIVE } from './session-lock.js'
import type { PgWriteQueue } from './write-queue.js'

/** Rows of a deleted job removed in one step, so that no transaction takes long. */
const SWEEP_ROWS = 5000
/** The tables with rows of jobs, and the key column of each. */
const TABLE_KEYS = { abridged: 'hash', documents: 'sequence', notes: 'number', pages: 'number', reports: 'number' }
/** Least time between two searches for expired jobs. Milliseconds. */
const EXPIRY_INTERVAL_MS = 1000

const IS_FREE = `(jobs.owner IS NULL OR NOT ${OWNER_IS_ALIVE})`

/** The jobs in a PostgreSQL database. Calls that must be answered at once wait for the server with the host's thread. */
export class PostgresJobStore implements JobStore {
  readonly #database: PgDatabase
  readonly #queue: PgWriteQueue
  /** Changes under way that nobody waits for, and the first error of one. */
  readonly #changes = new Set<Promise<void>>()
  #changeError: unknown
  #searchedAtMs: number | undefined
  /** The time of the last call, by the clock of the engine. */
  #nowMs = -Infinity
  #isClosed = false

  constructor(database: PgDatabase, queue: PgWriteQueue) {
    this.#database = database
    this.#queue = queue
  }

  add(job: StoredJob): void {
    const { owner } = this.#database
    const { id, idempotencyKey, kind, request, acknowledges, reports, state, createdAtMs } = job
    const key = idempotencyKey === undefined ? null : JSON.stringify(idempotencyKey)
    // Repeated when the answer is lost with the connection.
    const values = [
      id,
      key,
      kind,
      request,
      JSON.stringify(job.missing),
      acknowledges,
      reports,
      state,
      createdAtMs,
      JSON.stringify(job.warnings),
      owner,
    ]
    try {
      // The key of an expired job is free, even if the job is not deleted yet.
      if (key !== null) this.#ask(forget('idempotency_key = $1 AND expires_at <= $2'), [key, this.#clock])
      this.#ask(
        `INSERT INTO jobs (id, idempotency_key, kind, request, missing, acknowledges, reports, state, created_at, warnings,
           owner)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (id) DO UPDATE SET owner = excluded.owner`,
        values,
      )
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const message = `another engine has just started a job with the \`idempotencyKey\` ${idempotencyKey}`
      throw new TrawlError('JOB_HELD', message, { cause: error })
    }
  }

  acquire(id: string): StoredJob | 'held' | undefined {
    const known = this.#read(id)
    if (!known || !needsOwner(known.job)) return known?.job
    const { owner } = this.#database
    this.#ask(
      // The condition is tested again when another engine has just taken the job: the server locks the row first.
      `UPDATE jobs SET owner = $2 WHERE id = $1 AND (state = 'scraping' OR reports)
         AND (jobs.owner = $2 OR ${IS_FREE})`,
      [id, owner],
    )
    const found = this.#read(id)
    if (!found || !needsOwner(found.job) || found.owner === owner) return found?.job
    return found.job.state === 'scraping' ? 'held' : { ...found.job, reports: false }
  }

  listInterrupted(): readonly StoredJob[] {
    const [rows = []] = this.#ask(`SELECT * FROM jobs WHERE state = 'scraping' AND ${IS_FREE} ORDER BY number`)
    return rows.map(toJob)
  }

  listUnreported(): readonly string[] {
    const [rows = []] = this.#ask(
      // A stopped job reports its end only after it was resumed. Until then `reports` is set, although there may be
      // nothing to send.
      `SELECT id FROM jobs WHERE state <> 'scraping' AND reports AND (stopped_by IS NULL
         OR EXISTS (SELECT FROM reports WHERE reports.job = jobs.number AND NOT delivered)) AND ${IS_FREE}
       ORDER BY number`,
    )
    return rows.map((row) => String(row['id']))
  }

  findByKey(idempotencyKey: string): string | undefined {
    const [rows] = this.#ask('SELECT id FROM jobs WHERE idempotency_key = $1', [JSON.stringify(idempotencyKey)])
    return rows?.[0] && String(rows[0]['id'])
  }

  change(id: string, change: JobChange): void {
    // The database has the job as of its last group, to be resumed from there.
    if (this.#queue.faultOf(id)) return
    const { state, completedAtMs, expiresAtMs, error, stoppedBy, reports } = change
    const statement = {
      text: `UPDATE jobs SET state = coalesce($2, state), completed_at = coalesce($3, completed_at),
          expires_at = coalesce($4, expires_at), error = coalesce($5, error), warnings = coalesce($6, warnings),
          budget = coalesce($7, budget), stopped_by = coalesce($8, stopped_by), generated = coalesce($9, generated),
          reports = coalesce($10, reports),
          owner = CASE WHEN coalesce($2, state) = 'scraping' OR coalesce($10, reports) THEN owner END
        WHERE id = $1 AND (owner = $11 OR owner IS NULL)`,
      values: [
        id,
        state ?? null,
        completedAtMs ?? null,
        expiresAtMs ?? null,
        error === undefined ? null : JSON.stringify(error),
        change.warnings ? JSON.stringify(change.warnings) : null,
        change.budget ? JSON.stringify(change.budget) : null,
        stoppedBy ?? null,
        change.generated ?? null,
        reports ?? null,
        this.#database.owner,
      ],
    }
    // Others must see the end of a job as soon as its handle does.
    if (state !== undefined) return void this.#askInTurn(statement)
    this.#queue.send()
    const written = this.#database.run('writer', [statement]).then(
      () => undefined,
      (reason: unknown) => void (this.#changeError ??= reason),
    )
    const kept: Promise<void> = written.then(() => void this.#changes.delete(kept))
    this.#changes.add(kept)
  }

  restart(id: string, completedAtMs: number): boolean {
    const { owner } = this.#database
    const [rows] = this.#askInTurn({
      text: `UPDATE jobs SET state = 'scraping', completed_at = NULL, expires_at = NULL, error = NULL, stopped_by = NULL,
          owner = $2
        WHERE id = $1 AND stopped_by IS NOT NULL AND completed_at = $3 AND (jobs.owner = $2 OR ${IS_FREE})
        RETURNING number`,
      values: [id, owner, completedAtMs],
    })
    return rows?.length === 1
  }

  release(id: string): void {
    if (this.#queue.faultOf(id)) return
    const text = 'UPDATE jobs SET owner = NULL WHERE id = $1 AND owner = $2'
    this.#askInTurn({ text, values: [id, this.#database.owner] })
  }

  forgetExpired(nowMs: number): void {
    this.#nowMs = nowMs
    const { isOpen } = this.#database
    const elapsedMs = nowMs - (this.#searchedAtMs ?? -Infinity)
    // An engine that has not asked for anything yet is not connected for this.
    if (!isOpen || (elapsedMs >= 0 && elapsedMs < EXPIRY_INTERVAL_MS)) return
    this.#searchedAtMs = nowMs
    // The earlier of two clocks: an engine whose own one is ahead must not delete the jobs of others.
    const text = forget('expires_at <= least($1, (extract(epoch FROM now()) * 1000)::bigint)')
    this.#database
      .run('control', [{ text, values: [this.#clock] }])
      .then(() => this.#sweep())
      // When the connection is lost, the next search deletes the rest.
      .catch(() => undefined)
  }

  /** Resolves when all changes are written; the next engine continues the sweep. @throws TrawlError `LEDGER_ERROR` */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#changes)
    if (this.#changeError !== undefined) throw this.#changeError
  }

  /** The time of the last call, as a value. */
  get #clock(): number {
    return Math.max(0, Math.floor(this.#nowMs))
  }

  #ask(text: string, values: readonly PgValue[] = []): PgResults {
    const statement = { text, values }
    return this.#changes.size > 0 ? this.#askInTurn(statement) : this.#database.ask([statement])
  }

  /** Runs a statement after all writes and changes before it. */
  #askInTurn(statement: PgStatement): PgResults {
    this.#queue.send()
    return this.#database.ask([statement], 'writer')
  }

  #read(id: string): { job: StoredJob; owner: number | undefined } | undefined {
    const [rows] = this.#ask('SELECT * FROM jobs WHERE id = $1', [id])
    const row = rows?.[0]
    if (!row || (numberIn(row, 'expires_at') ?? Infinity) <= this.#nowMs) return undefined
    return { job: toJob(row), owner: numberIn(row, 'owner') }
  }

  /** Deletes the rows of forgotten jobs, some at a time. */
  async #sweep(): Promise<void> {
    for (;;) {
      const [first] = await this.#database.select('SELECT job FROM forgotten LIMIT 1', [])
      if (!first || this.#isClosed) return
      const job = Number(first['job'])
      for (const [table, key] of Object.entries(TABLE_KEYS)) {
        const some = `SELECT ${key} FROM ${table} WHERE job = $1 LIMIT ${SWEEP_ROWS}`
        const text = `DELETE FROM ${table} WHERE job = $1 AND ${key} IN (${some}) RETURNING 1`
        while (!this.#isClosed && (await this.#database.select(text, [job])).length === SWEEP_ROWS);
      }
      if (!this.#isClosed) await this.#database.select('DELETE FROM forgotten WHERE job = $1', [job])
    }
  }
}

/** A statement that deletes jobs; their rows are deleted later. */
const forget = (condition: string): string =>
  `WITH expired AS (DELETE FROM jobs WHERE ${condition} RETURNING number)
   INSERT INTO forgotten (job) SELECT number FROM expired ON CONFLICT DO NOTHING`

/** Tests for a job that must be owned by one process: it runs, or has reports to send. */
const needsOwner = ({ state, reports }: StoredJob): boolean => state === 'scraping' || reports

/** Tests for SQLSTATE `unique_violation`. */
const isUniqueViolation = (error: unknown): boolean =>
  error instanceof TrawlError && error.cause instanceof Error && 'code' in error.cause && error.cause.code === '23505'

const numberIn = (row: PgRow, column: string): number | undefined =>
  row[column] === null ? undefined : Number(row[column])

function toJob(row: PgRow): StoredJob {
  const text = (column: string): string | undefined => {
    const value = row[column]
    return typeof value === 'string' ? value : undefined
  }
  const json = (column: string): unknown => {
    const value = text(column)
    return value === undefined ? undefined : parseJson(value)
  }
  const given = {
    idempotencyKey: json('idempotency_key'),
    generated: text('generated'),
    completedAtMs: numberIn(row, 'completed_at'),
    expiresAtMs: numberIn(row, 'expires_at'),
    error: json('error'),
    used: json('used') as JobUse | undefined,
    budget: json('budget') as JobBudget | undefined,
    stoppedBy: text('stopped_by') as StopReason | undefined,
  }
  return {
    id: String(row['id']),
    kind: String(row['kind']) as StoredJob['kind'],
    request: String(row['request']),
    missing: json('missing') as string[],
    acknowledges: row['acknowledges'] === true,
    reports: row['reports'] === true,
    createdAtMs: Number(row['created_at']),
    state: String(row['state']) as StoredJob['state'],
    warnings: json('warnings') as string[],
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
}
