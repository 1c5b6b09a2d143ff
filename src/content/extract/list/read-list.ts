import { compact } from '../../../base/collections/compact.js'
import { type Element, isElement } from '../../html/tree.js'
import type { CharacterBudget } from '../../html/document-limits.js'
import type { AddressWriter, LinkResolver } from '../../html/link-resolver.js'
import { isCurrency, readAmount } from '../../../base/text/read-amount.js'
import { withoutSection } from '../../../base/url.js'
import { alignPrices } from './align-prices.js'
import { alignColumns } from './align-columns.js'
import { findAds } from './find-ads.js'
import type { EntryGroup } from './find-groups.js'
import { labelCells } from './label-cells.js'
import { entryKind } from './kind.js'
import { nameColumns, type NamedColumn } from './name-columns.js'
import {
  type ListColumn,
  type ListField,
  type ListRow,
  type ListPlan,
  type ListTemplate,
  type ListValue,
  MAX_ROWS,
  type PageList,
} from './page-list.js'
import { type Cell, readCells } from './read-cells.js'
import { refineColumns, type TextColumn } from './refine-columns.js'
import { dropRepeated, hashText, keyOfFields, TEXT_KEY } from './row-key.js'
import type { StatedNames } from '../list-names/stated-names.js'
import type { TableGroup } from './table-groups.js'
import { isMoney, readTyped } from './type-column.js'

/** Minimum share of rows that have a column. Each column of a table and of a short list counts. */
const MIN_SHARE = 0.04
const FEW_ROWS = 5

/** Facts of the page that its rows are read with. */
export interface RowScope {
  readonly isInvisible: (element: Element) => boolean
  readonly resolver: LinkResolver
  /** Language of the page; empty if it is unknown. */
  readonly language: string
  /** Names that the structured data of the page have for values. */
  readonly stated: StatedNames
  /** Makes the addresses of all lists absolute. */
  readonly addresses: AddressWriter
  /** Characters that the rows of all lists may have. A row that does not fit is left out, with those after it. */
  readonly budget: CharacterBudget
}

/** Reads the entries of a group as rows with named and typed fields. */
export function readList(
  group: EntryGroup | TableGroup,
  scope: RowScope,
  { most = MAX_ROWS, template }: ListPlan,
): PageList {
  const isTable = 'cells' in group
  const known = new Map(template?.columns.flatMap((column) => column.places.map((place) => [place, column] as const)))
  const rows = fitRows(
    isTable
      ? group.cells.slice(0, most)
      : alignPrices(
          group.entries.slice(0, most).map((entry) => readCells(entry, scope.isInvisible)),
          known,
        ).map(labelCells),
    scope,
  )
  const entries = group.entries.slice(0, rows.length)
  const minimum = isTable || rows.length < FEW_ROWS ? 1 : Math.max(2, rows.length * MIN_SHARE)
  const aligned = alignColumns(rows, new Set(known.keys()), minimum)
  const refined = isTable ? aligned.map(asTexts) : refineColumns(aligned)
  const roots = new Set(entries.flat())
  const columns = nameColumns(refined, {
    rows: rows.length,
    language: scope.language,
    stated: scope.stated,
    isEntry: (element) => roots.has(element),
    known,
  })
  const resolved = columns.map((column) => ({ ...column, values: readValues(column, scope.addresses) }))
  const items = rows.map((_, at) => toItem(resolved, at))
  const written = rows.map((_, at) => JSON.stringify(resolved.map((column) => asWritten(column, at))))
  const identified = entries.map(([element], at) => ({ element, item: items[at] ?? {}, written: written[at] ?? '' }))
  const key = template?.key ?? chooseKey(resolved, identified)
  const keys = identified.map((row) => keyOf(key, row))
  const kept = dropRepeated(items, keys, written)
  const fields = describeFields(columns, kept.items)
  const read = entries.map((entry, at) => ({ entry, cells: rows[at] ?? [], item: items[at] ?? {} }))
  const adRows = findAds({ entries: read, fields, isTable })
  const ads = kept.items.flatMap((item, at) => (adRows.has(item) ? [at] : []))
  return {
    ...kept,
    ads: ads.length > 0 ? ads : undefined,
    fields,
    template: toTemplate(group, columns, { key, template }),
  }
}

/** Returns the first rows whose values fit in the document. A cell that spans rows has its text in each of them. */
function fitRows(rows: readonly (readonly Cell[])[], { budget }: RowScope): readonly (readonly Cell[])[] {
  const fitting = rows.findIndex((cells) => !budget.take(cells.reduce((sum, { value }) => sum + value.length, 0)))
  return fitting === -1 ? rows : rows.slice(0, fitting)
}

const asTexts = (column: ReturnType<typeof alignColumns>[number]): TextColumn => ({
  ...column,
  texts: column.cells.map(([cell]) => cell?.value),
})

interface ResolvedColumn extends NamedColumn {
  readonly values: readonly (ListValue | undefined)[]
}

function readValues(column: NamedColumn, addresses: AddressWriter): (ListValue | undefined)[] {
  return column.cells.map((cells: readonly Cell[]) => {
    const [first] = cells
    if (first === undefined) return undefined
    if (column.type === 'texts') return cells.map(({ value }) => value)
    if (column.type === 'url') return addresses.write(first.value)
    return readTyped(first.value, column)
  })
}

/** Returns a value before it was understood, except of addresses, which pages write in several ways. */
const asWritten = ({ type, cells, values }: ResolvedColumn, at: number): ListValue | undefined =>
  type === 'url' || type === 'texts' ? values[at] : cells[at]?.[0]?.value

const CURRENCY_SUFFIX = 'Currency'

/** Makes a row. Amounts of money have a second field with the currency. */
function toItem(columns: readonly ResolvedColumn[], at: number): ListRow {
  // `Object.fromEntries` defines own properties, also for a field that the page calls `__proto__`.
  return Object.fromEntries(
    columns.flatMap((column): [string, ListValue][] => {
      const value = column.values[at]
      if (value === undefined) return []
      const currency = typeof value === 'number' ? currencyAt(column, at) : undefined
      return [
        [column.name, value],
        ...(currency === undefined ? [] : [[column.name + CURRENCY_SUFFIX, currency] as [string, string]]),
      ]
    }),
  )
}

function currencyAt({ cells, decimal, unit }: NamedColumn, at: number): string | undefined {
  const amount = readAmount(cells[at]?.[0]?.value ?? '', decimal)
  if (amount === undefined || !isMoney(amount)) return undefined
  // A sign of several currencies, such as `$`, tells at least that the row differs from the others.
  return amount.currency ?? (amount.unit !== unit && isCurrency(amount.unit) ? amount.unit : undefined)
}

/** Minimum share of rows that differ in what identifies them. */
const DISTINCT_SHARE = 0.95

const ID_ATTRIBUTES = ['data-id', 'data-item-id', 'data-product-id', 'data-asin', 'data-sku', 'data-key', 'id']

const WRITTEN_KEY = 'written'

/** A row with what may identify it. */
interface IdentifiedRow {
  readonly element: Element | undefined
  readonly item: ListRow
  /** The values as the page writes them. */
  readonly written: string
}

/**
 * Chooses what identifies a row: the field with its URL, else an attribute of the entry, else all of its values, as the page
 * writes them if rows differ in nothing else.
 */
function chooseKey(columns: readonly ResolvedColumn[], rows: readonly IdentifiedRow[]): string {
  const isDistinct = (values: readonly unknown[]): boolean => {
    const given = values.filter((value) => value !== undefined)
    return given.length === rows.length && new Set(given).size >= given.length * DISTINCT_SHARE
  }
  const links = columns.filter(({ name, type }) => type === 'url' && /url/iu.test(name))
  const url = [...links.filter(({ name }) => name === 'url'), ...links].find(({ values }) => isDistinct(values))
  if (url !== undefined) return `field ${url.name}`
  const attribute = ID_ATTRIBUTES.find((name) => isDistinct(rows.map(({ element }) => element?.attribs[name])))
  if (attribute !== undefined) return `attribute ${attribute}`
  const count = (values: readonly string[]): number => new Set(values).size
  const isRead = count(rows.map(({ item }) => JSON.stringify(item))) === count(rows.map(({ written }) => written))
  return isRead ? TEXT_KEY : WRITTEN_KEY
}

function keyOf(key: string, { element, item, written }: IdentifiedRow): string {
  if (key === WRITTEN_KEY) return hashText(written)
  const name = key.slice(key.indexOf(' ') + 1)
  const value = key.startsWith('field ')
    ? Object.hasOwn(item, name)
      ? item[name]
      : undefined
    : key.startsWith('attribute ')
      ? element?.attribs[name]
      : undefined
  if (typeof value === 'string') return key.startsWith('field ') ? withoutSection(value) : value
  return keyOfFields(item)
}

function describeFields(columns: readonly NamedColumn[], items: readonly ListRow[]): ListField[] {
  const shareOf = (name: string): number =>
    Math.round((items.filter((item) => Object.hasOwn(item, name)).length / Math.max(1, items.length)) * 1000) / 1000
  return columns.flatMap(({ name, type, source, unit }): ListField[] => {
    const share = shareOf(name)
    if (share === 0) return []
    const currency = name + CURRENCY_SUFFIX
    const field = compact({ name, type, source, share, unit })
    return type === 'number' && shareOf(currency) > 0
      ? [field, { name: currency, type: 'text', source, share: shareOf(currency) }]
      : [field]
  })
}

function toTemplate(
  group: EntryGroup,
  columns: readonly NamedColumn[],
  { key, template }: { key: string; template: ListTemplate | undefined },
): ListTemplate {
  const own = columns.map(({ place, variants = [], name, type, source, unit, decimal, dayFirst }): ListColumn => ({
    places: [place, ...variants],
    name,
    type,
    source,
    unit,
    decimal,
    dayFirst,
  }))
  const names = new Set(template?.columns.map(({ name }) => name))
  return {
    container: describeContainer(group.container),
    entry: group.kind,
    columns: [...(template?.columns ?? []), ...own.filter(({ name }) => !names.has(name))],
    key,
  }
}

const MAX_CONTAINER_LEVELS = 4

/** Describes an element by its kind and those of the elements around it, the outermost first. */
export function describeContainer(container: Element): string {
  const kinds: string[] = []
  for (
    let at: Element['parent'] = container;
    at !== null && isElement(at) && kinds.length < MAX_CONTAINER_LEVELS;
    at = at.parent
  )
    kinds.unshift(entryKind(at))
  return kinds.join('>')
}
