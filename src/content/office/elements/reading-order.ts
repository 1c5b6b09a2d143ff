/** Rectangle on a slide, in any unit. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Maximum number of shapes that are grouped into columns; more are only sorted from top to bottom. */
const MAX_GROUPED = 400

/**
 * Sorts the shapes of a slide into reading order: column by column where there are columns, otherwise from top to
 * bottom. Shapes without a position stay first, in their original order.
 */
export function inReadingOrder<T extends { readonly box: Box | undefined }>(items: readonly T[]): T[] {
  const placed: { item: T; box: Box }[] = []
  const others: T[] = []
  for (const item of items) {
    if (item.box === undefined) others.push(item)
    else placed.push({ item, box: item.box })
  }
  const sorted = placed.length > MAX_GROUPED ? fromTop(placed) : cut(placed)
  return [...others, ...sorted.map(({ item }) => item)]
}

type Placed<T> = { readonly item: T; readonly box: Box }

const fromTop = <T>(items: readonly Placed<T>[]): Placed<T>[] =>
  [...items].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)

function cut<T>(items: readonly Placed<T>[]): Placed<T>[] {
  if (items.length < 2) return [...items]
  const columns = partsAlong(items, ({ x, width }) => [x, x + width])
  if (columns.length > 1) return columns.flatMap(cut)
  const rows = partsAlong(items, ({ y, height }) => [y, y + height])
  return rows.length > 1 ? rows.flatMap(cut) : fromTop(items)
}

/** Tolerated overlap of two shapes, as a share of the smaller one. */
const MAX_OVERLAP = 0.1

/** Splits items into groups that do not overlap along an axis, in order. */
function partsAlong<T>(items: readonly Placed<T>[], range: (box: Box) => readonly [number, number]): Placed<T>[][] {
  const sorted = [...items].sort((a, b) => range(a.box)[0] - range(b.box)[0])
  const parts: Placed<T>[][] = []
  let end = -Infinity
  for (const item of sorted) {
    const [from, to] = range(item.box)
    const last = parts.at(-1)
    if (last === undefined || from >= end - MAX_OVERLAP * (to - from)) parts.push([item])
    else last.push(item)
    end = Math.max(end, to)
  }
  return parts
}
