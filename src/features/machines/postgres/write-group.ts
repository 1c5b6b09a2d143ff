import { hashKey } from '../../../kernel/ledger/rows/abridged-rows.js'
import type { IndexedRow } from '../../../kernel/ledger/rows/new-row.js'
import type { IndexedReport } from '../../../kernel/ledger/rows/outbox-index.js'
import type { PgStatement } from './statement.js'

/** A document that is to be written. */
interface DocumentEntry {
  readonly sequence: number
  readonly place: number
  readonly bytes: number
  readonly document: unknown
}

/** A job of a group, with the fence of its writes. */
export interface FencedGroup {
  /** Number of the job in the database. */
  readonly job: number
  readonly generation: number
  /** Number of this write of the job; 0 when it is not counted. */
  readonly write: number
  readonly group: JobGroup
}

/** Writes of one job that are sent together. */
export interface JobGroup {
  readonly pages: Map<number, IndexedRow>
  readonly notes: { readonly number: number; readonly page: number; readonly note: string }[]
  readonly documents: DocumentEntry[]
  readonly reports: Map<number, { readonly report: IndexedReport; readonly isDelivered: boolean }>
  /** Facts of abridged rows by hash; undefined for one that is to be deleted. */
  readonly abridged: Map<number, number | undefined>
  /** Acknowledged documents by sequence, and whether each is to be dropped. */
  readonly acknowledged: Map<number, boolean>
  /** The used budget, as JSON. */
  used?: string
  /** Numbers of rows by outcome, as JSON: set when the group is sent. */
  counts?: string
}

export const newGroup = (): JobGroup => ({
  pages: new Map(),
  notes: [],
  documents: [],
  reports: new Map(),
  abridged: new Map(),
  acknowledged: new Map(),
})

/** Number of rows, documents and reports of a group. */
export const countGroup = ({ pages, notes, documents, reports, abridged, acknowledged }: JobGroup): number =>
  pages.size + notes.length + documents.length + reports.size + abridged.size + acknowledged.size

export const isEmptyGroup = (group: JobGroup): boolean => group.used === undefined && countGroup(group) === 0

/** Separates the values of a column. JSON writes it as `\u001f`. */
const SEPARATOR = '\u001F'

/**
 * A column of values, given as one text: with arrays, a group took three and a half times as long, because `pg` escapes
 * each quote of JSON, and the server reads them character by character.
 */
const column = (at: number, type: string): string =>
  `string_to_array($${at}, E'\\x1f')${type === 'text' ? '' : `::${type}[]`}`

/** Rows of columns, from this parameter on, named and typed. */
const given = (from: number, columns: Readonly<Record<string, string>>): string => {
  const values = Object.values(columns).map((type, index) => column(from + index, type))
  return `unnest(${values.join(', ')}) AS given (${Object.keys(columns).join(', ')})`
}

/** An insertion of given rows, of the jobs that this engine may write. */
function insertion(table: string, from: number, columns: Readonly<Record<string, string>>, onConflict: string): string {
  const names = Object.keys(columns)
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `given.${name}`).join(', ')}
    FROM ${given(from, columns)} JOIN held ON held.number = given.job ON CONFLICT ${onConflict}`
}

/** Condition that a write of a locked job is the next one. One that is not counted is of a job that has ended. */
export const IS_NEXT_WRITE = `(locked.writes = write - 1 OR write = 0 AND locked.state <> 'scraping')`

/**
 * One statement for a group of writes. It writes a job only when no other engine has taken it, and when it is the next write
 * of the job: see {@link JobFence}. The rows of `locked` are locked until it ends, so that a job is taken over before it or
 * after it. Repeated, because the answer was lost with the connection, it does nothing.
 *
 * Acknowledgements are of documents that earlier groups have written, and anybody may send them.
 *
 * It selects the jobs that it has found, and the count of their writes before it.
 */
const WRITE_GROUP = `
WITH locked AS (
  SELECT jobs.number, jobs.writes, jobs.state, given.write
  FROM jobs JOIN ${given(1, { job: 'bigint', generation: 'bigint', write: 'bigint' })} ON jobs.number = given.job
  WHERE jobs.generation = given.generation AND jobs.number = ANY (${column(1, 'bigint')}) FOR NO KEY UPDATE OF jobs
), held AS (
  SELECT number, write FROM locked WHERE ${IS_NEXT_WRITE}
), new_pages AS (
  ${insertion(
    'pages',
    4,
    { job: 'bigint', number: 'integer', hash: 'bigint', entry: 'text' },
    '(job, number) DO UPDATE SET entry = excluded.entry',
  )}
), new_notes AS (
  ${insertion('notes', 8, { job: 'bigint', number: 'integer', page: 'integer', note: 'text' }, 'DO NOTHING')}
), new_documents AS (
  ${insertion('documents', 12, { job: 'bigint', sequence: 'integer', place: 'integer', bytes: 'bigint', body: 'text' }, 'DO NOTHING')}
), new_reports AS (
  ${insertion(
    'reports',
    17,
    { job: 'bigint', number: 'integer', event: 'text', delivered: 'boolean', report: 'text' },
    '(job, number) DO UPDATE SET delivered = excluded.delivered, report = excluded.report',
  )}
), new_abridged AS (
  ${insertion('abridged', 22, { job: 'bigint', hash: 'bigint', facts: 'bigint' }, '(job, hash) DO UPDATE SET facts = excluded.facts')}
), old_abridged AS (
  DELETE FROM abridged USING ${given(25, { job: 'bigint', hash: 'bigint' })}, held
  WHERE abridged.job = given.job AND abridged.hash = given.hash AND held.number = given.job
), acknowledged AS (
  UPDATE documents SET acknowledged = true, body = CASE WHEN given.dropped THEN NULL ELSE body END,
    place = CASE WHEN given.dropped THEN NULL ELSE place END
  FROM ${given(27, { job: 'bigint', sequence: 'integer', dropped: 'boolean' })}
  WHERE documents.job = given.job AND documents.sequence = given.sequence
), counted AS (
  UPDATE jobs SET writes = greatest(jobs.writes, held.write), used = coalesce(nullif(given.used, ''), jobs.used),
    counts = coalesce(nullif(given.counts, ''), jobs.counts)
  FROM held LEFT JOIN ${given(30, { job: 'bigint', used: 'text', counts: 'text' })} ON held.number = given.job
  WHERE jobs.number = held.number AND (held.write > 0 OR given.job IS NOT NULL)
)
SELECT number, writes FROM locked`

/** Builds the statement for a group. */
export function toStatement(jobs: readonly FencedGroup[]): PgStatement {
  const parts = [
    toColumns(jobs, 3, ({ pages }) =>
      Array.from(pages, ([number, row]) => [number, hashKey(row.key), JSON.stringify(row)]),
    ),
    toColumns(jobs, 3, ({ notes }) => notes.map(({ number, page, note }) => [number, page, JSON.stringify(note)])),
    toColumns(jobs, 4, ({ documents }) => documents.map(documentValues)),
    toColumns(jobs, 4, ({ reports }) => Array.from(reports.values(), reportValues)),
    toColumns(jobs, 2, ({ abridged }) => [...abridged].filter(([, facts]) => facts !== undefined)),
    toColumns(jobs, 1, ({ abridged }) =>
      [...abridged].flatMap(([hash, facts]) => (facts === undefined ? [[hash]] : [])),
    ),
    toColumns(jobs, 2, ({ acknowledged }) => [...acknowledged]),
    toColumns(jobs, 2, ({ used = '', counts = '' }) => (used === '' && counts === '' ? [] : [[used, counts]])),
  ]
  const columns = [jobs.map(({ job }) => job), jobs.map((job) => job.generation), jobs.map(({ write }) => write)]
  return { text: WRITE_GROUP, values: [...columns.map((values) => values.join(SEPARATOR)), ...parts.flat()] }
}

const documentValues = ({ sequence, place, bytes, document }: DocumentEntry): unknown[] => [
  sequence,
  place,
  Math.round(bytes),
  JSON.stringify(document),
]

const reportValues = ({ report, isDelivered }: { report: IndexedReport; isDelivered: boolean }): unknown[] => [
  report.number,
  report.event,
  isDelivered,
  JSON.stringify(report),
]

/** True when a group has acknowledgements only: readers of a job that another engine owns may send them. */
export const isAcknowledgement = (group: JobGroup): boolean => isEmptyGroup({ ...group, acknowledged: new Map() })

/** Turns rows into columns of text, the first of which is the job. @param width number of the other columns */
function toColumns(
  jobs: readonly { job: number; group: JobGroup }[],
  width: number,
  rowsOf: (group: JobGroup) => readonly (readonly unknown[])[],
): string[] {
  const result: unknown[][] = Array.from({ length: width + 1 }, () => [])
  for (const { job, group } of jobs) {
    for (const row of rowsOf(group)) {
      result[0]?.push(job)
      for (let at = 0; at < width; at += 1) result[at + 1]?.push(row[at])
    }
  }
  return result.map((values) => values.join(SEPARATOR))
}
