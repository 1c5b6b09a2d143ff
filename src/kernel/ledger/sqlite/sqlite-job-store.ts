import { TrawlError } from '../../../base/errors.js'
import {
  isUnfinished,
  type JobChange,
  type JobRange,
  type JobStore,
  type LedgerVersion,
  needsOwner,
  type SharedJob,
  type StoredJob,
} from '../job-store.js'
import { numberOf, type SqlRow, textIn, textOf, numberIn } from '../../../base/sqlite/driver.js'
import type { RequireOptions } from './require-ledger.js'
import type { SqliteFile } from './sqlite-file.js'
import { SqliteJobWriter } from './sqlite-job-writer.js'
import type { JobUse } from '../../../base/accounting/budget.js'
import { StoredValues } from '../stored-values.js'

/** Rows of a deleted job removed in one step, so that the host's event loop is not blocked for long. */
const SWEEP_ROWS = 500
/** The tables with rows of jobs, and the key column of each. */
const TABLE_KEYS = { abridged: 'hash', documents: 'sequence', notes: 'number', pages: 'number', reports: 'number' }

/** Columns of a job but its request, which may be a list of 100,000 URLs. */
const COLUMNS_WITHOUT_REQUEST = `id, idempotency_key, kind, '' AS request, missing, acknowledges, reports, state, created_at,
  completed_at, expires_at, error, warnings, used, budget, stopped_by, generated, owner`

/** The jobs in an SQLite file. */
export class SqliteJobStore implements JobStore {
  readonly #file: SqliteFile
  readonly #writers = new Map<string, SqliteJobWriter>()
  #sweep: NodeJS.Immediate | undefined
  #hasSwept = false

  constructor(file: SqliteFile) {
    this.#file = file
  }

  requireLedger(options?: RequireOptions): LedgerVersion {
    return this.#file.requireLedger(options)
  }

  /** The writes of a job. */
  writerOf(id: string): SqliteJobWriter {
    return this.#writers.get(id) ?? new SqliteJobWriter(this.#file, id, false)
  }

  /** Forgets the writes of a job of this engine. */
  forget(id: string): void {
    this.#writers.delete(id)
  }

  add(job: StoredJob): undefined {
    const owner = this.#file.owner(job.createdAtMs)
    this.#file.transact(() => {
      this.#refuseKnownKey(job)
      this.#file
        .statement(
          `INSERT INTO jobs (id, idempotency_key, kind, request, missing, acknowledges, state, created_at, warnings, reports,
             owner)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          job.id,
          job.idempotencyKey ?? null,
          job.kind,
          job.request,
          JSON.stringify(job.missing),
          job.acknowledges ? 1 : 0,
          job.state,
          job.createdAtMs,
          JSON.stringify(job.warnings),
          job.reports ? 1 : 0,
          owner,
        )
    })
    this.#writers.set(job.id, new SqliteJobWriter(this.#file, job.id, true))
  }

  async acquire(id: string): Promise<StoredJob | 'held' | undefined> {
    const known = this.#read(id)
    if (!known || !needsOwner(known.job)) return known?.job
    const owner = this.#file.owner(Date.now())
    const acquired = this.#file.transact(() => {
      const found = this.#read(id)
      if (!found || !needsOwner(found.job)) return found?.job
      const { holder, job } = found
      if (holder !== undefined && holder !== owner && this.#file.isAlive(holder)) {
        return isUnfinished(job) ? 'held' : { ...job, reports: false }
      }
      this.#file.statement('UPDATE jobs SET owner = ? WHERE id = ?').run(owner, id)
      return job
    })
    const isOwned = typeof acquired === 'object' && needsOwner(acquired)
    if (isOwned) this.#writers.set(id, new SqliteJobWriter(this.#file, id, true))
    return acquired
  }

  async listInterrupted(): Promise<readonly StoredJob[]> {
    // One that has failed here is not taken before the file can be written: the attempt would block the thread.
    this.#file.tryRepairs()
    const left = this.#file.statement(`SELECT * FROM jobs WHERE state = 'scraping' ORDER BY number`).all()
    return left.filter((row) => this.#isFree(row)).map(toJob)
  }

  /** Counts the unfinished jobs that no living process owns, without reading their requests. */
  countInterrupted(): number {
    const left = this.#file.statement(`SELECT id, owner FROM jobs WHERE state = 'scraping'`).all()
    return left.filter((row) => this.#isLeft(row)).length
  }

  async listUnreported(): Promise<readonly string[]> {
    const left = this.#file
      .statement(
        // A stopped job reports its end only after it was resumed. Until then `reports` is set, although there may be
        // nothing to send.
        `SELECT id, owner FROM jobs WHERE state <> 'scraping' AND (completed_at IS NULL OR reports = 1 AND (stopped_by IS NULL
           OR EXISTS (SELECT 1 FROM reports WHERE reports.job = jobs.number AND delivered = 0)))
         ORDER BY number`,
      )
      .all()
    return left.filter((row) => this.#isFree(row)).map((row) => textOf(row, 'id'))
  }

  list({ skip, limit, nowMs }: JobRange): readonly SharedJob[] {
    const listed = this.#file
      .statement(
        `SELECT ${COLUMNS_WITHOUT_REQUEST} FROM jobs WHERE coalesce(expires_at > ?, TRUE)
         ORDER BY number DESC LIMIT ? OFFSET ?`,
      )
      .all(nowMs, limit, skip)
    return listed.map((row) => this.#toShared(row))
  }

  hasRequest(id: string): boolean {
    const sql = `SELECT CASE WHEN json_valid(request) THEN json_type(request) = 'object' ELSE 0 END AS has FROM jobs WHERE id = ?`
    return this.#file.statement(sql).get(id)?.['has'] !== 0
  }

  async read(id: string): Promise<SharedJob | undefined> {
    const row = this.#file.statement('SELECT * FROM jobs WHERE id = ?').get(id)
    return row && this.#toShared(row)
  }

  async findByKey(idempotencyKey: string): Promise<string | undefined> {
    return this.#idOf(idempotencyKey)
  }

  #idOf(idempotencyKey: string): string | undefined {
    const row = this.#file.statement('SELECT id FROM jobs WHERE idempotency_key = ?').get(idempotencyKey)
    return row && textOf(row, 'id')
  }

  change(id: string, change: JobChange): void {
    const { state, generated, completedAtMs, expiresAtMs, error, warnings, budget, stoppedBy, reports } = change
    const isReporting = reports === undefined ? null : reports ? 1 : 0
    this.#alter(id, () =>
      this.#file
        .statement(
          `UPDATE jobs SET state = coalesce(?, state), completed_at = coalesce(?, completed_at),
             expires_at = coalesce(?, expires_at), error = coalesce(?, error), warnings = coalesce(?, warnings),
             budget = coalesce(?, budget), stopped_by = coalesce(?, stopped_by), generated = coalesce(?, generated),
             reports = coalesce(?, reports),
             owner = CASE WHEN coalesce(?, completed_at) IS NULL OR coalesce(?, reports) = 1 THEN owner END
           WHERE id = ?`,
        )
        .run(
          state ?? null,
          completedAtMs ?? null,
          expiresAtMs ?? null,
          error ?? null,
          warnings ? JSON.stringify(warnings) : null,
          budget ? JSON.stringify(budget) : null,
          stoppedBy ?? null,
          generated ?? null,
          isReporting,
          completedAtMs ?? null,
          isReporting,
          id,
        ),
    )
  }

  async restart(id: string, completedAtMs: number): Promise<boolean> {
    const owner = this.#file.owner(Date.now())
    const isRestarted = this.#file.transact(() => {
      const found = this.#read(id)
      if (found?.job.stoppedBy === undefined || found.job.completedAtMs !== completedAtMs) return false
      const { holder } = found
      if (holder !== undefined && holder !== owner && this.#file.isAlive(holder)) return false
      this.#file
        .statement(
          `UPDATE jobs SET state = 'scraping', completed_at = NULL, expires_at = NULL, error = NULL, stopped_by = NULL,
             owner = ? WHERE id = ?`,
        )
        .run(owner, id)
      return true
    })
    if (isRestarted) this.#writers.get(id)?.own(true)
    return isRestarted
  }

  release(id: string): void {
    const owner = this.#file.owner(Date.now())
    const sql = 'UPDATE jobs SET owner = NULL WHERE id = ? AND owner = ?'
    this.#alter(id, () => this.#file.statement(sql).run(id, owner))
  }

  forgetExpired(nowMs: number): void {
    const expired = this.#file.statement('SELECT number FROM jobs WHERE expires_at <= ?').all(nowMs)
    if (expired.length > 0) {
      this.#file.transact(() => {
        this.#file.statement('INSERT INTO forgotten (job) SELECT number FROM jobs WHERE expires_at <= ?').run(nowMs)
        this.#file.statement('DELETE FROM jobs WHERE expires_at <= ?').run(nowMs)
      })
    }
    // On the first call too: an earlier process may have been killed during its sweep.
    if (expired.length > 0 || !this.#hasSwept) this.#sweepSoon()
    this.#hasSwept = true
  }

  /** Stops the sweep; the next process continues it. */
  close(): void {
    clearImmediate(this.#sweep)
  }

  #toShared(row: SqlRow): SharedJob {
    const stored = toJob(row)
    return { stored, isHeld: isUnfinished(stored) && !this.#isLeft(row) }
  }

  #isFree(row: SqlRow): boolean {
    const holder = textIn(row, 'owner')
    return holder === undefined || !this.#file.isAlive(holder)
  }

  /** Tests for a job that no living process runs, also for one that has failed here and is not released yet. */
  #isLeft(row: SqlRow): boolean {
    const isFailed = this.#writers.get(textOf(row, 'id'))?.hasFailed === true
    return (isFailed && textIn(row, 'owner') === this.#file.owner(Date.now())) || this.#isFree(row)
  }

  /** Changes a job that this process may write, after all earlier writes. */
  #alter(id: string, change: () => void): void {
    const writer = this.writerOf(id)
    writer.transact(change)
    const owner = textIn(this.#file.statement('SELECT owner FROM jobs WHERE id = ?').get(id) ?? {}, 'owner')
    writer.own(owner !== undefined && owner === this.#file.owner(Date.now()))
  }

  /** @throws TrawlError `JOB_HELD` when another process has started a job with the same key since this one has asked for it */
  #refuseKnownKey({ idempotencyKey }: StoredJob): void {
    const known = idempotencyKey === undefined ? undefined : this.#idOf(idempotencyKey)
    if (known === undefined) return
    const message = `another process has just started job ${known} with the \`idempotencyKey\` ${idempotencyKey}: use it there, or call again when that process has ended`
    throw new TrawlError('JOB_HELD', message)
  }

  #read(id: string): { job: StoredJob; holder: string | undefined } | undefined {
    const row = this.#file.statement('SELECT * FROM jobs WHERE id = ?').get(id)
    return row && { job: toJob(row), holder: textIn(row, 'owner') }
  }

  #sweepSoon(): void {
    clearImmediate(this.#sweep)
    this.#sweep = setImmediate(() => {
      try {
        if (this.#sweepSome()) this.#sweepSoon()
      } catch {
        // The file is locked for too long, or the disk fails: the next call sweeps the rest.
        this.#hasSwept = false
      }
    }).unref()
  }

  /** Deletes some rows of a forgotten job. @returns true when there may be more */
  #sweepSome(): boolean {
    const first = this.#file.statement('SELECT job FROM forgotten LIMIT 1').get()
    if (!first) return false
    const job = numberOf(first, 'job')
    this.#file.transact(() => {
      const tables = Object.entries(TABLE_KEYS).filter(
        ([table]) => this.#file.statement(`SELECT job FROM ${table} WHERE job = ? LIMIT 1`).get(job) !== undefined,
      )
      for (const [table, key] of tables) {
        const some = `SELECT ${key} FROM ${table} WHERE job = ? LIMIT ${SWEEP_ROWS}`
        this.#file.statement(`DELETE FROM ${table} WHERE job = ? AND ${key} IN (${some})`).run(job, job)
      }
      if (tables.length === 0) this.#file.statement('DELETE FROM forgotten WHERE job = ?').run(job)
    })
    return true
  }
}

/** Reads a job from its row. */
function toJob(row: SqlRow): StoredJob {
  const values = new StoredValues()
  const completedAtMs = values.time('completed_at', numberIn(row, 'completed_at'))
  const expiresAtMs = values.time('expires_at', numberIn(row, 'expires_at'))
  const [error, idempotencyKey] = [textIn(row, 'error'), textIn(row, 'idempotency_key')]
  const used = values.object('used', textIn(row, 'used')) as JobUse | undefined
  const budget = values.object('budget', textIn(row, 'budget'))
  const stoppedBy = values.stopReason(textIn(row, 'stopped_by'))
  const generated = textIn(row, 'generated')
  values.object('generated', generated)
  const { unreadable } = values
  return {
    id: textOf(row, 'id'),
    kind: values.kind(textOf(row, 'kind')),
    request: textOf(row, 'request'),
    missing: values.list('missing', textOf(row, 'missing')),
    acknowledges: numberOf(row, 'acknowledges') === 1,
    reports: numberOf(row, 'reports') === 1,
    createdAtMs: values.time('created_at', numberOf(row, 'created_at')) ?? 0,
    state: values.state(textOf(row, 'state')),
    warnings: values.list('warnings', textOf(row, 'warnings')),
    idempotencyKey,
    generated,
    completedAtMs,
    expiresAtMs,
    error,
    used,
    budget,
    stoppedBy,
    unreadable: unreadable.length > 0 ? unreadable : undefined,
  }
}
