import type { RulingLine } from '../page-text.js'

/** A table as it is drawn: where its columns and rows begin and end, from the left and from the top. */
export interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  /** Whether a line is drawn between a column and the next one in a row. */
  isParted(row: number, column: number): boolean
  /** Whether a line is drawn between a row and the next one in a column. */
  isCut(row: number, column: number): boolean
  /** Whether a drawn line stands within a stretch at a height. */
  crosses(left: number, right: number, y: number): boolean
}

/** Lines that end so near to each other meet. */
const TOUCH = 2
/** Lines that stand so near to each other are one. */
const NEAR = 3
/** A drawing with more cells is a chart. */
const MAX_CELLS = 5000

/** The tables whose lines are drawn: lines that meet each other, across and down, over most of what they enclose. */
export function findGrids(rules: readonly RulingLine[]): Grid[] {
  const across = rules.filter(({ top, bottom }) => bottom - top < 1)
  const down = rules.filter(({ left, right }) => right - left < 1)
  return groupTouching(across, down).flatMap((group) => makeGrid(group.across, group.down) ?? [])
}

interface Group {
  readonly across: RulingLine[]
  readonly down: RulingLine[]
}

function groupTouching(across: readonly RulingLine[], down: readonly RulingLine[]): Group[] {
  const sorted = [...across].sort((a, b) => a.top - b.top)
  const groupOf = new Map<RulingLine, Group>()
  for (const rule of down) {
    let own: Group = { across: [], down: [rule] }
    groupOf.set(rule, own)
    for (let at = firstFrom(sorted, rule.top - TOUCH); at < sorted.length; at++) {
      const other = sorted[at]
      if (other === undefined || other.top > rule.bottom + TOUCH) break
      if (other.left > rule.left + TOUCH || other.right < rule.left - TOUCH) continue
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

/** The smaller one goes into the larger: each rule is moved a few times only. */
function merge(a: Group, b: Group, groupOf: Map<RulingLine, Group>): Group {
  const [large, small] = a.across.length + a.down.length > b.across.length + b.down.length ? [a, b] : [b, a]
  for (const rule of [...small.across, ...small.down]) groupOf.set(rule, large)
  for (const rule of small.across) large.across.push(rule)
  for (const rule of small.down) large.down.push(rule)
  return large
}

function firstFrom(sorted: readonly RulingLine[], y: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.top ?? 0) < y) low = middle + 1
    else high = middle
  }
  return low
}

function makeGrid(across: readonly RulingLine[], down: readonly RulingLine[]): Grid | undefined {
  if (across.length === 0 || down.length === 0) return undefined
  const all = [...across, ...down]
  const xs = placesOf([
    ...down.map(({ left }) => left),
    all.reduce((least, { left }) => Math.min(least, left), Infinity),
    all.reduce((most, { right }) => Math.max(most, right), -Infinity),
  ])
  const ys = placesOf([
    ...across.map(({ top }) => top),
    all.reduce((least, { top }) => Math.min(least, top), Infinity),
    all.reduce((most, { bottom }) => Math.max(most, bottom), -Infinity),
  ])
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  if (columns < 2 || rows < 1 || columns * rows > MAX_CELLS) return undefined
  // Between two columns down a row, and between two rows across a column: whether a line is drawn.
  const [parted, cut] = [new Set<number>(), new Set<number>()]
  for (const rule of down) {
    const at = nearest(xs, rule.left)
    for (let row = 0; row < rows; row++) if (isOver(rule.top, rule.bottom, ys, row)) parted.add(row * columns + at - 1)
  }
  for (const rule of across) {
    const at = nearest(ys, rule.top)
    for (let column = 0; column < columns; column++)
      if (isOver(rule.left, rule.right, xs, column)) cut.add((at - 1) * columns + column)
  }
  const isParted = (row: number, column: number): boolean => parted.has(row * columns + column)
  const isCut = (row: number, column: number): boolean => cut.has(row * columns + column)
  if (!isRegular(rows, columns, isParted) || (rows > 1 && !isRegular(columns, rows, (a, b) => isCut(b, a))))
    return undefined
  const crosses = (left: number, right: number, y: number): boolean =>
    down.some((rule) => rule.left > left && rule.left < right && rule.top < y && rule.bottom > y)
  return { xs, ys, isParted, isCut, crosses }
}

/** Lines of a drawing go anywhere; those of a table mostly go all the way. */
function isRegular(length: number, places: number, isDrawn: (along: number, place: number) => boolean): boolean {
  let drawn = 0
  for (let place = 0; place < places - 1; place++)
    for (let along = 0; along < length; along++) if (isDrawn(along, place)) drawn += 1
  return drawn >= 0.5 * length * (places - 1)
}

/** Whether a line reaches over the middle of a row, or of a column. */
function isOver(from: number, to: number, places: readonly number[], at: number): boolean {
  const middle = ((places[at] ?? 0) + (places[at + 1] ?? 0)) / 2
  return from < middle && to > middle
}

/** Where lines stand, those that stand together once. */
function placesOf(values: readonly number[]): number[] {
  const places: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const last = places.at(-1)
    if (last === undefined || value - last > NEAR) places.push(value)
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
