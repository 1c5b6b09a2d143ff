import { expect, it } from 'vitest'
import type { PageCache } from '../../src/kernel/cache/cache.js'
import type { FetchedPage } from '../../src/kernel/fetch/fetched-page.js'
import { noise } from './store.contract.js'

export const fetchedPage = (more: Partial<FetchedPage> = {}): FetchedPage => ({
  url: 'http://site.test/',
  redirects: [],
  statusCode: 200,
  headers: { 'content-type': 'text/html' },
  contentType: 'text/html',
  body: new TextEncoder().encode('<p>hello</p>'),
  fetcher: 'http',
  fetchedAtMs: 1000,
  ...more,
})

/**
 * What every page cache must do. `make` is given the bytes that it may hold.
 *
 * @param options.isBounded whether it keeps within them itself
 */
export function cacheContract(
  make: (maxBytes: number) => PageCache | Promise<PageCache>,
  { isBounded = true }: { isBounded?: boolean } = {},
): void {
  it('returns the stored page complete, and nothing under another key', async () => {
    const cache = await make(1e6)
    const page = fetchedPage({
      redirects: [{ url: 'http://site.test/old', statusCode: 301 }],
      body: new Uint8Array([0, 255, 10, 13, 128]),
    })
    await cache.set('a', page)
    expect(await cache.get('a')).toEqual(page)
    expect(await cache.get('b')).toBeUndefined()
    await cache.close()
  })

  it('returns the captures of a browser, and the blocks that were met', async () => {
    const cache = await make(1e6)
    const page = fetchedPage({
      statusCode: 404,
      error: 'Not Found',
      fetcher: 'browser',
      fetcherReason: 'it looked like it',
      browserWaitMs: 500,
      proxy: 'enhanced',
      blocks: [{ vendor: 'a guard', evidence: 'the status 403' }],
      capturePlan: { screenshot: { fullPage: true } },
      captures: { screenshot: { mediaType: 'image/png', bytes: noise(500, 1) } },
    })
    await cache.set('a', page)
    expect(await cache.get('a')).toEqual(page)
    await cache.close()
  })

  it('keeps the newest page of a key', async () => {
    const cache = await make(1e6)
    await cache.set('a', fetchedPage({ fetchedAtMs: 1 }))
    await cache.set('a', fetchedPage({ fetchedAtMs: 2 }))
    expect((await cache.get('a'))?.fetchedAtMs).toBe(2)
    await cache.close()
  })

  it('stores a copy of the bytes, so that callers may change theirs', async () => {
    const cache = await make(1e6)
    const page = fetchedPage()
    await cache.set('a', page)
    page.body.fill(0)
    expect((await cache.get('a'))?.body).toEqual(fetchedPage().body)
    await cache.close()
  })

  it('has no page after it was deleted', async () => {
    const cache = await make(1e6)
    await cache.set('a', fetchedPage())
    await cache.delete('a')
    expect(await cache.get('a')).toBeUndefined()
    await cache.delete('never stored')
    await cache.close()
  })

  if (!isBounded) return

  it('evicts the least recently used pages above `maxBytes`', async () => {
    const cache = await make(100_000)
    for (let i = 0; i < 50; i++) {
      await cache.set(`k${i}`, fetchedPage({ body: noise(10_000, i) }))
      await cache.get('k0')
    }
    const held = await Promise.all(Array.from({ length: 50 }, (_, i) => cache.get(`k${i}`)))
    expect(held.filter(Boolean).length).toBeLessThanOrEqual(10)
    expect(held[0]).toBeDefined()
    expect(held[49]).toBeDefined()
    expect(held[1]).toBeUndefined()
    await cache.close()
  })

  it('does not store a page larger than `maxBytes`', async () => {
    const cache = await make(10_000)
    await cache.set('a', fetchedPage({ body: noise(20_000, 1) }))
    expect(await cache.get('a')).toBeUndefined()
    await cache.close()
  })
}
