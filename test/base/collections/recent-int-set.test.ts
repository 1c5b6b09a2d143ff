import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecentIntSet } from '../../../src/base/collections/recent-int-set.js'
import { RecentMap } from '../../../src/base/collections/recent-map.js'

describe('a set that forgets', () => {
  it('knows what a map that forgets knows', () => {
    const numbers = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: -(2 ** 31), max: -1 })))
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 20 }), (values, most) => {
        const set = new RecentIntSet(most)
        const map = new RecentMap<number, true>(most)
        for (const value of values) {
          const isKnown = map.get(value) !== undefined
          map.set(value, true)
          expect(set.add(value)).toBe(isKnown)
        }
      }),
    )
  })

  it('holds as many as it is to hold, zero among them', () => {
    const set = new RecentIntSet(10_000)
    const values = Array.from({ length: 10_000 }, (_, index) => index << 14)
    expect(values.some((value) => set.add(value))).toBe(false)
    expect(values.every((value) => set.add(value))).toBe(true)
  })

  it('tells integers of 53 bits apart, also those with the same lowest 32', () => {
    const set = new RecentIntSet(10_000, Float64Array)
    const values = Array.from({ length: 10_000 }, (_, index) => Number.MAX_SAFE_INTEGER - index * 2 ** 36)
    expect(values.some((value) => set.add(value))).toBe(false)
    expect(values.every((value) => set.add(value))).toBe(true)
  })

  it('forgets what has not come up since as many others, twice over', () => {
    const set = new RecentIntSet(100)
    set.add(-1)
    for (let value = 1; value <= 200; value += 1) set.add(value)
    expect(set.add(-1)).toBe(false)
    expect(set.add(200)).toBe(true)
  })
})
