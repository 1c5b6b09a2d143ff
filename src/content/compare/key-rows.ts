import { readAmount } from '../../base/text/read-amount.js'
import { listStates } from './noise-words.js'

/** Data of a page as a table. Its cells are texts; an empty one has no value. */
export interface DataTable {
  /** The format that it is from. */
  readonly heading: string
  /** `row` for a row of an array; `item` for a single value, whose name is the first cell. */
  readonly kind: 'row' | 'item'
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Least share of the rows that have a value of their own in a column by which rows are told apart. */
const MIN_DISTINCT = 0.8

/** Columns whose numbers name a row. */
const IDS = /(?<!\p{L})(?:id|sku|gtin|ean|isbn|mpn|asin|number|code)$/iu
const NAMES = /^(?:title|name|product|label|heading)$|(?:title|name)$/iu

/**
 * Names the rows of two versions of a table, so that those of one entry have one name. The column that tells them apart is the one of
 * which both versions have the most values in common: an address, an identifier or a name stays where a price changes. Where no column
 * does, rows of the same number are told apart by their place, and of others the whole row is its name: then none is a version of another.
 */
export function keyRows(previous: DataTable, current: DataTable): { previous: string[]; current: string[] } {
  const tables = [previous, current] as const
  // A single value has one name.
  const candidates = previous.kind === 'item' ? previous.columns.slice(0, 1) : previous.columns
  const [best] = candidates
    .flatMap((column) => {
      const values = tables.map((table) => valuesOf(table, column))
      const [before = [], now = []] = values
      if (!values.every((own) => tellsApart(column, own))) return []
      const known = new Set(before)
      return [{ values, common: now.filter((value) => known.has(value)).length, rank: rankOf(column, now) }]
    })
    .toSorted((one, other) => other.common - one.common || one.rank - other.rank)
  const whole = tables.map(({ columns, rows }) =>
    rows.map((row) => columns.flatMap((column, at) => (row[at] ? [`${column} ${row[at]}`] : [])).join('\n')),
  )
  const places = previous.rows.length === current.rows.length && tables.map(({ rows }) => rows.map((_, at) => `${at}`))
  const own = best?.values ?? (places || whole)
  const [before, now] = own.map(countValues)
  const [wasKeys = [], isKeys = []] = own.map((values, version) => {
    const seen = new Map<string, number>()
    return values.map((value, at) => {
      // Entries of one name that became more or fewer: it is unknown which of them came or went.
      const isKnown = value !== '' && before?.get(value) === now?.get(value)
      const isAlone = value !== '' && (before?.get(value) ?? 0) <= 1 && (now?.get(value) ?? 0) <= 1
      const key = isKnown || isAlone ? value : `\n${whole[version]?.[at] ?? ''}`
      const count = (seen.get(key) ?? 0) + 1
      seen.set(key, count)
      return count === 1 ? key : `${key}\n${count}`
    })
  })
  return { previous: wasKeys, current: isKeys }
}

function valuesOf({ columns, rows }: DataTable, column: string): string[] {
  const at = columns.indexOf(column)
  return rows.map((row) => (at === -1 ? '' : (row[at] ?? '').toLowerCase()))
}

/** Writes the name of a column with its words apart: `oldPrice` is `old Price`. */
export const splitWords = (column: string): string =>
  column.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll(/[_-]+/g, ' ')

function tellsApart(column: string, values: readonly string[]): boolean {
  const given = values.filter((value) => value !== '')
  if (values.length === 0) return true
  if (new Set(given).size < MIN_DISTINCT * values.length) return false
  // A name may be a number or have a state: `7 Up`, `Sold Out`.
  return IDS.test(splitWords(column)) || given.filter(isName).length >= MIN_DISTINCT * given.length
}

/** Tests for a value that may name an entry: no amount and no state. */
const isName = (value: string): boolean => readAmount(value) === undefined && listStates(value).length === 0

function rankOf(column: string, values: readonly string[]): number {
  if (values.length > 0 && values.every((value) => /^https?:\/\//.test(value))) return 0
  return IDS.test(splitWords(column)) ? 1 : NAMES.test(column) ? 2 : 3
}

function countValues(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Returns what a row is called: its title or name, or else its first words; empty if it has none. */
export function nameOfRow({ columns }: Pick<DataTable, 'columns'>, row: readonly string[]): string {
  const at = columns.findIndex((column, index) => NAMES.test(column) && row[index])
  return (at === -1 ? row.find((cell) => cell !== '' && isName(cell)) : row[at]) ?? ''
}
