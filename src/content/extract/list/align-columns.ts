import type { Cell } from './read-cells.js'

/** A column of the rows of a list, before it has a name and a type. */
export interface RawColumn {
  readonly place: string
  /** Further places of its values, of which each row has one at most. */
  readonly variants?: readonly string[]
  readonly kind: Cell['kind']
  /** Cells of each row; empty where it has none. Several are the values of an array. */
  readonly cells: readonly (readonly Cell[])[]
  /** Rows with a value. */
  readonly count: number
  /** True if a row may have several values. */
  readonly isMany: boolean
}

/** Maximum columns of a list. */
const MAX_COLUMNS = 200
/** Maximum columns that are compared, of which some are variants of others. */
const MAX_PLACES = 400
/** Maximum number of columns that values at the same place become. More, or a varying number, become an array. */
const MAX_SPLIT = 12
const MAX_SPLIT_LINKS = 3
/** Minimum share of rows with the same number of values at a place, for a column of each. */
const SAME_NUMBER_SHARE = 0.8

/** Suffixes of a place that has several values in a row: one of them, by its number, or all of them. */
const ALL_SUFFIX = '[]'

interface Place {
  readonly kind: Cell['kind']
  /** Cells by row. */
  readonly rows: Map<number, Cell[]>
  /** Sum of the positions of the first cell in its row, from 0 to 1. */
  position: number
}

/**
 * Aligns the values of all entries: values at the same place are a column. Of values at the same place of one entry, each
 * is a column if their number is the same in nearly all entries, as it is for the cells of a row; else they are an
 * array.
 *
 * @param known places of the columns of an earlier page, which are split in the same way
 * @param minimum minimum number of rows that have a column
 */
export function alignColumns(
  rows: readonly (readonly Cell[])[],
  known: ReadonlySet<string>,
  minimum: number,
): RawColumn[] {
  const places = new Map<string, Place>()
  for (const [at, cells] of rows.entries()) {
    for (const [order, cell] of cells.entries()) {
      const place = places.get(cell.place) ?? { kind: cell.kind, rows: new Map<number, Cell[]>(), position: 0 }
      places.set(cell.place, place)
      const own = place.rows.get(at)
      if (own !== undefined) own.push(cell)
      else {
        place.rows.set(at, [cell])
        place.position += order / cells.length
      }
    }
  }
  const common = [...places]
    .filter(([name, place]) => place.rows.size >= minimum || isKept(place) || isKnown(name, known))
    .map(([name, place]) => ({ name, place, position: place.position / place.rows.size }))
    .sort((one, other) => one.position - other.position)
  const columns = common.flatMap(({ name, place }) => toColumns(name, place, rows.length, known))
  // A row whose link has a class of its own is an entry as the others.
  const rare = [...places]
    .filter(
      ([name, place]) => place.rows.size < minimum && !isKept(place) && !isKnown(name, known) && LINK_PLACE.test(name),
    )
    .slice(0, MAX_RARE)
    .flatMap(([name, place]) => toColumns(name, place, rows.length, known))
  const merged = mergeVariants([...columns.slice(0, MAX_PLACES), ...rare])
  const left = new Set(rare)
  return merged.filter((column) => !left.has(column)).slice(0, MAX_COLUMNS)
}

/** Place of a link or of its text. */
const LINK_PLACE = /(?:^|>)a(?:\.[^>@]*)?(?:@href)?$/u
/** Maximum places of links which too few rows have for a column, and which are compared with columns. */
const MAX_RARE = 40

/**
 * Merges columns of which each row has at most one, at places that differ in classes only: those of a modifier, such as
 * that of a reduced price, or of a build tool.
 */
function mergeVariants(columns: readonly RawColumn[]): RawColumn[] {
  const merged: RawColumn[] = []
  const byShape = new Map<string, number[]>()
  for (const column of columns) {
    const shape = `${column.kind} ${column.isMany} ${shapeOf(column)}`
    const others = byShape.get(shape) ?? []
    byShape.set(shape, others)
    const at = others.find((index) => isEitherOr(column, merged[index]))
    const other = at === undefined ? undefined : merged[at]
    if (at === undefined || other === undefined) {
      others.push(merged.length)
      merged.push(column)
      continue
    }
    const cells = other.cells.map((own, row) => (own.length > 0 ? own : (column.cells[row] ?? [])))
    merged[at] = {
      ...other,
      cells,
      count: other.count + column.count,
      variants: [...(other.variants ?? []), column.place],
    }
  }
  return merged
}

/** Tag names of a place, and its names of properties, without classes. */
const shapeOf = ({ place, cells }: RawColumn): string => {
  const named = cells.find((own) => own.length > 0)?.[0]?.named?.name ?? ''
  return `${place.replace(/\.[^>@#[]*/gu, '')} ${named}`
}

function isEitherOr(column: RawColumn, other: RawColumn | undefined): boolean {
  if (other === undefined || column.count + other.count > column.cells.length) return false
  return column.cells.every((own, row) => own.length === 0 || other.cells[row]?.length === 0)
}

/** True for the prices of a sale, however few entries are in it. */
const isKept = ({ rows }: Place): boolean => [...rows.values()].some(([cell]) => cell?.role !== undefined)

const isKnown = (name: string, known: ReadonlySet<string>): boolean =>
  known.has(name) || known.has(name + ALL_SUFFIX) || known.has(`${name}#1`)

function toColumns(name: string, { kind, rows }: Place, length: number, known: ReadonlySet<string>): RawColumn[] {
  const take = (place: string, pick: (cells: readonly Cell[]) => readonly Cell[], isMany = false): RawColumn => {
    const cells = Array.from({ length }, (_, at) => pick(rows.get(at) ?? []))
    return { place, kind, cells, count: cells.filter((own) => own.length > 0).length, isMany }
  }
  const numbers = new Map<number, number>()
  for (const { length: number } of rows.values()) numbers.set(number, (numbers.get(number) ?? 0) + 1)
  const [[usual, share] = [1, 0]] = [...numbers].sort(([, one], [, other]) => other - one)
  const isSplit = known.has(`${name}#1`) || (!known.has(name + ALL_SUFFIX) && share >= rows.size * SAME_NUMBER_SHARE)
  if (numbers.size === 1 && usual === 1 && !known.has(`${name}#1`) && !known.has(name + ALL_SUFFIX))
    return [take(name, (cells) => cells)]
  // Of a varying number of links or images, the first is the one that a reader sees first.
  if (kind !== 'text' && (!isSplit || usual > MAX_SPLIT_LINKS)) return [take(name, (cells) => cells.slice(0, 1))]
  if (!isSplit || usual > MAX_SPLIT) return [take(name + ALL_SUFFIX, (cells) => cells, true)]
  const most = Math.max(
    usual,
    ...Array.from({ length: MAX_SPLIT }, (_, at) => (known.has(`${name}#${at + 1}`) ? at + 1 : 0)),
  )
  return Array.from({ length: most }, (_, at) => take(`${name}#${at + 1}`, (cells) => cells.slice(at, at + 1)))
}
