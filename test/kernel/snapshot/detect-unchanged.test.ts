import { expect, it } from 'vitest'
import { detectUnchanged, toLastSeen } from '../../../src/kernel/snapshot/detect-unchanged.js'
import { countTurns } from '../../base/concurrency/count-turns.js'
import { fetchedPage } from '../../contracts/cache.contract.js'

it('compares large bodies with those seen last, and lets the host go on meanwhile', async () => {
  const large = (last: number) => ({ ...fetchedPage(), body: new Uint8Array(16 * 2 ** 20).fill(last, -1) })
  const seen = await countTurns(() => toLastSeen(large(1), undefined))
  expect(seen.turns).toBeGreaterThan(5)
  const same = await countTurns(() => detectUnchanged(large(1), seen.result))
  expect(same.result).toEqual({ unchanged: expect.stringContaining('byte for byte') })
  expect(same.turns).toBeGreaterThan(5)
  expect(await detectUnchanged(large(2), seen.result)).toBeUndefined()
})
