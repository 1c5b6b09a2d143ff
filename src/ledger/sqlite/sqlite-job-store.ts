import type { JobBudget, JobUse } from '../../accounting/budget.js'
import type { JobChange, JobRange, JobStore, LedgerVersion, SharedJob, StopReason, StoredJob } from '../job-store.js'
import { numberIn, numberOf, type SqlRow, textIn, textOf } from '../../sqlite/driver.js'
import type { RequireOptions } from './require-ledger.js'
import type { SqliteFile } from './sqlite-file.js'
import { parseJson } from '../../text/parse-json.js'

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
  #sweep: NodeJS.Immediate | undefined
  #hasSwept = false

  constructor(file: SqliteFile) {
    this.#file = file
  }

  requireLedger(options?: RequireOptions): LedgerVersion {
    return this.#file.requireLedger(options)
  }

  add(job: StoredJob): void {
    const owner = this.#file.owner(job.createdAtMs)
    this.#file.transact(() =>
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
        ),
    )
  }

  acquire(id: string): StoredJob | 'held' | undefined {
    const known = this.#read(id)
    if (!known || !needsOwner(known.job)) return known?.job
    const owner = this.#file.owner(Date.now())
    return this.#file.transact(() => {
      const found = this.#read(id)
      if (!found || !needsOwner(found.job)) return found?.job
      const { holder, job } = found
      if (holder !== undefined && holder !== owner && this.#file.isAlive(holder)) {
        return job.state === 'scraping' ? 'held' : { ...job, reports: false }
      }
      this.#file.statement('UPDATE jobs SET owner = ? WHERE id = ?').run(owner, id)
      return job
    })
  }

  listInterrupted(): readonly StoredJob[] {
    const left = this.#file.statement(`SELECT * FROM jobs WHERE state = 'scraping' ORDER BY number`).all()
    return left.filter((row) => this.#isFree(row)).map(toJob)
  }

  /** Counts the unfinished jobs that no living process owns, without reading their requests. */
  countInterrupted(): number {
    const left = this.#file.statement(`SELECT owner FROM jobs WHERE state = 'scraping'`).all()
    return left.filter((row) => this.#isFree(row)).length
  }

  listUnreported(): readonly string[] {
    const left = this.#file
      .statement(
        // A stopped job reports its end only after it was resumed. Until then `reports` is set, although there may be
        // nothing to send.
        `SELECT id, owner FROM jobs WHERE state <> 'scraping' AND reports = 1 AND (stopped_by IS NULL
           OR EXISTS (SELECT 1 FROM reports WHERE reports.job = jobs.number AND delivered = 0))
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

  read(id: string): SharedJob | undefined {
    const row = this.#file.statement('SELECT * FROM jobs WHERE id = ?').get(id)
    return row && this.#toShared(row)
  }

  findByKey(idempotencyKey: string): string | undefined {
    const row = this.#file.statement('SELECT id FROM jobs WHERE idempotency_key = ?').get(idempotencyKey)
    return row && textOf(row, 'id')
  }

  change(id: string, change: JobChange): void {
    const { state, generated, completedAtMs, expiresAtMs, error, warnings, budget, stoppedBy, reports } = change
    const isReporting = reports === undefined ? null : reports ? 1 : 0
    this.#file.transact(() =>
      this.#file
        .statement(
          `UPDATE jobs SET state = coalesce(?, state), completed_at = coalesce(?, completed_at),
             expires_at = coalesce(?, expires_at), error = coalesce(?, error), warnings = coalesce(?, warnings),
             budget = coalesce(?, budget), stopped_by = coalesce(?, stopped_by), generated = coalesce(?, generated),
             reports = coalesce(?, reports),
             owner = CASE WHEN coalesce(?, state) = 'scraping' OR coalesce(?, reports) = 1 THEN owner END
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
          state ?? null,
          isReporting,
          id,
        ),
    )
  }

  restart(id: string, completedAtMs: number): boolean {
    const owner = this.#file.owner(Date.now())
    return this.#file.transact(() => {
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
  }

  release(id: string): void {
    const owner = this.#file.owner(Date.now())
    const sql = 'UPDATE jobs SET owner = NULL WHERE id = ? AND owner = ?'
    this.#file.transact(() => this.#file.statement(sql).run(id, owner))
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
    return { stored, isHeld: stored.state === 'scraping' && !this.#isFree(row) }
  }

  #isFree(row: SqlRow): boolean {
    const holder = textIn(row, 'owner')
    return holder === undefined || !this.#file.isAlive(holder)
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

/** Tests for a job that must be owned by one process: it runs, or has reports to send. */
const needsOwner = ({ state, reports }: StoredJob): boolean => state === 'scraping' || reports

function toJob(row: SqlRow): StoredJob {
  const [completedAtMs, expiresAtMs] = [numberIn(row, 'completed_at'), numberIn(row, 'expires_at')]
  const [error, idempotencyKey] = [textIn(row, 'error'), textIn(row, 'idempotency_key')]
  const [used, budget, stoppedBy] = [textIn(row, 'used'), textIn(row, 'budget'), textIn(row, 'stopped_by')]
  const generated = textIn(row, 'generated')
  return {
    id: textOf(row, 'id'),
    kind: textOf(row, 'kind') as StoredJob['kind'],
    request: textOf(row, 'request'),
    missing: parseJson(textOf(row, 'missing')) as string[],
    acknowledges: numberOf(row, 'acknowledges') === 1,
    reports: numberOf(row, 'reports') === 1,
    createdAtMs: numberOf(row, 'created_at'),
    state: textOf(row, 'state') as StoredJob['state'],
    warnings: parseJson(textOf(row, 'warnings')) as string[],
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(generated !== undefined && { generated }),
    ...(completedAtMs !== undefined && { completedAtMs }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(error !== undefined && { error }),
    ...(used !== undefined && { used: parseJson(used) as JobUse }),
    ...(budget !== undefined && { budget: parseJson(budget) as JobBudget }),
    ...(stoppedBy !== undefined && { stoppedBy: stoppedBy as StopReason }),
  }
}
