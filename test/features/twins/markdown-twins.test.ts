import { describe, expect, it } from 'vitest'
import { memoryCache } from '../../../src/index.js'
import { findTwinLink } from '../../../src/features/twins/find-twin-link.js'
import { useEngineSite } from '../../site/engine-site.js'
import type { Exchange, Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { readTwinFacts } from './twin-facts.js'
import { createTwinSite, type TwinSite } from './twin-sites.js'

const on = useEngineSite()

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const PAGE = 'https://docs.example/guide'

const kinds: readonly (readonly [TwinSite['kind'], TwinSite['way']])[] = [
  ['good', 'link'],
  ['good', 'accept'],
  ['good', 'beside'],
  ['good', 'llms.txt'],
  ['stale', 'link'],
  ['stale', 'accept'],
  ['stale', 'beside'],
  ['marketing', 'link'],
  ['marketing', 'beside'],
  ['marketing', 'llms.txt'],
]

describe('with `markdownTwins`, ten sites of documentation', () => {
  it.each(kinds.map(([kind, way], number) => ({ kind, way, number })))(
    'have no page that is worse than converted: $number, $kind twins by $way',
    async ({ kind, way, number }) => {
      const docs = createTwinSite(number, kind, way)
      await on.open(docs.pages)
      const urls = docs.paths.map((path) => on.site.url(path))
      const plain = await on.engine.batchScrape({ urls }).finished()
      const converted = new Map(plain.data.map(({ metadata, markdown }) => [metadata.url, markdown]))
      const { data } = await on.engine.batchScrape({ urls, markdownTwins: true, maxConcurrency: 3 }).finished()
      expect(data).toHaveLength(docs.paths.length)
      for (const { metadata, markdown = '' } of data) {
        const path = new URL(metadata.url).pathname
        const facts = readTwinFacts(markdown, metadata.url)
        expect(facts.code.map(({ text }) => text)).toEqual(docs.codeOf(path))
        expect(metadata.markdownSource).toBe(kind === 'good' ? way : 'page')
        expect(metadata.creditsUsed).toBe(1)
        if (kind === 'good') expect(metadata.markdownUrl).toContain(on.site.url('/'))
        else expect(markdown).toBe(converted.get(metadata.url))
        expect(facts).toEqual(readTwinFacts(converted.get(metadata.url) ?? '', metadata.url))
      }
    },
  )
})

describe('`markdownTwins`', () => {
  it('asks in all ways on the first pages of a site, and later once', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    await on.open(docs.pages)
    const requested: number[] = []
    for (const path of docs.paths) {
      const before = on.site.requests.length
      await on.engine.scrape(on.site.url(path), { markdownTwins: true })
      requested.push(on.site.requests.length - before)
    }
    expect(requested).toEqual([3, 2, 2, 2, 2, 2])
  })

  it('asks no more where the first three pages have no twin', async () => {
    const docs = createTwinSite(0, 'stale', 'accept')
    await on.open(docs.pages)
    const requested: number[] = []
    for (const path of docs.paths) {
      const before = on.site.requests.length
      await on.engine.scrape(on.site.url(path), { markdownTwins: true })
      requested.push(on.site.requests.length - before)
    }
    expect(requested.slice(3)).toEqual([1, 1, 1])
  })

  it('obeys robots.txt', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    const rules = 'User-agent: *\nDisallow: /*.md\n'
    await on.open({ ...docs.pages, '/robots.txt': rules })
    const { data } = await on.engine
      .crawl({ url: on.site.url(path), limit: 1, scrapeOptions: { markdownTwins: true } })
      .finished()
    expect(data[0]?.metadata.markdownSource).toBe('page')
    expect(on.site.requests.map((request) => request.path)).not.toContain(`${path}.md`)
  })

  it('is an option of the pages of a crawl', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages)
    const [path = ''] = docs.paths
    const { data } = await on.engine
      .crawl({ url: on.site.url(path), crawlEntireDomain: true, scrapeOptions: { markdownTwins: true } })
      .finished()
    expect(data).toHaveLength(docs.paths.length)
    for (const { metadata, markdown = '' } of data) {
      expect(metadata.markdownSource).toBe('link')
      const { code } = readTwinFacts(markdown, metadata.url)
      expect(code.map(({ text }) => text)).toEqual(docs.codeOf(new URL(metadata.url).pathname))
    }
  })

  it('takes no twin whose headers deny the use', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    const pages = {
      ...docs.pages,
      [`${path}.md`]: (exchange: Parameters<NonNullable<(typeof docs.pages)[string]>>[0]) => {
        exchange.response.setHeader('x-robots-tag', 'noai')
        docs.pages[`${path}.md`]?.(exchange)
      },
    }
    await on.open(pages)
    const options = { markdownTwins: true, use: ['ai-train'] } as const
    expect((await on.engine.scrape(on.site.url(path), options)).metadata.markdownSource).toBe('page')
    const asked = { markdownTwins: true, use: ['search'] } as const
    expect((await on.engine.scrape(on.site.url(path), asked)).metadata.markdownSource).toBe('beside')
  })

  it('keeps the twin and the page apart in the cache', async () => {
    const docs = createTwinSite(0, 'good', 'accept')
    await on.open(docs.pages, { cache: memoryCache() })
    const [path = ''] = docs.paths
    const url = on.site.url(path)
    const first = await on.engine.scrape(url, { markdownTwins: true })
    expect(on.site.requests).toHaveLength(2)
    const again = await on.engine.scrape(url, { markdownTwins: true, formats: ['markdown', 'rawHtml'] })
    expect(on.site.requests).toHaveLength(2)
    expect(again.markdown).toBe(first.markdown)
    expect(again.rawHtml).toContain('<!doctype html>')
  })

  it('gives the page as converted when the twin takes too long', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    await on.open({ ...docs.pages, [`${path}.md`]: () => undefined })
    const { metadata, markdown } = await on.engine.scrape(on.site.url(path), { markdownTwins: true, timeout: 3000 })
    expect(metadata.markdownSource).toBe('page')
    expect(markdown).toContain('tar')
  })

  it('counts its requests in the budget of a job', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages)
    const urls = docs.paths.map((path) => on.site.url(path))
    const job = on.engine.batchScrape({ urls, markdownTwins: true, maxConcurrency: 1, budget: { requests: 6 } })
    const { data } = await job.finished()
    expect(data.length).toBeLessThan(6)
    expect(on.site.requests.length).toBeLessThanOrEqual(7)
  })

  it.each([
    ['of another origin', (path: string) => `http://127.0.0.2${path}.md`],
    ['that are HTML', undefined],
  ] as const)('takes no answers %s', async (_, target) => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    await on.open({
      ...docs.pages,
      [`${path}.md`]: ({ response }) =>
        target
          ? response.writeHead(302, { location: target(path) }).end()
          : response.writeHead(200, { 'content-type': 'text/html' }).end('<p>a</p>'),
    })
    const { metadata } = await on.engine.scrape(on.site.url(path), { markdownTwins: true })
    expect(metadata.markdownSource).toBe('page')
  })

  it('takes the text of its own origin alone, though it agrees', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    const redirect = (target: string) => ({
      ...docs.pages,
      '/raw.md': docs.pages[`${path}.md`] ?? '',
      [`${path}.md`]: ({ response }: Exchange) => response.writeHead(302, { location: target }).end(),
    })
    await on.open(redirect('/raw.md'))
    const own = await on.engine.scrape(on.site.url(path), { markdownTwins: true })
    expect(own.metadata.markdownSource).toBe('beside')
    await using other = await startSite({ pages: { '/raw.md': docs.pages[`${path}.md`] ?? '' } })
    await on.open(redirect(other.url('/raw.md')))
    const moved = await on.engine.scrape(on.site.url(path), { markdownTwins: true })
    expect(moved.metadata.markdownSource).toBe('page')
  })

  it('reads no llms.txt of another origin, and asks none after a redirect to one', async () => {
    const docs = createTwinSite(0, 'good', 'llms.txt')
    const [path = ''] = docs.paths
    await using other = await startSite({ pages: docs.pages })
    await on.open({
      ...docs.pages,
      '/llms.txt': ({ response }: Exchange) => response.writeHead(302, { location: other.url('/llms.txt') }).end(),
      '/moved': ({ response }: Exchange) => response.writeHead(302, { location: other.url(path) }).end(),
    })
    const { metadata } = await on.engine.scrape(on.site.url(path), { markdownTwins: true })
    expect(metadata.markdownSource).toBe('page')
    const before = other.requests.length
    const moved = await on.engine.scrape(on.site.url('/moved'), { markdownTwins: true })
    expect(moved.metadata.markdownSource).toBe('page')
    expect(other.requests.length - before).toBe(1)
  })

  it('takes no text that is too large', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    const large: Handler = ({ response }) =>
      response.writeHead(200, { 'content-type': 'text/markdown' }).end('a'.repeat(2_100_000))
    await on.open({ ...docs.pages, [`${path}.md`]: large })
    const { metadata } = await on.engine.scrape(on.site.url(path), { markdownTwins: true })
    expect(metadata.markdownSource).toBe('page')
  })

  it('learns nothing from pages whose time was up', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    let isSlow = true
    const pages = Object.fromEntries(
      Object.entries(docs.pages).map(([path, handler]): [string, Handler] => [
        path,
        (exchange) => (isSlow && path.endsWith('.md') ? undefined : handler(exchange)),
      ]),
    )
    await on.open(pages)
    const options = { markdownTwins: true, timeout: 1500 }
    const sources = await Promise.all(
      docs.paths.slice(0, 4).map(async (path) => (await on.engine.scrape(on.site.url(path), options)).metadata),
    )
    expect(sources.map(({ markdownSource }) => markdownSource)).toEqual(['page', 'page', 'page', 'page'])
    isSlow = false
    const { metadata } = await on.engine.scrape(on.site.url(docs.paths[4] ?? ''), { markdownTwins: true })
    expect(metadata.markdownSource).toBe('beside')
  })

  it('learns nothing where the site does not answer', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const urls = docs.paths
    let isDown = true
    const pages = Object.fromEntries(
      Object.entries(docs.pages).map(([path, handler]): [string, Handler] => [
        path,
        (exchange) => (isDown && path.endsWith('.md') ? exchange.response.writeHead(503).end() : handler(exchange)),
      ]),
    )
    await on.open(pages)
    for (const path of urls.slice(0, 5)) {
      const { metadata } = await on.engine.scrape(on.site.url(path), { markdownTwins: true })
      expect(metadata.markdownSource).toBe('page')
    }
    // No request is sent again.
    expect(on.site.requests.filter(({ path }) => path === `${urls[0]}.md`)).toHaveLength(1)
    isDown = false
    const { metadata } = await on.engine.scrape(on.site.url(urls[5] ?? ''), { markdownTwins: true })
    expect(metadata.markdownSource).toBe('beside')
  })

  it('asks with options of `markdown` that change nothing, and not with others', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages)
    const [path = ''] = docs.paths
    const sourceWith = async (links: 'inline' | 'reference') => {
      const formats = [{ type: 'markdown' as const, links }]
      return (await on.engine.scrape(on.site.url(path), { formats, markdownTwins: true })).metadata.markdownSource
    }
    expect([await sourceWith('inline'), await sourceWith('reference')]).toEqual(['link', 'page'])
  })

  it('compares in a worker thread', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages, { threads: 1 })
    const [path = ''] = docs.paths
    expect((await on.engine.scrape(on.site.url(path), { markdownTwins: true })).metadata.markdownSource).toBe('link')
  })

  it('sends nothing more without it, or where no Markdown is wanted', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages)
    const [path = ''] = docs.paths
    expect((await on.engine.scrape(on.site.url(path))).metadata).not.toHaveProperty('markdownSource')
    await on.engine.scrape(on.site.url(path), { formats: ['links'], markdownTwins: true })
    expect(on.site.requests.map((request) => request.path)).toEqual([path])
  })
})

it('the link to a twin is read from its tag', () => {
  const link = (tag: string) =>
    findTwinLink({ url: PAGE, body: bytes(`<head><title>text/markdown</title>${tag}</head>`) })
  expect(link('<link href="a.md?b&amp;c" type="text/markdown" rel="alternate nofollow">')).toBe(
    'https://docs.example/a.md?b&c',
  )
  expect(link('<LINK rel=alternate type=text/markdown href=/a.md>')).toBe('https://docs.example/a.md')
  expect(link('<link rel="stylesheet" type="text/markdown" href="/a.md">')).toBeUndefined()
  expect(link('<link rel="alternate" type="text/markdown" href="javascript:a">')).toBeUndefined()
})
