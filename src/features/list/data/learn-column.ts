import type { JsonObject } from '../../../base/collections/is-object.js'
import type { ListField, ListValue } from '../../../content/extract/list/page-list.js'
import { type ColumnSource, readSource } from './column-source.js'
import type { DataPath, RecordPaths } from './data-path.js'
import { type Example, learnPatterns } from './learn-pattern.js'

/** Visible rows with the record of each, and all records. */
export interface LearningScope {
  readonly paths: RecordPaths
  /** All records, of which some have no visible row. */
  readonly records: readonly JsonObject[]
  /** URL of the page. */
  readonly base: string
}

/** Records that are compared to find that two sources of a column differ. */
const MAX_COMPARED = 2_000
/** Minimum number of different values by which a column is known, whatever the name of its source is. */
const MIN_DISTINCT = 3

/**
 * Learns how the values of a column are made from records. All examples have to agree. Of several sources that differ in
 * further records, the one with the name of the column is taken; a URL has no such choice.
 *
 * @param examples the visible value of each row with a record; undefined where the row has none
 * @returns undefined if it is not certain
 */
export function learnColumn(
  { name, type }: { readonly name: string; readonly type: ListField['type'] },
  examples: readonly Example<ListValue | undefined>[],
  scope: LearningScope,
): ColumnSource | undefined {
  const { records, base } = scope
  const shown = examples.filter((example): example is Example<ListValue> => isTyped(example.value, type))
  const hidden = examples.filter(({ value }) => !isTyped(value, type))
  const [first] = shown
  if (first === undefined) return undefined
  const fits = (source: ColumnSource): boolean =>
    shown.every(({ value, record }) => isEqual(readSource(source, record, base), value)) &&
    hidden.every(({ record }) => readSource(source, record, base) === undefined)
  const direct = listSources(type, first.value, scope.paths).filter(fits)
  const texts = shown.flatMap(({ value, record }) => (typeof value === 'string' ? [{ value, record }] : []))
  const isUrl = type === 'url'
  const found =
    direct.length > 0 || (type !== 'text' && !isUrl)
      ? direct
      : learnPatterns(texts, scope.paths.values, { records, isUrl }).filter(fits)
  const distinct = new Set(shown.map(({ value }) => JSON.stringify(value))).size
  const named = found.find((source) => hasName(source, name))
  if (named) return named
  const [best] = found
  if (best === undefined || distinct < MIN_DISTINCT) return undefined
  const differ = (source: ColumnSource): boolean =>
    records
      .slice(0, MAX_COMPARED)
      .some((record) => !isEqual(readSource(source, record, base), readSource(best, record, base)))
  return isUrl && found.some(differ) ? undefined : best
}

/** Tests for a value of its column's type: one that cannot be read as a number stays text. */
const isTyped = (value: ListValue | undefined, type: ListField['type']): boolean =>
  type === 'texts'
    ? Array.isArray(value)
    : type === 'number' || type === 'boolean'
      ? typeof value === type
      : typeof value === 'string'

const isEqual = (one: ListValue | undefined, other: ListValue | undefined): boolean =>
  one === other || (Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other))

/** Lists the sources that are values of records as they are, those with the shortest paths first. */
function listSources(type: ListField['type'], value: ListValue, { values, arrays }: RecordPaths): ColumnSource[] {
  if (type === 'texts') {
    const inner = (path: DataPath): DataPath[] =>
      values
        .filter((one) => one.length > path.length && path.every((name, at) => one[at] === name))
        .map((one) => one.slice(path.length + 1))
    return arrays.flatMap((path) => inner(path).map((rest): ColumnSource => ({ kind: 'array', path, inner: rest })))
  }
  const sorted = values.toSorted((one, other) => one.length - other.length)
  return sorted.flatMap((path): ColumnSource[] => {
    if (type === 'number')
      return [1, 0.01].map((factor) => ({ kind: 'value', path, type, factor: factor === 1 ? undefined : factor }))
    if (type === 'date') return [{ kind: 'value', path, type, length: String(value).length }]
    return [{ kind: 'value', path, type }]
  })
}

/** Tests for a source that is called like the column: `price` or `offer.price` for `price`. */
function hasName(source: ColumnSource, name: string): boolean {
  const wanted = toLetters(name)
  return (source.kind === 'value' || source.kind === 'array') && source.path.some((own) => toLetters(own) === wanted)
}

const toLetters = (name: string): string => name.toLowerCase().replace(/[^\p{L}]/gu, '')
