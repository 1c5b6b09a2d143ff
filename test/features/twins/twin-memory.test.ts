import { expect, it } from 'vitest'
import { TwinMemory } from '../../../src/features/twins/twin-memory.js'

const ORIGIN = 'https://docs.example'

it('a way that fails three times is given up, and all ways are tried on every fiftieth page', () => {
  const memory = new TwinMemory()
  const visit = (result: 'beside' | 'none' | 'unknown') => {
    const ways = memory.begin(ORIGIN)
    if (ways.length > 0) memory.end(ORIGIN, ways, result)
    return ways.length
  }
  expect([visit('beside'), visit('unknown'), visit('beside')]).toEqual([5, 1, 1])
  expect([visit('none'), visit('none'), visit('none')]).toEqual([1, 1, 1])
  expect(Array.from({ length: 44 }, () => visit('none')).filter(Boolean)).toEqual([5])
})

it('three pages of an origin at most try all ways at once, and what they could not find out is not learnt', () => {
  const memory = new TwinMemory()
  const begun = Array.from({ length: 4 }, () => memory.begin(ORIGIN))
  expect(begun.map((ways) => ways.length)).toEqual([5, 5, 5, 0])
  for (const ways of begun.slice(0, 3)) memory.end(ORIGIN, ways, 'unknown')
  expect(memory.begin(ORIGIN)).toHaveLength(5)
})
