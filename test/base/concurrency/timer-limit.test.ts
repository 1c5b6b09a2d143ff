import { expect, it } from 'vitest'
import { boundDelay, MAX_TIMER_MS } from '../../../src/base/concurrency/timer-limit.js'

it('bounds a delay after a step of the clock by ten years to what a timer accepts', () => {
  const tenYearsMs = 10 * 365 * 24 * 3_600_000
  expect([boundDelay(tenYearsMs), boundDelay(-tenYearsMs), boundDelay(5)]).toEqual([MAX_TIMER_MS, 0, 5])
})
