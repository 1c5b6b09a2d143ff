import { expect, it, vi } from 'vitest'
import { PageSlots } from '../../../src/base/concurrency/page-slots.js'
import { Politeness } from '../../../src/kernel/frontier/politeness.js'
import { NO_RESPONSE } from '../../../src/kernel/job/attempt/attempt-row.js'
import { JobScheduler } from '../../../src/kernel/job/run/job-scheduler.js'

/** Creates a scheduler whose threads read a page in 10 ms. */
function makeScheduler({ isEmpty }: { isEmpty: boolean }) {
  const backlog = {
    isEmpty,
    waitedMs: 100,
    timeFor: (pages: number) => pages * 10,
    addWaiter: vi.fn(),
    removeWaiter: vi.fn(),
  }
  const clock = { ms: 0 }
  const shared = { slots: new PageSlots(50), politeness: new Politeness(50), backlog, waitNow: () => clock.ms }
  const wake = vi.fn()
  const job = { plan: { throttle: { delayMs: 0 }, page: { fetch: {} } as never } }
  return { scheduler: new JobScheduler(shared, job, wake), backlog, clock, wake }
}

/** Starts pages while the scheduler lets it. */
function startAll(scheduler: JobScheduler) {
  const permits = []
  while (scheduler.hasSlot()) {
    const slots = scheduler.acquireSlot()
    if (!slots) break
    scheduler.beginRequest('site.test')
    permits.push(scheduler.createPermit({ url: 'https://site.test/', attempts: [] }, slots))
  }
  return permits
}

it('starts no page that would only wait for a thread, until one of those before has its turn', () => {
  const { scheduler, backlog, wake } = makeScheduler({ isEmpty: false })
  const [first, ...others] = startAll(scheduler)
  expect(others).toHaveLength(7)
  expect(backlog.addWaiter).toHaveBeenCalledExactlyOnceWith(wake)
  if (first) scheduler.endPage(first, NO_RESPONSE)
  expect(startAll(scheduler)).toHaveLength(1)
  scheduler.close()
  expect(backlog.removeWaiter).toHaveBeenCalledWith(wake)
})

it('starts as many pages as arrive in the time of the network', () => {
  const { scheduler, clock } = makeScheduler({ isEmpty: false })
  for (let round = 0; round < 100; round += 1) {
    const permits = startAll(scheduler)
    clock.ms += 300
    for (const permit of permits) scheduler.endPage(permit, NO_RESPONSE)
  }
  // 25 ms, and one and a half times the 200 ms without the wait for a thread, at 10 ms a page.
  expect(startAll(scheduler)).toHaveLength(33)
})

it('starts as many pages as it may while no page waits for a thread', () => {
  const { scheduler } = makeScheduler({ isEmpty: true })
  expect(startAll(scheduler)).toHaveLength(50)
})
