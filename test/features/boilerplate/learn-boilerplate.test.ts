import { describe, expect, it } from 'vitest'
import type { CrawlRequest, Document } from '../../../src/index.js'
import { pathOf, useCrawlSite, type Pages } from '../../kernel/job/crawl-site.js'

const on = useCrawlSite()

/** Prose that differs with the seed. */
const prose = (seed: number, words = 60): string =>
  `${Array.from({ length: words }, (_, i) => `w${(seed * 7919 + i * 104_729) % 9973}`).join(' ')}.`

const consent = 'We keep what you read here for as long as the law lets us, and by reading on you agree that we do so.'
const newsletter =
  'Once a week the best of what we wrote comes to your letter box, free of charge, and you can leave at any time.'
const related = [
  'What the others read on this day',
  'How it all began, in ten chapters',
  'The year that nobody saw coming',
]
const imprint =
  'Printed by the friends of good pages, a society under the law of associations, in the town of its members.'

interface Parts {
  readonly seed: number
  /** HTML before and after the prose. */
  readonly before?: string
  readonly after?: string
}

/** A page with its own prose. */
const article = ({ seed, before = '', after = '' }: Parts): string =>
  `<!doctype html><title>Page ${seed}</title><main><h1>Heading ${seed}</h1>${before}<p>${prose(seed)}</p><p>${prose(seed + 500)}</p>${after}</main>`

const chrome: Omit<Parts, 'seed'> = {
  before: `<p class="agree">${consent}</p>`,
  after: `<div class="letters"><h3>Our letters</h3><p>${newsletter}</p></div><div class="more"><ul>${related
    .map((title, i) => `<li><a href="https://elsewhere.test/${i}">${title}</a></li>`)
    .join('')}</ul></div><p>${imprint}</p>`,
}

/** A site of pages of one template, and a start page of another template that links to all of them. */
function makeSite(count: number, make: (seed: number) => string, folder = '/docs'): Pages {
  const paths = Array.from({ length: count }, (_, i) => `${folder}/${'abcdefghijklmnopqrstuvwxyz'[i]}.html`)
  const links = paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join('')
  return {
    '/': `<title>Start</title><main><h1>Start</h1><p>${prose(999)}</p><ul>${links}</ul></main>`,
    ...Object.fromEntries(paths.map((path, i) => [path, make(i + 1)])),
  }
}

const crawl = async (request: Omit<CrawlRequest, 'url'> = {}): Promise<Document[]> =>
  (await on.crawl({ sitemap: 'skip', learnBoilerplate: true, ...request })).status.data

const below = (folder: string, documents: readonly Document[]): Document[] =>
  documents.filter(({ metadata }) => pathOf(metadata.url).startsWith(folder))

/** Counts the pages that still contain this text. */
const count = (documents: readonly Document[], text: string): number =>
  documents.filter(({ markdown }) => markdown?.includes(text)).length

describe('learning boilerplate', () => {
  it('drops consent texts, letter boxes, related links and footers from every page, the first ones included', async () => {
    await on.open(makeSite(12, (seed) => article({ seed, ...chrome })))
    const documents = await crawl()
    const pages = below('/docs/', documents)
    expect(pages).toHaveLength(12)
    for (const text of [consent, newsletter, imprint, ...related]) expect(count(pages, text), text).toBe(0)
    for (const [index, page] of pages.entries()) expect(page.markdown).toContain(prose(index + 1))
    // A heading is never boilerplate.
    expect(count(pages, '### Our letters')).toBe(12)
    expect(pages[0]?.metadata.learntBoilerplate).toContainEqual(
      expect.stringMatching(
        /^main > p\.agree \(\d+ characters\): repeats on \d+ of \d+ pages of .*\/docs\/\*: “[^”]+”$/,
      ),
    )
  })

  it('changes no page with `learnBoilerplate: false`, with `includeTags`, and with `onlyMainContent: false`', async () => {
    await on.open(makeSite(8, (seed) => article({ seed, ...chrome })))
    const requests: Omit<CrawlRequest, 'url'>[] = [
      { learnBoilerplate: false },
      { scrapeOptions: { onlyMainContent: false } },
      { scrapeOptions: { includeTags: ['main'] } },
    ]
    for (const request of requests) {
      const pages = below('/docs/', await crawl(request))
      expect(count(pages, imprint)).toBe(8)
      expect(pages.some(({ metadata }) => 'learntBoilerplate' in metadata)).toBe(false)
    }
  })

  it.each([
    ['headings', '<h2>What every one of these pages has to tell its readers</h2>', 'What every one of these pages'],
    ['code', `<pre><code>import everything from 'the same place as always'</code></pre>`, 'import everything'],
    [
      'prose with code in it',
      `<p>Every page says that <code>make install</code> has to be run before it is any use.</p>`,
      'make install',
    ],
    [
      'tables',
      '<table><tr><th>Symbol</th><th>Meaning of it</th></tr><tr><td>star</td><td>any number of them</td></tr></table>',
      'any number of them',
    ],
    ['short phrases', '<div class="since">New in version 3.8.</div>', 'New in version 3.8.'],
    [
      'definitions',
      '<dl class="notes"><dt>Returns:</dt><dd>what the caller handed in, for chaining calls to one another</dd></dl><p>%</p>',
      'what the caller handed in',
    ],
    [
      'paragraphs among others',
      '<p>%</p><p>This function may be called from several threads at the same time without any lock.</p><p>%</p>',
      'several threads',
    ],
  ])('keeps %s that repeat', async (_, repeated, text) => {
    let at = 0
    const own = (seed: number): string => repeated.replace(/%/g, () => prose(seed + 100 * (at += 1)))
    await on.open(makeSite(10, (seed) => article({ seed, before: own(seed), after: own(seed) })))
    expect(count(below('/docs/', await crawl()), text)).toBe(10)
  })

  it('learns each folder separately', async () => {
    const first = 'The first folder says this on every one of its pages, and it has been doing so for years.'
    const second = 'The second folder has a text of its own at this place, which is the same on all its pages.'
    const a = makeSite(7, (seed) => article({ seed, after: `<p>${first}</p>` }), '/one')
    const b = makeSite(7, (seed) => article({ seed: seed + 40, after: `<p>${second}</p>` }), '/two')
    // A page of the first folder that quotes the second is no page of the second.
    const guest = article({ seed: 90, after: `<p>${second}</p>` })
    await on.open({
      ...a,
      ...b,
      '/one/guest.html': guest,
      '/': `${a['/'] as string}${b['/'] as string}<a href="/one/guest.html">g</a>`,
    })
    const documents = await crawl()
    expect(documents).toHaveLength(16)
    expect(count(documents, first)).toBe(0)
    expect(
      documents.filter(({ markdown }) => markdown?.includes(second)).map(({ metadata }) => pathOf(metadata.url)),
    ).toEqual(['/one/guest.html'])
  })

  it('learns nothing from three pages', async () => {
    await on.open(makeSite(2, (seed) => article({ seed, ...chrome })))
    expect(count(await crawl(), imprint)).toBe(2)
  })

  it('learns nothing from copies of one page, and keeps their text', async () => {
    await on.open(makeSite(8, () => article({ seed: 1, ...chrome })))
    const pages = below('/docs/', await crawl())
    expect(count(pages, imprint)).toBe(8)
    const stub = (seed: number): string =>
      `<title>${seed}</title><main><h1>Heading ${seed}</h1><p>${imprint}</p></main>`
    await on.engine.close()
    await on.site.close()
    await on.open(makeSite(8, stub))
    expect(count(below('/docs/', await crawl()), imprint)).toBe(8)
  })

  it.each([1, 2, 4, 5, 6, 9])('returns exactly %d documents when that is the limit', async (limit) => {
    await on.open(makeSite(12, (seed) => article({ seed, ...chrome })))
    expect(await crawl({ limit })).toHaveLength(limit)
  })

  it('returns the same documents at any concurrency, in any order of arrival', async () => {
    const late = (seed: number): number => (seed * 37) % 50
    const make = (seed: number): string => article({ seed, ...(seed % 6 === 5 ? {} : chrome) })
    const site = makeSite(20, make)
    const slow: Pages = Object.fromEntries(
      Object.entries(site).map(([path, html], i) => [
        path,
        ({ response }) => void setTimeout(() => response.end(html), late(i)),
      ]),
    )
    const results: unknown[] = []
    for (const [pages, maxConcurrency] of [
      [site, 1],
      [site, 10],
      [slow, 3],
      [slow, 10],
    ] as const) {
      await on.open(pages, { maxConcurrency })
      results.push(
        (await crawl()).map(({ markdown, metadata }) => [
          pathOf(metadata.url),
          markdown?.replaceAll(on.site.url(''), ''),
        ]),
      )
      await on.engine.close()
      await on.site.close()
    }
    await on.open(site)
    expect(results[0]).toHaveLength(21)
    for (const result of results) expect(result).toEqual(results[0])
  })

  it('delivers the deferred documents when the job is cancelled', async () => {
    const site = makeSite(6, (seed) => article({ seed, ...chrome }))
    await on.open({ ...site, '/docs/d.html': ({ response }) => void response.write('<p>') }, { maxConcurrency: 1 })
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', learnBoilerplate: true })
    while (!on.site.requests.some(({ path }) => path === '/docs/d.html'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    const status = await job.cancel()
    expect(status).toMatchObject({ status: 'cancelled', completed: 4, failed: 1 })
    expect(status.data).toHaveLength(4)
  })

  it('does not defer pages for one that hangs', async () => {
    const site = makeSite(8, (seed) => article({ seed, ...chrome }))
    await on.open({ ...site, '/docs/a.html': ({ response }) => void response.write('<p>') })
    const job = on.engine.crawl({
      url: on.site.url('/'),
      sitemap: 'skip',
      learnBoilerplate: true,
      scrapeOptions: { timeout: 300_000 },
    })
    const got: Document[] = []
    for await (const document of job) if (got.push(document) === 8) break
    expect((await job.status()).completed).toBe(8)
    expect(count(got, imprint)).toBe(0)
  })

  it('delivers the deferred pages when the job is paused', async () => {
    await on.open(
      makeSite(20, (seed) => article({ seed, ...chrome })),
      { maxConcurrency: 1 },
    )
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', learnBoilerplate: true })
    while (on.site.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    void job.pause()
    await expect.poll(async () => (await job.status()).completed, { timeout: 20_000 }).toBeGreaterThan(2)
    void job.resume()
    expect((await job.finished()).completed).toBe(21)
  })

  it('delivers each page once to a slow reader, with few documents waiting', async () => {
    await on.open(
      makeSite(12, (seed) => article({ seed, ...chrome })),
      { maxWaitingBytes: 1 },
    )
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', learnBoilerplate: true })
    const urls: string[] = []
    for await (const { metadata } of job) {
      urls.push(metadata.url)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(new Set(urls).size).toBe(13)
    expect(urls).toHaveLength(13)
  })

  it('detects the same duplicates as without it', async () => {
    const site = makeSite(12, (seed) => article({ seed: seed === 12 ? 1 : seed, ...chrome }))
    await on.open(site, { maxConcurrency: 1 })
    const ofLast = (documents: Document[]): unknown => documents.at(-1)?.metadata.duplicateOf
    expect(ofLast(await crawl())).toBe(on.site.url('/docs/a.html'))
    expect(ofLast(await crawl({ learnBoilerplate: false }))).toBe(on.site.url('/docs/a.html'))
  })
})

describe('a batch', () => {
  it('learns from pages of one host, and waits for none of a host with few', async () => {
    const site = makeSite(8, (seed) => article({ seed, ...chrome }))
    await on.open(site, { maxConcurrency: 2 })
    const urls = Object.keys(site).map((path) => on.site.url(path))
    const batch = async (learnBoilerplate: boolean): Promise<Document[]> =>
      (await on.engine.batchScrape({ urls: [...urls, urls[1] ?? ''], learnBoilerplate }).finished()).data
    const learnt = await batch(true)
    expect(learnt.map(({ metadata }) => metadata.sourceURL)).toEqual([...urls, urls[1]])
    expect(count(learnt, imprint)).toBe(0)
    expect(count(await batch(false), imprint)).toBe(9)
  })
})
