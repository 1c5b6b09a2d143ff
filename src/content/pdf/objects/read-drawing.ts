import type { OpenPdf, PdfPage } from '../library/load-pdf.js'
import type { RulingLine } from '../page-text.js'
import { barsIn, dotIn, isNumbers, type Shape, shapeAround, straightIn, UNIT } from './path-shapes.js'
import { multiply } from './read-runs.js'

/** Ruling lines and small shapes of a page, and whether it has an image. */
export interface Drawing {
  readonly rules: readonly RulingLine[]
  /** Thin shapes on their side, with their thickness: lines below or through words, and of tables. */
  readonly bars: readonly Shape[]
  /** Shapes of the size of bullets. */
  readonly dots: readonly Shape[]
  readonly hasPicture: boolean
  /** Places of images. */
  readonly pictures: readonly Shape[]
  /** Widths of the characters that the page shows, in thousandths of the font size, by font. */
  readonly widths: GlyphWidths
}

/** Widths of characters by font, in thousandths of the font size. */
export type GlyphWidths = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Maximum number of ruling lines, and of bars, of a page. */
const MAX_RULES = 2000
/** Maximum number of small shapes of a page. A map or a diagram can have many thousands. */
const MAX_DOTS = 500
/** Minimum width and height of an image, in points; smaller ones are lines. */
const MIN_PICTURE = 5
/** Maximum number of characters whose widths are kept. */
const MAX_WIDTHS = 100_000

/** Maximum number of images of a page whose places are kept. */
const MAX_PICTURES = 500

/**
 * Reads the straight lines of a page, thin rectangles included, and its small shapes, and detects if it has an image.
 *
 * @param watch called for each operation, with the matrix from its coordinates to those of the page
 */
export async function readDrawing(
  page: PdfPage,
  view: readonly number[],
  operations: OpenPdf['operations'],
  watch?: (operation: number, args: unknown, matrix: readonly number[]) => void,
): Promise<Drawing> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
  const rules: RulingLine[] = []
  const bars: Shape[] = []
  const dots: Shape[] = []
  const pictures: Shape[] = []
  const glyphs = new GlyphReader()
  const saved: { readonly matrix: readonly number[]; readonly thickness: number }[] = []
  let matrix: readonly number[] = view
  let thickness = 1
  let hasPicture = false
  // Images are not decoded, and the library leaves them out of the operations. A transformation that paints nothing is
  // all that is left of an image.
  let isUnpainted = false
  const add = (args: unknown, line: number): void => {
    if (rules.length < MAX_RULES) rules.push(...straightIn(args, matrix, MAX_RULES))
    if (bars.length < MAX_RULES) bars.push(...barsIn(args, matrix, line, MAX_RULES))
  }
  const closeSpace = (): void => {
    if (isUnpainted) {
      const { width, height } = sizeOf(matrix)
      if (Math.min(width, height) >= MIN_PICTURE) {
        hasPicture = true
        if (pictures.length < MAX_PICTURES) pictures.push(shapeAround([0, 0, 1, 1], matrix))
      }
      // Some TeX drivers draw lines as a scaled pixel.
      else add([0, [UNIT]], 0)
    }
    isUnpainted = false
  }
  fnArray.forEach((operation: number, index: number) => {
    const args: unknown = argsArray[index]
    const isFormStart = operation === operations.paintFormXObjectBegin
    if (operation === operations.save || isFormStart) saved.push({ matrix, thickness })
    if (operation === operations.transform && isNumbers(args)) matrix = multiply(matrix, args)
    if (isFormStart && Array.isArray(args) && isNumbers(args[0])) matrix = multiply(matrix, args[0])
    if (operation === operations.restore || operation === operations.paintFormXObjectEnd) {
      closeSpace()
      ;({ matrix, thickness } = saved.pop() ?? { matrix: view, thickness: 1 })
    }
    watch?.(operation, args, matrix)
    if (operation === operations.setLineWidth && Array.isArray(args)) thickness = Number(args[0])
    if (operation === operations.setFont && Array.isArray(args)) glyphs.font = String(args[0])
    if (operation === operations.showText && Array.isArray(args)) glyphs.read(args[0])
    if (operation === operations.transform) isUnpainted = true
    else if (
      operation === operations.save ||
      operation === operations.beginText ||
      operation === operations.shadingFill
    )
      isUnpainted = false
    if (operation !== operations.constructPath || !isPainted(args, operations)) return
    isUnpainted = false
    add(args, isStroked(args, operations) ? thickness * sizeOf(matrix).height : 0)
    if (dots.length < MAX_DOTS) dots.push(...dotIn(args, matrix))
  })
  closeSpace()
  return { rules, bars, dots, hasPicture, pictures, widths: glyphs.widths }
}

/** Returns the size of an image from its transformation. */
const sizeOf = ([a = 1, b = 0, c = 0, d = 1]: readonly number[]): { width: number; height: number } => ({
  width: Math.abs(a) + Math.abs(c),
  height: Math.abs(b) + Math.abs(d),
})

/** Tests if a path is painted; clipping paths show no line. */
const isPainted = (args: unknown, operations: OpenPdf['operations']): boolean =>
  !Array.isArray(args) || args[0] !== operations['endPath']

const isStroked = (args: unknown, operations: OpenPdf['operations']): boolean =>
  Array.isArray(args) && (args[0] === operations['stroke'] || args[0] === operations['closeStroke'])

/** Collects the widths of characters. */
class GlyphReader {
  readonly widths = new Map<string, Map<string, number>>()
  font = ''
  #left = MAX_WIDTHS

  read(glyphs: unknown): void {
    if (!Array.isArray(glyphs)) return
    let known = this.widths.get(this.font)
    if (known === undefined) this.widths.set(this.font, (known = new Map()))
    for (const glyph of glyphs as readonly (
      | { readonly unicode?: unknown; readonly width?: unknown }
      | number
      | null
    )[]) {
      if (typeof glyph !== 'object' || glyph === null) continue
      const { unicode, width } = glyph
      if (typeof unicode !== 'string' || typeof width !== 'number' || known.has(unicode) || this.#left <= 0) continue
      this.#left -= 1
      known.set(unicode, width)
    }
  }
}
