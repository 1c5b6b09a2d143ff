import type { JsonObject } from '../../../base/collections/is-object.js'
import type { ListField, ListRow, PageList } from '../../../content/extract/list/page-list.js'
import { alignRecords } from './align-records.js'
import { listPaths } from './data-path.js'
import { learnColumn, type LearningScope } from './learn-column.js'
import { learnCurrency } from './learn-currency.js'
import { keyOfRecord, toItem } from './map-records.js'
import type { RecordMapping } from './record-mapping.js'

/** The visible list that records are compared with. */
export type VisibleList = Pick<PageList, 'items' | 'keys' | 'fields' | 'template'>

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
