import type { RawColumn } from './align-columns.js'
import type { Element } from '../../html/tree.js'
import { nameByClass } from '../list-names/class-names.js'
import type { Cell } from './read-cells.js'

/** A column with its values as text, row by row. */
export interface TextColumn extends RawColumn {
  /** Value of each row; undefined where it has none. The values of an array are joined with line breaks. */
  readonly texts: readonly (string | undefined)[]
  /** Text beside the value in nearly all rows: `By`. */
  readonly label?: string
}

/** Rows that are compared to decide about a column. */
const SAMPLE = 200
/** Rows in which the places of two columns are compared. */
const SAMPLE_OF_PLACES = 20
/** Minimum share of rows in which two columns must be equal, or a column constant. */
const EQUAL_SHARE = 0.9
const MIN_CONSTANT_ROWS = 4
/** Dots and lines between values, such as a dish and its price. */
const LEADER = /^[.…·_ -]+$/u

/**
 * Leaves out columns that tell nothing: copies of another column, texts of which all parts have columns of their own, and
 * texts that are the same in nearly every row, such as `Read more`.
 */
export function refineColumns(columns: readonly RawColumn[]): TextColumn[] {
  const all = columns.map((column): TextColumn => ({ ...column, texts: column.cells.map(joinTexts) }))
  const kept: TextColumn[] = []
  for (const column of all) {
    if (isConstant(column) || kept.some((other) => isCopy(column, other))) continue
    kept.push(column)
  }
  return splitMixed(kept)
}

const joinTexts = (cells: readonly Cell[]): string | undefined =>
  cells.length === 0 ? undefined : cells.length === 1 ? cells[0]?.value : cells.map(({ value }) => value).join('\n')

function isConstant({ texts, kind, cells, count }: TextColumn): boolean {
  if (kind === 'data' || kind === 'time' || count < MIN_CONSTANT_ROWS) return false
  const cell = cells.find((own) => own.length > 0)?.[0]
  if (cell?.named !== undefined) return false
  const given = texts.filter((text) => text !== undefined)
  if (kind === 'text' && given.every((text) => LEADER.test(text))) return true
  const [first] = given
  if (given.filter((text) => text === first).length < given.length) return false
  // What only some rows say tells them from the others: `Sale`.
  if (kind === 'text' && cell?.element.name !== 'a' && count < texts.length * EQUAL_SHARE) return false
  // A price or a brand that all rows share is a value if its class says so.
  if (kind !== 'text' || cell === undefined || cell.element.name === 'a') return true
  return !/\d/u.test(first ?? '') && nameByClass([cell.element], () => false) === undefined
}

function isCopy(column: TextColumn, other: TextColumn): boolean {
  if (isAddress(column) !== isAddress(other) || column.kind === 'time' || column.isMany !== other.isMany) return false
  if (column.kind === 'data' && column.cells.some(([cell]) => cell?.named?.source === 'microdata')) return false
  let [both, equal] = [0, 0]
  for (let at = 0; at < column.texts.length && both < SAMPLE; at += 1) {
    const [one, two] = [column.texts[at], other.texts[at]]
    if (one === undefined) continue
    both += 1
    if (one === two) equal += 1
  }
  return both > 0 && equal >= both * EQUAL_SHARE
}

const isAddress = ({ kind }: RawColumn): boolean => kind === 'url' || kind === 'image'

/** Divides texts that contain links, dates or classed elements: either these are the values, or the text around them. */
function splitMixed(columns: readonly TextColumn[]): TextColumn[] {
  const dropped = new Set<TextColumn>()
  const labels = new Map<TextColumn, string>()
  for (const outer of columns) {
    if (outer.kind !== 'text') continue
    const inner = columns.filter((column) => column.kind === 'text' && column !== outer && isInside(column, outer))
    if (inner.length === 0) continue
    const rest = findRest(outer, inner)
    if (rest === undefined) {
      for (const column of inner)
        if (isPlainLink(column) && (column.isMany || column.count < outer.count * EQUAL_SHARE)) dropped.add(column)
      continue
    }
    dropped.add(outer)
    const [only] = inner
    if (inner.length === 1 && only !== undefined && rest !== '') labels.set(only, rest)
  }
  return columns
    .filter((column) => !dropped.has(column))
    .map((column) => ({ ...column, label: labels.get(column) ?? column.label }))
}

function isInside(inner: TextColumn, outer: TextColumn): boolean {
  const place = outer.place.replace(/(?:#\d+|\[\])$/u, '')
  if (place === '' ? inner.place.startsWith('#') : !inner.place.startsWith(`${place}>`)) return false
  // Several elements of a row may have the place of the outer column, and the inner one may be in another of them.
  let both = 0
  for (let at = 0; at < Math.min(inner.cells.length, SAMPLE) && both < SAMPLE_OF_PLACES; at += 1) {
    const [cells = [], around = []] = [inner.cells[at], outer.cells[at]]
    if (cells.length === 0 || around.length === 0) continue
    if (cells.some(({ element }) => around.some((cell) => contains(cell.element, element)))) return true
    both += 1
  }
  return both === 0
}

function contains(outer: Element, inner: Element): boolean {
  for (let at: Element['parent'] = inner.parent; at !== null; at = at.parent) if (at === outer) return true
  return false
}

const isPlainLink = ({ cells }: TextColumn): boolean => {
  const cell = cells.find((own) => own.length > 0)?.[0]
  return cell?.element.name === 'a' && cell.element.attribs['class'] === undefined && cell.named === undefined
}

/** Returns the text of a column that is left without the inner ones, if it is nearly the same in all rows. */
function findRest(outer: TextColumn, inner: readonly TextColumn[]): string | undefined {
  const rests = new Map<string, number>()
  let rows = 0
  for (let at = 0; at < outer.texts.length && rows < SAMPLE; at += 1) {
    let text = outer.texts[at]
    if (text === undefined) continue
    rows += 1
    for (const { texts } of inner)
      for (const part of (texts[at] ?? '').split('\n')) if (part !== '') text = text.replace(part, () => ' ')
    const rest = text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
    rests.set(rest, (rests.get(rest) ?? 0) + 1)
  }
  const [[rest, count] = ['', 0]] = [...rests].sort(([, one], [, other]) => other - one)
  return count >= rows * 0.8 && rest.length <= 40 ? rest : undefined
}
