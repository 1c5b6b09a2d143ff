import { beforeAll, describe, expect, it } from 'vitest'
import { createEngine, keyvCache, memoryCache, type PageCache, storeCache } from '../../../src/index.js'
import { memoryStore } from '../../../src/base/store/stores/memory.js'
import { startSite } from '../../site/site.js'

const page = `<title>Lamp</title><main>${'<p>The lamp of the pier has burned since the storm.</p>'.repeat(120)}</main>`

const never = (): Promise<never> => new Promise(() => undefined)

/** Caches of each kind. @param hangs tests whether a call gets no answer */
const kinds: Readonly<Record<string, (hangs: (call: string) => boolean) => PageCache>> = {
  'a cache of the host': (hangs) => {
    const inner = memoryCache()
    return {
      get: (key) => (hangs('get') ? never() : inner.get(key)),
      set: (key, value) => (hangs('set') ? never() : inner.set(key, value)),
      delete: (key) => (hangs('delete') ? never() : inner.delete(key)),
      close: () => inner.close(),
    }
  },
  'a cache in a store, with the digests': (hangs) => {
    const inner = memoryStore()
    return storeCache({
      get: (key) => (hangs(key.startsWith('digest') ? 'get digest' : 'get') ? never() : inner.get(key)),
      set: (key, entry) => (hangs(key.startsWith('digest') ? 'set digest' : 'set') ? never() : inner.set(key, entry)),
      delete: (key) => (hangs('delete') ? never() : inner.delete(key)),
      close: () => inner.close(),
    })
  },
  'a Keyv': (hangs) => {
    const inner = new Map<string, unknown>()
    return keyvCache({
      get: async (key: string) => (hangs('get') ? never() : inner.get(key)),
      set: async (key: string, value: unknown) => (hangs('set') ? never() : Boolean(inner.set(key, value))),
      delete: async (key: string) => (hangs('delete') ? never() : inner.delete(key)),
      disconnect: async () => undefined,
    } as never)
  },
}

// The modules that read a page are loaded with the first one.
beforeAll(async () => {
  await using site = await startSite({ pages: { '/': page } })
  await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', threads: 0 })
  await engine.scrape(site.url('/'), { timeout: 60_000 })
}, 60_000)

describe.each(Object.entries(kinds))('%s that hangs', (_kind, open) => {
  it.each(['get', 'set', 'get digest', 'set digest', 'every call'])(
    'costs a page a share of its time, and no document: %s',
    async (what) => {
      await using site = await startSite({ pages: Object.fromEntries([1, 2, 3].map((n) => [`/${n}`, page])) })
      const cache = open((call) => what === 'every call' || call === what)
      await using engine = createEngine({
        allowPrivateNetworks: true,
        fetcher: 'http',
        retry: { maxRetries: 0 },
        cache,
      })
      for (const n of [1, 2, 3]) {
        const document = await engine.scrape(site.url(`/${n}`), { timeout: 8_000 })
        expect(document.markdown).toContain('The lamp of the pier')
        if (what === 'every call' || what === 'get') expect(document.warning).toMatch(/the cache could not be read/i)
        if (what === 'set') expect(document.warning).toMatch(/the page could not be cached/i)
      }
      expect(site.requests.map(({ path }) => path)).toEqual(['/1', '/2', '/3'])
      await expect(engine.scrape(site.url('/4'), { timeout: 8_000, lockdown: true })).rejects.toMatchObject({
        code: 'SCRAPE_LOCKDOWN_CACHE_MISS',
      })
    },
  )
})
