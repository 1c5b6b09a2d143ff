import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDeadline } from '../../../src/base/concurrency/deadline.js'
import { startCountdown, createPageClock } from '../../../src/base/concurrency/pausable-clock.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a turn in a queue that the test gives or refuses. */
function makeTurn(): { turn: Promise<string>; give: () => void; refuse: () => void } {
  let [give, refuse] = [(): void => undefined, (): void => undefined]
  const turn = new Promise<string>((resolve, reject) => {
    give = () => resolve('given')
    refuse = () => reject(new Error('refused'))
  })
  return { turn, give: () => give(), refuse: () => refuse() }
}

describe('PageClock', () => {
  it('is paused while a page waits for its turn, and so is the deadline of the page', async () => {
    using deadline = openDeadline('http://site.test/', 1000)
    const leftMs = startCountdown(1000, deadline.clock)
    vi.advanceTimersByTime(400)
    const { turn, give } = makeTurn()
    const held = deadline.clock.pauseDuring(turn)
    vi.advanceTimersByTime(60_000)
    expect([deadline.signal.aborted, leftMs(), deadline.clock.pausedMs]).toEqual([false, 600, 60_000])
    give()
    expect(await held).toBe('given')
    vi.advanceTimersByTime(599)
    expect([deadline.signal.aborted, leftMs()]).toEqual([false, 1])
    vi.advanceTimersByTime(1)
    expect(deadline.signal.reason).toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  })

  it('counts time that was spent elsewhere, paused or not', async () => {
    using deadline = openDeadline('http://site.test/', 1000)
    const leftMs = startCountdown(1000, deadline.clock)
    const { turn, give } = makeTurn()
    const held = deadline.clock.pauseDuring(turn)
    deadline.clock.advance(300)
    give()
    await held
    deadline.clock.advance(200)
    expect([deadline.signal.aborted, leftMs()]).toEqual([false, 500])
    vi.advanceTimersByTime(499)
    expect(deadline.signal.aborted).toBe(false)
    deadline.clock.advance(5000)
    vi.advanceTimersByTime(0)
    expect([deadline.signal.aborted, leftMs()]).toEqual([true, 1])
  })

  it('continues after a rejected wait, and only after the last of several waits', async () => {
    const clock = createPageClock()
    const done = vi.fn<() => void>()
    const [first, second] = [makeTurn(), makeTurn()]
    const held = [clock.pauseDuring(first.turn), clock.pauseDuring(second.turn)]
    clock.after(1000, done)
    first.refuse()
    await expect(held[0]).rejects.toThrow('refused')
    vi.advanceTimersByTime(5000)
    expect(done).not.toHaveBeenCalled()
    second.give()
    await held[1]
    vi.advanceTimersByTime(1000)
    expect(done).toHaveBeenCalledOnce()
  })

  it('leaves no timer when its deadline is disposed of during a pause', async () => {
    const { turn, give } = makeTurn()
    const deadline = openDeadline('http://site.test/', 1000)
    const held = deadline.clock.pauseDuring(turn)
    expect(vi.getTimerCount()).toBe(0)
    deadline[Symbol.dispose]()
    give()
    await held
    expect(vi.getTimerCount()).toBe(0)
  })
})
