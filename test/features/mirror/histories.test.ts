import { describe, expect, it } from 'vitest'
import { madeTargets } from './made-targets.js'
import { runHistory, runKills } from './mirror-histories.js'

describe.each(madeTargets)('a mirror in a $kind', (target) => {
  it.each([1, 2])('has what a new one has, after history %d of its site', (seed) => runHistory(seed, target))

  it('has what a new one has, after the processes that made it were killed', async () => {
    expect(await runKills(3, target, 2)).toBeGreaterThan(0)
  })
})
