import type { Segment } from './page-text.js'

/** A place between two columns. */
interface Gutter {
  readonly x: number
  /** Segments from the top, `from` and before `to`, that leave it free. */
  readonly from: number
  readonly to: number
}

/** Columns of columns are looked for as often as this. */
const DEEPEST = 4
/** Lines that a column has at least. */
const FEWEST = 4

/** Parts a page into what is read from top to bottom, one part after the other. */
export function findColumns(segments: readonly Segment[], depth = 0): Segment[][] {
  if (depth >= DEEPEST || segments.length < 2 * FEWEST) return segments.length === 0 ? [] : [[...segments]]
  const sorted = [...segments].sort((a, b) => a.y - b.y)
  const gutter = findGutter(sorted)
  if (gutter === undefined) return [[...segments]]
  const within = sorted.slice(gutter.from, gutter.to)
  const next = depth + 1
  const sides = [within.filter(({ left }) => left < gutter.x), within.filter(({ left }) => left >= gutter.x)]
  if (isRightToLeft(within)) sides.reverse()
  return [
    ...findColumns(sorted.slice(0, gutter.from), next),
    ...sides.flatMap((side) => findColumns(side, next)),
    ...findColumns(sorted.slice(gutter.to), next),
  ]
}

/** Whether most of the text is written from right to left. */
export function isRightToLeft(segments: readonly Segment[]): boolean {
  let balance = 0
  for (const { runs } of segments) for (const { isRtl, text } of runs) balance += isRtl ? text.length : -text.length
  return balance > 0
}

/** The gutter that parts the most text; undefined where nothing looks like columns. */
function findGutter(sorted: readonly Segment[]): Gutter | undefined {
  const edges = leftEdges(sorted)
  let best: Gutter | undefined
  for (const x of edges) {
    for (const gutter of freeStretches(sorted, x)) {
      if (best !== undefined && gutter.to - gutter.from <= best.to - best.from) continue
      if (partsColumns(sorted.slice(gutter.from, gutter.to), gutter.x)) best = gutter
    }
  }
  return best
}

/** Where several segments begin, but for where the first column does. */
function leftEdges(segments: readonly Segment[]): number[] {
  const lefts = segments.map(({ left }) => left).sort((a, b) => a - b)
  const edges: number[] = []
  for (let from = 0; from < lefts.length;) {
    const start = lefts[from] ?? 0
    let to = from
    while (to < lefts.length && (lefts[to] ?? 0) - start < 3) to++
    if (to - from >= FEWEST) edges.push(start)
    from = to
  }
  return edges.slice(1)
}

/** Every stretch from top to bottom in which no segment reaches over `x`. */
function freeStretches(sorted: readonly Segment[], x: number): Gutter[] {
  const found: Gutter[] = []
  let from = 0
  const close = (to: number): void => {
    if (to - from >= 2 * FEWEST) found.push({ x: x - 0.5, from, to })
  }
  sorted.forEach((segment, index) => {
    if (!isOver(segment, x)) return
    close(index)
    from = index + 1
  })
  close(sorted.length)
  return found.map((gutter) => trim(sorted, gutter))
}

/** Whether a segment leaves no gutter to the left of `x`. */
const isOver = ({ left, right, size }: Segment, x: number): boolean => left < x - 1 && right > x - 0.75 * size

/** Without what stands above and below the lines that have something beside them. */
function trim(sorted: readonly Segment[], { x, from, to }: Gutter): Gutter {
  const isLeft = (index: number): boolean => (sorted[index]?.left ?? 0) < x
  const hasBeside = (index: number): boolean => {
    const own = sorted[index]
    if (own === undefined) return false
    for (const step of [-1, 1]) {
      for (let at = index + step; at >= from && at < to; at += step) {
        const other = sorted[at]
        if (other === undefined || Math.abs(other.y - own.y) > 2 * own.size) break
        if (isLeft(at) !== isLeft(index)) return true
      }
    }
    return false
  }
  let [start, end] = [from, to]
  while (start < end && !hasBeside(start)) start++
  // A column that is longer than the one beside it goes on to its end.
  if (start < end && isLeft(start)) while (start > from && isLeft(start - 1)) start--
  while (end > start && !hasBeside(end - 1)) end--
  const lastSide = end > start && isLeft(end - 1)
  while (end < to && isLeft(end) === lastSide) end++
  return { x, from: start, to: end }
}

/** Whether what stands on both sides is text to be read one after the other, and no cells of a table. */
function partsColumns(segments: readonly Segment[], x: number): boolean {
  const left = segments.filter((segment) => segment.left < x)
  const right = segments.filter((segment) => segment.left >= x)
  if (left.length < FEWEST || right.length < FEWEST) return false
  const sides = [left, right].map(describe)
  if (sides.some(({ height, size }) => height < 2.5 * size)) return false
  if (sides.every(({ isText }) => isText)) return true
  // Entries of an index are as short as cells, but one column is drawn after the other.
  if (sides.some(({ width, size }) => width < 5 * size)) return false
  const drawn = [...segments].sort((a, b) => a.order - b.order)
  const changes = drawn.filter((segment, index) => {
    const before = drawn[index - 1]
    return before !== undefined && before.left < x !== segment.left < x
  }).length
  return changes <= 2 && sides.every(({ isWordy }) => isWordy)
}

function describe(segments: readonly Segment[]): {
  width: number
  height: number
  size: number
  isText: boolean
  isWordy: boolean
} {
  const left = Math.min(...segments.map((segment) => segment.left))
  const right = Math.max(...segments.map((segment) => segment.right))
  const top = Math.min(...segments.map(({ y }) => y))
  const bottom = Math.max(...segments.map(({ y }) => y))
  const width = Math.max(1, right - left)
  const size = segments.reduce((sum, segment) => sum + segment.size, 0) / segments.length
  const long = segments.filter((segment) => segment.right - segment.left > 0.6 * width).length
  const characters = segments.reduce((sum, { runs }) => sum + runs.reduce((all, { text }) => all + text.length, 0), 0)
  return {
    width,
    height: bottom - top,
    size,
    isText: long >= 0.5 * segments.length && width > 12 * size && characters / segments.length >= 18,
    isWordy: characters / segments.length >= 6,
  }
}
