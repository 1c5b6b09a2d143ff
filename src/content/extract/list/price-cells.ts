import { findDecimal, readAmount } from '../../../base/text/read-amount.js'
import {
  isSignOnly,
  markOfLabel,
  type PriceMark,
  type PricePart,
  splitPrices,
} from '../../../base/text/split-prices.js'
import { isStruckOut } from '../../html/struck-price.js'
import { type Element, isElement } from '../../html/tree.js'
import type { Cell } from './read-cells.js'

/** A price in an entry, and what the page tells about it. */
interface EntryPrice {
  readonly cell: Cell
  /** Position of its cell in the entry. */
  readonly at: number
  readonly text: string
  readonly amount: number
  /** Code or sign; empty without one. */
  readonly currency: string
  readonly mark: PriceMark
  /** The element whose class marks it. */
  readonly markedBy?: Element
}

/** The prices of an entry. */
export interface EntrySale {
  /** The price before the sale, and the one to pay. */
  readonly old?: EntryPrice
  readonly current?: EntryPrice
  /** Prices that may be the one to pay. */
  readonly payable: readonly EntryPrice[]
  readonly prices: readonly EntryPrice[]
  /** Labels of the prices that are cells of their own. */
  readonly labels: ReadonlySet<Cell>
}

/** Class names of a price before a sale, of one in a sale, and of one in general, which is the old one beside one in a sale. */
const OLD_CLASS =
  /(?:^|[\s_-])(?:old|was|strike(?:through|d)?|crossed|rrp|msrp|uvp)(?:$|[\s_-]|price)|(?:original|compare(?:-at)?|before|previous)[_-]{0,2}price|price[\w-]{0,16}[_-](?:original|compare|before|previous)(?![a-z])/i
const NOW_CLASS =
  /(?:sale|special|now|offer|discount(?:ed)?|promo|deal|final|current|new)[_-]{0,2}(?:price|amount)|(?:price|amount)[\w-]{0,16}[_-](?:sale|special|now|offer|discounted|promo|deal|final|current|new)(?![a-z])/i
const REGULAR_CLASS =
  /(?:regular|list|normal|full)[_-]{0,2}price|price[\w-]{0,16}[_-](?:regular|list|normal|full)(?![a-z])/i
/** Class names of an amount that is no price of the thing: what is saved, shipping, a deposit, a rate, the price before tax. */
const OTHER_CLASS =
  /(?:^|[\s_-])(?:you[_-]?save|sav(?:e|ed|ings?)|discount|ship(?:ping|ment)?|delivery|deposit|pfand|fees?|tax|vat|net|netto|excl\w{0,10}|points?|bonus|install?ments?|monthly)(?:$|[\s_-])/i
/** Class names of a price. */
const PRICE_CLASS = /price|amount/i
/** Class names of a price for a unit. */
const UNIT_CLASS = /(?:^|[\s_-])(?:unit|base|per)[_-]?(?:price|unit|kg|litre)/i

/** Maximum levels around a price whose classes are read. */
const MAX_LEVELS = 3
/** Maximum prices of an entry in a sale. One with more, such as a table of rates, has no price of its own. */
const MAX_PRICES = 24

/** Reads the prices of an entry: which of them was paid before a sale, and which is to pay now. */
export function readSale(cells: readonly Cell[]): EntrySale {
  const labels = new Set<Cell>()
  const found = cells.flatMap((cell, at) => readPrices(cell, at, { cells, labels }))
  if (found.length > MAX_PRICES) return { payable: [], prices: [], labels: new Set() }
  const prices = found.map((price) => (isOfOthersToo(price, found) ? { ...price, mark: 'plain' as const } : price))
  const isInSale = (price: EntryPrice): boolean => prices.some((one) => one.mark === 'now' && one.amount < price.amount)
  const isOldMark = (price: EntryPrice): boolean =>
    price.mark === 'old' || (price.mark === 'regular' && isInSale(price))
  const priced = prices.filter((price) => !isOldMark(price) && price.mark !== 'saving')
  const whole = priced.filter(({ mark }) => mark !== 'unit')
  const open = whole.length > 0 ? whole : priced
  // A class or a label may mean something else, such as a price before tax: an old price is higher than the one to pay.
  const isHigher = ({ amount }: EntryPrice): boolean => open.length === 0 || open.some((one) => one.amount < amount)
  const olds = prices.filter((price) => isOldMark(price) && (price.cell.isStruck === true || isHigher(price)))
  const [old] = olds
  if (old === undefined) return { payable: [...open, ...prices.filter(isOldMark)], prices, labels }
  // An amount in another currency is that of other visitors.
  const own = open.filter(({ currency }) => currency === '' || old.currency === '' || currency === old.currency)
  const lower = own.filter(({ amount }) => !olds.some((one) => one.amount === amount))
  const payable = lower.length > 0 ? lower : own
  return { old, current: chooseCurrent(payable, old), payable, prices, labels }
}

/** Chooses the price to pay beside an old one: one that is called so, or a price, else the nearest one, the one after it first. */
function chooseCurrent(payable: readonly EntryPrice[], old: EntryPrice): EntryPrice | undefined {
  const distance = ({ at }: EntryPrice): number => (at >= old.at ? at - old.at : old.at - at + 0.5)
  const now = payable.filter(({ mark }) => mark === 'now')
  const called = payable.filter(({ cell }) => PRICE_CLASS.test(classesOf(cell.element)))
  const best = [now, called].find(({ length }) => length > 0) ?? payable
  return [...best].sort((one, other) => distance(one) - distance(other))[0]
}

/** Cells of an entry, and the labels found in them. */
interface PriceScope {
  readonly cells: readonly Cell[]
  readonly labels: Set<Cell>
}

function readPrices(cell: Cell, at: number, { cells, labels }: PriceScope): EntryPrice[] {
  if (cell.kind !== 'text') return []
  const parts = splitPrices(cell.value)
  if (parts === undefined || (parts.length > 1 && !areTold(parts))) return []
  return parts.flatMap(({ text, mark }): EntryPrice[] => {
    const read = readAmount(text, findDecimal([text]))
    if (read === undefined) return []
    const price = { cell, at, text, amount: read.value, currency: read.currency ?? read.unit }
    if (cell.isStruck === true) return [{ ...price, mark: 'old' }]
    if (parts.length > 1 || mark !== 'plain') return [{ ...price, mark }]
    const label = cells[at - 1]
    const beside = label?.kind === 'text' ? markOfLabel(label.value) : undefined
    if (label !== undefined && beside !== undefined && beside !== 'saving') labels.add(label)
    const said =
      markOfLabel(cell.said ?? '') ?? (cell.named?.source === 'label' ? markOfLabel(cell.named.name) : undefined)
    const told = beside ?? said ?? 'plain'
    return [told === 'plain' ? { ...price, ...markOfClass(cell.element) } : { ...price, mark: told }]
  })
}

/** True for several prices of which it is told which one is to pay. */
const areTold = (parts: readonly PricePart[]): boolean =>
  parts.filter(({ mark }) => mark === 'now' || mark === 'plain').length === 1

function markOfClass(element: Element): Pick<EntryPrice, 'mark' | 'markedBy'> {
  let at: Element['parent'] = element
  for (let up = 0; up <= MAX_LEVELS && at !== null && isElement(at); up += 1, at = at.parent) {
    const names = classesOf(at)
    if (up === 0 && OTHER_CLASS.test(names)) return { mark: 'saving', markedBy: at }
    const mark = isStruckOut(at) || OLD_CLASS.test(names) ? 'old' : markOfNames(names)
    if (mark !== undefined) return { mark, markedBy: at }
  }
  return { mark: 'plain' }
}

const classesOf = ({ attribs }: Element): string => (attribs['class'] ?? '').slice(0, 500)

const markOfNames = (names: string): PriceMark | undefined =>
  UNIT_CLASS.test(names) ? 'unit' : NOW_CLASS.test(names) ? 'now' : REGULAR_CLASS.test(names) ? 'regular' : undefined

/** True for a mark of an element that holds other prices as well, as `on-sale` of an entry. */
const isOfOthersToo = ({ markedBy, amount }: EntryPrice, prices: readonly EntryPrice[]): boolean =>
  markedBy !== undefined && prices.some((one) => one.amount !== amount && contains(markedBy, one.cell.element))

function contains(outer: Element, inner: Element): boolean {
  for (let at: Element['parent'] = inner; at !== null; at = at.parent) if (at === outer) return true
  return false
}

/** Place of the price before a sale, beside that of the price to pay. */
export const oldPlaceOf = (place: string): string => `${place}[old]`
const unitPlaceOf = (place: string): string => `${place}[unit]`

/** True for the sign of a currency that is an element of its own in a price. */
const isSignOf = ({ kind, value, element }: Cell, prices: readonly EntryPrice[]): boolean =>
  kind === 'text' &&
  isSignOnly(value) &&
  prices.some(({ cell }) => cell.element !== element && contains(cell.element, element))

/** Leaves out what is written beside the amount of a price: its label in the same text, the sign of its currency. */
export function asBare(cells: readonly Cell[], prices: readonly EntryPrice[]): readonly Cell[] {
  const bare = new Map(prices.filter(isLabelled).map(({ cell, text }) => [cell, text]))
  return cells.flatMap((cell) => {
    if (isSignOf(cell, prices)) return []
    const value = bare.get(cell)
    return value === undefined ? cell : { ...cell, value }
  })
}

/** True for the price to pay after a word that says so: `Price: €5`. A percentage is no such word. */
const isLabelled = ({ cell: { value }, mark, text }: EntryPrice): boolean =>
  (mark === 'plain' || mark === 'now') && !value.includes('%') && splitPrices(value)?.length === 1 && text !== value

/** The price of an entry that its row has, and where. */
interface PlacedSale extends EntrySale {
  readonly place: string
}

/**
 * Writes the prices of an entry as cells: the one to pay at the place that all entries of the list have it, the one before the
 * sale beside it. Copies of both, their labels and signs of currencies are left out.
 */
export function writeSale(cells: readonly Cell[], { old, current, prices, labels, place }: PlacedSale): Cell[] {
  const isCopy = ({ cell, amount, currency, mark }: EntryPrice): boolean =>
    old !== undefined &&
    cell.named?.source !== 'microdata' &&
    mark !== 'unit' &&
    [current, old].some((one) => one?.amount === amount && (one.currency === currency || currency === ''))
  const left = new Set(prices.filter(isCopy).map(({ cell }) => cell))
  return cells.flatMap((cell): Cell[] => {
    const own = prices.filter((price) => price.cell === cell)
    const written = own.flatMap((price): Cell[] => {
      if (price === current) return [asPrice(price, place, 'price')]
      if (price === old) return [asPrice(price, oldPlaceOf(place), 'oldPrice')]
      return own.length > 1 && price.mark === 'unit' ? [asPrice(price, unitPlaceOf(place), 'unitPrice')] : []
    })
    if (written.length > 0) return written
    return left.has(cell) || labels.has(cell) || isSignOf(cell, prices) ? [] : [cell]
  })
}

function asPrice({ cell, text }: EntryPrice, place: string, role: NonNullable<Cell['role']>): Cell {
  const named = role !== 'price' || cell.named?.source === 'label' ? undefined : cell.named
  return { ...cell, place, value: text, role, named }
}
