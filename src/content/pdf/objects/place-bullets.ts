import type { Run } from '../page-text.js'
import type { Shape } from './path-shapes.js'

/** Minimum and maximum height of a bullet, in font sizes. Chromium draws 0.31; check boxes have 0.8. */
const [MIN_HEIGHT, MAX_HEIGHT] = [0.15, 0.55]
/** Minimum and maximum distance of a bullet's centre from the baseline, in font sizes. */
const [MIN_RISE, MAX_RISE] = [0.15, 0.6]
/** Maximum gap between a bullet and its text, in font sizes. */
const MAX_GAP = 1.5
/** Minimum gap before a bullet, in font sizes: it begins a line or a cell. */
const MIN_GAP_BEFORE = 1

/** Inserts bullets that are drawn as shapes before the text that they stand beside. */
export function placeBullets(runs: readonly Run[], dots: readonly Shape[]): readonly Run[] {
  const bullets = new Map<Run, Shape>()
  const bands = dots.length === 0 ? new Map<number, Run[]>() : groupByBand(runs)
  for (const dot of dots) {
    const near = runsNear(dot, bands)
    if (near.length > MAX_NEAR) continue
    const beside = near.filter((run) => isBeside(run, dot))
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

/** Height of a band, in points, and the maximum number of runs near a shape: a few lines have fewer. */
const [BAND, MAX_NEAR] = [12, 1000]

/** Groups runs by the height of their baselines, so that not all are compared with each shape. */
function groupByBand(runs: readonly Run[]): Map<number, Run[]> {
  const bands = new Map<number, Run[]>()
  for (const run of runs) {
    const at = Math.floor(run.y / BAND)
    const band = bands.get(at)
    if (band === undefined) bands.set(at, [run])
    else band.push(run)
  }
  return bands
}

/** Lists the runs whose baseline is as far below a shape as that of its text could be. */
function runsNear({ top, bottom }: Shape, bands: ReadonlyMap<number, readonly Run[]>): Run[] {
  const near: Run[] = []
  const lowest = bottom + (MAX_RISE * (bottom - top)) / MIN_HEIGHT
  for (let at = Math.floor(top / BAND); at <= lowest / BAND && near.length <= MAX_NEAR; at++)
    for (const run of bands.get(at) ?? []) {
      if (near.length > MAX_NEAR) break
      near.push(run)
    }
  return near
}

/** Tests if a shape has the height of a bullet in a line, and stands where one would. */
function isBeside({ y, size }: Run, { top, bottom }: Shape): boolean {
  const [height, rise] = [(bottom - top) / size, (y - (top + bottom) / 2) / size]
  return height >= MIN_HEIGHT && height <= MAX_HEIGHT && rise >= MIN_RISE && rise <= MAX_RISE
}
