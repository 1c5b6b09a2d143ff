import type { JobBudget, JobUse } from '../../accounting/budget.js'
import { parseJson } from '../../text/parse-json.js'
import type { StopReason, StoredJob } from '../job-store.js'
import type { PgRow } from '../../postgres/pg-driver.js'

const FACT_COLUMNS = `id, idempotency_key, kind, missing, acknowledges, reports, state, created_at, completed_at, expires_at, error,
  warnings, generated, budget, stopped_by, used, owner, generation, writes`

/** Columns of a {@link StoredJob}, and those of its owner. Named, because a later version of the schema may have more. */
export const JOB_COLUMNS = `${FACT_COLUMNS}, request`

/** Those without the request, which may be a list of 100,000 URLs. */
export const JOB_COLUMNS_WITHOUT_REQUEST = `${FACT_COLUMNS}, '' AS request`

/** A number of a row; undefined for null. */
export const numberIn = (row: PgRow, column: string): number | undefined =>
  row[column] === null ? undefined : Number(row[column])

/** Reads a job from its row. */
export function toJob(row: PgRow): StoredJob {
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

/** A job as it was read, with its counters. */
export interface KnownJob {
  readonly job: StoredJob
  readonly generation: number
  readonly writes: number
}

export const toKnown = (row: PgRow): KnownJob => ({
  job: toJob(row),
  generation: Number(row['generation']),
  writes: Number(row['writes']),
})

/** Tests for a job that must be owned by one process: it runs, or has reports to send. */
export const needsOwner = ({ state, reports }: StoredJob): boolean => state === 'scraping' || reports
