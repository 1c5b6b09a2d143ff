import { describe, expect, it } from 'vitest'
import { PassingMap } from '../../../src/base/concurrency/passing-map.js'
import { followSignals } from '../../../src/base/concurrency/deadline.js'
import { WaitingQueue } from '../../../src/base/concurrency/waiting-queue.js'
import { countKept } from './count-kept.js'

describe('PassingMap', () => {
  it('has its entries in the order of insertion', () => {
    const map = new PassingMap<string, number>()
    for (const [at, key] of ['b', 'a', 'c'].entries()) map.set(key, at)
    map.set('a', 5)
    expect([...map]).toEqual([
      ['b', 0],
      ['a', 5],
      ['c', 2],
    ])
    expect(map.delete('b')).toBe(true)
    expect(map.delete('b')).toBe(false)
    expect([map.size, map.has('b'), map.has('a'), map.get('b'), map.get('a')]).toEqual([2, false, true, undefined, 5])
    map.clear()
    expect([map.size, [...map]]).toEqual([0, []])
  })

  it('leaves out entries that are deleted while it is read, as a map does', () => {
    const map = new PassingMap<number, string>()
    for (let key = 0; key < 3; key += 1) map.set(key, `value ${key}`)
    const read: string[] = []
    for (const [key, value] of map) {
      map.delete(key + 1)
      read.push(value)
    }
    expect(read).toEqual(['value 0', 'value 2'])
  })
})

/** Bound on what a scavenge may leave of 64 MiB of garbage. A `Map` left 12, and the listeners of a signal 28. */
const KEPT_BYTES = 6 * 1024 * 1024

describe('garbage of pages that have ended', () => {
  it('is freed without a full collection from a map of the pages in work', async () => {
    const map = new PassingMap<number, object>()
    const kept = await countKept((page, number) => {
      map.set(number, page)
      return () => map.delete(number)
    })
    expect(kept).toBeLessThan(KEPT_BYTES)
  })

  it('is freed without a full collection from a queue', async () => {
    const queue = new WaitingQueue()
    const kept = await countKept((page) => {
      const wake = (): unknown => page
      queue.add(wake)
      return () => queue.delete(wake)
    })
    expect(kept).toBeLessThan(KEPT_BYTES)
  })

  it('is freed without a full collection from the listeners of a signal', async () => {
    const { signal } = new AbortController()
    const kept = await countKept((page) => {
      const follower = followSignals(signal)
      follower.signal.addEventListener('abort', () => page)
      return () => follower[Symbol.dispose]()
    })
    expect(kept).toBeLessThan(KEPT_BYTES)
  })
})
