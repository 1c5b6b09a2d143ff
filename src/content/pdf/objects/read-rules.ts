import type { OpenPdf, PdfPage } from '../library/load-pdf.js'
import type { RulingLine } from '../page-text.js'
import { multiply } from './read-runs.js'

/** Rectangle around a small shape, in points from the top left corner. */
export type Dot = RulingLine

/** Ruling lines and small shapes of a page, and whether it has an image. */
interface Drawn {
  readonly rules: readonly RulingLine[]
  /** Shapes of the size of bullets. */
  readonly dots: readonly Dot[]
  readonly hasPicture: boolean
}

/** Maximum number of ruling lines of a page. */
const MAX_RULES = 2000
/** Maximum number of small shapes of a page. A map or a diagram can have many thousands. */
const MAX_DOTS = 500
/** Minimum width and height of an image, in points; smaller ones are lines. */
const MIN_PICTURE = 5

/** Reads the straight lines of a page, thin rectangles included, and its small shapes, and detects if it has an image. */
export async function readRules(
  page: PdfPage,
  view: readonly number[],
  operations: OpenPdf['operations'],
): Promise<Drawn> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
  const rules: RulingLine[] = []
  const dots: Dot[] = []
  const saved: (readonly number[])[] = []
  let matrix: readonly number[] = view
  let hasPicture = false
  // Images are not decoded, and the library leaves them out of the operations. A transformation that paints nothing is
  // all that is left of an image.
  let isUnpainted = false
  const closeSpace = (): void => {
    if (isUnpainted) {
      const { width, height } = sizeOf(matrix)
      if (Math.min(width, height) >= MIN_PICTURE) hasPicture = true
      // Some TeX drivers draw lines as a scaled pixel.
      else if (rules.length < MAX_RULES) rules.push(...straightIn([0, [DOT]], matrix))
    }
    isUnpainted = false
  }
  fnArray.forEach((operation: number, index: number) => {
    const args: unknown = argsArray[index]
    const isFormStart = operation === operations.paintFormXObjectBegin
    if (operation === operations.save || isFormStart) saved.push(matrix)
    if (operation === operations.transform && isNumbers(args)) matrix = multiply(matrix, args)
    if (isFormStart && Array.isArray(args) && isNumbers(args[0])) matrix = multiply(matrix, args[0])
    if (operation === operations.restore || operation === operations.paintFormXObjectEnd) {
      closeSpace()
      matrix = saved.pop() ?? view
    }
    if (operation === operations.transform) isUnpainted = true
    else if (
      operation === operations.save ||
      operation === operations.beginText ||
      operation === operations.shadingFill
    )
      isUnpainted = false
    if (operation !== operations.constructPath || !isPainted(args, operations)) return
    isUnpainted = false
    if (rules.length < MAX_RULES) rules.push(...straightIn(args, matrix))
    if (dots.length < MAX_DOTS) dots.push(...dotIn(args, matrix))
  })
  closeSpace()
  return { rules, dots, hasPicture }
}

/** Returns the size of an image from its transformation. */
const sizeOf = ([a = 1, b = 0, c = 0, d = 1]: readonly number[]): { width: number; height: number } => ({
  width: Math.abs(a) + Math.abs(c),
  height: Math.abs(b) + Math.abs(d),
})

const isNumbers = (value: unknown): value is number[] =>
  (Array.isArray(value) || ArrayBuffer.isView(value)) && (value as unknown[]).length >= 4

/** Tests if a path is painted; clipping paths show no line. */
const isPainted = (args: unknown, operations: OpenPdf['operations']): boolean =>
  !Array.isArray(args) || args[0] !== operations['endPath']

/** Minimum and maximum width and height of a bullet, in points. */
const [MIN_DOT, MAX_DOT] = [1, 12]

/** Returns the rectangle around a path, if it is nearly square and small. */
function dotIn(args: unknown, matrix: readonly number[]): Dot[] {
  const extent: unknown = Array.isArray(args) ? args[2] : undefined
  if (!isNumbers(extent)) return []
  const [fromX = 0, fromY = 0, toX = 0, toY = 0] = extent
  const [, , , , a, b] = multiply(matrix, [1, 0, 0, 1, fromX, fromY])
  const [, , , , c, d] = multiply(matrix, [1, 0, 0, 1, toX, toY])
  const [width, height] = [Math.abs(c - a), Math.abs(d - b)]
  const isSmall = Math.min(width, height) >= MIN_DOT && Math.max(width, height) <= MAX_DOT
  if (!isSmall || Math.abs(width - height) > 0.2 * height) return []
  return [{ left: Math.min(a, c), right: Math.max(a, c), top: Math.min(b, d), bottom: Math.max(b, d) }]
}

/** Path commands of the library. */
const [MOVE, LINE, CURVE, CLOSE] = [0, 1, 2, 3]
const DOT = [MOVE, 0, 0, LINE, 1, 0, LINE, 1, 1, LINE, 0, 1, CLOSE]

function straightIn(args: unknown, matrix: readonly number[]): RulingLine[] {
  const data: unknown = Array.isArray(args) && Array.isArray(args[1]) ? args[1][0] : undefined
  if (!ArrayBuffer.isView(data) && !Array.isArray(data)) return []
  const path = data as readonly number[]
  const rules: RulingLine[] = []
  let [x, y, startX, startY] = [0, 0, 0, 0]
  const draw = (toX: number, toY: number): void => {
    const [, , , , a, b] = multiply(matrix, [1, 0, 0, 1, x, y])
    const [, , , , c, d] = multiply(matrix, [1, 0, 0, 1, toX, toY])
    const rule = { left: Math.min(a, c), right: Math.max(a, c), top: Math.min(b, d), bottom: Math.max(b, d) }
    const isStraight = rule.bottom - rule.top < 1 || rule.right - rule.left < 1
    if (isStraight && rule.right - rule.left + rule.bottom - rule.top > 5) rules.push(rule)
  }
  for (let at = 0; at < path.length && rules.length < MAX_RULES;) {
    const command = path[at]
    const [toX = 0, toY = 0] = [path[at + 1], path[at + 2]]
    if (command === LINE) draw(toX, toY)
    if (command === CLOSE) draw(startX, startY)
    if (command === MOVE) [startX, startY] = [toX, toY]
    if (command === MOVE || command === LINE) {
      ;[x, y] = [toX, toY]
      at += 3
    } else if (command === CURVE) {
      ;[x, y] = [path[at + 5] ?? 0, path[at + 6] ?? 0]
      at += 7
    } else if (command === CLOSE) {
      ;[x, y] = [startX, startY]
      at += 1
    } else break
  }
  return rules
}
