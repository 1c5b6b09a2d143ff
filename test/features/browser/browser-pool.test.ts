import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BrowserPool } from '../../../src/features/browser/process/browser-pool.js'
import type { RunningBrowser } from '../../../src/features/browser/process/running-browser.js'

/** A launcher of fake browsers, each with a number only. */
function openPool(options: { maxPages: number; pagesPerBrowser: number; idleMs?: number }, fails = new Set<number>()) {
  const started: RunningBrowser[] = []
  const closed: RunningBrowser[] = []
  const launch = async (): Promise<RunningBrowser> => {
    const nth = started.length + 1
    const running: RunningBrowser = {
      browser: { once: () => undefined } as never,
      userAgent: String(nth),
      version: String(nth),
      hasTabs: false,
      isOwn: true,
      close: async () => void closed.push(running),
    }
    started.push(running)
    await turn()
    if (fails.has(nth)) throw new Error(`browser ${nth} does not start`)
    return running
  }
  const launcher = { launch, close: () => Promise.resolve() }
  const pool = new BrowserPool({ launcher, idleMs: 60_000, ...options })
  const { signal } = new AbortController()
  return { pool, started, closed, lease: (isAlone = false) => pool.lease(signal, { isAlone }) }
}

const nthOf = ({ running }: { running: RunningBrowser }): number => Number(running.version)

describe('a browser that has reached `pagesPerBrowser`', () => {
  it('is replaced by one started in advance when all slots are used', async () => {
    const { pool, started, closed, lease } = openPool({ maxPages: 2, pagesPerBrowser: 5 })
    const seen: number[] = []
    const starts: number[] = []
    let [earlier, later] = [await lease(), await lease()]
    for (let pages = 2; pages < 12; pages++) {
      seen.push(nthOf(earlier))
      earlier.release(false)
      ;[earlier, later] = [later, await lease()]
      starts.push(started.length)
    }
    expect(seen).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    // After the third page the first browser may take two more: the next one starts.
    expect(starts).toEqual([2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
    expect(closed.map(({ version }) => version)).toEqual(['1', '2'])
    for (const one of [earlier, later]) one.release(false)
    await pool.close()
    expect(closed.length).toBe(started.length)
  })

  it('is not replaced when no page waits', async () => {
    const { pool, started, lease } = openPool({ maxPages: 2, pagesPerBrowser: 3 })
    for (let page = 0; page < 3; page++) (await lease()).release(false)
    expect(started.length).toBe(1)
    expect(nthOf(await lease())).toBe(2)
    await pool.close()
  })

  it('is replaced by another when the one started in advance failed', async () => {
    const { pool, started, lease } = openPool({ maxPages: 1, pagesPerBrowser: 2 }, new Set([2]))
    const first = await lease()
    await turn()
    await turn()
    first.release(false)
    const second = await lease()
    second.release(false)
    const third = await lease()
    expect([first, second, third].map(nthOf)).toEqual([1, 1, 3])
    third.release(false)
    await pool.close()
    expect(started.length).toBeLessThanOrEqual(4)
  })

  it('leaves no browser running that was started in advance', async () => {
    const { closed, started, lease } = openPool({ maxPages: 1, pagesPerBrowser: 2, idleMs: 1 })
    const only = await lease()
    only.release(false)
    expect(started.length).toBe(2)
    await expect.poll(() => closed.length).toBe(2)
  })
})

describe('a browser for one page alone', () => {
  it('is shared with no other page, and closed after its own', async () => {
    const { pool, closed, lease } = openPool({ maxPages: 4, pagesPerBrowser: 10 })
    const before = await lease()
    const alone = await lease(true)
    const after = await lease()
    expect([before, alone, after].map(nthOf)).toEqual([1, 2, 1])
    const waiting = lease(true)
    await turn()
    alone.release(false)
    expect(nthOf(await waiting)).toBe(3)
    expect(closed.map(({ version }) => version)).toEqual(['2'])
    await pool.close()
  })

  it('is not waited for with a slot', async () => {
    const { pool, lease } = openPool({ maxPages: 2, pagesPerBrowser: 10 })
    const alone = await lease(true)
    const waiting = lease(true)
    await turn()
    expect(nthOf(await lease())).toBe(2)
    const ended = expect(waiting).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await pool.close()
    alone.release(false)
    await ended
  })
})
