import type { JsonObject } from '../../../base/collections/is-object.js'
import type { ListField, ListRow } from '../../../content/extract/list/page-list.js'
import { currencyOf } from '../../../base/text/currencies.js'
import { readAmount } from '../../../base/text/read-amount.js'
import { type ColumnSource, readSource, toText } from './column-source.js'
import { type DataPath, readPath } from './data-path.js'
import type { LearningScope } from './learn-column.js'

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
export function learnCurrency(
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
