import { describe, expect, it } from 'vitest'
import { printShares } from '../../../src/features/report-view/format.js'

describe('the shares of a report', () => {
  it.each<[readonly number[], string[]]>([
    [
      [1, 1, 1],
      ['34 %', '33 %', '33 %'],
    ],
    [
      [5, 5, 1],
      ['46 %', '45 %', '9 %'],
    ],
    [
      [40, 8],
      ['83 %', '17 %'],
    ],
    [[7], ['100 %']],
    [
      [0, 0],
      ['0 %', '0 %'],
    ],
    [
      [996, 3, 1],
      ['99.6 %', '0.3 %', '0.1 %'],
    ],
    [
      [100_000, 1, 0],
      ['100.0 %', '< 0.1 %', '0.0 %'],
    ],
  ])('of %j are %j', (counts, shares) => expect(printShares(counts)).toEqual(shares))

  it('sum to 100 % for any counts', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const counts = Array.from({ length: 1 + (seed % 9) }, (_, at) => (seed * 7919 * (at + 1)) % 97)
      if (counts.every((count) => count === 0)) continue
      const sum = printShares(counts).reduce((all, share) => all + Number.parseFloat(share.replace('< ', '')), 0)
      expect(sum, counts.join()).toBeCloseTo(100, 0)
    }
  })
})
