import type { JsonObject } from '../../../base/collections/is-object.js'
import type { ListField, ListRow, PageList } from '../../../content/extract/list/page-list.js'
import { alignRecords } from './align-records.js'
import { type DataPath, listPaths, readPath } from './data-path.js'
import { learnColumn, type LearningScope } from './learn-column.js'
import { keyOfRecord, toItem } from './map-records.js'
import type { RecordMapping } from './record-mapping.js'
import { currencyOf } from '../../../base/text/currencies.js'
import { readAmount } from '../../../base/text/read-amount.js'
import { type ColumnSource, readSource, toText } from './column-source.js'

/** The visible list that records are compared with. */
export type VisibleList = PageList

/** A mapping with the records that it was learnt from. */
interface LearntMapping {
  readonly mapping: RecordMapping
  /** Indices of the records that have a visible row. */
  readonly aligned: ReadonlySet<number>
  /** Number of visible rows that have all fields of an entry, and no record. */
  readonly others: number
}

/** Number of records whose values are listed. */
const MAX_SAMPLES = 30
/** Minimum share of rows with a field that makes it a field of the list. */
const COMMON_SHARE = 0.5
/** Minimum share of the fields of the list that further rows must have. */
const MIN_LEARNT_SHARE = 0.75

/**
 * Learns how rows are made from records, by the records that are visible as rows. Returns undefined if they are not those of
 * the list, if links cannot be made with certainty, or if too many fields cannot.
 *
 * @param base URL of the page
 */
export function learnMapping(
  list: VisibleList,
  records: readonly JsonObject[],
  base: string,
): LearntMapping | undefined {
  const { items, fields, keys, template } = list
  // The visible entries may be at the end of long data.
  const paths = listPaths([...records.slice(0, MAX_SAMPLES), ...records.slice(-MAX_SAMPLES)])
  const rows = alignRecords(list, records, { paths: paths.values, base })
  if (rows === undefined) return undefined
  const pairs = [...rows.recordOf].flatMap(([at, index]) => {
    const [item, record, key] = [items[at], records[index], keys[at]]
    return item && record && key !== undefined ? [{ item, record, key }] : []
  })
  const shareOf = (name: string): number =>
    pairs.filter(({ item }) => Object.hasOwn(item, name)).length / Math.max(1, pairs.length)
  const scope: LearningScope = { paths, records, base }
  const common = fields.filter(({ name }) => shareOf(name) >= COMMON_SHARE)
  const columns = learnColumns(fields, pairs, scope)
  const names = new Set(columns.map(({ name }) => name))
  const isSure = common.every(({ name, type }) => type !== 'url' || isImage(name, list) || names.has(name))
  const learnt = common.filter(({ name }) => names.has(name)).length
  if (!isSure || !names.has(rows.field) || learnt < common.length * MIN_LEARNT_SHARE) return undefined
  const key = template.key.startsWith('attribute ')
    ? learnColumn(
        { name: template.key.slice('attribute '.length), type: 'text' },
        pairs.map(({ key: value, record }) => ({ value, record })),
        scope,
      )
    : undefined
  const required = columns.map(({ name }) => name).filter((name) => shareOf(name) === 1)
  const mapping = { columns, required, key }
  const isSame = pairs.every(
    (pair) =>
      keyOfRecord(mapping, pair.record, { key: template.key, item: toItem(mapping, pair.record, base) }) === pair.key,
  )
  // Rows without a record are advertisements, which lack fields of the entries.
  const others = items.filter(
    (item, at) => !rows.recordOf.has(at) && required.every((name) => Object.hasOwn(item, name)),
  )
  return isSame ? { mapping, aligned: new Set(rows.recordOf.values()), others: others.length } : undefined
}

/** Tests for a field with the address of an image, which may be another size of that in the data. */
const isImage = (name: string, { template }: VisibleList): boolean =>
  template.columns.some((column) => column.name === name && column.places.some((place) => place.includes('@src')))

function learnColumns(
  fields: readonly ListField[],
  pairs: readonly { readonly item: ListRow; readonly record: JsonObject }[],
  scope: LearningScope,
): RecordMapping['columns'] {
  return fields.flatMap((field, at) => {
    const examples = pairs.map(({ item, record }) => ({
      value: Object.hasOwn(item, field.name) ? item[field.name] : undefined,
      record,
    }))
    const source = learnColumn(field, examples, scope) ?? learnCurrency(fields[at - 1], field, pairs, scope)
    return source ? [{ name: field.name, source }] : []
  })
}

/** A visible row with its record. */
interface VisibleRecord {
  readonly item: ListRow
  readonly record: JsonObject
}

/**
 * Learns the currency of prices that is the same in all visible rows: from the records, or as a constant. Returns undefined
 * if another record states another currency in the place where the visible ones state theirs.
 *
 * @param before the field before that of the currency
 */
function learnCurrency(
  before: ListField | undefined,
  { name }: ListField,
  pairs: readonly VisibleRecord[],
  { paths, records, base }: LearningScope,
): ColumnSource | undefined {
  if (before?.type !== 'number' || name !== `${before.name}Currency`) return undefined
  const priced = pairs.filter(({ item }) => typeof item[before.name] === 'number')
  const value = priced[0]?.item[name]
  if (value === undefined || !priced.every(({ item }) => item[name] === value)) return undefined
  const stating = paths.values.filter((path) => priced.every(({ record }) => currencyAt(record, path) === value))
  const sources = stating
    .map((path): ColumnSource => ({ kind: 'value', path, type: 'text' }))
    .filter((source) => pairs.every(({ item, record }) => readSource(source, record, base) === item[name]))
  const [only] = sources
  // The records of further answers may state another one, even if all of these agree.
  if (only !== undefined && sources.length === 1) return only
  const isOther = (currency: string | undefined): boolean => currency !== undefined && currency !== value
  const varies = stating.some((path) => records.some((record) => isOther(currencyAt(record, path))))
  return varies ? undefined : { kind: 'constant', value, beside: before.name }
}

/** Returns the currency in a value of a record, which is a code, a sign or an amount; undefined for none. */
function currencyAt(record: JsonObject, path: DataPath): string | undefined {
  const text = toText(readPath(record, path)) ?? ''
  const unit = readAmount(text)?.unit ?? text
  return unit === '' ? undefined : (currencyOf(unit.toLowerCase()) ?? unit.toUpperCase())
}
