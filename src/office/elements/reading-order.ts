/** Where something stands on a slide, in whatever unit. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** More than this on one slide is only sorted from top to bottom. */
const MAX_CUT = 400

/**
 * Puts what stands on a slide into the order in which it is read: where it falls into columns, column by column, else from top to
 * bottom. What is without a place stays first, in the order in which it came.
 */
export function inReadingOrder<T extends { readonly box: Box | undefined }>(items: readonly T[]): T[] {
  const placed: { item: T; box: Box }[] = []
  const others: T[] = []
  for (const item of items) {
    if (item.box === undefined) others.push(item)
    else placed.push({ item, box: item.box })
  }
  const sorted = placed.length > MAX_CUT ? fromTop(placed) : cut(placed)
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

/** Overlaps as small as this part of the smaller one are not seen. */
const SLACK = 0.1

/** The groups of items that do not reach into each other along an axis, in order. */
function partsAlong<T>(items: readonly Placed<T>[], range: (box: Box) => readonly [number, number]): Placed<T>[][] {
  const sorted = [...items].sort((a, b) => range(a.box)[0] - range(b.box)[0])
  const parts: Placed<T>[][] = []
  let end = -Infinity
  for (const item of sorted) {
    const [from, to] = range(item.box)
    const last = parts.at(-1)
    if (last === undefined || from >= end - SLACK * (to - from)) parts.push([item])
    else last.push(item)
    end = Math.max(end, to)
  }
  return parts
}
