import type { JsonObject } from '../../../base/collections/is-object.js'
import type { ListField, ListRow } from '../../../content/extract/list/page-list.js'
import { toText, toUrl } from './column-source.js'
import { type DataPath, readPath } from './data-path.js'

/** Records of visible rows. */
interface AlignedRows {
  /** Index of the record of each row that has one. */
  readonly recordOf: ReadonlyMap<number, number>
  /** Field by which they were found. */
  readonly field: string
}

/** Minimum number of rows with a record. */
export const MIN_ALIGNED = 3
/** Maximum fields that rows are found by, and values of records that are compared. */
const MAX_FIELDS = 8
const MAX_COMPARED = 2_000_000

/** Finds the record of each visible row, by the field and the path with the most equal values. */
export function alignRecords(
  { items, fields }: { items: readonly ListRow[]; fields: readonly ListField[] },
  records: readonly JsonObject[],
  { paths, base }: { paths: readonly DataPath[]; base: string },
): AlignedRows | undefined {
  const indexes = fields
    .filter(({ type }) => type === 'text' || type === 'url')
    .slice(0, MAX_FIELDS)
    .map((field) => ({ field, rows: indexRows(items, field.name) }))
  let best: AlignedRows | undefined
  for (const path of paths.slice(0, Math.ceil(MAX_COMPARED / Math.max(1, records.length)))) {
    const values = records.map((record) => readPath(record, path))
    const texts = values.map(toText)
    const urls = values.map((value) => toUrl(value, base))
    for (const { field, rows } of indexes) {
      const recordOf = alignBy(rows, field.type === 'url' ? urls : texts)
      if (recordOf.size > (best?.recordOf.size ?? 0)) best = { recordOf, field: field.name }
    }
  }
  return best && best.recordOf.size >= MIN_ALIGNED ? best : undefined
}

/** Returns the rows by the value of a field, without values that several rows have. */
function indexRows(items: readonly ListRow[], name: string): ReadonlyMap<string, number> {
  const rows = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [at, item] of items.entries()) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined
    if (typeof value !== 'string') continue
    if (rows.has(value)) repeated.add(value)
    rows.set(value, at)
  }
  for (const value of repeated) rows.delete(value)
  return rows
}

/** Returns the index of the record of each row, without rows that several records have. */
function alignBy(
  rows: ReadonlyMap<string, number>,
  values: readonly (string | undefined)[],
): ReadonlyMap<number, number> {
  const recordOf = new Map<number, number>()
  const repeated = new Set<number>()
  for (const [at, value] of values.entries()) {
    const row = value === undefined ? undefined : rows.get(value)
    if (row === undefined) continue
    if (recordOf.has(row)) repeated.add(row)
    recordOf.set(row, at)
  }
  for (const row of repeated) recordOf.delete(row)
  return recordOf
}
