import type { UnitHistory } from './watch-state.js'

/** Bounds of an interval. Milliseconds. */
interface IntervalBounds {
  readonly minMs: number
  readonly maxMs: number
}

/** Share of the mean time between two changes after which a page is visited again. */
const SHARE = 0.5

/**
 * Estimates the interval after which a page is to be visited again, from how often it has changed.
 *
 * A visit shows that a page has changed, and not how often. For changes as a Poisson process, and visits in intervals of
 * `I`, the rate of changes is estimated as `-ln((n - X + 0.5) / (n + 0.5)) / I` for `X` changes in `n` visits, which has
 * nearly no bias even for few visits (J. Cho, H. Garcia-Molina: Estimating Frequency of Change, ACM Transactions on
 * Internet Technology 3(3), 2003). For intervals that differ, `I` is their mean.
 *
 * @see https://doi.org/10.1145/857166.857170
 */
export function estimateInterval(history: UnitHistory | undefined, { minMs, maxMs }: IntervalBounds): number {
  const { visits = 0, changes = 0, meanMs = minMs } = history ?? {}
  const rate = -Math.log((visits - changes + 0.5) / (visits + 0.5)) / Math.max(1, meanMs)
  const wanted = rate > 0 ? SHARE / rate : visits * meanMs
  return Math.min(maxMs, Math.max(minMs, wanted))
}
