import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEngine, memoryStore, type EngineConfig, type ScrapeOptions, type Store } from '../../../src/index.js'
import { useEngineSite, type Pages } from '../../site/engine-site.js'

const on = useEngineSite()

const tracked = (options: { modes?: ['git-diff']; tag?: string } = {}): ScrapeOptions => ({
  formats: ['markdown', { type: 'changeTracking', ...options }],
})

const article = (text: string): string =>
  `<!doctype html><title>Hours</title><main><h1>Hours</h1><p>${text}</p><p>The house stands at the old market.</p></main>`

/** A site whose one page can be rewritten, and an engine whose clock can be put forward. */
async function openPage(text: string, config: EngineConfig = {}) {
  const page = { html: article(text), status: 200 }
  const clock = { now: Date.parse('2026-11-20T10:00:00Z') }
  const pages: Pages = {
    '/a': ({ response }) => response.writeHead(page.status, { 'content-type': 'text/html' }).end(page.html),
  }
  await on.open(pages, { now: () => clock.now, ...config })
  const scrape = async (options = tracked()) => {
    const document = await on.engine.scrape(on.site.url('/a'), options)
    clock.now += 60_000
    return document
  }
  return { page, clock, scrape }
}

describe('changeTracking', () => {
  it('distinguishes new, unchanged and changed pages', async () => {
    const { page, scrape } = await openPage('Open from nine to five.')
    expect((await scrape()).changeTracking).toEqual({
      previousScrapeAt: null,
      changeStatus: 'new',
      visibility: 'visible',
    })
    expect((await scrape()).changeTracking).toEqual({
      previousScrapeAt: '2026-11-20T10:00:00.000Z',
      changeStatus: 'same',
      visibility: 'visible',
    })
    page.html = article('Open from nine to six.')
    expect((await scrape()).changeTracking).toEqual({
      previousScrapeAt: '2026-11-20T10:01:00.000Z',
      changeStatus: 'changed',
      visibility: 'visible',
    })
    expect((await scrape()).changeTracking?.changeStatus).toBe('same')
  })

  it('returns the difference in mode `git-diff`', async () => {
    const { page, scrape } = await openPage('Open from nine to five.')
    await scrape(tracked({ modes: ['git-diff'] }))
    page.html = article('Open from nine to six.')
    const { changeTracking } = await scrape(tracked({ modes: ['git-diff'] }))
    expect(changeTracking?.diff).toMatchObject({
      text: expect.stringContaining('-Open from nine to five.\n+Open from nine to six.'),
      json: { files: [{ from: 'previous', to: 'current' }] },
      blocks: [{ change: 'edited', kind: 'text', headings: ['Hours'], text: 'Open from nine to six.' }],
    })
  })

  it('keeps a separate series of snapshots for each tag', async () => {
    const { scrape } = await openPage('Open from nine to five.')
    await scrape()
    expect((await scrape(tracked({ tag: 'daily' }))).changeTracking?.changeStatus).toBe('new')
    expect((await scrape(tracked({ tag: 'daily' }))).changeTracking?.changeStatus).toBe('same')
  })

  it('reports a page as removed when it is gone, and compares it with the old snapshot if it returns', async () => {
    const { page, scrape } = await openPage('Open from nine to five.')
    await scrape()
    Object.assign(page, { status: 404, html: article('There is no such page.') })
    expect((await scrape()).changeTracking).toMatchObject({
      changeStatus: 'removed',
      previousScrapeAt: '2026-11-20T10:00:00.000Z',
    })
    Object.assign(page, { status: 200, html: article('Open from nine to five.') })
    expect((await scrape()).changeTracking?.changeStatus).toBe('same')
  })

  it('is absent for a page that only failed, with the reason', async () => {
    const { page, scrape } = await openPage('Open from nine to five.', { retry: { maxRetries: 0 } })
    await scrape()
    Object.assign(page, { status: 500, html: article('Something broke.') })
    const failed = await scrape()
    expect(failed).not.toHaveProperty('changeTracking')
    expect(failed.warning).toContain('answered with status 500')
  })

  it('fetches the page each time, whatever the cache holds', async () => {
    const { scrape } = await openPage('Open from nine to five.')
    await on.engine.scrape(on.site.url('/a'))
    const { metadata } = await scrape()
    expect(metadata).not.toHaveProperty('cacheState')
    expect(on.site.requests).toHaveLength(2)
  })

  it('compares the whole page, whatever options the Markdown has', async () => {
    const { page, scrape } = await openPage('We lend books. '.repeat(100))
    const cut: ScrapeOptions = { formats: [{ type: 'markdown', maxTokens: 100, frontMatter: true }, 'changeTracking'] }
    expect((await scrape(cut)).markdown).not.toContain('old market')
    expect((await scrape()).changeTracking?.changeStatus).toBe('same')
    page.html = page.html.replace('old market', 'new market')
    expect((await scrape(cut)).changeTracking?.changeStatus).toBe('changed')
  })

  it('finds the snapshots of another process in a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-snapshots-'))
    try {
      const { scrape } = await openPage('Open from nine to five.', { snapshots: folder })
      await scrape()
      await using other = createEngine({ allowPrivateNetworks: true, threads: 0, snapshots: folder })
      const { changeTracking } = await other.scrape(on.site.url('/a'), tracked())
      expect(changeTracking).toMatchObject({ changeStatus: 'same', previousScrapeAt: '2026-11-20T10:00:00.000Z' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('stores snapshots of all pages if the host gives a store', async () => {
    const { scrape } = await openPage('Open from nine to five.', { snapshots: memoryStore() })
    await on.engine.scrape(on.site.url('/a'))
    expect((await scrape()).changeTracking?.changeStatus).toBe('same')
  })

  it('warns if snapshots cannot be read or stored, and returns the page', async () => {
    const broken: Store = {
      get: async () => Promise.reject(new Error('no such disk')),
      set: async () => Promise.reject(new Error('no such disk')),
      delete: async () => undefined,
      close: async () => undefined,
    }
    const { scrape } = await openPage('Open from nine to five.', { snapshots: broken })
    const document = await scrape()
    expect(document).not.toHaveProperty('changeTracking')
    expect(document.markdown).toContain('Open from nine')
    expect(document.warning).toContain('could not be read: no such disk')
    expect(document.warning).toContain('could not be stored: no such disk')
  })

  it('is on each document of a crawl, also of version 1', async () => {
    await openPage('Open from nine to five.')
    const url = on.site.url('/a')
    const first = await on.engine.crawl({ url, scrapeOptions: tracked() }).finished()
    expect(first.data[0]?.changeTracking?.changeStatus).toBe('new')
    const request = { url, scrapeOptions: { formats: ['markdown', 'changeTracking'] } } as const
    const second = await on.engine.v1.crawl(request).finished()
    expect(second.data[0]?.changeTracking?.changeStatus).toBe('same')
  })

  it('compares pages that are given to parse()', async () => {
    await on.open({})
    const url = 'https://books.test/hours'
    const parse = (text: string) => on.engine.parse({ body: article(text), url }, tracked())
    expect((await parse('Open from nine to five.')).changeTracking?.changeStatus).toBe('new')
    expect((await parse('Open from nine to six.')).changeTracking?.changeStatus).toBe('changed')
  })

  it('requires a language model to compare data', async () => {
    await on.open({})
    const formats = ['markdown', { type: 'changeTracking', modes: ['json'] }] as const
    await expect(on.engine.scrape('https://books.test/', { formats })).rejects.toThrow('createEngine({ model })')
  })
})
