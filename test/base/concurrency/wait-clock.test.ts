import { expect, it, vi } from 'vitest'
import { createWaitClock } from '../../../src/base/concurrency/wait-clock.js'

it('follows a clock that is moved on, and is no slower than timers where it stands still or is set back', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    let nowMs = 1000
    const waitNow = createWaitClock(() => nowMs)
    expect(waitNow()).toBe(1000)
    vi.advanceTimersByTime(300)
    expect(waitNow()).toBe(1300)
    nowMs = 90_000
    expect(waitNow()).toBe(90_000)
    nowMs = 5
    vi.advanceTimersByTime(20)
    expect(waitNow()).toBe(90_020)
  } finally {
    vi.useRealTimers()
  }
})

it('is the clock of the host itself', () => {
  expect(createWaitClock(Date.now)).toBe(Date.now)
})
