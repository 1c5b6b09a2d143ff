import { toTrawlError, TrawlError } from '../../../base/errors.js'
import { isUnfinished, needsOwner } from '../../../kernel/ledger/job-store.js'
import type { JobChange, JobStore, SharedJob, StoredJob } from '../../../kernel/ledger/job-store.js'
import { isLostConnection, isUniqueViolation, type PgDatabase } from './database.js'
import { ExpiredJobs, forget } from './expired-jobs.js'
import { JobFence, takenOver } from './job-fence.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'
import { OWNER, type PgValue } from './statement.js'
import { IS_FREE, OWNER_IS_ALIVE } from './session-lock.js'
import { JOB_COLUMNS, type KnownJob, numberIn, toJob, toKnown } from './stored-job-row.js'
import { IS_NEXT_WRITE } from './write-group.js'
import type { PgWriteQueue } from './write-queue.js'

/** Least time between two searches for expired jobs. Milliseconds. */
const EXPIRY_INTERVAL_MS = 1000

/** Adds a job. It has the same effect when it is repeated. */
const INSERT_JOB = `INSERT INTO jobs (id, idempotency_key, kind, request, missing, acknowledges, reports, state, created_at, warnings,
    owner)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (id) DO UPDATE SET owner = excluded.owner
    WHERE jobs.owner = excluded.owner AND jobs.generation = 1 AND jobs.writes = 0
  RETURNING number`

/** The jobs in a PostgreSQL database. */
export class PostgresJobStore implements JobStore {
  readonly #database: PgDatabase
  readonly #queue: PgWriteQueue
  readonly #expired: ExpiredJobs
  /** Changes under way, and the job of each. */
  readonly #changes = new Map<Promise<void>, string>()
  /** Requests that were given up, and may have succeeded: no later one takes the same generation. */
  #givenUp = 0
  #searchedAtMs: number | undefined
  /** The time of the last call, by the clock of the engine. */
  #nowMs = -Infinity

  constructor(database: PgDatabase, queue: PgWriteQueue) {
    this.#database = database
    this.#queue = queue
    this.#expired = new ExpiredJobs(database)
  }

  /** Adds a job. What is written of it afterwards comes after it, on the same connection. */
  add(job: StoredJob): Promise<void> {
    const { id } = job
    const fence = new JobFence({ generation: 1, writes: 0, isOwned: true })
    this.#queue.setFence(id, fence)
    const added = this.#add(job, fence)
    const kept: Promise<void> = added.catch(() => undefined).then(() => void this.#changes.delete(kept))
    this.#changes.set(kept, id)
    return added
  }

  async #add(job: StoredJob, fence: JobFence): Promise<void> {
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
      OWNER,
    ]
    try {
      // The key of an expired job is free, even if the job is not deleted yet.
      if (key !== null) await this.#ask(forget('idempotency_key = $1 AND expires_at <= $2'), [key, this.#clock])
      const inserted = this.#database.run('writer', [{ text: INSERT_JOB, values }])
      // An engine without its lock, which the server does not give it back, must not start a job: others would take it at once.
      const [[rows]] = await Promise.all([inserted, this.#database.run('control', [])])
      if (rows?.length !== 1) throw takenOver()
    } catch (error) {
      if (!isUniqueViolation(error)) this.#deleteAdded(id)
      const failure = isUniqueViolation(error) ? describeKnownKey(idempotencyKey, error) : toTrawlError(error)
      fence.fail(failure)
      throw failure
    }
  }

  async acquire(id: string): Promise<StoredJob | 'held' | undefined> {
    // The server has no texts with this character.
    if (id.includes('\0')) return undefined
    const connection = this.#connectionFor(id)
    const known = await this.#read(id, connection)
    if (!known) return undefined
    if (!needsOwner(known.job)) return this.#keep(known, false).job
    // The condition is tested again when another engine has just taken the job: the server locks the row first.
    const row = await this.#take(
      known,
      `UPDATE jobs SET owner = $2, generation = $4 WHERE id = $1 AND (completed_at IS NULL OR reports)
         AND (generation = $3 AND (owner = $2 OR ${IS_FREE}) OR generation = $4 AND owner = $2)
       RETURNING ${JOB_COLUMNS}`,
      [],
      connection,
    )
    if (row) return this.#keep(toKnown(row), true).job
    const found = await this.#read(id, connection)
    if (!found || !needsOwner(found.job)) return found && this.#keep(found, false).job
    return isUnfinished(found.job) ? 'held' : this.#keep({ ...found, job: { ...found.job, reports: false } }, false).job
  }

  async read(id: string): Promise<SharedJob | undefined> {
    const sql = `SELECT ${JOB_COLUMNS}, ${OWNER_IS_ALIVE} AS held FROM jobs WHERE id = $1`
    const [row] = id.includes('\0') ? [] : await this.#ask(sql, [id], this.#connectionFor(id))
    const hasFailed = row?.['owner'] === this.#database.owner && this.#queue.fenceOf(id)?.fault !== undefined
    return row && { stored: toJob(row), isHeld: row['held'] === true && !hasFailed }
  }

  async listInterrupted(): Promise<readonly StoredJob[]> {
    const rows = await this.#ask(
      // With those of this engine that it does not run: the answer to its request was lost.
      `SELECT ${JOB_COLUMNS} FROM jobs WHERE state = 'scraping'
         AND (${IS_FREE} OR owner = $1 AND NOT id = ANY (string_to_array($2, E'\\x1f')))
       ORDER BY number`,
      [OWNER, this.#queue.listOwned().join('\u001F')],
      this.#connectionFor(),
    )
    return rows.map((row) => toJob(row))
  }

  async listUnreported(): Promise<readonly string[]> {
    const rows = await this.#ask(
      // A stopped job reports its end only after it was resumed. Until then `reports` is set, although there may be
      // nothing to send.
      `SELECT id FROM jobs WHERE state <> 'scraping' AND (completed_at IS NULL OR reports AND (stopped_by IS NULL
         OR EXISTS (SELECT FROM reports WHERE reports.job = jobs.number AND NOT delivered))) AND ${IS_FREE}
       ORDER BY number`,
      [],
      this.#connectionFor(),
    )
    return rows.map((row) => String(row['id']))
  }

  async findByKey(idempotencyKey: string): Promise<string | undefined> {
    const sql = 'SELECT id FROM jobs WHERE idempotency_key = $1'
    const [row] = await this.#ask(sql, [JSON.stringify(idempotencyKey)], this.#connectionFor())
    return row && String(row['id'])
  }

  change(id: string, change: JobChange): void {
    const { state, completedAtMs, expiresAtMs, error, stoppedBy, reports } = change
    this.#alter(
      id,
      `state = coalesce($4, jobs.state), completed_at = coalesce($5, completed_at), expires_at = coalesce($6, expires_at),
       error = coalesce($7, error), warnings = coalesce($8, warnings), budget = coalesce($9, budget),
       stopped_by = coalesce($10, stopped_by), generated = coalesce($11, generated), reports = coalesce($12, reports),
       owner = CASE WHEN coalesce($5, completed_at) IS NULL OR coalesce($12, reports) THEN owner END`,
      [
        state ?? null,
        completedAtMs ?? null,
        expiresAtMs ?? null,
        error === undefined ? null : JSON.stringify(error),
        change.warnings ? JSON.stringify(change.warnings) : null,
        change.budget ? JSON.stringify(change.budget) : null,
        stoppedBy ?? null,
        change.generated ?? null,
        reports ?? null,
      ],
    )
  }

  async written(id: string): Promise<void> {
    await Promise.all(this.#changesOf(id))
    const fault = this.#queue.fenceOf(id)?.fault
    if (fault) throw fault
  }

  async restart(id: string, completedAtMs: number): Promise<boolean> {
    const known = await this.#read(id, 'writer')
    const fence = this.#queue.fenceOf(id)
    if (!known || !fence) return false
    const row = await this.#take(
      known,
      `UPDATE jobs SET state = 'scraping', completed_at = NULL, expires_at = NULL, error = NULL, stopped_by = NULL,
         owner = $2, generation = $4
       WHERE id = $1 AND (
         generation = $3 AND stopped_by IS NOT NULL AND completed_at = $5 AND (owner = $2 OR ${IS_FREE})
         OR generation = $4 AND owner = $2 AND state = 'scraping')
       RETURNING generation, writes`,
      [completedAtMs],
      'writer',
    )
    if (row) fence.renew(Number(row['generation']), Number(row['writes']))
    return row !== undefined
  }

  release(id: string): void {
    this.#alter(id, 'owner = NULL', [])
    this.#queue.fenceOf(id)?.release()
  }

  forgetExpired(nowMs: number): void {
    this.#nowMs = nowMs
    const { isOpen } = this.#database
    const elapsedMs = nowMs - (this.#searchedAtMs ?? -Infinity)
    // An engine that has not asked for anything yet is not connected for this.
    if (!isOpen || (elapsedMs >= 0 && elapsedMs < EXPIRY_INTERVAL_MS)) return
    this.#searchedAtMs = nowMs
    // The earlier of two clocks: an engine whose own one is ahead must not delete the jobs of others.
    const condition = 'expires_at <= least($1, (extract(epoch FROM now()) * 1000)::bigint)'
    // When the connection is lost, the next search deletes the rest.
    this.#expired.delete(condition, [this.#clock]).catch(() => undefined)
  }

  hurry(): void {
    this.#database.hurry()
  }

  /** Resolves when all changes are written, or have failed. */
  async close(): Promise<void> {
    this.#expired.close()
    await Promise.all(this.#changes.keys())
  }

  /** The time of the last call, as a value. */
  get #clock(): number {
    return Math.max(0, Math.floor(this.#nowMs))
  }

  /** Asks for rows. On the connection `writer` the question comes after all writes and changes before it. */
  async #ask(
    text: string,
    values: readonly PgValue[] = [],
    connection: Connection = 'control',
  ): Promise<readonly PgRow[]> {
    if (connection === 'writer') this.#queue.send()
    const [rows = []] = await this.#database.run(connection, [{ text, values }], this.#database.answerPatienceMs)
    return rows
  }

  #changesOf(id: string): readonly Promise<void>[] {
    return [...this.#changes].flatMap(([change, job]) => (job === id ? [change] : []))
  }

  /** The connection on which a read of a job sees its changes; without an id, those of all jobs. */
  #connectionFor(id?: string): Connection {
    const isChanging = id === undefined ? this.#changes.size > 0 : this.#changesOf(id).length > 0
    return isChanging ? 'writer' : 'control'
  }

  async #read(id: string, connection: Connection): Promise<KnownJob | undefined> {
    const [row] = await this.#ask(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1`, [id], connection)
    if (!row || (numberIn(row, 'expires_at') ?? Infinity) <= this.#nowMs) return undefined
    return toKnown(row)
  }

  /** Keeps the counters of a job that was read, for its writes. */
  #keep(known: KnownJob, isOwned: boolean): KnownJob {
    const { job, generation, writes } = known
    this.#queue.setFence(job.id, new JobFence({ generation, writes, isOwned }))
    return known
  }

  /** Takes a job that has this generation, by a statement whose values are its id, the owner, and the generation before and after. */
  async #take(
    { job: { id }, generation }: KnownJob,
    text: string,
    values: readonly PgValue[],
    connection: Connection,
  ): Promise<PgRow | undefined> {
    const next = generation + 1 + this.#givenUp
    try {
      const [row] = await this.#ask(text, [id, OWNER, generation, next, ...values], connection)
      return row
    } catch (error) {
      if (isLostConnection(error)) {
        // The server may have done it, or may still do it.
        this.#givenUp += 1
        this.#queue.release(id, next, connection)
      }
      throw error
    }
  }

  /** Deletes a job that the server may have added, although its answer is lost. */
  #deleteAdded(id: string): void {
    // No statement was sent to a server that was never reached.
    if (this.#database.owner === undefined) return
    const text = 'DELETE FROM jobs WHERE id = $1 AND owner = $2 AND generation = 1 AND writes = 0'
    void this.#queue.repair('writer', { text, values: [id, OWNER] })
  }

  /**
   * Changes columns of a job that this engine may write, after all earlier writes.
   *
   * @param more values from `$4` on
   */
  #alter(id: string, columns: string, more: readonly PgValue[]): void {
    const fence = this.#queue.fenceOf(id)
    // The database has the job as of its last group, to be resumed from there.
    if (!fence || fence.fault) return
    this.#queue.send()
    const write = fence.count()
    const statement = {
      text: `WITH locked AS (
          SELECT number, writes, jobs.state FROM jobs WHERE id = $1 AND generation = $2 FOR NO KEY UPDATE
        ), changed AS (
          UPDATE jobs SET writes = greatest(jobs.writes, $3), ${columns}
          FROM locked, (SELECT $3::bigint AS write) given
          WHERE jobs.number = locked.number AND ${IS_NEXT_WRITE}
        )
        SELECT writes FROM locked`,
      values: [id, fence.generation, write, ...more],
    }
    const send = async (): Promise<number | undefined> => {
      const [rows] = await this.#database.run('writer', [statement])
      return rows?.[0] && Number(rows[0]['writes'])
    }
    const { generation } = fence
    const written = send().then((found) =>
      // What was changed before the job was restarted is nothing that it goes on with.
      fence.generation === generation ? this.#queue.check({ fence, write, found }, send) : undefined,
    )
    const kept: Promise<void> = written
      .catch((error: unknown) => this.#queue.fail(id, fence, error))
      .then(() => void this.#changes.delete(kept))
    this.#changes.set(kept, id)
  }
}

type Connection = 'control' | 'writer'

function describeKnownKey(key: string | undefined, cause: unknown): TrawlError {
  const message = `another engine has just started a job with the \`idempotencyKey\` ${key}: call again for its handle`
  return new TrawlError('JOB_HELD', message, { cause })
}
