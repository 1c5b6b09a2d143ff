import type { RulingLine } from '../page-text.js'
import { multiply } from './read-runs.js'

/** Rectangle around a small shape or a line, in points from the top left corner. */
export type Shape = RulingLine

/** Minimum and maximum width and height of a bullet, in points. */
const [MIN_DOT, MAX_DOT] = [1, 12]
/** Maximum height of a bar, and its minimum width, in points. */
const [MAX_BAR, MIN_BAR] = [6, 2]

/** Maximum number of parts of a path that is a set of rectangles. */
const MAX_PARTS = 50
/** Maximum distance of two points of a line that is level or upright. Points. */
const EVEN = 0.1

/** Path commands of the library. */
const [MOVE, LINE, CURVE, CLOSE] = [0, 1, 2, 3]
/** Square of a unit. */
export const UNIT = [MOVE, 0, 0, LINE, 1, 0, LINE, 1, 1, LINE, 0, 1, CLOSE]

export const isNumbers = (value: unknown): value is number[] =>
  (Array.isArray(value) || ArrayBuffer.isView(value)) && (value as unknown[]).length >= 4

/** Returns the rectangle around a path, if it is nearly square and small. */
export function dotIn(args: unknown, matrix: readonly number[]): Shape[] {
  const extent: unknown = Array.isArray(args) ? args[2] : undefined
  if (!isNumbers(extent)) return []
  const [fromX = 0, fromY = 0, toX = 0, toY = 0] = extent
  const shape = around([fromX, fromY, toX, toY], matrix)
  const [width, height] = [shape.right - shape.left, shape.bottom - shape.top]
  const isSmall = Math.min(width, height) >= MIN_DOT && Math.max(width, height) <= MAX_DOT
  return isSmall && Math.abs(width - height) <= 0.2 * height ? [shape] : []
}

/** Returns the straight lines of a path: at most `most`. */
export function straightIn(args: unknown, matrix: readonly number[], most: number): RulingLine[] {
  const rules: RulingLine[] = []
  walk(args, most, {
    onLine(x, y, toX, toY) {
      const rule = around([x, y, toX, toY], matrix)
      const isStraight = rule.bottom - rule.top < 1 || rule.right - rule.left < 1
      if (!isStraight || rule.right - rule.left + rule.bottom - rule.top <= 5) return 0
      rules.push(rule)
      return 1
    },
  })
  return rules
}

/**
 * Returns the parts of a path that are thin and lie on their side, such as a line below words: at most `most`.
 *
 * @param thickness of the line that the path is drawn with, 0 for a filled one
 */
export function barsIn(args: unknown, matrix: readonly number[], thickness: number, most: number): Shape[] {
  const bars: Shape[] = []
  walk(args, most, {
    onPart(extent) {
      const { left, right, top, bottom } = around(extent, matrix)
      if (bottom - top + thickness > MAX_BAR || right - left < MIN_BAR || right - left < bottom - top) return 0
      bars.push({ left, right, top: top - thickness / 2, bottom: bottom + thickness / 2 })
      return 1
    },
  })
  return bars
}

/**
 * Returns the rectangles that a filled path consists of; none for a path of another form, or with holes.
 *
 * @param isEvenOdd true if parts that lie on others are holes
 */
export function rectanglesIn(args: unknown, matrix: readonly number[], isEvenOdd: boolean): Shape[] {
  const found: Shape[] = []
  const turns = new Set<boolean>()
  let [sides, isStraight, turn] = [0, true, 0]
  let last: readonly [number, number] | undefined
  walk(args, MAX_PARTS, {
    onLine(x, y, toX, toY) {
      const { left, right, top, bottom } = around([x, y, toX, toY], matrix)
      if (right - left < EVEN && bottom - top < EVEN) return 0
      isStraight &&= right - left < EVEN || bottom - top < EVEN
      if (last !== undefined && sides === 1) turn = last[0] * (toY - y) - last[1] * (toX - x)
      last = [toX - x, toY - y]
      sides += 1
      return 0
    },
    onCurve: () => void (isStraight = false),
    onPart(extent) {
      if (isStraight && (sides === 3 || sides === 4) && turn !== 0) {
        found.push(around(extent, matrix))
        turns.add(turn > 0)
      } else turns.add(true).add(false)
      ;[sides, isStraight, turn, last] = [0, true, 0, undefined]
      return 1
    },
  })
  return turns.size === 1 && found.length < MAX_PARTS && !(isEvenOdd && found.length > 1) ? found : []
}

/** Returns the rectangle around a turned one. @param extent its left, lower, right and upper end before it is turned */
export function boundsOf(
  [fromX = 0, fromY = 0, toX = 0, toY = 0]: readonly number[],
  matrix: readonly number[],
): Shape {
  const [one, other] = [around([fromX, fromY, toX, toY], matrix), around([fromX, toY, toX, fromY], matrix)]
  return {
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
  }
}

/** Returns what two rectangles have in common: without width or height, where they do not meet. */
export const overlapOf = (one: Shape, other: Shape): Shape => {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)]
  return {
    left,
    top,
    right: Math.max(left, Math.min(one.right, other.right)),
    bottom: Math.max(top, Math.min(one.bottom, other.bottom)),
  }
}

/** Returns the rectangle around a path. @param extent its left, lower, right and upper end */
export const shapeAround = (
  [fromX = 0, fromY = 0, toX = 0, toY = 0]: readonly number[],
  matrix: readonly number[],
): Shape => around([fromX, fromY, toX, toY], matrix)

type Extent = [fromX: number, fromY: number, toX: number, toY: number]

function around([fromX, fromY, toX, toY]: Extent, matrix: readonly number[]): Shape {
  const [, , , , a, b] = multiply(matrix, [1, 0, 0, 1, fromX, fromY])
  const [, , , , c, d] = multiply(matrix, [1, 0, 0, 1, toX, toY])
  return { left: Math.min(a, c), right: Math.max(a, c), top: Math.min(b, d), bottom: Math.max(b, d) }
}

interface Visitor {
  /** Visits a straight line. @returns how many shapes were found */
  onLine?(x: number, y: number, toX: number, toY: number): number
  onCurve?(): void
  /** Visits what is drawn without lifting the pen. @returns how many shapes were found */
  onPart?(extent: Extent): number
}

/** Walks along a path until so many shapes were found. */
function walk(args: unknown, most: number, { onLine, onCurve, onPart }: Visitor): void {
  const data: unknown = Array.isArray(args) && Array.isArray(args[1]) ? args[1][0] : undefined
  if (!ArrayBuffer.isView(data) && !Array.isArray(data)) return
  const path = data as readonly number[]
  let [x, y, startX, startY, found] = [0, 0, 0, 0, 0]
  let extent: Extent | undefined
  const reach = (toX: number, toY: number): void => {
    extent ??= [x, y, x, y]
    extent = [Math.min(extent[0], toX), Math.min(extent[1], toY), Math.max(extent[2], toX), Math.max(extent[3], toY)]
  }
  const endPart = (): void => {
    if (extent !== undefined) found += onPart?.(extent) ?? 0
    extent = undefined
  }
  for (let at = 0; at < path.length && found < most;) {
    const command = path[at]
    const points = command === CURVE ? 3 : command === CLOSE ? 0 : 1
    if (command !== MOVE && command !== LINE && command !== CURVE && command !== CLOSE) break
    const [toX, toY] =
      command === CLOSE ? [startX, startY] : [path[at + 2 * points - 1] ?? 0, path[at + 2 * points] ?? 0]
    if (command === MOVE) {
      endPart()
      ;[startX, startY] = [toX, toY]
    } else {
      if (command === CURVE) onCurve?.()
      else found += onLine?.(x, y, toX, toY) ?? 0
      for (let point = 0; point < points; point++) reach(path[at + 1 + 2 * point] ?? 0, path[at + 2 + 2 * point] ?? 0)
    }
    ;[x, y] = [toX, toY]
    at += 1 + 2 * points
  }
  endPart()
}
