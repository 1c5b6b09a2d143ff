import type { JobUse } from '../../../base/accounting/budget.js'
import type { StoredJob } from '../../../kernel/ledger/job-store.js'
import { StoredValues } from '../../../kernel/ledger/stored-values.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'

const FACT_COLUMNS = `id, idempotency_key, kind, missing, acknowledges, reports, state, created_at, completed_at, expires_at, error,
  warnings, generated, budget, stopped_by, used, owner, generation, writes`

/** Columns of a {@link StoredJob}, and those of its owner. Named, because a later version of the schema may have more. */
export const JOB_COLUMNS = `${FACT_COLUMNS}, request`

/** Those without the request, which may be a list of 100,000 URLs. */
export const JOB_COLUMNS_WITHOUT_REQUEST = `${FACT_COLUMNS}, '' AS request`

/** Largest request that a list looks at. Bytes, as they are stored. */
const MAX_LISTED_BYTES = 65_536
const trimmed = (text: string): string => `btrim(${text}, E' \\n\\r\\t')`

/** False for a request that is cut off, or is no JSON of an object: the server tests its ends. One that is large is not tested. */
export const HAS_REQUEST = `(pg_column_size(request) > ${MAX_LISTED_BYTES}
  OR ${trimmed('left(request, 9)')} LIKE '{%' AND ${trimmed('right(request, 9)')} LIKE '%}') AS has_request`

/** A number of a row; undefined for null. */
export const numberIn = (row: PgRow, column: string): number | undefined =>
  row[column] === null ? undefined : Number(row[column])

/** Reads a job from its row. @param values reads further columns of the row */
export function toJob(row: PgRow, values = new StoredValues()): StoredJob {
  const text = (column: string): string | undefined => {
    const value = row[column]
    return typeof value === 'string' ? value : undefined
  }
  const json = (column: string): unknown => values.json(column, text(column))
  const given = {
    idempotencyKey: json('idempotency_key') as string | undefined,
    generated: text('generated'),
    completedAtMs: values.time('completed_at', numberIn(row, 'completed_at')),
    expiresAtMs: values.time('expires_at', numberIn(row, 'expires_at')),
    error: json('error') as StoredJob['error'],
    used: values.object('used', text('used')) as JobUse | undefined,
    budget: values.object('budget', text('budget')),
    stoppedBy: values.stopReason(text('stopped_by')),
  }
  values.object('generated', given.generated)
  if (row['has_request'] === false) values.unreadable.push('request')
  const { unreadable } = values
  return {
    id: String(row['id']),
    kind: values.kind(String(row['kind'])),
    request: String(row['request']),
    missing: values.list('missing', text('missing')),
    acknowledges: row['acknowledges'] === true,
    reports: row['reports'] === true,
    createdAtMs: values.time('created_at', Number(row['created_at'])) ?? 0,
    state: values.state(String(row['state'])),
    warnings: values.list('warnings', text('warnings')),
    ...given,
    unreadable: unreadable.length > 0 ? unreadable : undefined,
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
