import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  createEngine,
  memoryStore,
  type CrawlRequest,
  type Document,
  type LedgerRow,
  type Store,
  type StoredEntry,
} from '../../../src/index.js'
import { headKey, partKey } from '../../../src/features/since/crawl-record.js'
import { openChangingSite, pathOf, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
const tracked = { formats: ['markdown', 'changeTracking'] } as const

/** What each document says of its page, by path. */
const statuses = (data: readonly Document[]): Record<string, string> =>
  Object.fromEntries(
    data.map(({ metadata, changeTracking }) => [pathOf(metadata.url), changeTracking?.changeStatus ?? '-']),
  )

describe('a tracked crawl', () => {
  it('reports pages of the previous crawl to which no link leads any more as hidden or removed', async () => {
    const { site, engine, pages, start } = await openChangingSite(on, { '/': ['/a', '/b', '/c'] })
    const first = await engine.crawl({ url: start, scrapeOptions: tracked }).finished()
    expect(statuses(first.data)).toEqual({ '/': 'new', '/a': 'new', '/b': 'new', '/c': 'new' })
    pages.set('/', { links: ['/a'] })
    pages.delete('/c')
    const job = engine.crawl({ url: start, scrapeOptions: tracked })
    const { data } = await job.finished()
    expect(statuses(data)).toEqual({ '/': 'changed', '/a': 'same', '/b': 'same', '/c': 'removed' })
    const visibility = Object.fromEntries(
      data.map((page) => [pathOf(page.metadata.url), page.changeTracking?.visibility]),
    )
    expect(visibility).toEqual({ '/': 'visible', '/a': 'visible', '/b': 'hidden', '/c': 'hidden' })
    expect(await job.explain(site.url('/b'))).toMatchObject({ via: 'previous', outcome: 'done' })
    const third = await engine.crawl({ url: start, scrapeOptions: tracked }).finished()
    expect(statuses(third.data)).toEqual({ '/': 'same', '/a': 'same', '/b': 'same' })
  })

  it('applies its rules and its limit to hidden pages', async () => {
    const { engine, pages, start, site } = await openChangingSite(on, { '/': ['/a', '/b', '/x/c', '/d'] })
    await engine.crawl({ url: start, scrapeOptions: tracked }).finished()
    pages.set('/', { links: [] })
    const limited = await engine
      .crawl({ url: start, limit: 3, excludePaths: ['^/x/'], scrapeOptions: tracked })
      .finished()
    expect(Object.keys(statuses(limited.data))).toEqual(['/', '/a', '/b'])
    const whole = await engine.crawl({ url: start, excludePaths: ['^/x/'], scrapeOptions: tracked }).finished()
    expect(Object.keys(statuses(whole.data)).toSorted()).toEqual(['/', '/a', '/b', '/d'])
    expect(site.requests.filter(({ path }) => path === '/x/c')).toHaveLength(1)
  })

  it('that was cancelled makes no page look hidden or new', async () => {
    const { engine, start, pages, site } = await openChangingSite(on, { '/': ['/a', '/b', '/c'] })
    await engine.crawl({ url: start, scrapeOptions: tracked }).finished()
    const job = engine.crawl({ url: start, maxConcurrency: 1, scrapeOptions: tracked })
    for await (const _ of job) break
    await job.cancel()
    pages.set('/', { links: ['/a', '/b'] })
    const { data } = await engine.crawl({ url: start, scrapeOptions: tracked }).finished()
    const visibility = Object.fromEntries(
      data.map((page) => [pathOf(page.metadata.url), page.changeTracking?.visibility]),
    )
    expect(visibility).toEqual({ '/': 'visible', '/a': 'visible', '/b': 'visible', '/c': 'hidden' })
    expect(site.requests.length).toBeGreaterThan(8)
  })
})

describe('`since`', () => {
  it('does not report a page as removed that never existed, however often it is linked', async () => {
    const { engine, pages, start } = await openChangingSite(on, { '/': ['/a', '/dead'], '/a': ['/dead/too'] })
    for (const path of ['/dead', '/dead/too']) pages.delete(path)
    const crawl = () => engine.crawl({ url: start, since: 'last', scrapeOptions: tracked }).finished()
    const first = await crawl()
    expect(statuses(first.data)).toEqual({ '/': 'new', '/a': 'new', '/dead': '-', '/dead/too': '-' })
    const dead = first.data.find(({ metadata }) => pathOf(metadata.url) === '/dead')
    expect(dead?.warning).toContain('answered with status 404, and there is no earlier snapshot of it')
    pages.set('/', { links: ['/a', '/dead', '/new'] })
    pages.set('/new', { links: [] })
    expect(statuses((await crawl()).data)).toMatchObject({ '/dead': '-', '/dead/too': '-', '/new': 'new' })
    pages.delete('/new')
    expect(statuses((await crawl()).data)).toMatchObject({ '/dead': '-', '/dead/too': '-', '/new': 'removed' })
  })

  it('misses nothing on a site that changes in between', async () => {
    const { engine, pages, start, site } = await openChangingSite(on, {
      '/': ['/a', '/b', '/old'],
      '/a': ['/a/1', '/a/2'],
    })
    const first = engine.crawl({ url: start, scrapeOptions: tracked })
    await first.finished()
    pages.set('/b', { links: ['/b/new'], text: 'Other words.' })
    pages.set('/b/new', { links: ['/b/new/deeper'] })
    pages.set('/b/new/deeper', { links: [] })
    pages.set('/a/2', { links: [], text: 'Written anew.' })
    pages.delete('/a/1')
    const job = engine.crawl({ url: start, since: first.id, scrapeOptions: tracked })
    const { data } = await job.finished()
    expect(statuses(data)).toEqual({
      '/': 'same',
      '/a': 'same',
      '/a/1': 'removed',
      '/a/2': 'changed',
      '/b': 'changed',
      '/b/new': 'new',
      '/b/new/deeper': 'new',
      '/old': 'same',
    })
    const same = data.filter(({ changeTracking }) => changeTracking?.changeStatus === 'same')
    expect(same.filter((page) => 'markdown' in page)).toEqual([])
    expect(same[0]?.metadata).toMatchObject({ title: '/', statusCode: 200, creditsUsed: 0, url: start })
    const row = (await job.explain(site.url('/a'))) as LedgerRow
    expect(row).toMatchObject({ outcome: 'done', attempts: [{ statusCode: 304, fetcher: 'http' }] })
    expect(row.attempts[0]?.fetcherReason).toContain('304')
  })

  it('fetches a page again whose links were too long to be remembered', async () => {
    const { engine, pages, start } = await openChangingSite(on, { '/': ['/a'] })
    pages.set('/a', { links: Array.from({ length: 200 }, (_, n) => `/x.zip?${n}=${'y'.repeat(7000)}`) })
    const crawl = () => engine.crawl({ url: start, since: 'last', sitemap: 'skip' }).finished()
    await crawl()
    const { data } = await crawl()
    expect(data.map((page) => [pathOf(page.metadata.url), 'markdown' in page])).toEqual([
      ['/', false],
      ['/a', true],
    ])
  })

  it('fetches all pages, with a warning, if they are requested with other options', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a'] })
    await engine.crawl({ url: start, since: 'last' }).finished()
    const scrapeOptions = { headers: { 'x-shop': 'de' } }
    const other = await engine.crawl({ url: start, since: 'last', scrapeOptions }).finished()
    expect(other.data.map((page) => 'markdown' in page)).toEqual([true, true])
    expect(other.warning).toContain('the previous crawl requested its pages with other options (headers')
    const again = await engine.crawl({ url: start, since: 'last', scrapeOptions }).finished()
    expect(statuses(again.data)).toEqual({ '/': 'same', '/a': 'same' })
  })

  it('treats a page as unchanged if its bytes are the same and the site has no validators', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a'] }, { hasValidators: false })
    await engine.crawl({ url: start, since: 'last' }).finished()
    const job = engine.crawl({ url: start, since: 'last' })
    const { data } = await job.finished()
    expect(statuses(data)).toEqual({ '/': 'same', '/a': 'same' })
    expect(data.some((page) => 'markdown' in page)).toBe(false)
    expect(JSON.stringify(await job.explain(start))).toContain('byte for byte')
  })

  it.each(['ETag', 'lastmod'] as const)(
    'of an unchanged site by %s transfers under 2 % of the bytes',
    async (kind) => {
      const paths = Array.from({ length: kind === 'ETag' ? 60 : 180 }, (_, index) => `/p${index}`)
      const { engine, start, sent, clock, site } = await openChangingSite(
        on,
        { '/': kind === 'ETag' ? paths : [], ...Object.fromEntries(paths.map((path) => [path, ['/', '/p1']])) },
        { hasValidators: kind === 'ETag', ...(kind === 'lastmod' && { sitemap: paths }), padding: 20_000 },
      )
      const first = engine.crawl({ url: start, since: 'last' })
      expect((await first.finished()).completed).toBe(paths.length + 1)
      // `finished()` gives the first hundred: the others would not be known.
      await first.status({ limit: 1000 })
      const whole = sent.bytes
      sent.bytes = 0
      clock.now += 60 * 60 * 1000
      const asked = site.requests.length
      const job = engine.crawl({ url: start, since: 'last' })
      await job.finished()
      const again = await job.status({ limit: 1000 })
      expect(again.completed).toBe(paths.length + 1)
      expect(Object.values(statuses(again.data)).filter((status) => status === 'same')).toHaveLength(paths.length + 1)
      expect(sent.bytes).toBeLessThan(whole * 0.02)
      if (kind === 'ETag') return
      expect(site.requests.length - asked).toBeLessThan(10)
      expect(JSON.stringify(await job.explain(site.url('/p99')))).toContain('the sitemap says')
    },
    120_000,
  )

  it('ignores sitemap dates that are all the same, lie in the future, or were proved wrong', async () => {
    const paths = ['/a', '/b', '/c']
    const reread = async (lastmod: (path: string) => string): Promise<string[]> => {
      const opened = await openChangingSite(on, { '/': [] }, { hasValidators: false, sitemap: paths, lastmod })
      const { engine, start, pages, clock } = opened
      await engine.crawl({ url: start, since: 'last' }).finished()
      clock.now += 1000
      for (const path of paths) pages.set(path, { links: [], text: 'Not what it was before, by no means.' })
      const { data } = await engine.crawl({ url: start, since: 'last', maxConcurrency: 1 }).finished()
      await on.close()
      return data.filter((page) => page.markdown?.includes('by no means')).map(({ metadata }) => pathOf(metadata.url))
    }
    expect(await reread(() => '2020-01-02T03:04:05Z')).toEqual(paths)
    expect(await reread((path) => (path === '/a' ? '2077-02-02T03:04:05Z' : '2020-02-02T03:04:05Z'))).toEqual(paths)
    // The first one is looked at all the same, and shows it.
    expect(await reread((path) => `2020-02-02T03:04:0${paths.indexOf(path)}Z`)).toEqual(paths)
    // On the day itself a date tells nothing.
    expect(await reread((path) => (path === '/a' ? '2026-11-20' : '2026-11-19'))).toEqual(paths)
  })

  it('misses no change where the dates lie, nor the same change twice', async () => {
    const paths = Array.from({ length: 60 }, (_, index) => `/p${index}`)
    const lastmod = (path: string): string => `2020-02-02T03:04:${10 + (Number(path.slice(2)) % 50)}Z`
    const { engine, start, pages, clock } = await openChangingSite(
      on,
      { '/': [] },
      { hasValidators: false, sitemap: paths, lastmod },
    )
    const crawl = () =>
      engine.crawl({ url: start, since: 'last', scrapeOptions: { formats: ['markdown', 'changeTracking'] } }).finished()
    const statusOf = async (): Promise<Readonly<Record<string, string>>> => {
      clock.now += 60 * 60 * 1000
      const { data, warning } = await crawl()
      return { ...statuses(data), warning: warning ?? '' }
    }
    await crawl()
    for (const path of paths.slice(1)) pages.set(path, { links: [], text: `Not what ${path} was before, by no means.` })
    const whole = await statusOf()
    // The first page that the sitemap names is looked at before all others; whichever it is, but one has changed.
    const missed = paths.slice(1).filter((path) => whole[path] !== 'changed')
    const next = await statusOf()
    for (const path of missed) expect(next[path]).toBe('changed')
    expect(missed.length === 0 || missed.length > 50).toBe(true)
    expect(missed.length === 0 ? `${whole['warning']}${next['warning']}` : 'sitemap dates').toContain('sitemap dates')
    if (missed.length === 0)
      expect(next['warning']).toContain('in the previous crawl, pages had changed whose sitemap dates had not')
  })

  it.each([
    // A lost connection is tried again by the client at once.
    ['closes the connection', [0, 0]],
    ['answers 500', [500]],
  ])('compares the page of a retry where the first page that is looked at %s', async (_, answers) => {
    const paths = ['/a', '/b', '/c', '/d']
    const lastmod = (path: string): string => `2020-02-02T03:04:0${paths.indexOf(path)}Z`
    const warn = async (hasChanged: boolean): Promise<string> => {
      const options = { hasValidators: false, sitemap: paths, lastmod }
      const { engine, start, pages, failures } = await openChangingSite(on, { '/': [] }, options, { now: Date.now })
      const crawl = () => engine.crawl({ url: start, since: 'last', maxConcurrency: 1 }).finished()
      await crawl()
      failures.set('/a', [...answers])
      if (hasChanged) pages.set('/a', { links: [], text: 'Not what it was before, by no means.' })
      const { warning = '', data } = await crawl()
      expect(failures.get('/a')).toEqual([])
      expect(data).toHaveLength(5)
      await on.close()
      return warning
    }
    expect(await warn(false)).toBe('')
    expect(await warn(true)).toContain('do not show which pages have changed')
  })

  it('follows the links of pages that were not fetched', async () => {
    const { engine, pages, start } = await openChangingSite(on, { '/': ['/list'], '/list': ['/1', '/2'] })
    await engine.crawl({ url: start, since: 'last' }).finished()
    pages.set('/2', { links: ['/3'], text: 'Now with a sequel.' })
    pages.set('/3', { links: [] })
    const { data } = await engine.crawl({ url: start, since: 'last' }).finished()
    expect(statuses(data)).toEqual({ '/': 'same', '/list': 'same', '/1': 'same', '/2': '-', '/3': '-' })
  })

  it('uses the record of another process in a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-since-'))
    try {
      const { start } = await openChangingSite(on, { '/': ['/a'] }, {}, { snapshots: folder })
      const first = on.engine.crawl({ url: start })
      await first.finished()
      await using other = createEngine({ allowPrivateNetworks: true, threads: 0, snapshots: folder })
      const { data } = await other.crawl({ url: start, since: first.id }).finished()
      expect(statuses(data)).toEqual({ '/': 'same', '/a': 'same' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('says that the record of the previous crawl is damaged', async () => {
    const entries = new Map<string, StoredEntry>()
    const snapshots: Store = {
      get: async (key) => entries.get(key),
      set: async (key, entry) => void entries.set(key, entry),
      delete: async (key) => void entries.delete(key),
      close: async () => undefined,
    }
    const { engine, start } = await openChangingSite(on, { '/': ['/a'] }, {}, { snapshots })
    const first = engine.crawl({ url: start })
    await first.finished()
    const crawl = (since: string) => engine.crawl({ url: start, since }).finished()
    const written = new Map(entries)
    const lose = (part: string): void => {
      entries.clear()
      for (const [key, entry] of written) if (!key.includes(part)) entries.set(key, entry)
    }
    lose(partKey(first.id, 0))
    expect((await crawl('last')).warning).toContain('is damaged: 1 of its 1 parts cannot be read')
    lose(headKey(first.id))
    expect((await crawl('last')).warning).toContain('are damaged or were deleted, so that every page is new')
    entries.clear()
    const { warning = '' } = await crawl('last')
    expect(warning).toContain('no earlier crawl')
    expect(warning).not.toContain('in memory')
    entries.clear()
    expect((await crawl(first.id)).error).toContain('it left none, it is damaged, or newer records')
  })

  it('with a job that left no record is refused as early as possible', async () => {
    const { engine, start } = await openChangingSite(on, { '/': [] })
    const crawl = (since: string, request: Partial<CrawlRequest> = {}) =>
      engine.crawl({ url: start, since, ...request })
    const untracked = engine.crawl({ url: start })
    expect(() => crawl(untracked.id)).toThrow(/since: job .* still runs/)
    await untracked.finished()
    expect(() => crawl(untracked.id)).toThrow(/since: job .* left no record/)
    const batch = engine.batchScrape({ urls: [start] })
    await batch.finished()
    expect(() => crawl(batch.id)).toThrow(/since: job .* is a batch/)
    const unknown = '019b1e5f-0000-7000-8000-000000000000'
    expect(() => crawl(unknown)).toThrow(/since: this engine knows no job 019b/)
    expect(() => crawl('yesterday')).toThrow('since: "yesterday" is not \'last\' or the id of a job')
    expect(() => crawl('last', { scrapeOptions: { lockdown: true } })).toThrow(/scrapeOptions.lockdown: asks the cache/)
    const { warning = '' } = await crawl('last').finished()
    expect(warning).toContain('no earlier crawl')
    expect(warning).toContain("in memory and end with the engine: `createEngine({ snapshots: './snapshots' })` keeps")
    await using other = createEngine({ allowPrivateNetworks: true, threads: 0, snapshots: memoryStore() })
    const failed = await other.crawl({ url: start, since: unknown }).finished()
    expect(failed).toMatchObject({ status: 'failed', success: false, completed: 0 })
    expect(failed.error).toContain(`no record of job ${unknown}`)
  })
})
