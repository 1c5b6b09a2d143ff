import { isObject } from '../../base/collections/is-object.js'
import { readAmount, type UnitAmount } from '../../base/text/read-amount.js'
import type { Document } from '../../kernel/page/document.js'
import type { ChangeReason } from './watch.js'

/** Maximum depth of values that are written in parts; deeper ones are written as JSON. */
const MAX_DEPTH = 8

/** Heading of the data of a format. */
const headingOf = (name: string): string => `## ${toHeadingText(name)}`

const toHeadingText = (name: string): string => `Data of ${name}`

/** Text of a page as a watch compares it. */
interface WatchedText {
  readonly text: string
  /** Names of formats without data on this visit, whose last data stands. */
  readonly missing: readonly string[]
}

/**
 * Writes what a watch compares of a page: its Markdown and, after it, the data of the formats that were asked for. As Markdown, so that
 * prices, states, rows and noise are told in data as in the page. Data that is not there this time, such as when the model has failed,
 * counts as unchanged.
 *
 * @param data names of the formats whose fields have data
 * @param previous text of the last visit
 */
export function writeWatched(
  { markdown = '', ...fields }: Document,
  data: readonly string[],
  previous = '',
): WatchedText {
  const missing: string[] = []
  const parts = data.flatMap((name) => {
    const value = rowsOf((fields as Readonly<Record<string, unknown>>)[name])
    if (value !== undefined) return [headingOf(name), ...writeValue(name, value, 0)]
    const last = findLast(name, data, previous)
    if (last === undefined) return []
    missing.push(name)
    return [headingOf(name), last]
  })
  return {
    text: parts.length === 0 ? markdown : [markdown, ...parts].filter((part) => part !== '').join('\n\n'),
    missing,
  }
}

/** A reason, with the place of the block that has changed. */
interface PlacedReason extends ChangeReason {
  /** The heading above it. */
  readonly heading?: string
  /** Words with which it begins, or else the heading, unless that is the title of the page. */
  readonly context?: string
}

/**
 * Leaves out reasons of the data that the page tells as well: the price of a product stands in its text and in its data. Each
 * reason of the page stands for one of the data, of the same entry.
 *
 * @param data names of the formats whose fields have data
 */
export function withoutRepeats(reasons: readonly PlacedReason[], data: readonly string[]): ChangeReason[] {
  const headings = new Set(data.map((name) => toHeadingText(name)))
  const isOfData = ({ heading = '' }: PlacedReason): boolean => headings.has(heading)
  const ofData = reasons.filter(isOfData)
  const left = new Set(reasons.filter((reason) => reason.previous !== undefined && !isOfData(reason)))
  const findTold = (reason: PlacedReason): PlacedReason | undefined => {
    const isAlone = ofData.filter((other) => tellsSame(other, reason)).length === 1
    return [...left].find(
      (told) =>
        tellsSame(told, reason) && (told.context ? `${reason.context} `.startsWith(`${told.context} `) : isAlone),
    )
  }
  return reasons.flatMap((reason) => {
    const told = isOfData(reason) ? findTold(reason) : undefined
    if (told) left.delete(told)
    const { heading: _, context: __, ...shown } = reason
    return told ? [] : [shown]
  })
}

/** Tests whether two reasons tell the same, however it is written: `€12.00` is `12`, and no `¥12`. */
const tellsSame = (one: ChangeReason, other: ChangeReason): boolean =>
  one.field === other.field && isSame(one.previous, other.previous) && isSame(one.current, other.current)

function isSame(one = '', other = ''): boolean {
  const [some, others] = [readAmount(one), readAmount(other)]
  if (!some || !others) return one.toLowerCase() === other.toLowerCase()
  return (
    some.value === others.value && (some.unit === '' || others.unit === '' || currencyOf(some) === currencyOf(others))
  )
}

const currencyOf = ({ currency, unit }: UnitAmount): string => currency ?? unit

/** Finds the data of a format in the text of the last visit. */
function findLast(name: string, data: readonly string[], previous: string): string | undefined {
  const at = previous.lastIndexOf(`${headingOf(name)}\n\n`)
  if (at === -1) return undefined
  const rest = previous.slice(at + headingOf(name).length + 2)
  const ends = data.map((other) => rest.indexOf(`\n\n${headingOf(other)}\n\n`)).filter((end) => end !== -1)
  return rest.slice(0, Math.min(rest.length, ...ends))
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
    return [name, unit === undefined ? part : `${String(part)} ${unit}`]
  }
  return value['items'].map((row) => (isObject(row) ? Object.fromEntries(Object.entries(row).map(addUnit)) : row))
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
  const line = (texts: readonly string[]): string => `| ${texts.map(escapeCell).join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...cells.map((row) => line(columns.map((name) => row.get(name) ?? ''))),
  ].join('\n')
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
    const said = typeof formatted === 'string' ? formatted : [String(number), unit].filter(Boolean).join(' ')
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
