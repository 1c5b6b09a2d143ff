import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IntSample } from '../../../src/base/text/fingerprint/int-sample.js'
import { simhash } from '../../../src/base/text/fingerprint/simhash.js'
import { scatter } from '../../../src/base/text/fingerprint/tokens.js'

function sample(values: readonly number[], most: number, zeros = 0): IntSample {
  const made = new IntSample(most, zeros)
  for (const value of values) made.add(value)
  return made
}

const byValue = (a: number, b: number): number => a - b

const numbers = fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.maxSafeInteger().map(scatter)), {
  maxLength: 300,
})

describe('IntSample, a bounded sample of distinct numbers', () => {
  it('contains each number once, if there are no more than its capacity', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const { values: kept, estimate } = sample(values, 300)
        expect([...kept].toSorted(byValue)).toEqual([...new Set(values)].toSorted(byValue))
        expect(estimate).toBe(kept.length)
      }),
    )
  })

  it('stays within its capacity, and samples the same numbers in a part as in the whole', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 0, max: 4 }), (part, rest, zeros) => {
        const whole = new Set(sample([...part, ...rest], 16, zeros).values)
        const ofPart = new Set(sample(part, 16, zeros).values)
        expect(whole.size).toBeLessThanOrEqual(16)
        expect(part.filter((value) => whole.has(value) && !ofPart.has(value))).toEqual([])
      }),
    )
  })

  it('estimates how many distinct numbers were added', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => scatter(index + 1))
    expect(Math.abs(sample(values, 1024).estimate - 10_000)).toBeLessThan(1000)
  })
})

describe('simhash', () => {
  it('sets the bits that more than half of the hashes have', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const drawn = values.map((value) => scatter(value + Math.imul(2, 0x9e3779b1)))
        const counted = Array.from({ length: 32 }, (_, bit) => drawn.filter((bits) => (bits >>> bit) & 1).length)
        const expected = counted.reduce((bits, set, bit) => (set * 2 > drawn.length ? bits | (1 << bit) : bits), 0)
        expect(simhash(Int32Array.from(values), 2)[1]).toBe(expected)
      }),
    )
  })
})
