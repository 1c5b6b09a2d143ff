import type { Line, PdfPageText, Run } from '../page-text.js'

/**
 * Creates a page from OCR text, with one line below the other and space between paragraphs. OCR returns no positions.
 */
export function layOutScan(text: string, page: Pick<PdfPageText, 'index' | 'width' | 'height'>): PdfPageText {
  const lines: Line[] = []
  let y = SIZE
  for (const line of text.split(/\r?\n|\f/)) {
    y += LEADING
    if (line.trim() !== '') lines.push(layOutLine(line, y))
  }
  const right = Math.max(0, ...lines.map((line) => line.right))
  return { ...page, regions: [{ lines, left: 0, right }], rules: [] }
}

const SIZE = 10
const LEADING = 12

function layOutLine(text: string, y: number): Line {
  const shown = text.trim()
  const left = (text.length - text.trimStart().length) * (SIZE / 2)
  const place = { left, right: left + shown.length * (SIZE / 2), y, size: SIZE }
  const face = { isBold: false, isItalic: false, isMono: false }
  const run: Run = { ...face, ...place, text: shown, isRtl: false, order: 0, isSpaced: false, isUnplaced: true }
  return { ...face, ...place, segments: [{ ...place, runs: [run], order: 0 }], runs: [run], text: shown }
}
