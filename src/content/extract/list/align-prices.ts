import type { ListColumn } from './page-list.js'
import { type EntrySale, readSale, asBare, writeSale } from './price-cells.js'
import type { Cell } from './read-cells.js'

/** An entry with its prices. */
interface PricedRow {
  readonly cells: readonly Cell[]
  readonly sale: EntrySale
}

/**
 * Places the price to pay of all entries alike, whether an entry has an old price beside it or not: markup of an entry in a sale
 * differs from that of the others. Entries of a list without a sale stay as they are, but for prices of a unit.
 *
 * @param known columns of an earlier page by their places
 */
export function alignPrices(
  rows: readonly (readonly Cell[])[],
  known: ReadonlyMap<string, ListColumn>,
): (readonly Cell[])[] {
  const priced = rows.map((cells): PricedRow => ({ cells, sale: readSale(cells) }))
  const inSale = priced.flatMap(({ sale: { old, current } }) => (old && current ? [current.cell.place] : []))
  const columns = [...known.values()]
  const knownPlaces = columns.some(({ name }) => name === 'oldPrice')
    ? columns.filter(({ name }) => name === 'price').flatMap(({ places }) => places)
    : []
  const places = [...new Set([...inSale, ...knownPlaces])].slice(0, MAX_PLACES)
  if (places.length === 0)
    return priced.map(({ cells, sale }) => (holdsSeveral(sale) ? splitUnits(cells, sale) : asBare(cells, sale.prices)))
  const chosen = priced.map(({ cells, sale }) => ({ cells, sale: { ...sale, current: choosePrice(sale, places) } }))
  const place = choosePlace(
    chosen.flatMap(({ sale: { old, current } }) => (current ? [{ place: current.cell.place, isInSale: !!old }] : [])),
    known,
  )
  return chosen.map(({ cells, sale }) => (sale.current || sale.old ? writeSale(cells, { ...sale, place }) : cells))
}

/** Maximum places of prices in a sale that others are compared with. */
const MAX_PLACES = 5

/** True for a price that is written in one text with that of a unit. */
const holdsSeveral = ({ prices }: EntrySale): boolean =>
  prices.some(({ cell, mark }) => mark !== 'unit' && prices.some((one) => one.cell === cell && one.mark === 'unit'))

/** Splits a price to pay from that of a unit in the same text. */
function splitUnits(cells: readonly Cell[], sale: EntrySale): readonly Cell[] {
  const current = sale.payable.find(({ cell }) => sale.prices.some((one) => one.cell === cell && one.mark === 'unit'))
  return current === undefined ? cells : writeSale(cells, { ...sale, current, place: current.cell.place })
}

/** Chooses the price to pay of an entry: that of a sale, else the one whose place is most like those in a sale. */
function choosePrice({ old, current, payable }: EntrySale, places: readonly string[]): EntrySale['current'] {
  if (old !== undefined) return current
  const likeness = (place: string): number => Math.max(...places.map((other) => countShared(place, other)))
  let best: { price: EntrySale['current']; score: number } | undefined
  for (const price of payable) {
    const score = likeness(price.cell.place)
    if (best === undefined || score > best.score) best = { price, score }
  }
  return best?.price
}

/** Counts the kinds at the beginning of two places that are the same. Equal places share one more. */
function countShared(place: string, other: string): number {
  const [one, two] = [place.split('>'), other.split('>')]
  const differs = one.findIndex((kind, at) => kind !== two[at])
  return differs === -1 ? one.length + (place === other ? 1 : 0) : differs
}

/** A place of the price to pay in an entry. */
interface PricePlace {
  readonly place: string
  readonly isInSale: boolean
}

/** Chooses the place of the column: one that an earlier page had, else the most frequent one of entries without a sale. */
function choosePlace(found: readonly PricePlace[], known: ReadonlyMap<string, ListColumn>): string {
  const before = [...known.values()].find(({ name, places }) => name === 'price' && places.length > 0)?.places[0]
  if (before !== undefined) return before
  const counts = new Map<string, number>()
  for (const { place, isInSale } of found) counts.set(place, (counts.get(place) ?? 0) + (isInSale ? 1 : found.length))
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''
}
