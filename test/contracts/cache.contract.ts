import { expect, it } from 'vitest'
import type { PageCache } from '../../src/cache/cache.js'
import type { FetchedPage } from '../../src/fetch/fetched-page.js'

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

/** What every page cache must do. `make` is given the bytes that it may hold. */
export function cacheContract(make: (maxBytes: number) => PageCache): void {
  it('gives back what was stored, whole, and nothing under another key', async () => {
    const cache = make(1e6)
    const page = fetchedPage({
      redirects: [{ url: 'http://site.test/old', statusCode: 301 }],
      body: new Uint8Array([0, 255, 10, 13, 128]),
    })
    await cache.set('a', page)
    expect(await cache.get('a')).toEqual(page)
    expect(await cache.get('b')).toBeUndefined()
    await cache.close()
  })

  it('keeps the newest page of a key', async () => {
    const cache = make(1e6)
    await cache.set('a', fetchedPage({ fetchedAtMs: 1 }))
    await cache.set('a', fetchedPage({ fetchedAtMs: 2 }))
    expect((await cache.get('a'))?.fetchedAtMs).toBe(2)
    await cache.close()
  })

  it('is not changed by what happens to the caller’s bytes afterwards', async () => {
    const cache = make(1e6)
    const page = fetchedPage()
    await cache.set('a', page)
    page.body.fill(0)
    expect((await cache.get('a'))?.body).toEqual(fetchedPage().body)
    await cache.close()
  })

  it('forgets what is deleted', async () => {
    const cache = make(1e6)
    await cache.set('a', fetchedPage())
    await cache.delete('a')
    expect(await cache.get('a')).toBeUndefined()
    await cache.delete('never stored')
    await cache.close()
  })

  it('forgets the least recently used pages rather than hold more bytes than it may', async () => {
    const cache = make(100_000)
    for (let i = 0; i < 50; i++) {
      await cache.set(`k${i}`, fetchedPage({ body: new Uint8Array(10_000) }))
      await cache.get('k0')
    }
    const held = await Promise.all(Array.from({ length: 50 }, (_, i) => cache.get(`k${i}`)))
    expect(held.filter(Boolean).length).toBeLessThanOrEqual(10)
    expect(held[0]).toBeDefined()
    expect(held[49]).toBeDefined()
    expect(held[1]).toBeUndefined()
    await cache.close()
  })

  it('does not hold a page that is larger than all it may hold', async () => {
    const cache = make(10_000)
    await cache.set('a', fetchedPage({ body: new Uint8Array(20_000) }))
    expect(await cache.get('a')).toBeUndefined()
    await cache.close()
  })
}
