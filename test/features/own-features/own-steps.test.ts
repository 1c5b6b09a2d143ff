import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { defineFeature, memoryCache, type PageView, TrawlError } from '../../../src/index.js'
import { fakeSite, hang, openWith, readAll, revoked } from './fake-site.js'

declare module '../../../src/index.js' {
  interface DocumentFrame {
    /** Number of words, of a test. */
    wordCount?: number
    /** Answer to a further request, of a test. */
    stock?: string
  }
}

const pages = {
  '/': '<title>Shop</title><h1>Three words here</h1><a href="/lamp">Lamp</a>',
  '/lamp': '<h1>Lamp</h1><p>Two of it.</p>',
  '/stock': { headers: { 'content-type': 'text/plain' }, body: '12 lamps' },
}

const counting = defineFeature({
  name: 'counting',
  afterDigest: ({ markdown = '' }) => ({ found: markdown.split(/\s+/).length }),
  document: (words) => ({ fields: { wordCount: words } }),
})

describe('a feature with steps on pages', () => {
  it('adds typed fields to documents of scrape, parse and jobs, also of pages from the cache', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, counting], { cache: memoryCache() })
    const words: number | undefined = (await engine.scrape('https://shop.test/', { maxAge: 60_000 })).wordCount
    expect(words).toBe(5)
    const again = await engine.scrape('https://shop.test/', { maxAge: 60_000 })
    expect([again.wordCount, again.metadata.cacheState]).toEqual([5, 'hit'])
    expect((await engine.parse({ url: 'https://shop.test/given', body: '<p>One two' })).wordCount).toBe(2)
    const documents = await readAll(engine.batchScrape({ urls: ['https://shop.test/lamp'] }))
    expect(documents.map(({ wordCount }) => wordCount)).toEqual([5])
  })

  it('sees the page, and asks its site by the rules of the job', async () => {
    const site = fakeSite({
      ...pages,
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret' },
    })
    const seen: object[] = []
    const asking = defineFeature({
      name: 'asking',
      asksSite: true,
      async enrich(page) {
        const { url, finalUrl, statusCode, headers, contentType, markdown, metadata, links, isGiven } = page
        const title = metadata['title']
        seen.push({ url, finalUrl, statusCode, headers, contentType, markdown, title, links, isGiven })
        page.warn('the stock is old.')
        const answer = await page.fetch('https://shop.test/stock')
        const denied = await page.fetch('https://shop.test/secret')
        return { answer: 'file' in answer ? Buffer.from(answer.file.body).toString() : '', denied }
      },
      document: ({ answer, denied }) => ({ fields: { stock: `${answer}, ${Object.keys(denied).join()}` } }),
    })
    await using engine = openWith([site.feature, asking])
    const [document] = await readAll(engine.crawl({ url: 'https://shop.test/', limit: 1, sitemap: 'skip' }))
    expect(document).toMatchObject({ stock: '12 lamps, refused', warning: 'The stock is old.' })
    expect(seen).toMatchObject([
      {
        url: 'https://shop.test/',
        finalUrl: 'https://shop.test/',
        statusCode: 200,
        headers: { 'content-type': 'text/html' },
        contentType: 'text/html',
        markdown: '# Three words here\n\n[Lamp](https://shop.test/lamp)',
        title: 'Shop',
        links: [{ url: 'https://shop.test/lamp', text: 'Lamp' }],
        isGiven: false,
      },
    ])
    expect(site.paths()).not.toContain('/secret')
  })

  it('adds in both steps, and replaces what formats have made', async () => {
    const site = fakeSite(pages)
    const shouting = defineFeature({
      name: 'shouting',
      afterDigest: ({ markdown = '' }) => ({ found: { markdown: markdown.toUpperCase(), wordCount: 1 } }),
      enrich: async () => ({ stock: 'none', wordCount: 2 }),
      document: (found: object) => ({ fields: found }),
    })
    await using engine = openWith([site.feature, shouting])
    expect(await engine.scrape('https://shop.test/lamp')).toMatchObject({
      markdown: '# LAMP\n\nTWO OF IT.',
      stock: 'none',
      wordCount: 2,
    })
  })

  it('adds nothing of an earlier attempt at the page', async () => {
    const failed = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Busy</h1>' }
    const answers: (string | object)[] = [failed, '<h1>Lamp</h1>']
    const site = fakeSite({
      get '/lamp'() {
        return answers.shift() ?? failed
      },
    })
    const telling = {
      name: 'telling',
      enrich: ({ statusCode }: PageView) => (statusCode === 503 ? { stock: 'unknown' } : undefined),
      document: (fields: object) => ({ fields }),
    }
    await using engine = openWith([site.feature, telling], { retry: { maxRetries: 1, backoffMs: 0 } })
    const document = await engine.scrape('https://shop.test/lamp')
    expect(document.markdown).toBe('# Lamp')
    expect(document).not.toHaveProperty('stock')
  })

  it('refuses a page by what it says', async () => {
    const site = fakeSite(pages)
    const strict = defineFeature({
      name: 'strict',
      afterDigest: ({ markdown = '' }) =>
        markdown.includes('Lamp') ? { refused: 'lamps are not wanted.' } : undefined,
    })
    await using engine = openWith([site.feature, strict])
    const job = engine.batchScrape({ urls: ['https://shop.test/lamp', 'https://shop.test/stock'] })
    expect(await readAll(job)).toHaveLength(1)
    expect(await job.explain('https://shop.test/lamp')).toMatchObject({
      outcome: 'skipped',
      refusal: { reason: 'FEATURE_REFUSED', message: 'feature `strict`: lamps are not wanted' },
    })
    await expect(engine.parse({ url: 'https://shop.test/given', body: '<p>Lamp' })).rejects.toMatchObject({
      code: 'FEATURE_REFUSED',
    })
  })
})

const unreadable = Object.defineProperty(new Error('no'), 'message', {
  get: () => {
    throw new Error('not to be read')
  },
})
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic
const faults: readonly (readonly [string, object, string])[] = [
  ['throws in `afterDigest`', { afterDigest: () => Promise.reject(new Error('no')) }, 'no'],
  [
    'throws in `enrich`',
    {
      enrich: () => {
        throw new Error('no')
      },
    },
    'no',
  ],
  [
    'throws a proxy that was revoked',
    { afterDigest: () => Promise.reject(revoked) },
    'an object was thrown, and no error',
  ],
  ['throws what cannot be read', { enrich: () => Promise.reject(unreadable) }, 'an object was thrown, and no error'],
  [
    'throws an error of trawl',
    { enrich: () => Promise.reject(new TrawlError('BAD_REQUEST', 'the archive is closed')) },
    'the archive is closed',
  ],
  [
    'returns a value that is no result',
    { afterDigest: () => 5 },
    'its `afterDigest` returned 5: an object with `found`',
  ],
  ['returns an unknown member', { afterDigest: () => ({ fund: 1 }) }, 'its `afterDigest` returned an object'],
  ['refuses without words', { afterDigest: () => ({ refused: true }) }, 'its `afterDigest` refused a page with true'],
  [
    'returns no addition',
    { enrich: () => 1, document: () => 'x' },
    'its `document` returned "x": an object with `fields`',
  ],
  ['returns a list of fields', { enrich: () => 1, document: () => ({ fields: [1] }) }, 'the `fields` a list of 1'],
  ['returns the metadata', { enrich: () => 1, document: () => ({ fields: { metadata: {} } }) }, 'the field `metadata`'],
  [
    'returns Markdown that is none',
    { enrich: () => 1, document: () => ({ fields: { markdown: 5 } }) },
    '`markdown` as 5',
  ],
  ['returns what is no JSON', { enrich: () => 1, document: () => ({ fields: { a: 1n } }) }, 'BigInt'],
  ['returns a circle', { enrich: () => 1, document: () => ({ fields: cyclic }) }, 'circular'],
  [
    'returns fields without end',
    { enrich: () => 1, document: () => ({ fields: { a: 'b'.repeat(2e7) } }) },
    'returned fields of 20000008 characters as JSON: at most 10000000',
  ],
  ['warns without words', { enrich: (page: PageView) => page.warn(5 as never) }, 'its `warn` was given 5'],
  ['fetches without leave', { enrich: (page: PageView) => page.fetch(page.url) }, '`asksSite` is not set'],
  [
    'fetches what is no URL',
    { asksSite: true, enrich: (page: PageView) => page.fetch('file:///etc/hosts') },
    'it wants to fetch "file:///etc/hosts": an http or https URL',
  ],
  [
    'fetches any number of bytes',
    { asksSite: true, enrich: (page: PageView) => page.fetch(page.url, { maxBytes: NaN }) },
    'its `fetch` was given the `maxBytes` NaN: a whole number from 1',
  ],
  [
    'fetches with a signal that is none',
    { asksSite: true, enrich: (page: PageView) => page.fetch(page.url, { signal: {} as AbortSignal }) },
    'its `fetch` was given the `signal` an object: an `AbortSignal`',
  ],
  [
    'fetches too early',
    { asksSite: true, afterDigest: (page: PageView) => page.fetch(page.url) },
    '`fetch` is for `enrich`',
  ],
]

describe('a step that fails', () => {
  it.each(faults)('as it %s ends its page, by its name, and not the job', async (_, steps, message) => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, { name: 'broken', ...steps }])
    await expect(engine.scrape('https://shop.test/')).rejects.toMatchObject({
      code: 'FEATURE_FAILED',
      message: expect.stringMatching(/^feature `broken` failed: /) as string,
    })
    await expect(engine.scrape('https://shop.test/')).rejects.toThrow(message)
    const job = engine.batchScrape({ urls: ['https://shop.test/'] })
    await readAll(job)
    expect(await job.status()).toMatchObject({ status: 'completed', completed: 0, failed: 1 })
  })

  it.each(faults)('as it %s is a warning if the page can do without it', async (_, steps, message) => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, { name: 'broken', optional: true, ...steps }, counting])
    const { warning, wordCount } = await engine.scrape('https://shop.test/')
    expect(warning).toContain('Feature `broken` failed: ')
    expect(warning).toContain(message)
    expect(wordCount).toBe(5)
  })

  it.each(['afterDigest', 'enrich', 'document'])('as it hangs in `%s` ends its page at its time', async (step) => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, { name: 'stuck', enrich: () => 1, [step]: hang }])
    await expect(engine.scrape('https://shop.test/', { timeout: 1000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      message: expect.stringContaining('feature `stuck` had not ended') as string,
    })
  })

  it('as it changes what it is given changes nothing for others, and not in the cache', async () => {
    const site = fakeSite(pages)
    const cache = memoryCache()
    const vandal = {
      name: 'vandal',
      afterDigest(page: PageView) {
        page.body.fill(0)
        Object.assign(page.metadata, { title: 'Mine' })
        Object.assign(page.headers, { 'content-type': 'text/mine' })
        Object.assign(page.links[0] ?? {}, { url: 'https://other.test/' })
        ;(page.links as unknown[]).length = 0
      },
    }
    await using engine = openWith([site.feature, vandal, counting], { cache })
    await using without = openWith([site.feature], { cache })
    const options = { maxAge: 60_000, formats: ['markdown', 'links'] } as const
    const [first, second] = [
      await engine.scrape('https://shop.test/', options),
      await without.scrape('https://shop.test/', options),
    ]
    expect(first).toMatchObject({ wordCount: 5, links: ['https://shop.test/lamp'] })
    expect(first.metadata).toMatchObject({ title: 'Shop', contentType: 'text/html' })
    expect(second).toMatchObject({ markdown: first.markdown, links: first.links })
    expect(second.metadata.cacheState).toBe('hit')
    expect(second).not.toHaveProperty('wordCount')
  })

  it('as it keeps a page for later gets nothing of it', async () => {
    const site = fakeSite(pages)
    let kept: PageView | undefined
    const greedy = { name: 'greedy', asksSite: true, enrich: (page: PageView) => void (kept = page) }
    await using engine = openWith([site.feature, greedy])
    await engine.scrape('https://shop.test/')
    await expect(kept?.fetch('https://shop.test/stock')).rejects.toThrow('has ended')
    expect(() => kept?.warn('late')).toThrow('has ended')
    expect(site.paths()).toEqual(['/'])
  })

  it('as it throws a text without end has a message that ends', async () => {
    const site = fakeSite(pages)
    const long = { name: 'long', enrich: () => Promise.reject(new Error('a'.repeat(1e6))) }
    await using engine = openWith([site.feature, long])
    const error = await engine.scrape('https://shop.test/').catch((thrown: unknown) => thrown)
    expect((error as Error).message).toMatch(/^feature `long` failed: a{999}…$/)
  })

  it('as it throws an error that may pass is tried again, and is named', async () => {
    const site = fakeSite(pages)
    let failures = 1
    const busy = {
      name: 'busy',
      enrich: () => {
        if (failures-- > 0) throw new TrawlError('SCRAPE_SITE_ERROR', 'the archive is busy')
      },
    }
    await using engine = openWith([site.feature, busy], { retry: { maxRetries: 1, backoffMs: 1 } })
    expect((await engine.scrape('https://shop.test/')).markdown).toContain('Three words')
    failures = 2
    await expect(engine.scrape('https://shop.test/')).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      message: 'feature `busy` failed: the archive is busy',
    })
  })

  it('as it does not wait for what it fetches ends that, and not the process', async () => {
    const asked = new EventEmitter()
    const site = fakeSite({
      ...pages,
      get '/stock'() {
        asked.emit('now')
        return hang()
      },
    })
    const hasty = {
      name: 'hasty',
      asksSite: true,
      async enrich(page: PageView) {
        const pending = once(asked, 'now')
        void page.fetch('https://shop.test/stock')
        void page.fetch('no URL')
        await pending
      },
    }
    await using engine = openWith([site.feature, hasty])
    expect((await engine.scrape('https://shop.test/')).warning).toBeUndefined()
    expect(site.requests.map(({ signal }) => signal.aborted)).toEqual([false, true])
  })

  it('is called as it was when the engine was made', async () => {
    const site = fakeSite(pages)
    const format = { type: 'mine', produce: () => ({ mine: 1 }) }
    const fickle = {
      name: 'fickle',
      enrich: () => 1,
      document: () => ({ fields: { stock: 'old' } }),
      formats: [format],
    }
    await using engine = openWith([site.feature, fickle])
    fickle.document = () => ({ fields: { stock: 'new' } })
    format.produce = () => ({ mine: 2 })
    fickle.formats.length = 0
    const formats = ['mine' as 'markdown']
    expect(await engine.scrape('https://shop.test/', { formats })).toMatchObject({ stock: 'old', mine: 1 })
  })
})
