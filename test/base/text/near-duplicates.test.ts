import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NearDuplicates } from '../../../src/base/text/fingerprint/near-duplicates.js'

const digits = fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), { minLength: 6, maxLength: 6 })
const write = (words: readonly number[], size = 500): string =>
  words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('') + size.toString(16).padStart(4, '0')

/** Flips some of the first 64 bits of the hash, and some of the 96 bits after them. */
function turn(words: readonly number[], bits: readonly number[]): number[] {
  const turned = [...words]
  for (const bit of bits) turned[bit >> 5] = ((turned[bit >> 5] ?? 0) ^ (1 << (bit & 31))) >>> 0
  return turned
}
const bits = (from: number, to: number, most: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.integer({ min: from, max: to - 1 }), { maxLength: most })

describe('NearDuplicates', () => {
  it('finds pages that differ in up to three bits of the hash and five of the check', () => {
    fc.assert(
      fc.property(digits, bits(0, 64, 3), bits(64, 160, 5), (words, inHash, inCheck) => {
        const pages = new NearDuplicates()
        expect(pages.record(7, write(words))).toBeUndefined()
        expect(pages.record(8, write(turn(words, [...inHash, ...inCheck])))).toEqual({ first: 7, times: 1 })
      }),
    )
  })

  it('does not match pages with one more differing bit, another opening, or another number of phrases', () => {
    fc.assert(
      fc.property(digits, fc.shuffledSubarray([1, 20, 40, 60], { minLength: 4 }), (words, inHash) => {
        const pages = new NearDuplicates()
        pages.record(7, write(words))
        expect(pages.record(8, write(turn(words, inHash)))).toBeUndefined()
        expect(pages.record(9, write(turn(words, [64, 80, 100, 120, 140, 159])))).toBeUndefined()
        expect(pages.record(10, write(turn(words, [165])))).toBeUndefined()
        expect(pages.record(11, write(words, 550))).toBeUndefined()
        expect(pages.record(12, write(words, 505))).toMatchObject({ first: 7 })
      }),
    )
  })

  it('returns the smallest order of the duplicates, and their number', () => {
    const pages = new NearDuplicates()
    const words = [1, 2, 3, 4, 5, 6]
    pages.record(30, write(words))
    pages.record(20, write(turn(words, [0, 1, 2, 32])))
    pages.record(10, write(turn(words, [0, 33, 34, 35])))
    const between = write(turn(words, [0, 1]))
    expect(pages.record(40, between)).toEqual({ first: 20, times: 1 })
    expect(pages.record(41, between)).toEqual({ first: 20, times: 2 })
    expect(pages.record(42, write(turn(words, [0, 33])))).toEqual({ first: 10, times: 1 })
    expect(pages.size).toBe(3)
  })

  it('never matches pages without text', () => {
    const pages = new NearDuplicates()
    expect([pages.record(0, ''), pages.record(1, '')]).toEqual([undefined, undefined])
    expect(pages.size).toBe(0)
  })

  it('finds duplicates among a hundred thousand pages', () => {
    const pages = new NearDuplicates()
    const page = (order: number): number[] =>
      Array.from({ length: 6 }, (_, word) => {
        const mixed = Math.imul(order * 6 + word + 1, 0x9e3779b1)
        return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0
      })
    for (let order = 0; order < 100_000; order += 1) pages.record(order, write(page(order)))
    expect(pages.size).toBe(100_000)
    for (let order = 0; order < 100_000; order += 997) {
      expect(pages.record(200_000, write(turn(page(order), [order % 64, (order * 7) % 64])))?.first).toBe(order)
    }
  })
})
