import { describe, expect, it } from 'vitest'
import { RecentMap } from '../../../src/base/collections/recent-map.js'

describe('a map of what was recent', () => {
  it('holds what it is given, up to its bound', () => {
    const map = new RecentMap<string, number>(3)
    for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([0, 1, 2, undefined])
  })

  it('forgets what has not come up, and keeps what has', () => {
    const map = new RecentMap<number, number>(10)
    map.set(-1, 1)
    map.set(-2, 2)
    for (let key = 0; key < 1000; key += 1) {
      map.set(key, key)
      map.get(-1)
    }
    expect(map.get(-1)).toBe(1)
    expect(map.get(-2)).toBeUndefined()
    expect(map.get(999)).toBe(999)
    expect(
      Array.from({ length: 1000 }, (_, key) => map.get(key)).filter((value) => value !== undefined).length,
    ).toBeLessThanOrEqual(20)
  })
})
