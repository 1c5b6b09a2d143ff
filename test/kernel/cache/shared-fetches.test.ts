import { describe, expect, it, vi } from 'vitest'
import { SharedFetches, type FetchCall } from '../../../src/kernel/cache/shared-fetches.js'
import { TrawlError } from '../../../src/base/errors.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import { fetchedPage } from '../../contracts/cache.contract.js'

const { signal } = new AbortController()

/** Creates fetches that the test resolves or rejects. */
function createFetches() {
  const calls: { signal: AbortSignal; give(page: FetchedPage): void; fail(error: unknown): void }[] = []
  const fetch = (until: AbortSignal): Promise<FetchedPage> =>
    new Promise((give, fail) => {
      until.addEventListener('abort', () => fail(until.reason))
      calls.push({ signal: until, give, fail })
    })
  const call = (more: Partial<FetchCall> = {}): FetchCall => ({
    key: 'k',
    url: 'http://site.test/',
    timeoutMs: 1000,
    maxAgeMs: 1000,
    fetch,
    ...more,
  })
  return { calls, call }
}

describe('SharedFetches', () => {
  it('fetches a page once for all callers until it is stored, and stores it once', async () => {
    const { calls, call } = createFetches()
    const shared = new SharedFetches(() => 1000)
    const both = [shared.join(call(), signal), shared.join(call(), signal)]
    calls[0]?.give(fetchedPage())
    const [first, second] = await Promise.all(both)
    const third = await shared.join(call(), signal)
    const store = vi.fn(async () => undefined)
    for (const one of [first, second, third]) {
      expect(one?.page).toBe(first?.page)
      await one?.remember(store)
      one?.[Symbol.dispose]()
    }
    expect(store).toHaveBeenCalledTimes(1)
    expect(calls).toHaveLength(1)
    void shared.join(call(), signal)
    expect(calls).toHaveLength(2)
  })

  it('continues a fetch when its first caller aborts, and aborts it with the last caller', async () => {
    const { calls, call } = createFetches()
    const shared = new SharedFetches(() => 0)
    const [first, second] = [new AbortController(), new AbortController()]
    const one = shared.join(call(), first.signal)
    const two = shared.join(call(), second.signal)
    first.abort(new Error('first is gone'))
    await expect(one).rejects.toThrow('first is gone')
    expect(calls[0]?.signal.aborted).toBe(false)
    second.abort(new Error('second is gone'))
    await expect(two).rejects.toThrow('second is gone')
    expect(calls[0]?.signal.aborted).toBe(true)
    const three = shared.join(call(), signal)
    calls[1]?.give(fetchedPage())
    expect((await three).page.statusCode).toBe(200)
  })

  it('rejects for all callers of a fetch that fails, and fetches again for the next caller', async () => {
    const { calls, call } = createFetches()
    const shared = new SharedFetches(() => 0)
    const both = [shared.join(call(), signal), shared.join(call(), signal)]
    calls[0]?.fail(new TrawlError('SCRAPE_SITE_ERROR', 'reset'))
    for (const one of both) await expect(one).rejects.toThrow('reset')
    const next = shared.join(call(), signal)
    calls[1]?.give(fetchedPage())
    expect((await next).page.statusCode).toBe(200)
  })

  it('fetches again for a caller whose URL is spelled otherwise or whose timeout is longer than that of a failed fetch', async () => {
    for (const [other, error] of [
      [{ url: 'https://www.site.test/' }, new TrawlError('SCRAPE_SSL_ERROR', 'no')],
      [{ timeoutMs: 5000 }, new TrawlError('SCRAPE_TIMEOUT', 'no time')],
    ] as const) {
      const { calls, call } = createFetches()
      const shared = new SharedFetches(() => 0)
      const first = shared.join(call(), signal)
      const second = shared.join(call(other), signal)
      calls[0]?.fail(error)
      await expect(first).rejects.toBe(error)
      await vi.waitUntil(() => calls.length === 2, { timeout: 20_000 })
      calls[1]?.give(fetchedPage())
      expect((await second).page.statusCode).toBe(200)
    }
  })

  it('fetches again for a caller whose `maxAgeMs` the shared page exceeds', async () => {
    const { calls, call } = createFetches()
    let nowMs = 1000
    const shared = new SharedFetches(() => nowMs)
    const first = shared.join(call(), signal)
    calls[0]?.give(fetchedPage({ fetchedAtMs: 1000 }))
    await first
    nowMs = 1500
    void shared.join(call({ maxAgeMs: 500 }), signal)
    expect(calls).toHaveLength(2)
  })

  it('fetches separately for each key', async () => {
    const { calls, call } = createFetches()
    const shared = new SharedFetches(() => 0)
    void shared.join(call(), signal)
    void shared.join(call({ key: 'other' }), signal)
    expect(calls).toHaveLength(2)
  })
})
