import { isObject } from '../../base/collections/is-object.js'
import { type DataTable, keyRows } from '../../content/compare/key-rows.js'
import type { Document } from '../../kernel/page/document.js'
import type { UnreadData } from './watch-state.js'

/** Maximum depth of values that are written in parts; deeper ones are written as JSON. */
const MAX_DEPTH = 8

/** Heading of the data of a format. */
const headingOf = (name: string): string => `## ${toHeadingText(name)}`

export const toHeadingText = (name: string): string => `Data of ${name}`

/** A page as a watch compares it. */
export interface WatchedText {
  /** Its Markdown and, after it, its data. */
  readonly text: string
  /** Its Markdown. */
  readonly page: string
  readonly tables: readonly DataTable[]
  /** Names of formats without data on this visit, whose last data stands. */
  readonly missing: readonly string[]
  readonly partial: readonly PartialData[]
}

/** A format of which not all rows were read, on this visit and those before it. */
interface PartialData extends UnreadData {
  readonly name: string
  /** True if rows of the last visit that are not among those of this one stand. */
  readonly isHeld: boolean
}

/** Visits in a row for which rows that were not read stand. A list that is never read whole is compared as it is. */
const MAX_HELD = 2

/**
 * Writes what a watch compares of a page: its Markdown and, after it, the data of the formats that were asked for. Data that is not
 * there this time, such as when the model has failed, counts as unchanged, and so do rows that are missing from a list that was not
 * read to its end.
 *
 * @param data names of the formats whose fields have data
 * @param previous text of the last visit
 * @param unread formats that the last visits did not read whole
 */
export function writeWatched(
  { markdown = '', ...fields }: Document,
  data: readonly string[],
  previous = '',
  unread: Readonly<Record<string, UnreadData>> = {},
): WatchedText {
  const missing: string[] = []
  const partial: PartialData[] = []
  const last = readWatched(previous, data)
  const tables = data.flatMap((name) => {
    const given = (fields as Readonly<Record<string, unknown>>)[name]
    const known = last.tables.filter(({ heading }) => heading === toHeadingText(name))
    const value = rowsOf(given)
    if (value === undefined) {
      if (known.length > 0) missing.push(name)
      return known
    }
    const own = toTables(toHeadingText(name), writeValue(name, value, 0))
    const why = whyPartial(given)
    if (why === undefined) return own
    const visits = (unread[name]?.visits ?? 0) + 1
    const isHeld = visits <= MAX_HELD
    partial.push({ name, why, visits, isHeld })
    return isHeld ? keepUnseen(own, known) : own
  })
  const parts = data.flatMap((name) => {
    const own = tables.filter(({ heading }) => heading === toHeadingText(name))
    return own.length === 0 ? [] : [headingOf(name), ...own.flatMap(printTable)]
  })
  const text = parts.length === 0 ? markdown : [markdown, ...parts].filter((part) => part !== '').join('\n\n')
  return { text, page: markdown, tables, missing, partial }
}

/** Ends of a list that are no failure: it is read as far as it was asked for, be it that it has more rows or does not say so. */
const AS_ASKED =
  /^(?:`most`: |The rows have more than |The list goes on \(|The pages? do(?:es)? not say whether the list goes on\.$)/

/** Returns the reason why rows of a list may be missing; undefined if it was read as far as it was asked for. */
function whyPartial(value: unknown): string | undefined {
  if (!isObject(value) || value['complete'] !== false || typeof value['stoppedBy'] !== 'string') return undefined
  return AS_ASKED.test(value['stoppedBy']) ? undefined : value['stoppedBy']
}

/** Maximum number of rows of a list with those that were not seen. */
const MAX_ROWS = 20_000

/** Adds the rows of the last visit that are not among those of this one, each after the row that it followed. */
function keepUnseen(own: readonly DataTable[], known: readonly DataTable[]): readonly DataTable[] {
  const last = known.find(({ kind }) => kind === 'row')
  if (!last) return own
  const table = own.find(({ kind }) => kind === 'row') ?? { ...last, rows: [] }
  const columns = [...new Set([...table.columns, ...last.columns])]
  const keys = keyRows(last, table)
  const seen = new Set(keys.current)
  const fit = (from: DataTable, row: readonly string[]): string[] =>
    columns.map((column) => row[from.columns.indexOf(column)] ?? '')
  const first: string[][] = []
  const after = new Map<string, string[][]>()
  let group = first
  for (const [at, row] of last.rows.entries()) {
    const key = keys.previous[at] ?? ''
    if (seen.has(key)) after.set(key, (group = []))
    else group.push(fit(last, row))
  }
  const rows = table.rows.flatMap((row, at) => [fit(table, row), ...(after.get(keys.current[at] ?? '') ?? [])])
  return [{ ...table, columns, rows: [...first, ...rows].slice(0, MAX_ROWS) }]
}

/** Reads a text that {@link writeWatched} has written. */
export function readWatched(text: string, data: readonly string[]): Pick<WatchedText, 'page' | 'tables'> {
  let page = text
  const tables: DataTable[] = []
  for (const name of data.toReversed()) {
    const heading = headingOf(name)
    const at = page.startsWith(`${heading}\n\n`) ? 0 : page.lastIndexOf(`\n\n${heading}\n\n`)
    if (at === -1) continue
    const blocks = page.slice(page.indexOf(heading, at) + heading.length).trim()
    tables.unshift(...toTables(toHeadingText(name), blocks.split('\n\n')))
    page = page.slice(0, at)
  }
  return { page, tables }
}

/** Parses blocks of data: tables, and single values as one table. */
function toTables(heading: string, blocks: readonly string[]): DataTable[] {
  const items = blocks.filter((block) => block.startsWith('- '))
  const rows = items.map((item) => {
    const [, path = '', value = ''] = /^- (.*?):(?: (.*)|)$/s.exec(item) ?? []
    return [path, value]
  })
  const values: DataTable = { heading, kind: 'item', columns: ['name', 'value'], rows }
  const tables = blocks
    .filter((block) => block.startsWith('|'))
    .map((block): DataTable => {
      const [columns = [], , ...lines] = block.split('\n').map(readCells)
      return { heading, kind: 'row', columns, rows: lines }
    })
  return items.length === 0 ? tables : [values, ...tables]
}

const readCells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'))

/** Prints a table as blocks of Markdown. */
function printTable({ kind, columns, rows }: DataTable): string[] {
  if (kind === 'item') return rows.map(([path = '', value = '']) => `- ${path}: ${value}`)
  const line = (texts: readonly string[]): string => `| ${texts.map(escapeCell).join(' | ')} |`
  return [[line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')]
}

/** Returns the rows of a list, with the units of their numbers: what else it says of itself is not of the page. */
function rowsOf(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['items']) || !Array.isArray(value['fields'])) return value
  const units = new Map(
    (value['fields'] as { name: string; unit?: string }[]).flatMap(({ name, unit }) => (unit ? [[name, unit]] : [])),
  )
  if (units.size === 0) return value['items'] as unknown[]
  const addUnit = ([name, part]: [string, unknown]): [string, unknown] => {
    const unit = typeof part === 'number' ? units.get(name) : undefined
    return [name, unit === undefined ? part : writeAmount(part as number, unit)]
  }
  return value['items'].map((row) => (isObject(row) ? Object.fromEntries(Object.entries(row).map(addUnit)) : row))
}

/** Writes a number with its unit, as in `€9.50` and `12 kg`. */
function writeAmount(value: number, unit: string): string {
  if (!/^\p{Sc}$/u.test(unit)) return `${value} ${unit}`
  return `${value < 0 ? '-' : ''}${unit}${Number.isInteger(value) ? Math.abs(value) : Math.abs(value).toFixed(2)}`
}

/** Writes a value as blocks: each scalar as an item of a list, each array of objects as a table. */
function writeValue(path: string, given: unknown, depth: number): string[] {
  const value = simplify(given)
  if (Array.isArray(value) && value.some(isObject)) return [writeTable(value, depth)]
  if (!isObject(value) || depth >= MAX_DEPTH) return [`- ${path}: ${writeScalar(value)}`]
  return entriesOf(value).flatMap(([name, part]) => writeValue(`${path} ${name}`, part, depth + 1))
}

/** Writes rows as a table, whose columns are all that they have. */
function writeTable(rows: readonly unknown[], depth: number): string {
  const cells = rows.map((row) => new Map(flatten('', row, depth)))
  const columns = [...new Set(cells.flatMap((row) => [...row.keys()]))]
  const texts = cells.map((row) => columns.map((name) => row.get(name) ?? ''))
  return printTable({ heading: '', kind: 'row', columns, rows: texts }).join('')
}

function flatten(path: string, given: unknown, depth: number): [path: string, text: string][] {
  const value = simplify(given)
  if (!isObject(value) || depth >= MAX_DEPTH) return [[path === '' ? 'value' : path, writeScalar(value)]]
  return entriesOf(value).flatMap(([name, part]) => flatten(path === '' ? name : `${path} ${name}`, part, depth + 1))
}

/** Names of what an object is, which come first: a reason quotes the words with which a row begins. */
const NAMES = ['title', 'name', 'sku', 'id', 'url']

/** Lists what an object has, in an order that does not depend on who has made it. */
const entriesOf = (value: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(value)
    .filter(([, part]) => part !== undefined && part !== null)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))

const rankOf = (name: string): number => (NAMES.includes(name) ? NAMES.indexOf(name) : NAMES.length)

/** Writes a price and a state as a page shows them, where an object says them in parts. */
function simplify(value: unknown): unknown {
  if (!isObject(value)) return value
  const { amount, price, currency, priceCurrency, formatted, inStock, ...rest } = value
  // The name of schema.org says the same.
  const { text, ...unnamed } = rest
  const others = typeof inStock === 'boolean' && /^(?:in|outof)stock$/i.test(String(text)) ? unnamed : rest
  const unit = currency ?? priceCurrency
  const number = amount ?? price
  if (typeof number === 'number' || (typeof number === 'string' && unit !== undefined)) {
    // A number with a sign of its own needs no code.
    const parts = /\p{Sc}/u.test(String(number)) ? [number] : [number, unit]
    const said = typeof formatted === 'string' ? formatted : parts.filter(Boolean).join(' ')
    return amount === undefined ? { ...others, ...stateOf(inStock), price: said } : said
  }
  if (typeof inStock !== 'boolean') return value
  const state = stateOf(inStock)
  return Object.keys(others).length === 0 ? state.inStock : { ...others, ...state }
}

const stateOf = (inStock: unknown): { inStock?: string } =>
  typeof inStock === 'boolean' ? { inStock: inStock ? 'in stock' : 'out of stock' } : {}

const writeScalar = (value: unknown): string =>
  (typeof value === 'string' ? value : Array.isArray(value) ? value.map(writeScalar).join(', ') : JSON.stringify(value))
    .replaceAll(/\s+/g, ' ')
    .trim()

const escapeCell = (text: string): string => text.replaceAll('|', String.raw`\|`)
