import { describe, expect, it } from 'vitest'
import { PageSlots } from '../../src/concurrency/page-slots.js'

describe('slots', () => {
  it('gives no more places than there are', () => {
    const slots = new PageSlots(2)
    expect([slots.tryAcquire(), slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, true, false])
    slots.release()
    expect(slots.tryAcquire()).toBe(true)
  })

  it('tells those who wait in the order in which they came, and each once', () => {
    const slots = new PageSlots(1)
    slots.tryAcquire()
    const told: string[] = []
    const [first, second] = [() => told.push('first'), () => told.push('second')]
    slots.addWaiter(first)
    slots.addWaiter(second)
    slots.addWaiter(first)
    slots.release()
    slots.tryAcquire()
    slots.release()
    expect(told).toEqual(['first', 'second'])
  })

  it('does not tell who no longer waits', () => {
    const slots = new PageSlots(1)
    slots.tryAcquire()
    const tell = () => expect.unreachable()
    slots.addWaiter(tell)
    slots.removeWaiter(tell)
    slots.release()
  })

  it('gives places to single pages and to jobs by turns', async () => {
    const slots = new PageSlots(1)
    slots.tryAcquire()
    const order: string[] = []
    const { signal } = new AbortController()
    const pages = ['first', 'second'].map((name) => slots.acquire(signal).then(() => order.push(name)))
    const tell = (): void => {
      if (slots.tryAcquire()) order.push('job')
    }
    slots.addWaiter(tell)
    slots.release()
    await pages[0]
    slots.release()
    slots.release()
    await pages[1]
    expect(order).toEqual(['first', 'job', 'second'])
  })

  it('leaves no place empty that a job was told of and did not want', async () => {
    const slots = new PageSlots(1)
    slots.tryAcquire()
    const { signal } = new AbortController()
    const [first, second] = [slots.acquire(signal), slots.acquire(signal)]
    slots.addWaiter(() => undefined)
    slots.release()
    await first
    slots.release()
    await second
    expect(slots.hasFree).toBe(false)
  })

  it('costs the same for each of very many single pages', async () => {
    const slots = new PageSlots(10)
    let done = 0
    await Promise.all(
      Array.from({ length: 50_000 }, async () => {
        // One for each, as every page has its own deadline: a signal takes ever longer to take on one listener more.
        await slots.acquire(new AbortController().signal)
        done += 1
        slots.release()
      }),
    )
    expect(done).toBe(50_000)
    expect(slots.hasFree).toBe(true)
  })

  it('lets waiters in one by one, and out when they give up', async () => {
    const slots = new PageSlots(1)
    const { signal } = new AbortController()
    await slots.acquire(signal)
    const gaveUp = new AbortController()
    const impatient = slots.acquire(gaveUp.signal)
    const patient = slots.acquire(signal)
    gaveUp.abort(new Error('enough'))
    await expect(impatient).rejects.toThrow('enough')
    slots.release()
    await patient
    expect(slots.hasFree).toBe(false)
  })
})

describe('slots that are lent', () => {
  it('let others in, no more than may be, and come back before all who wait', async () => {
    const slots = new PageSlots(1, 1)
    const { signal } = new AbortController()
    const order: string[] = []
    slots.tryAcquire()
    expect(slots.lend()).toBe(true)
    expect(slots.tryAcquire()).toBe(true)
    expect(slots.lend()).toBe(false)
    const single = slots.acquire(signal).then(() => order.push('single'))
    const back = slots.reacquire(signal).then(() => order.push('back'))
    slots.release()
    await back
    slots.release()
    await single
    expect(order).toEqual(['back', 'single'])
    slots.release()
    expect([slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, false])
    expect(slots.lend()).toBe(true)
  })

  it('are given up by a page that does not come back', async () => {
    const slots = new PageSlots(1, 1)
    slots.tryAcquire()
    slots.lend()
    slots.tryAcquire()
    const controller = new AbortController()
    const back = slots.reacquire(controller.signal)
    controller.abort(new Error('too late'))
    await expect(back).rejects.toThrow('too late')
    slots.endLoan()
    slots.release()
    expect([slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, false])
    expect(slots.lend()).toBe(true)
  })
})
