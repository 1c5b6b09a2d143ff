import { describe, expect, it } from 'vitest'
import { PageSlots } from '../../src/concurrency/page-slots.js'

describe('slots', () => {
  it('gives no more places than there are', () => {
    const slots = new PageSlots(2)
    expect([slots.take(), slots.take(), slots.take()]).toEqual([true, true, false])
    slots.give()
    expect(slots.take()).toBe(true)
  })

  it('tells those who wait in the order in which they came, and each once', () => {
    const slots = new PageSlots(1)
    slots.take()
    const told: string[] = []
    const [first, second] = [() => told.push('first'), () => told.push('second')]
    slots.wait(first)
    slots.wait(second)
    slots.wait(first)
    slots.give()
    slots.take()
    slots.give()
    expect(told).toEqual(['first', 'second'])
  })

  it('does not tell who no longer waits', () => {
    const slots = new PageSlots(1)
    slots.take()
    const tell = () => expect.unreachable()
    slots.wait(tell)
    slots.forget(tell)
    slots.give()
  })

  it('gives places to single pages and to jobs by turns', async () => {
    const slots = new PageSlots(1)
    slots.take()
    const order: string[] = []
    const { signal } = new AbortController()
    const pages = ['first', 'second'].map((name) => slots.acquire(signal).then(() => order.push(name)))
    const tell = (): void => {
      if (slots.take()) order.push('job')
    }
    slots.wait(tell)
    slots.give()
    await pages[0]
    slots.give()
    slots.give()
    await pages[1]
    expect(order).toEqual(['first', 'job', 'second'])
  })

  it('leaves no place empty that a job was told of and did not want', async () => {
    const slots = new PageSlots(1)
    slots.take()
    const { signal } = new AbortController()
    const [first, second] = [slots.acquire(signal), slots.acquire(signal)]
    slots.wait(() => undefined)
    slots.give()
    await first
    slots.give()
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
        slots.give()
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
    slots.give()
    await patient
    expect(slots.hasFree).toBe(false)
  })
})

describe('slots that are lent', () => {
  it('let others in, no more than may be, and come back before all who wait', async () => {
    const slots = new PageSlots(1, 1)
    const { signal } = new AbortController()
    const order: string[] = []
    slots.take()
    expect(slots.lend()).toBe(true)
    expect(slots.take()).toBe(true)
    expect(slots.lend()).toBe(false)
    const single = slots.acquire(signal).then(() => order.push('single'))
    const back = slots.takeBack(signal).then(() => order.push('back'))
    slots.give()
    await back
    slots.give()
    await single
    expect(order).toEqual(['back', 'single'])
    slots.give()
    expect([slots.take(), slots.take()]).toEqual([true, false])
    expect(slots.lend()).toBe(true)
  })

  it('are given up by a page that does not come back', async () => {
    const slots = new PageSlots(1, 1)
    slots.take()
    slots.lend()
    slots.take()
    const controller = new AbortController()
    const back = slots.takeBack(controller.signal)
    controller.abort(new Error('too late'))
    await expect(back).rejects.toThrow('too late')
    slots.forfeit()
    slots.give()
    expect([slots.take(), slots.take()]).toEqual([true, false])
    expect(slots.lend()).toBe(true)
  })
})
