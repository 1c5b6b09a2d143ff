import { OWNER_IS_ALIVE } from '../postgres/session-lock.js'
import { numberIn } from '../postgres/stored-job-row.js'
import { OWNER } from '../postgres/statement.js'
import type { ServedJob } from '../../../kernel/ledger/shared-jobs.js'
import { listIn, type SharedDatabase, toList } from './shared-database.js'

/** The owner of a job that failed here is this engine until the server has its release. */
const SELECT_LEFT = `SELECT id, completed_at, coalesce(owner <> $2, FALSE) AND ${OWNER_IS_ALIVE} AS held
  FROM jobs WHERE id = ANY (${listIn(1)})`

/** Finds the jobs that have ended in this engine, and that another one has gone on with since. */
export class LeftJobs {
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
