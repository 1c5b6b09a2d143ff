import type { IndexedRow } from '../memory/new-row.js'
import type { IndexedReport } from '../memory/outbox-index.js'
import type { PgStatement } from './protocol.js'

/** A document that is to be written. */
export interface DocumentEntry {
  readonly sequence: number
  readonly place: number
  readonly bytes: number
  readonly document: unknown
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
}

export const newGroup = (): JobGroup => ({
  pages: new Map(),
  notes: [],
  documents: [],
  reports: new Map(),
  abridged: new Map(),
  acknowledged: new Map(),
})

export const isEmptyGroup = (group: JobGroup): boolean =>
  group.used === undefined &&
  group.pages.size + group.notes.length + group.documents.length === 0 &&
  group.reports.size + group.abridged.size + group.acknowledged.size === 0

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

/** An insertion of given rows, of the jobs that this engine owns. */
function insertion(table: string, from: number, columns: Readonly<Record<string, string>>, onConflict: string): string {
  const names = Object.keys(columns)
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `given.${name}`).join(', ')}
    FROM ${given(from, columns)} JOIN held ON held.number = given.job ON CONFLICT ${onConflict}`
}

/**
 * One statement for a group of writes. It writes nothing of a job that another engine owns: the rows of `held` are locked
 * until it ends, so that a job is taken over before it or after it. Each part has the same effect when it is repeated, because
 * the answer to a statement may be lost with the connection. Acknowledgements are of documents that earlier groups
 * have written, and anybody may send them.
 *
 * It selects the numbers of the jobs that were written.
 */
const WRITE_GROUP = `
WITH held AS (
  SELECT number FROM jobs WHERE number = ANY (${column(1, 'bigint')}) AND (owner = $2 OR owner IS NULL) FOR SHARE
), new_pages AS (
  ${insertion('pages', 3, { job: 'bigint', number: 'integer', entry: 'text' }, '(job, number) DO UPDATE SET entry = excluded.entry')}
), new_notes AS (
  ${insertion('notes', 6, { job: 'bigint', number: 'integer', page: 'integer', note: 'text' }, 'DO NOTHING')}
), new_documents AS (
  ${insertion('documents', 10, { job: 'bigint', sequence: 'integer', place: 'integer', bytes: 'bigint', body: 'text' }, 'DO NOTHING')}
), new_reports AS (
  ${insertion(
    'reports',
    15,
    { job: 'bigint', number: 'integer', event: 'text', delivered: 'boolean', report: 'text' },
    '(job, number) DO UPDATE SET delivered = excluded.delivered, report = excluded.report',
  )}
), new_abridged AS (
  ${insertion('abridged', 20, { job: 'bigint', hash: 'bigint', facts: 'bigint' }, '(job, hash) DO UPDATE SET facts = excluded.facts')}
), old_abridged AS (
  DELETE FROM abridged USING ${given(23, { job: 'bigint', hash: 'bigint' })}, held
  WHERE abridged.job = given.job AND abridged.hash = given.hash AND held.number = given.job
), acknowledged AS (
  UPDATE documents SET acknowledged = true, body = CASE WHEN given.dropped THEN NULL ELSE body END,
    place = CASE WHEN given.dropped THEN NULL ELSE place END
  FROM ${given(25, { job: 'bigint', sequence: 'integer', dropped: 'boolean' })}
  WHERE documents.job = given.job AND documents.sequence = given.sequence
), new_uses AS (
  UPDATE jobs SET used = given.used FROM ${given(28, { job: 'bigint', used: 'text' })}, held
  WHERE jobs.number = given.job AND held.number = given.job
)
SELECT number FROM held UNION SELECT unnest(${column(30, 'bigint')}) AS number`

/** Builds the statement for a group. @param owner the number of this engine */
export function toStatement(jobs: readonly { job: number; group: JobGroup }[], owner: number): PgStatement {
  const parts = [
    toColumns(jobs, 2, ({ pages }) => Array.from(pages, ([number, row]) => [number, JSON.stringify(row)])),
    toColumns(jobs, 3, ({ notes }) => notes.map(({ number, page, note }) => [number, page, JSON.stringify(note)])),
    toColumns(jobs, 4, ({ documents }) => documents.map(documentValues)),
    toColumns(jobs, 4, ({ reports }) => Array.from(reports.values(), reportValues)),
    toColumns(jobs, 2, ({ abridged }) => [...abridged].filter(([, facts]) => facts !== undefined)),
    toColumns(jobs, 1, ({ abridged }) =>
      [...abridged].flatMap(([hash, facts]) => (facts === undefined ? [[hash]] : [])),
    ),
    toColumns(jobs, 2, ({ acknowledged }) => [...acknowledged]),
    toColumns(jobs, 1, ({ used }) => (used === undefined ? [] : [[used]])),
  ]
  const unfenced = jobs.filter(({ group }) => isAcknowledgement(group)).map(({ job }) => job)
  const numbers = jobs.map(({ job }) => job)
  return {
    text: WRITE_GROUP,
    values: [numbers.join(SEPARATOR), owner, ...parts.flat(), unfenced.join(SEPARATOR)],
  }
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
const isAcknowledgement = (group: JobGroup): boolean => isEmptyGroup({ ...group, acknowledged: new Map() })

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
