import type { JobBudget, JobUse } from '../../accounting/budget.js'
import { numberIn, numberOf, type SqlRow, textIn, textOf } from '../../sqlite/driver.js'
import { parseJson } from '../../text/parse-json.js'
import type { StopReason, StoredJob } from '../job-store.js'

/** Tests for a job whose last rows are not written: it runs, or is being cancelled. */
export const isUnfinished = ({ completedAtMs }: StoredJob): boolean => completedAtMs === undefined

/** Tests for a job that must be owned by one process: it is unfinished, or has reports to send. */
export const needsOwner = (job: StoredJob): boolean => isUnfinished(job) || job.reports

/** Reads a job from its row. */
export function toJob(row: SqlRow): StoredJob {
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
