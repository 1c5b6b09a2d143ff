import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WaitingQueue } from '../../../src/base/concurrency/waiting-queue.js'

describe('WaitingQueue', () => {
  const { signal } = new AbortController()

  it('wakes callers one at a time, in the order in which they came', async () => {
    const queue = new WaitingQueue()
    const woken: string[] = []
    const waits = ['first', 'second'].map((name) => queue.wait(signal).then(() => woken.push(name)))
    expect(queue.wakeNext()).toBe(true)
    await waits[0]
    expect(woken).toEqual(['first'])
    expect(queue.wakeNext()).toBe(true)
    await waits[1]
    expect(woken).toEqual(['first', 'second'])
    expect(queue.wakeNext()).toBe(false)
  })

  it('removes a caller whose signal aborts, and its listener', async () => {
    const queue = new WaitingQueue()
    const leaving = new AbortController()
    let hasLeft = false
    const wait = queue.wait(leaving.signal, () => (hasLeft = true))
    leaving.abort(new Error('enough'))
    await expect(wait).rejects.toThrow('enough')
    expect({ hasLeft, size: queue.size }).toEqual({ hasLeft: true, size: 0 })
    const other = queue.wait(signal)
    queue.wakeAll()
    await other
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('wakes a caller that waits again during `wakeAll` only at the next call', () => {
    const queue = new WaitingQueue()
    let calls = 0
    const again = (): void => {
      calls += 1
      queue.add(again)
    }
    queue.add(again)
    queue.wakeAll()
    expect(calls).toBe(1)
    queue.delete(again)
    queue.wakeAll()
    expect(calls).toBe(1)
  })
})
