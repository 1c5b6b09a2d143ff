import type { PdfBlock, PageBox } from '../block.js'
import type { Line } from '../page-text.js'

type TextBlock = Exclude<PdfBlock, { readonly kind: 'page' }>

/** Extends the position of a block by lines. */
export function placeBlock(block: PdfBlock | undefined, lines: readonly Line[]): void {
  if (block === undefined || block.kind === 'page') return
  for (const line of lines) grow(block, boxOf(line))
}

/** Extends the position of a block by a block that was joined to it. */
export function unitePlaces(block: PdfBlock | undefined, part: PdfBlock): void {
  if (block !== undefined && block.kind !== 'page' && part.kind !== 'page') grow(block, part.box)
}

function grow(block: TextBlock, box: PageBox | undefined): void {
  if (box === undefined) return
  const { left, top, right, bottom } = block.box ?? box
  block.box = {
    left: Math.min(left, box.left),
    top: Math.min(top, box.top),
    right: Math.max(right, box.right),
    bottom: Math.max(bottom, box.bottom),
  }
}

/** Extent of letters above and below the baseline, as parts of the font size. */
const [ABOVE, BELOW] = [0.8, 0.2]

function boxOf({ left, right, y, size, runs, row }: Line): PageBox | undefined {
  if (runs.some(({ isUnplaced }) => isUnplaced)) return undefined
  const isMirrored = left + right < 0
  const sides = isMirrored ? { left: -right, right: -left } : { left, right }
  return { ...sides, top: y - ABOVE * size, bottom: y + (row?.height ?? 0) + BELOW * size }
}
