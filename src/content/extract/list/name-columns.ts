import { type Element, isElement, isHeading } from '../../html/tree.js'
import { readAmount } from '../../../base/text/read-amount.js'
import { nameByClass } from '../list-names/class-names.js'
import { isWithin } from './kind.js'
import type { Cell } from './read-cells.js'
import type { ListColumn, ListField } from './page-list.js'
import type { TextColumn } from './refine-columns.js'
import { describesList, findStatedName, type StatedNames } from '../list-names/stated-names.js'
import { type ColumnType, isMoney, typeColumn } from './type-column.js'

/** A column with its name and type. */
export interface NamedColumn extends TextColumn, ColumnType, ColumnName {}

/** The name of a column, and where it is from. */
interface ColumnName {
  readonly name: string
  readonly source: ListField['source']
}

/** Columns of a list that the names of others depend on. */
interface NamingScope {
  readonly rows: number
  /** Language of the page; empty if it is unknown. */
  readonly language: string
  readonly isEntry: (element: Element) => boolean
  /** Names by place that an earlier page gave. */
  readonly known: ReadonlyMap<string, ListColumn>
  /** Names that the structured data of the page have for values. */
  readonly stated: StatedNames
}

/** Names and types the columns of a list: by what the page calls them, and else by their role in a row. */
export function nameColumns(columns: readonly TextColumn[], scope: NamingScope): NamedColumn[] {
  const typed = columns.map((column) => ({ ...column, ...typeOf(column, scope) }))
  const title = findTitle(typed, scope)
  const url = findUrl(typed, title, scope)
  const roles = new Map<unknown, string>([
    [title, 'title'],
    [url, 'url'],
    [typed.find(({ kind, count }) => kind === 'image' && count >= scope.rows * 0.3), 'image'],
  ])
  const stated = title && describesList(scope.stated, title.texts) ? scope.stated : NOTHING_STATED
  const names = new Names([...scope.known.values()].map(({ name }) => name))
  // The price to pay has its name before other amounts, whose names may be no better.
  const isOfSale = (column: TextColumn): boolean =>
    !scope.known.has(column.place) && namedByPage(column) === undefined && roleOfPrices(column) !== undefined
  const ofSale = new Map(typed.filter(isOfSale).map((column) => [column, names.take(roleOfPrices(column) ?? '')]))
  return typed.flatMap((column): NamedColumn[] => {
    const known = scope.known.get(column.place)
    if (known !== undefined) {
      const { type, unit, decimal, dayFirst, name, source } = known
      return [{ ...column, type, unit, decimal, dayFirst, name, source }]
    }
    // Links and images beside the main ones have names only if the page names them.
    const { name, source } = chooseName(column, roles.get(column), { ...scope, stated })
    return [{ ...column, name: ofSale.get(column) ?? names.take(name), source }]
  })
}

const NOTHING_STATED: StatedNames = new Map()

/** Gives each name once, with numbers for further ones. */
class Names {
  readonly #taken: Set<string>

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  take(name: string): string {
    let free = name
    for (let number = 2; this.#taken.has(free); number += 1) free = `${name}${number}`
    this.#taken.add(free)
    return free
  }
}

function typeOf(column: TextColumn, { language, known }: NamingScope): ColumnType {
  const before = known.get(column.place)
  if (before !== undefined) return before
  if (column.kind === 'url' || column.kind === 'image') return { type: 'url' }
  if (column.isMany) return { type: 'texts' }
  const type = typeColumn(
    column.texts.filter((text) => text !== undefined),
    language,
  )
  return column.kind === 'time' && type.type !== 'date' ? { type: 'text' } : type
}

function chooseName(
  column: TextColumn & ColumnType,
  role: string | undefined,
  { isEntry, stated }: NamingScope,
): ColumnName {
  const named = namedByPage(column)
  if (named !== undefined) return named
  const price = roleOfPrices(column) ?? (isStruck(column) ? 'oldPrice' : undefined)
  if (price !== undefined) return { name: price, source: 'role' }
  if (role !== undefined) return { name: role, source: 'role' }
  const property = column.kind === 'url' || column.kind === 'image' ? undefined : findStatedName(stated, column.texts)
  if (property !== undefined) return { name: property, source: 'json-ld' }
  const sample = column.cells.flatMap((own) => own.slice(0, 1)).slice(0, 20)
  const byClass = nameByClass(
    sample.map(({ element }) => element),
    isEntry,
  )
  const suffix = column.kind === 'url' ? 'Url' : column.kind === 'image' ? 'Image' : ''
  if (byClass !== undefined && PRICE_NAME.test(byClass) && isPrice(column)) return { name: 'price', source: 'class' }
  if (byClass !== undefined) return { name: withSuffix(byClass, suffix), source: 'class' }
  if (column.label !== undefined && column.label.length > 2) return { name: column.label, source: 'label' }
  return { name: roleOf(column), source: 'role' }
}

const withSuffix = (name: string, suffix: string): string =>
  suffix === '' || name.toLowerCase().endsWith(suffix.toLowerCase()) ? name : name + suffix

function namedByPage({ cells }: TextColumn): ColumnName | undefined {
  const names = cells.flatMap((own) => own.slice(0, 1)).slice(0, 50)
  const named = names.find(({ named: given }) => given !== undefined)?.named
  return named !== undefined && names.filter((cell) => cell.named?.name === named.name).length * 2 > names.length
    ? named
    : undefined
}

/** Returns what the prices of a column are, in a list with a sale. */
function roleOfPrices({ cells }: TextColumn): Cell['role'] {
  const roles = cells.flatMap(([cell]) => cell?.role ?? [])
  return roles.length * 2 > cells.filter((own) => own.length > 0).length ? roles[0] : undefined
}

/** True for prices that are struck out, of entries without another price. */
const isStruck = ({ cells }: TextColumn): boolean =>
  cells.every(([cell]) => cell === undefined || cell.isStruck === true)

/** Names by class of the price to pay. */
const PRICE_NAME =
  /^(?:current|sale|special|final|now|our|product|item)?price(?:amount|value|current|now|final|sale|special|number|text|price|item)?$/iu

/** Tests whether the first number of a column is an amount of money. */
function isPrice({ type, texts, decimal }: TextColumn & ColumnType): boolean {
  if (type !== 'number') return false
  for (const text of texts) {
    const amount = readAmount(text ?? '', decimal)
    if (amount !== undefined) return isMoney(amount)
  }
  return false
}

function roleOf(column: TextColumn & ColumnType): string {
  const { type, kind, unit } = column
  if (kind === 'url') return 'link'
  if (kind === 'image') return 'picture'
  if (type === 'date') return 'date'
  if (type !== 'number') return type === 'texts' ? 'texts' : type === 'boolean' ? 'flag' : 'text'
  if (isPrice(column)) return 'price'
  return unit !== undefined && /^\p{L}{3,20}$/u.test(unit) ? unit.toLowerCase() : 'number'
}

/** Finds the column with the titles of the entries: in headings or links, early, different in each row. */
function findTitle(
  columns: readonly (TextColumn & ColumnType)[],
  { rows }: NamingScope,
): (TextColumn & ColumnType) | undefined {
  let best: { column: TextColumn & ColumnType; score: number } | undefined
  for (const [at, column] of columns.entries()) {
    if (column.kind !== 'text' || column.type === 'texts' || column.count < rows * 0.5) continue
    const score = titleScore(column, rows) - at * 0.1
    if (best === undefined || score > best.score) best = { column, score }
  }
  return best?.column
}

const TITLE_NAME = /^(?:(?:product|item|job|event) ?)?(?:name|headline|title)$/iu
/** Class names of short texts that are not the title. */
const OTHER_CLASS = /sku|number|price|brand|vendor|badge|label|categor|(?:^|[\s_-])tag|date|time|author|rank/iu
const TITLE_CLASS = /title|headline|heading|(?:^|[\s_-])(?:product|item|entry|job|event)?[\s_-]?name/iu

function titleScore({ cells, texts, type, count }: TextColumn & ColumnType, rows: number): number {
  const sample = cells.flatMap((own) => own.slice(0, 1)).slice(0, 50)
  const share = (test: (element: Element) => boolean): number =>
    sample.filter(({ element }) => test(element)).length / Math.max(1, sample.length)
  const given = texts.filter((text) => text !== undefined)
  const lengths = given.map(({ length }) => length).sort((one, other) => one - other)
  const median = lengths[lengths.length >> 1] ?? 0
  const isNamed = sample.some(({ named }) => TITLE_NAME.test(named?.name ?? ''))
  return (
    (isNamed ? 4 : 0) +
    share((element) => isWithin(element, isHeading)) * 3 +
    share((element) => isWithin(element, isLink)) * 2 +
    share((element) => holdsLink(element) && !isWithin(element, isLink)) +
    share((element) => isWithin(element, ({ attribs }) => TITLE_CLASS.test(attribs['class'] ?? ''))) * 2 -
    share(({ attribs }) => OTHER_CLASS.test(attribs['class'] ?? '')) * 2 +
    (new Set(given).size / Math.max(1, given.length)) * 2 +
    count / rows +
    (median < 3 || median > 250 ? -3 : median >= 10 && median <= 160 ? 1 : 0) -
    (type === 'text' ? 0 : 3)
  )
}

const isLink = ({ name, attribs }: Element): boolean => name === 'a' && attribs['href'] !== undefined

const holdsLink = ({ children }: Element): boolean => children.some((child) => isElement(child) && isLink(child))

/** Finds the column with the URLs of the entries: the link of the title, or else the one that differs most. */
function findUrl(
  columns: readonly (TextColumn & ColumnType)[],
  title: TextColumn | undefined,
  { rows }: NamingScope,
): (TextColumn & ColumnType) | undefined {
  let best: { column: TextColumn & ColumnType; score: number } | undefined
  for (const [at, column] of columns.entries()) {
    if (column.kind !== 'url') continue
    const given = column.texts.filter((text) => text !== undefined)
    const beside = title === undefined ? 0 : countBeside(column, title)
    const score = (new Set(given).size / rows) * 2 + (beside / rows) * 2 - at * 0.02
    if (best === undefined || score > best.score) best = { column, score }
  }
  return best?.column
}

/** Counts the rows in which the link contains the title, or the other way round. */
function countBeside(link: TextColumn, title: TextColumn): number {
  let count = 0
  for (const [at, [cell]] of link.cells.entries()) {
    const other = title.cells[at]?.[0]
    if (
      cell !== undefined &&
      other !== undefined &&
      (contains(cell.element, other.element) || contains(other.element, cell.element))
    )
      count += 1
  }
  return count
}

function contains(outer: Element, inner: Element): boolean {
  let at: Element['parent'] = inner
  for (let up = 0; up < 12 && at !== null; up += 1) {
    if (at === outer) return true
    at = at.parent
  }
  return false
}
