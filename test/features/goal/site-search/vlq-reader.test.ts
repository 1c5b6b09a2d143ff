import { expect, it } from 'vitest'
import { VlqReader } from '../../../../src/features/goal/site-search/reading/vlq-reader.js'

function read(text: string, count: number): number[] {
  const reader = new VlqReader(text)
  return Array.from({ length: count }, () => reader.next())
}

it.each([
  ['one character', '`bdn', [0, 1, 2, 7]],
  ['several characters, the first ones from `@` on', 'A`B`Abb', [8, 16, 9, 1]],
  ['a sign', 'ceo', [-1, -2, -7]],
  ['references to the last numbers but zeros', 'bd`f012', [1, 2, 0, 3, 3, 2, 1]],
  ['a reference to the sixteenth number before', `b${'d'.repeat(15)}?f?`, [1, ...Array<number>(15).fill(2), 1, 3, 2]],
  ['nothing after the end', 'b', [1, 0, 0]],
  ['a reference to no number', '0?b5', [0, 0, 1, 0]],
  ['a number without an end', 'b@@@', [1, 0, 0]],
])('reads numbers of rustdoc: %s', (_name, text, numbers) => {
  expect(read(text, numbers.length)).toEqual(numbers)
})

it('reads a number of any length once', () => {
  const [first, second] = read('O'.repeat(1_000_000), 2)
  expect(first).toBe(Infinity)
  expect(second).toBe(0)
})
