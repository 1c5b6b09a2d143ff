import { BINS } from './grow-trees.js'

/** Maximum rows that the edges of bins are computed from. */
const MAX_SAMPLED_ROWS = 20_000

/**
 * Returns the edges of bins that contain about the same number of rows each. A value below an edge is in the bin before
 * it.
 */
export function findEdges(values: Float32Array, rows: readonly number[]): Float32Array {
  const step = Math.max(1, rows.length / MAX_SAMPLED_ROWS)
  const sorted = Float32Array.from(
    { length: Math.floor(rows.length / step) },
    (_, at) => values[rows[Math.floor(at * step)] ?? 0] ?? 0,
  ).sort()
  const different = sorted.filter((value, at) => value !== sorted[at - 1])
  if (different.length <= BINS)
    return Float32Array.from(different.slice(1), (value, at) => (value + (different[at] ?? 0)) / 2)
  const borders = Array.from(
    { length: BINS - 1 },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / BINS)] ?? 0,
  )
  return Float32Array.from(new Set(borders))
}

/** Returns the bin of a value. */
export function findBin(edges: Float32Array, value: number): number {
  let from = 0
  let to = edges.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (value < (edges[middle] ?? 0)) to = middle
    else from = middle + 1
  }
  return from
}
