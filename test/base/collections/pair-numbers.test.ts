import { expect, test } from 'vitest'
import { PairNumbers } from '../../../src/base/collections/pair-numbers.js'

test('numbers pairs in the order of their first use', () => {
  const numbers = new PairNumbers()
  expect(numbers.numberOf(7, -1)).toBe(1)
  expect(numbers.numberOf(-1, 7)).toBe(2)
  expect(numbers.numberOf(0, 0)).toBe(3)
  expect(numbers.numberOf(7, -1)).toBe(1)
  expect(numbers.numberOf(0, 0)).toBe(3)
})

test('keeps the numbers of many pairs', () => {
  const numbers = new PairNumbers()
  const pairs = Array.from({ length: 5000 }, (_, nth) => [nth % 71, -Math.floor(nth / 71)] as const)
  const first = pairs.map(([one, other]) => numbers.numberOf(one, other))
  expect(first).toEqual(pairs.map((_, nth) => nth + 1))
  expect(pairs.map(([one, other]) => numbers.numberOf(one, other))).toEqual(first)
})
