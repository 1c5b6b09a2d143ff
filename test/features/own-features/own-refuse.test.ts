import { describe, expect, it } from 'vitest'
import { defineFeature, memoryCache, type PageView } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { fakeSite, hang, openWith, readAll } from './fake-site.js'

const pages = {
  '/': '<h1>Shop</h1><a href="/lamp">Lamp</a> <a href="/secret">Secret</a> <a href="/moved">Moved</a>',
  '/lamp': '<h1>Lamp</h1>',
  '/secret': '<h1>Secret</h1>',
  '/moved': { status: 302, headers: { location: '/secret' } },
}

/** A feature that keeps away from one page. */
const shy = defineFeature({
  name: 'shy',
  refuse: ({ url }) => (url.endsWith('/secret') ? 'nobody is to read it.' : undefined),
})

describe('a feature that refuses URLs', () => {
  it('ends a single page with a code and its name, and nothing is requested', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, shy])
    await expect(engine.scrape('https://shop.test/secret')).rejects.toMatchObject({
      code: 'FEATURE_REFUSED',
      message: 'feature `shy`: nobody is to read it',
      status: 403,
      retry: false,
    })
    expect(site.requests).toEqual([])
    expect((await engine.scrape('https://shop.test/lamp')).markdown).toContain('Lamp')
  })

  it('skips pages of a job, and the targets of redirects before they are requested', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, shy])
    const job = engine.crawl({ url: 'https://shop.test/', sitemap: 'skip' })
    expect(await readAll(job)).toHaveLength(2)
    expect(await job.status()).toMatchObject({ status: 'completed', failed: 0 })
    const refusal = { reason: 'FEATURE_REFUSED', message: 'feature `shy`: nobody is to read it' }
    for (const path of ['secret', 'moved'])
      expect(await job.explain(`https://shop.test/${path}`)).toMatchObject({ outcome: 'skipped', refusal })
    expect(site.paths().toSorted()).toEqual(['/', '/lamp', '/moved'])
    const rows: string[] = []
    for await (const { url } of job.urls({ outcome: 'skipped', reason: 'FEATURE_REFUSED' })) rows.push(url)
    expect(rows.toSorted()).toEqual(['https://shop.test/moved', 'https://shop.test/secret'])
  })

  it('refuses what a page asks for more, also as the target of a redirect, and not the page', async () => {
    const site = fakeSite(pages)
    const asking = {
      name: 'asking',
      asksSite: true,
      enrich: (page: PageView) =>
        Promise.all(['secret', 'moved'].map((path) => page.fetch(`https://shop.test/${path}`))),
      document: (answers: unknown) => ({ fields: { answers } }),
    }
    await using engine = openWith([site.feature, shy, asking])
    const refused = expect.stringContaining('feature `shy`: nobody is to read it') as string
    expect(await engine.scrape('https://shop.test/')).toMatchObject({ answers: [{ refused }, { refused }] })
    expect(site.paths()).toEqual(['/', '/moved'])
  })

  it('refuses a page from the cache that was redirected before the feature came', async () => {
    const site = fakeSite(pages)
    const cache = memoryCache()
    const url = 'https://shop.test/moved'
    await using without = openWith([site.feature], { cache })
    await without.scrape(url, { maxAge: 60_000 })
    await using engine = openWith([site.feature, shy], { cache })
    await expect(engine.scrape(url, { maxAge: 60_000 })).rejects.toMatchObject({ code: 'FEATURE_REFUSED' })
    expect(site.paths()).toEqual(['/moved', '/secret'])
  })

  it('keeps a page that it could not judge from being handed out, also where it is optional', async () => {
    const site = fakeSite(pages)
    const cache = memoryCache()
    await using without = openWith([site.feature], { cache })
    await without.scrape('https://shop.test/moved', { maxAge: 60_000 })
    const unsure = {
      name: 'unsure',
      optional: true,
      refuse: ({ url }: { url: string }) =>
        url.endsWith('/secret') ? Promise.reject(new Error('nobody answers')) : undefined,
    }
    await using engine = openWith([site.feature, unsure], { cache })
    await expect(engine.scrape('https://shop.test/moved', { maxAge: 60_000 })).rejects.toMatchObject({
      code: 'FEATURE_FAILED',
      message: 'feature `unsure` failed: nobody answers',
    })
  })

  it('is asked about pages of the network, with what it needs and no more', async () => {
    const site = await startSite({ pages: { '/': '<p>One' } })
    const asked: object[] = []
    const curious = { name: 'curious', refuse: (one: object) => void asked.push(one) }
    await using engine = openWith([curious], { allowPrivateNetworks: true })
    await engine.scrape(site.url('/'))
    expect(asked).toEqual([{ url: site.url('/'), signal: expect.any(AbortSignal) as AbortSignal }])
    await site.close()
  })

  it('keeps its `this`, as an instance of a class has it', async () => {
    class Fence {
      readonly name = 'fence'
      readonly closed = ['https://shop.test/secret']
      refuse({ url }: { readonly url: string }): string | undefined {
        return this.closed.includes(url) ? 'the fence is closed' : undefined
      }
    }
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, new Fence()])
    await expect(engine.scrape('https://shop.test/secret')).rejects.toThrow('feature `fence`: the fence is closed')
  })
})

describe('a `refuse` that fails', () => {
  it.each([
    ['throws', () => Promise.reject(new Error('no idea')), 'no idea'],
    [
      'throws what is no error',
      () => {
        throw Object.create(null)
      },
      'an object was thrown, and no error',
    ],
    ['returns a truth', () => true, 'its `refuse` returned true: a sentence, or undefined'],
    ['returns nothing to read', () => ' ', 'its `refuse` returned " "'],
    ['returns null', () => null, 'its `refuse` returned null'],
    ['returns an object', () => ({ reason: 'x' }), 'its `refuse` returned an object'],
  ])('as it %s ends its page, by its name, and not the job', async (_, refuse, message) => {
    const site = fakeSite(pages)
    const broken = {
      name: 'broken',
      refuse: ({ url }: { url: string }) => (url.endsWith('/lamp') ? refuse() : undefined),
    }
    await using engine = openWith([site.feature, broken])
    const failure = { code: 'FEATURE_FAILED', message: expect.stringContaining(message) as string }
    await expect(engine.scrape('https://shop.test/lamp')).rejects.toMatchObject(failure)
    const job = engine.batchScrape({ urls: ['https://shop.test/', 'https://shop.test/lamp'] })
    await readAll(job)
    expect(await job.status()).toMatchObject({ status: 'completed', completed: 1, failed: 1 })
    expect((await job.errors()).errors).toMatchObject([{ code: 'FEATURE_FAILED' }])
    expect(site.paths()).not.toContain('/lamp')
  })

  it('as it hangs ends its page at its time', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, { name: 'stuck', refuse: hang }])
    const timeout = {
      code: 'SCRAPE_TIMEOUT',
      message: expect.stringContaining('feature `stuck` had not ended') as string,
    }
    await expect(engine.scrape('https://shop.test/', { timeout: 1000 })).rejects.toMatchObject(timeout)
    const job = engine.batchScrape({ urls: ['https://shop.test/'], timeout: 1000 })
    await readAll(job)
    expect(await job.status()).toMatchObject({ status: 'completed', failed: 1 })
  })

  it('as it returns a text without end has it cut', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, { name: 'long', refuse: () => 'no '.repeat(1e6) }])
    const error = await engine.scrape('https://shop.test/').catch((thrown: unknown) => thrown)
    expect((error as Error).message.length).toBeLessThan(1_100)
  })

  it('as it changes what it is given changes nothing', async () => {
    const site = fakeSite(pages)
    const sly = {
      name: 'sly',
      refuse: (asked: { url: string }) => {
        asked.url = 'https://shop.test/secret'
      },
    }
    await using engine = openWith([site.feature, sly])
    expect((await engine.scrape('https://shop.test/lamp')).metadata.url).toBe('https://shop.test/lamp')
  })
})
