import type { JsonObject } from '../../collections/is-object.js'
import type { ListRow, ListValue } from '../../extract/list/page-list.js'
import { dropRepeated, keyOfFields } from '../../extract/list/row-key.js'
import { withoutSection } from '../../url.js'
import { readSource, toText } from './column-source.js'
import type { RecordMapping } from './record-mapping.js'

/** Rows that were made from records. Plain data. */
export interface MappedRows {
  readonly items: readonly ListRow[]
  /** Identity of each row, as rows of the page have it. */
  readonly keys: readonly string[]
  /** Number of records that make no row, or none with an identity. */
  readonly unfit: number
}

/** Makes the row of a record. @param base URL of the page */
export function toItem({ columns }: Pick<RecordMapping, 'columns'>, record: JsonObject, base: string): ListRow {
  const entries: [string, ListValue][] = []
  for (const { name, source } of columns) {
    const isBeside = source.kind === 'constant' && entries.at(-1)?.[0] === source.beside
    const value = isBeside ? source.value : readSource(source, record, base)
    if (value !== undefined) entries.push([name, value])
  }
  // `Object.fromEntries` defines own properties, also for a field that the page calls `__proto__`.
  return Object.fromEntries(entries)
}

/** Returns the identity of the row of a record; undefined if it has none. */
export function keyOfRecord(
  { key: source }: RecordMapping,
  record: JsonObject,
  { key, item }: { key: string; item: ListRow },
): string | undefined {
  if (source) return toText(readSource(source, record, ''))
  if (!key.startsWith('field ')) return key.startsWith('attribute ') ? undefined : keyOfFields(item)
  const name = key.slice('field '.length)
  const value = Object.hasOwn(item, name) ? item[name] : undefined
  return typeof value === 'string' ? withoutSection(value) : undefined
}

/** Makes the rows of records, without those that repeat one. @param key what identifies a row of the list */
export function mapRecords(
  mapping: RecordMapping,
  records: readonly JsonObject[],
  { key, base }: { key: string; base: string },
): MappedRows {
  const items: ListRow[] = []
  const keys: string[] = []
  for (const record of records) {
    const item = toItem(mapping, record, base)
    const own = keyOfRecord(mapping, record, { key, item })
    if (own === undefined || Object.keys(item).length === 0) continue
    items.push(item)
    keys.push(own)
  }
  return { ...dropRepeated(items, keys), unfit: records.length - items.length }
}

/** Returns the share of rows that lack a field of every visible row, as advertisements and withheld entries do. */
export function shareLacking({ required }: RecordMapping, items: readonly ListRow[]): number {
  const lacking = items.filter((item) => !required.every((name) => Object.hasOwn(item, name)))
  return lacking.length / Math.max(1, items.length)
}
