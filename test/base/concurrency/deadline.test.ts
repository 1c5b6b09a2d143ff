import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { followSignals, openDeadline } from '../../../src/base/concurrency/deadline.js'

const url = 'http://user:secret@site.test/a'

describe('openDeadline', () => {
  it('aborts with SCRAPE_TIMEOUT after its timeout, without credentials in the error', () => {
    vi.useFakeTimers()
    using deadline = openDeadline(url, 1_000)
    vi.advanceTimersByTime(999)
    expect(deadline.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(deadline.signal.reason).toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      message: 'The page took longer than its `timeout` of 1000 ms',
      url: 'http://site.test/a',
    })
    vi.useRealTimers()
  })

  it('aborts with its parent signal, for the same reason', () => {
    const parent = new AbortController()
    using deadline = openDeadline(url, 60_000, parent.signal)
    parent.abort('why')
    expect(deadline.signal.reason).toBe('why')
  })

  it('is aborted from the start when its parent signal is', () => {
    using deadline = openDeadline(url, 60_000, AbortSignal.abort('why'))
    expect(deadline.signal.reason).toBe('why')
  })

  it('leaves no timer and no listener when it is disposed of', () => {
    vi.useFakeTimers()
    const parent = new AbortController()
    const deadline = openDeadline(url, 1_000, parent.signal)
    expect([vi.getTimerCount(), getEventListeners(parent.signal, 'abort').length]).toEqual([1, 1])
    deadline[Symbol.dispose]()
    expect([vi.getTimerCount(), getEventListeners(parent.signal, 'abort').length]).toEqual([0, 0])
    parent.abort()
    expect(deadline.signal.aborted).toBe(false)
    vi.useRealTimers()
  })
})

describe('followSignals', () => {
  it('aborts with the reason of the first signal that aborts', () => {
    const [a, b] = [new AbortController(), new AbortController()]
    using follower = followSignals(a.signal, b.signal)
    b.abort('b')
    a.abort('a')
    expect(follower.signal.reason).toBe('b')
  })

  it('attaches many followers to one signal without a warning of Node', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    const parent = new AbortController()
    const followers = Array.from({ length: 100 }, () => followSignals(parent.signal))
    await new Promise((resolve) => setImmediate(resolve))
    for (const follower of followers) follower[Symbol.dispose]()
    process.off('warning', note)
    expect(warnings).toEqual([])
  })
})
