import type { ColumnSource } from './column-source.js'
import type { JsonObject } from '../../../base/collections/is-object.js'
import type { ListRow, ListValue } from '../../../content/extract/list/page-list.js'
import { dropRepeated, keyOfFields, TEXT_KEY } from '../../../content/extract/list/row-key.js'
import { withoutSection } from '../../../base/url.js'
import { readSource, toText } from './column-source.js'
import type { RecordMapping } from './record-mapping.js'

/** Rows that are added to those of a list. Plain data. */
export interface RowBatch {
  readonly items: readonly ListRow[]
  /** Identity of each row, as rows of the page have it. */
  readonly keys: readonly string[]
  /** Indices of the rows that are advertisements. Absent for none. */
  readonly ads?: readonly number[]
}

/** Rows that were made from records. Plain data. */
export interface MappedRows extends RowBatch {
  /** Number of records that make no row, or none with an identity. */
  readonly unfit: number
}

/** Makes the row of a record. @param base URL of the page */
export function toItem(
  { columns }: { readonly columns: readonly { readonly name: string; readonly source: ColumnSource }[] },
  record: JsonObject,
  base: string,
): ListRow {
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
  // A record does not tell how the page would write it.
  if (!key.startsWith('field ')) return key === TEXT_KEY ? keyOfFields(item) : undefined
  const name = key.slice('field '.length)
  const value = Object.hasOwn(item, name) ? item[name] : undefined
  return typeof value === 'string' ? withoutSection(value) : undefined
}

const AD_NAME = /^(?:is_?)?(?:ad|advert|advertisement|sponsored|promoted|promotion)$/iu
const TYPE_NAME = /^(?:@type|__typename|type|kind|item_?type|entry_?type)$/iu
const AD_TYPE =
  /^(?:native_?|display_?)?(?:ads?|advert|advertisement|sponsored|promoted)(?:_?(?:item|slot|card|unit|product))?$/iu
/** Maximum members of a record that are read for the mark of an advertisement. */
const MAX_MEMBERS = 60

/** Tests for a record that calls itself an advertisement. */
const isAd = (record: JsonObject): boolean =>
  Object.entries(record)
    .slice(0, MAX_MEMBERS)
    .some(
      ([name, value]) =>
        (value === true && AD_NAME.test(name)) ||
        (typeof value === 'string' && value.length < 40 && TYPE_NAME.test(name) && AD_TYPE.test(value)),
    )

/** Makes the rows of records, without those that repeat one. @param key what identifies a row of the list */
export function mapRecords(
  mapping: RecordMapping,
  records: readonly JsonObject[],
  { key, base }: { key: string; base: string },
): MappedRows {
  const items: ListRow[] = []
  const keys: string[] = []
  const ads = new Set<ListRow>()
  for (const record of records) {
    const item = toItem(mapping, record, base)
    const own = keyOfRecord(mapping, record, { key, item })
    if (own === undefined || Object.keys(item).length === 0) continue
    items.push(item)
    keys.push(own)
    if (isAd(record)) ads.add(item)
  }
  const kept = dropRepeated(items, keys)
  const indices = ads.size > items.length / 2 ? [] : kept.items.flatMap((item, at) => (ads.has(item) ? [at] : []))
  return { ...kept, ads: indices.length > 0 ? indices : undefined, unfit: records.length - items.length }
}

/** Tests for a row with each field of every visible row, which advertisements and withheld entries lack. */
export const isComplete = ({ required }: RecordMapping, item: ListRow): boolean =>
  required.every((name) => Object.hasOwn(item, name))

/** Returns the share of rows that are not {@link isComplete}. */
export function shareLacking(mapping: RecordMapping, items: readonly ListRow[]): number {
  const lacking = items.filter((item) => !isComplete(mapping, item))
  return lacking.length / Math.max(1, items.length)
}
