import { expect, it, vi } from 'vitest'
import { Backlog } from '../../../src/content/digest/workers/backlog.js'

it('counts pages until their turns are settled, and wakes each job once then', async () => {
  const backlog = new Backlog({ now: 2 })
  const wake = vi.fn()
  let resolve = (_turn: string): void => undefined
  const first = backlog.during(new Promise<string>((settle) => (resolve = settle)))
  const second = backlog.during(Promise.reject(new Error('aborted')))
  expect(backlog.isEmpty).toBe(false)
  backlog.addWaiter(wake)
  await expect(second).rejects.toThrow('aborted')
  expect(backlog.isEmpty).toBe(false)
  expect(wake).toHaveBeenCalledTimes(1)
  resolve('turn')
  expect(await first).toBe('turn')
  expect(backlog.isEmpty).toBe(true)
  expect(wake).toHaveBeenCalledTimes(1)
})

it('estimates the time of pages from those that threads have read', () => {
  const backlog = new Backlog({ now: 2 })
  for (let page = 0; page < 500; page += 1) backlog.record(8)
  expect(backlog.timeFor(10)).toBeCloseTo(40, 1)
  // One slow page among many tells little.
  backlog.record(60_000)
  expect(backlog.timeFor(10)).toBeLessThan(50)
  expect(new Backlog({ now: 0 }).timeFor(10)).toBe(0)
})
