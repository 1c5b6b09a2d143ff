import type { Run } from '../page-text.js'
import type { Dot } from './read-rules.js'

/** Minimum and maximum height of a bullet, in font sizes. Chromium draws 0.31; check boxes have 0.8. */
const [MIN_HEIGHT, MAX_HEIGHT] = [0.15, 0.55]
/** Minimum and maximum distance of a bullet's centre from the baseline, in font sizes. */
const [MIN_RISE, MAX_RISE] = [0.15, 0.6]
/** Maximum gap between a bullet and its text, in font sizes. */
const MAX_GAP = 1.5
/** Minimum gap before a bullet, in font sizes: it begins a line or a cell. */
const MIN_GAP_BEFORE = 1

/** Inserts bullets that are drawn as shapes before the text that they stand beside. */
export function placeBullets(runs: readonly Run[], dots: readonly Dot[]): readonly Run[] {
  const bullets = new Map<Run, Dot>()
  for (const dot of dots) {
    const beside = runs.filter((run) => isBeside(run, dot))
    const item = beside.find(({ left, size }) => left >= dot.right && left - dot.right <= MAX_GAP * size)
    const isBegin = beside.every(
      ({ left, right, size }) => left >= dot.right || right < dot.left - MIN_GAP_BEFORE * size,
    )
    if (item !== undefined && isBegin && !bullets.has(item)) bullets.set(item, dot)
  }
  if (bullets.size === 0) return runs
  return runs.flatMap((run): Run[] => {
    const dot = bullets.get(run)
    if (dot === undefined) return [run]
    const { y, size, order, isSpaced } = run
    const face = { isBold: false, isItalic: false, isMono: false, isRtl: false }
    const bullet = { ...face, text: '•', left: dot.left, right: dot.right, y, size, order: order - 0.5, isSpaced }
    return [bullet, { ...run, isSpaced: true }]
  })
}

/** Tests if a shape has the height of a bullet in a line, and stands where one would. */
function isBeside({ y, size }: Run, { top, bottom }: Dot): boolean {
  const [height, rise] = [(bottom - top) / size, (y - (top + bottom) / 2) / size]
  return height >= MIN_HEIGHT && height <= MAX_HEIGHT && rise >= MIN_RISE && rise <= MAX_RISE
}
