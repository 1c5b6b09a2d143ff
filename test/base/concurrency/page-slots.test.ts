import { describe, expect, it } from 'vitest'
import { PageSlots } from '../../../src/base/concurrency/page-slots.js'

describe('PageSlots', () => {
  it('has no more slots to acquire than its size', () => {
    const slots = new PageSlots(2)
    expect([slots.tryAcquire(), slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, true, false])
    slots.release()
    expect(slots.tryAcquire()).toBe(true)
  })

  it('wakes waiting jobs in the order in which they came, each once', () => {
    const slots = new PageSlots(1)
    slots.tryAcquire()
    const woken: string[] = []
    const [first, second] = [() => woken.push('first'), () => woken.push('second')]
    slots.addWaiter(first)
    slots.addWaiter(second)
    slots.addWaiter(first)
    slots.release()
    slots.tryAcquire()
    slots.release()
    expect(woken).toEqual(['first', 'second'])
  })

  it('does not wake a job that was removed', () => {
    const slots = new PageSlots(1)
    slots.tryAcquire()
    const wake = () => expect.unreachable()
    slots.addWaiter(wake)
    slots.removeWaiter(wake)
    slots.release()
  })

  it('gives slots to single pages and to jobs in turn', async () => {
    const slots = new PageSlots(1)
    slots.tryAcquire()
    const order: string[] = []
    const { signal } = new AbortController()
    const pages = ['first', 'second'].map((name) => slots.acquire(signal).then(() => order.push(name)))
    const wake = (): void => {
      if (slots.tryAcquire()) order.push('job')
    }
    slots.addWaiter(wake)
    slots.release()
    await pages[0]
    slots.release()
    slots.release()
    await pages[1]
    expect(order).toEqual(['first', 'job', 'second'])
  })

  it('gives a slot that the woken job does not acquire to a single page', async () => {
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

  it('takes the same time for each of 50,000 waiting pages', async () => {
    const slots = new PageSlots(10)
    let done = 0
    await Promise.all(
      Array.from({ length: 50_000 }, async () => {
        // A signal for each page, as each page has its own deadline: adding a listener to one shared signal would take
        // longer each time.
        await slots.acquire(new AbortController().signal)
        done += 1
        slots.release()
      }),
    )
    expect(done).toBe(50_000)
    expect(slots.hasFree).toBe(true)
  })

  it('gives a slot to one waiting page at a time, and none to a page that was aborted', async () => {
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

describe('a slot that is lent', () => {
  it('goes to another page, up to a maximum number of loans, and is reacquired before all waiting pages', async () => {
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

  it('is free for another loan when its page ends instead of reacquiring it', async () => {
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
