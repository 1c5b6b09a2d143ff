import type { Run } from '../page-text.js'
import type { PdfPage } from '../library/load-pdf.js'
import type { RawField } from './read-links.js'
import { multiply } from './read-runs.js'

type Viewport = ReturnType<PdfPage['getViewport']>

/** Distance from a field's border to its text, and between its lines, in font sizes. */
const INSET = 0.2
const LEADING = 1.2
/** Width and height of a field below which it shows nothing, in points. */
const MIN_SIZE = 1
/** Maximum font size of a field's text, in points. */
const MAX_SIZE = 12

/**
 * Converts the values of form fields to runs at their position, last in drawing order. Those without a size, or outside of the page, show
 * nothing.
 */
export const placeFields = (
  fields: readonly RawField[],
  { transform, width, height: pageHeight }: Viewport,
  order: number,
): Run[] =>
  fields.flatMap(({ lines, rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }, index) => {
    const [, , , , a, b] = multiply(transform, [1, 0, 0, 1, x0, y0])
    const [, , , , c, d] = multiply(transform, [1, 0, 0, 1, x1, y1])
    const [left, top, height] = [Math.min(a, c), Math.min(b, d), Math.abs(d - b)]
    if (height < MIN_SIZE || Math.abs(c - a) < MIN_SIZE || left > width || top > pageHeight) return []
    if (left + Math.abs(c - a) < 0 || top + height < 0) return []
    const size = Math.min(MAX_SIZE, (0.7 * height) / Math.max(1, lines.length))
    const first = lines.length === 1 ? top + height / 2 + 0.35 * size : top + (1 + INSET) * size
    return lines.map((text, line) => ({
      text,
      left: left + INSET * size,
      right: Math.max(a, c, left + size),
      y: first + line * LEADING * size,
      size,
      isBold: false,
      isItalic: false,
      isMono: false,
      isRtl: false,
      isSpaced: true,
      order: order + index,
    }))
  })
