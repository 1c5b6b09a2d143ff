import { extentOf } from './extent-of.js'
import { isRightToLeft } from './order-runs.js'
import type { RulingLine, Segment } from '../page-text.js'

/** Gutter between two columns. */
interface Gutter {
  readonly x: number
  /** Range of the segments, sorted from the top, that do not cross it: `from` inclusive, `to` exclusive. */
  readonly from: number
  readonly to: number
}

/** Maximum nesting of columns. */
const MAX_DEPTH = 4
/** Minimum number of lines of a column. */
const MIN_LINES = 4
/** Minimum number of lines of a column that is detected by drawing order alone. */
const MIN_LINES_BY_ORDER = 8
/** Maximum number of lines, including a heading, by which one column may start above the other. */
const MAX_ABOVE = 3
/** Minimum number of lines in a text column that fill most of its width. */
const MIN_LONG_LINES = 3
/** Maximum number of positions that are examined as gutters: gaps between segments, and common left edges. */
const MAX_VALLEYS = 12
const MAX_EDGES = 6
/** Minimum length of a ruling line on both sides of a gutter for the line to end the gutter, in points. */
const RULE_OVERHANG = 20

/**
 * Splits a page into columns, in reading order.
 *
 * @param rules ruling lines, such as those above and below a table, which no gutter crosses
 */
export function findColumns(segments: readonly Segment[], rules: readonly RulingLine[] = [], depth = 0): Segment[][] {
  if (depth >= MAX_DEPTH || countLines(segments) < 2 * MIN_LINES) return segments.length === 0 ? [] : [[...segments]]
  const sorted = [...segments].sort((a, b) => a.y - b.y)
  const gutter = findGutter(sorted, rules)
  if (gutter === undefined) return [[...segments]]
  const within = sorted.slice(gutter.from, gutter.to)
  const next = depth + 1
  const sides = [within.filter(({ left }) => left < gutter.x), within.filter(({ left }) => left >= gutter.x)]
  if (isRightToLeft(within)) sides.reverse()
  return [
    ...findColumns(sorted.slice(0, gutter.from), rules, next),
    ...sides.flatMap((side) => findColumns(side, rules, next)),
    ...findColumns(sorted.slice(gutter.to), rules, next),
  ]
}

/** Finds the gutter that separates the most text; undefined if there are no columns. */
function findGutter(sorted: readonly Segment[], rules: readonly RulingLine[]): Gutter | undefined {
  let best: Gutter | undefined
  for (const x of [...findValleys(sorted), ...leftEdges(sorted)]) {
    for (const gutter of freeStretches(sorted, rules, x)) {
      if (best !== undefined && gutter.to - gutter.from <= best.to - best.from) continue
      if (separatesColumns(sorted.slice(gutter.from, gutter.to), gutter.x)) best = gutter
    }
  }
  return best
}

/**
 * Finds horizontal positions that fewer segments cross than positions beside them, those with the largest difference
 * first.
 */
function findValleys(segments: readonly Segment[]): number[] {
  const ends = segments
    .flatMap(({ left, right }) => [
      { x: left, step: 1 },
      { x: right, step: -1 },
    ])
    .sort((a, b) => a.x - b.x || a.step - b.step)
  let over = 0
  const stretches = ends.map(({ x, step }, index) => {
    over += step
    return { x, to: ends[index + 1]?.x ?? x, over }
  })
  const highest = (list: typeof stretches): number[] => {
    let most = 0
    return list.map((stretch) => (most = Math.max(most, stretch.over)))
  }
  const before = highest(stretches)
  const after = highest([...stretches].reverse()).reverse()
  const found = stretches.flatMap(({ x, to, over: own }, at) => {
    const isLow = own < (stretches[at - 1]?.over ?? 0) && own < (stretches[at + 1]?.over ?? 0)
    return isLow && to - x > 1
      ? {
          x: (x + to) / 2,
          depth: Math.min(before[at] ?? 0, after[at] ?? 0) - own,
        }
      : []
  })
  return found
    .sort((a, b) => b.depth - a.depth)
    .slice(0, MAX_VALLEYS)
    .map(({ x }) => x)
}

/** Finds left edges that many segments share, except the leftmost: a centred title may hide the gutter below it. */
function leftEdges(segments: readonly Segment[]): number[] {
  const lefts = segments.map(({ left }) => left).sort((a, b) => a - b)
  const edges: { readonly x: number; readonly count: number }[] = []
  for (let from = 0; from < lefts.length;) {
    const start = lefts[from] ?? 0
    let to = from
    while (to < lefts.length && (lefts[to] ?? 0) - start < 3) to++
    edges.push({ x: start - 0.5, count: to - from })
    from = to
  }
  return edges
    .slice(1)
    .filter(({ count }) => count >= MIN_LINES)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_EDGES)
    .map(({ x }) => x)
}

/** Lists the vertical ranges in which no segment and no ruling line crosses `x`. */
function freeStretches(sorted: readonly Segment[], rules: readonly RulingLine[], x: number): Gutter[] {
  const found: Gutter[] = []
  let from = 0
  const close = (to: number): void => {
    if (to - from > 1) found.push({ x, from, to })
  }
  const bars = rules
    .filter(({ left, right, top, bottom }) => bottom - top < 1 && left < x - RULE_OVERHANG && right > x + RULE_OVERHANG)
    .map(({ top }) => top)
    .sort((a, b) => a - b)
  let bar = 0
  sorted.forEach((segment, index) => {
    if ((bars[bar] ?? Infinity) < segment.y) {
      close(index)
      from = index
      while ((bars[bar] ?? Infinity) < segment.y) bar += 1
    }
    if (!isOver(segment, x)) return
    close(index)
    from = index + 1
  })
  close(sorted.length)
  return found.map((gutter) => trim(sorted, gutter))
}

const isOver = ({ left, right }: Segment, x: number): boolean => left < x && right > x

/** Shortens a range to the lines with text on the other side of the gutter, and to the end of the longer column. */
function trim(sorted: readonly Segment[], { x, from, to }: Gutter): Gutter {
  const isLeft = (index: number): boolean => (sorted[index]?.left ?? 0) < x
  const tallest = sorted.slice(from, to).reduce((most, { row }) => Math.max(most, row?.height ?? 0), 0)
  const hasBeside = (index: number): boolean => {
    const own = sorted[index]
    if (own === undefined) return false
    const [top, bottom] = [own.y - 2 * own.size, own.y + 2 * own.size + (own.row?.height ?? 0)]
    for (const step of [-1, 1]) {
      for (let at = index + step; at >= from && at < to; at += step) {
        const other = sorted[at]
        if (other === undefined || other.y < top - tallest || other.y > bottom) break
        if (isLeft(at) !== isLeft(index) && other.y + (other.row?.height ?? 0) >= top) return true
      }
    }
    return false
  }
  let [start, end] = [from, to]
  while (start < end && !hasBeside(start)) start++
  // The longer of the two columns is included to its end.
  if (start < end && isLeft(start)) while (start > from && isLeft(start - 1)) start--
  else if (start > from && isDrawnAfter(sorted, start, end, isLeft)) while (start > from && !isLeft(start - 1)) start--
  while (end > start && !hasBeside(end - 1)) end--
  const lastSide = end > start && isLeft(end - 1)
  while (end < to && isLeft(end) === lastSide) end++
  return { x, from: start, to: end }
}

/**
 * Tests if the segment on the right above the columns is drawn after all of the left column. It then belongs to the
 * right column, which is longer.
 */
function isDrawnAfter(
  sorted: readonly Segment[],
  start: number,
  end: number,
  isLeft: (index: number) => boolean,
): boolean {
  const above = start - 1
  if (isLeft(above)) return false
  const order = sorted[above]?.order ?? 0
  for (let at = start; at < end; at++) if (isLeft(at) && (sorted[at]?.order ?? 0) > order) return false
  return true
}

/** Tests if both sides of a gutter are text columns and not table cells. */
function separatesColumns(segments: readonly Segment[], x: number): boolean {
  const left = segments.filter((segment) => segment.left < x)
  const right = segments.filter((segment) => segment.left >= x)
  const isFew = countLines(left) < MIN_LINES || countLines(right) < MIN_LINES
  const sides = [left, right].map(describe)
  // Quantiles are used because a few lines may extend into the gutter.
  const [ends, starts] = [left.map((segment) => segment.right), right.map((segment) => segment.left)]
  const size = Math.max(...sides.map((side) => side.size))
  if (quantile(starts, 0.1) - quantile(ends, 0.9) < 0.75 * size) return false
  if (countLines(left) > countLines(right) ? isRest(left, right) : isRest(right, left)) return true
  if (isFew || sides.some((side) => side.height < 2.5 * side.size)) return false
  if (sides.every(({ isText }) => isText)) return true
  // Index entries are as short as cells, but their columns are drawn one after the other.
  if (
    sides.some((side) => side.width < 5 * side.size) ||
    countLines(left) < MIN_LINES_BY_ORDER ||
    countLines(right) < MIN_LINES_BY_ORDER
  )
    return false
  const drawn = [...segments].sort((a, b) => a.order - b.order)
  const changes = drawn.filter((segment, index) => {
    const before = drawn[index - 1]
    return before !== undefined && before.left < x !== segment.left < x
  }).length
  return changes <= 2 && sides.every(({ isWordy }) => isWordy)
}

/**
 * Tests if a few lines continue a text column at the top of the next one, as on the last page of a paper: they are
 * drawn after it.
 */
function isRest(column: readonly Segment[], rest: readonly Segment[]): boolean {
  if (countLines(column) < MIN_LINES_BY_ORDER || countLines(rest) >= MIN_LINES_BY_ORDER) return false
  const { size, isText } = describe(column)
  const [top] = extentOf(rest.map(({ y }) => y))
  const [left, last] = extentOf(rest.map((segment) => segment.left))
  const [, drawn] = extentOf(column.map(({ order }) => order))
  return (
    isText &&
    rest.every(({ order }) => order > drawn) &&
    column.filter(({ y }) => y < top - size).length <= MAX_ABOVE &&
    last - left < 2.5 * size
  )
}

const countLines = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { row }) => sum + (row?.lines ?? 1), 0)

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}

function describe(segments: readonly Segment[]): {
  width: number
  height: number
  size: number
  isText: boolean
  isWordy: boolean
} {
  const [left] = extentOf(segments.map((segment) => segment.left))
  const [, right] = extentOf(segments.map((segment) => segment.right))
  const [top] = extentOf(segments.map(({ y }) => y))
  const [, bottom] = extentOf(segments.map(({ y, row }) => y + (row?.height ?? 0)))
  const width = Math.max(1, right - left)
  const size = segments.reduce((sum, segment) => sum + segment.size, 0) / segments.length
  // Compared by characters, as formulas have many segments but little text.
  const [long, short] = [
    { count: 0, characters: 0 },
    { count: 0, characters: 0 },
  ]
  for (const segment of segments) {
    const kind = segment.right - segment.left > 0.6 * width ? long : short
    kind.count += 1
    for (const { text } of segment.runs) kind.characters += text.length
  }
  const characters = long.characters + short.characters
  return {
    width,
    height: bottom - top,
    size,
    isText:
      long.characters >= 0.5 * characters &&
      long.count >= MIN_LONG_LINES &&
      width > 12 * size &&
      long.characters >= 18 * long.count,
    isWordy: characters / segments.length >= 6,
  }
}
