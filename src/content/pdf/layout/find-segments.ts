import type { Run, Segment } from '../page-text.js'

/** Minimum gap between columns or cells, in font sizes; narrower gaps separate words. */
const MIN_COLUMN_GAP = 0.9

/** Maximum size of superscripts and subscripts, in those of the text. WeasyPrint sets them in 0.89, browsers in 0.83. */
export const RAISED_SIZE = 0.92
/** Maximum gap before those of more than 0.85, in font sizes. */
export const MAX_RAISED_GAP = 0.1

/** Maximum distance between the baselines of texts of one size, in font sizes. */
const MAX_SHIFT = 0.12

/** Joins runs that are drawn side by side on one baseline, in drawing order. */
export function findSegments(runs: readonly Run[]): Segment[] {
  const segments: Segment[] = []
  let last: Segment | undefined
  for (const run of runs) {
    if (last !== undefined && continues(last, run)) extend(last, run)
    else {
      last = { runs: [run], left: run.left, right: run.right, y: run.y, size: run.size, order: run.order }
      segments.push(last)
    }
  }
  return segments
}

/** Tests if a run directly continues a segment; smaller runs may be raised or lowered. */
function continues(segment: Segment, run: Run): boolean {
  const size = Math.max(segment.size, run.size)
  const shift = Math.abs(segment.y - run.y)
  const gap = Math.max(run.left - segment.right, segment.left - run.right)
  // What is little smaller may be another cell, unless it touches the text before it.
  const isSmaller =
    Math.min(segment.size, run.size) < (Math.abs(gap) < MAX_RAISED_GAP * size ? RAISED_SIZE : 0.85) * size
  if (shift > (isSmaller ? 0.55 : MAX_SHIFT) * size) return false
  return gap <= MIN_COLUMN_GAP * size
}

function extend(segment: Segment, run: Run): void {
  segment.runs.push(run)
  segment.left = Math.min(segment.left, run.left)
  segment.right = Math.max(segment.right, run.right)
  // A segment that begins with a superscript, such as a footnote, stands on the baseline of the text after it.
  const isAfterRaised = segment.size < RAISED_SIZE * run.size && Math.abs(run.y - segment.y) > MAX_SHIFT * run.size
  if (isAfterRaised || run.size > segment.size * 1.15) {
    segment.size = run.size
    segment.y = run.y
  }
}
