import { expect, it } from 'vitest'
import { concatBytes } from '../../../src/base/concurrency/concat-bytes.js'
import { countTurns } from './count-turns.js'

it('joins parts of any length', async () => {
  const parts = [[1, 2], [], [3], [4, 5, 6]].map((part) => Uint8Array.from(part))
  expect([...(await concatBytes(parts))]).toEqual([1, 2, 3, 4, 5, 6])
})

it.each([
  ['one large part', 1, 256 * 1024 * 1024],
  ['many small parts', 4096, 64 * 1024],
])('lets the event loop turn while it copies %s', async (_what, count, length) => {
  const part = new Uint8Array(length)
  const { result: joined, turns } = await countTurns(() => concatBytes(Array.from({ length: count }, () => part)))
  expect(joined).toHaveLength(count * length)
  expect(turns).toBeGreaterThan(1)
})
