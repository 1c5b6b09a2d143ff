import { describe, expect, it } from 'vitest'
import { PassingMap } from '../../../src/base/concurrency/passing-map.js'
import { followSignals } from '../../../src/base/concurrency/deadline.js'
import { WaitingQueue } from '../../../src/base/concurrency/waiting-queue.js'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const PAGES = 4000
/** Numbers of a page: 16 KiB. */
const LENGTH = 2048
/** Pages in work at once. */
const CONCURRENCY = 10

/**
 * Works on many pages, ten at once, and counts the bytes that they leave in the old generation.
 *
 * @param begin makes something that lives on refer to a page, and returns the function that ends that
 */
async function countKept(begin: (page: object, number: number) => () => unknown): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const work: (() => unknown)[] = []
  const start = (number: number): void =>
    void work.push(
      begin(
        Array.from({ length: LENGTH }, () => number),
        number,
      ),
    )
  for (let number = 0; number < CONCURRENCY; number += 1) start(number)
  // What is in work now is moved to the old generation.
  collect()
  const before = oldBytes()
  let kept = 0
  for (let number = CONCURRENCY; number < PAGES; number += 1) {
    work.shift()?.()
    start(number)
    if (number % CONCURRENCY > 0) continue
    await new Promise(setImmediate)
    kept = Math.max(kept, oldBytes() - before)
  }
  for (const end of work) end()
  return kept
}

const oldBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === 'old_space' || name === 'large_object_space')
    .reduce((sum, { space_used_size: used }) => sum + used, 0)

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
