import type { JobUse } from '../../../base/accounting/budget.js'
import { numberIn, numberOf, type SqlRow, textIn, textOf } from '../../../base/sqlite/driver.js'
import type { StoredJob } from '../job-store.js'
import { StoredValues } from '../stored-values.js'

/** Reads a job from its row. */
export function toJob(row: SqlRow): StoredJob {
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
