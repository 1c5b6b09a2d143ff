import { describe, it } from 'vitest'
import { madeTargets } from './made-targets.js'
import { runHistory } from './mirror-histories.js'

describe.each(madeTargets)('a mirror in a $kind', (target) => {
  it.each([1, 2, 3])('has what a new one has, after history %d of its site', (seed) => runHistory(seed, target))
})
