import type { RulingLine } from '../page-text.js'

/** Table whose cell borders are drawn. `xs` and `ys` are the boundaries of its columns and rows, in points. */
export interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  /** Tests if a cell has a drawn border on its right. */
  hasBorderRight(row: number, column: number): boolean
  /** Tests if a cell has a drawn border below it. */
  hasBorderBelow(row: number, column: number): boolean
  /** Yields the positions of the vertical lines that are drawn between `left` and `right` at the height `y`, in order. */
  linesBetween(left: number, right: number, y: number): Iterable<number>
}

/** Maximum gap at which two lines count as touching, in points. */
const MAX_TOUCH_GAP = 2
/** Maximum gap between two pieces of one line, in points. */
const MAX_PIECE_GAP = 0.5
/** Maximum distance at which two parallel lines count as one, in points. */
const MAX_LINE_DISTANCE = 3
/** Maximum number of cells of a table; drawings with more are charts. */
const MAX_CELLS = 5000

/** Finds tables with ruling lines: connected horizontal and vertical lines that cover most of the cell borders. */
export function findGrids(rules: readonly RulingLine[]): Grid[] {
  const across = rules.filter(({ top, bottom }) => bottom - top < 1)
  const down = joinPieces(rules.filter(({ left, right }) => right - left < 1))
  return groupTouching(across, down).flatMap((group) => makeGrid(group.across, group.down) ?? [])
}

/** Vertical line, and the pieces that it is drawn in, from its top. */
interface JoinedLine extends RulingLine {
  bottom: number
  readonly pieces: RulingLine[]
}

/** Joins vertical lines that continue each other: TeX draws a piece of its own for each row of a table. */
function joinPieces(down: readonly RulingLine[]): JoinedLine[] {
  const columns = new Map<number, RulingLine[]>()
  for (const rule of down) {
    const column = columns.get(Math.round(rule.left))
    if (column === undefined) columns.set(Math.round(rule.left), [rule])
    else column.push(rule)
  }
  return [...columns.values()].flatMap((column) => {
    const joined: JoinedLine[] = []
    for (const rule of column.sort((a, b) => a.top - b.top)) {
      const { left, right, top, bottom } = rule
      const last = joined.at(-1)
      if (last === undefined || Math.abs(top - last.bottom) > MAX_PIECE_GAP)
        joined.push({ left, right, top, bottom, pieces: [rule] })
      else {
        last.bottom = bottom
        last.pieces.push(rule)
      }
    }
    return joined
  })
}

interface Group {
  readonly across: RulingLine[]
  readonly down: JoinedLine[]
}

function groupTouching(across: readonly RulingLine[], down: readonly JoinedLine[]): Group[] {
  const sorted = [...across].sort((a, b) => a.top - b.top)
  const groupOf = new Map<RulingLine, Group>()
  for (const rule of down) {
    let own: Group = { across: [], down: [rule] }
    groupOf.set(rule, own)
    const start = firstFrom(sorted, ({ top }) => top >= rule.top - MAX_TOUCH_GAP)
    for (let at = start; at < sorted.length; at++) {
      const other = sorted[at]
      if (other === undefined || other.top > rule.bottom + MAX_TOUCH_GAP) break
      if (other.left > rule.left + MAX_TOUCH_GAP || other.right < rule.left - MAX_TOUCH_GAP) continue
      const known = groupOf.get(other)
      if (known === own) continue
      if (known === undefined) {
        own.across.push(other)
        groupOf.set(other, own)
      } else own = merge(known, own, groupOf)
    }
  }
  return [...new Set(groupOf.values())]
}

/** Merges the smaller group into the larger, so that each line is moved few times. */
function merge(a: Group, b: Group, groupOf: Map<RulingLine, Group>): Group {
  const [large, small] = a.across.length + a.down.length > b.across.length + b.down.length ? [a, b] : [b, a]
  for (const rule of [...small.across, ...small.down]) groupOf.set(rule, large)
  for (const rule of small.across) large.across.push(rule)
  for (const rule of small.down) large.down.push(rule)
  return large
}

/** Returns the index of the first value that passes a test, which all values after it pass too. */
function firstFrom<Value>(sorted: readonly Value[], passes: (value: Value) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const value = sorted[middle]
    if (value !== undefined && !passes(value)) low = middle + 1
    else high = middle
  }
  return low
}

function makeGrid(across: readonly RulingLine[], down: readonly JoinedLine[]): Grid | undefined {
  if (across.length === 0 || down.length === 0) return undefined
  const all = [...across, ...down]
  const xs = placesOf([
    ...down.map(({ left }) => left),
    all.reduce((least, { left }) => Math.min(least, left), Infinity),
    all.reduce((most, { right }) => Math.max(most, right), -Infinity),
  ])
  const joints = jointsOf(down).filter((y) => !across.some(({ top }) => Math.abs(top - y) <= MAX_LINE_DISTANCE))
  const ys = placesOf([
    ...across.map(({ top }) => top),
    ...joints,
    all.reduce((least, { top }) => Math.min(least, top), Infinity),
    all.reduce((most, { bottom }) => Math.max(most, bottom), -Infinity),
  ])
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  if (columns < 2 || rows < 1 || columns * rows > MAX_CELLS) return undefined
  // Keys of drawn borders between columns, and between rows.
  const [rightBorders, lowerBorders] = [new Set<number>(), new Set<number>()]
  for (const rule of down) {
    const at = nearest(xs, rule.left)
    for (let row = 0; row < rows; row++)
      if (isOver(rule.top, rule.bottom, ys, row)) rightBorders.add(row * columns + at - 1)
  }
  for (const rule of across) {
    const at = nearest(ys, rule.top)
    for (let column = 0; column < columns; column++)
      if (isOver(rule.left, rule.right, xs, column)) lowerBorders.add((at - 1) * columns + column)
  }
  for (const y of joints)
    for (let column = 0; column < columns; column++) lowerBorders.add((nearest(ys, y) - 1) * columns + column)
  const hasBorderRight = (row: number, column: number): boolean => rightBorders.has(row * columns + column)
  const hasBorderBelow = (row: number, column: number): boolean => lowerBorders.has(row * columns + column)
  if (
    !isRegular(rows, columns, hasBorderRight) ||
    (rows > 1 && !isRegular(columns, rows, (a, b) => hasBorderBelow(b, a)))
  )
    return undefined
  return { xs, ys, hasBorderRight, hasBorderBelow, linesBetween: indexLines(down.flatMap(({ pieces }) => pieces)) }
}

/**
 * Lists the heights at which most vertical lines are pieced together. Rows end there if no horizontal line is drawn: one
 * that is tells which cells go on below it.
 */
function jointsOf(down: readonly JoinedLine[]): number[] {
  const counts = new Map<number, number>()
  for (const { pieces } of down)
    for (const { top } of pieces.slice(1)) counts.set(Math.round(top), (counts.get(Math.round(top)) ?? 0) + 1)
  return [...counts].flatMap(([y, count]) => (count > 0.5 * down.length ? [y] : []))
}

/** Indexes vertical lines by height. The lines at a height are the same up to the next end of a line. */
function indexLines(down: readonly RulingLine[]): Grid['linesBetween'] {
  const sorted = [...down].sort((a, b) => a.left - b.left)
  const ends = [...new Set(down.flatMap(({ top, bottom }) => [top, bottom]))].sort((a, b) => a - b)
  const known = new Map<number, readonly number[]>()
  const placesAt = (y: number): readonly number[] => {
    const end = firstFrom(ends, (value) => value >= y)
    // No line is drawn at its own ends: these are heights of their own.
    const key = ends[end] === y ? 2 * end + 1 : 2 * end
    const places = known.get(key) ?? sorted.filter(({ top, bottom }) => top < y && bottom > y).map((rule) => rule.left)
    known.set(key, places)
    return places
  }
  return function* linesBetween(left, right, y) {
    const places = placesAt(y)
    for (let last = left; ;) {
      const place = places[firstFrom(places, (value) => value > last)]
      if (place === undefined || place >= right) return
      yield place
      last = place + MAX_LINE_DISTANCE
    }
  }
}

/** Tests if at least half of the inner borders in one direction are drawn, as in a table. */
function isRegular(length: number, places: number, isDrawn: (along: number, place: number) => boolean): boolean {
  let drawn = 0
  for (let place = 0; place < places - 1; place++)
    for (let along = 0; along < length; along++) if (isDrawn(along, place)) drawn += 1
  return drawn >= 0.5 * length * (places - 1)
}

/** Tests if a line covers the middle of a row or column. */
function isOver(from: number, to: number, places: readonly number[], at: number): boolean {
  const middle = ((places[at] ?? 0) + (places[at + 1] ?? 0)) / 2
  return from < middle && to > middle
}

/** Merges the positions of lines that are close together. */
function placesOf(values: readonly number[]): number[] {
  const places: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const last = places.at(-1)
    if (last === undefined || value - last > MAX_LINE_DISTANCE) places.push(value)
  }
  return places
}

function nearest(places: readonly number[], value: number): number {
  let best = 0
  places.forEach((place, index) => {
    if (Math.abs(place - value) < Math.abs((places[best] ?? 0) - value)) best = index
  })
  return best
}
