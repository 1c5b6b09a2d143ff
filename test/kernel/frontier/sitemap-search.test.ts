import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import type { GetSiteFile } from '../../../src/base/http/site-file.js'
import { getSiteFile } from './get-site-file.js'
import { discoverSitemaps } from '../../../src/kernel/frontier/sitemap/sitemap.js'
import { collect, file, index, run, search, urlset, useSitemapSites } from './use-sitemap-sites.js'

const openSite = useSitemapSites()

describe('a fault of a sitemap', () => {
  it('is reported, and affects no other sitemap', async () => {
    const site = await openSite({
      '/sitemap.xml': index('/gone.xml', '/down.xml', '/reset', '/page.html', '/cut.xml', '/redirect-loop', '/one.xml'),
      '/down.xml': ({ response }) => void response.writeHead(503).end(),
      '/page.html': '<h1>Not found</h1>',
      '/cut.xml': file('<urlset><url><loc>/2</loc></url><url><loc>/3'),
      '/one.xml': urlset('/1', 'ftp://example.com/'),
    })
    expect(await run(site)).toEqual([
      '/gone.xml: answered 404 Not Found',
      '/down.xml: answered 503 Service Unavailable',
      expect.stringMatching(/^\/reset: could not be fetched: .*(ECONNRESET|other side closed)/),
      '/page.html: is no sitemap: its root element is <h1>',
      '/2 < /cut.xml',
      '/cut.xml: is broken XML: <loc> is not closed',
      expect.stringMatching(/^\/redirect-loop: could not be fetched: .*redirect/),
      '/1 < /one.xml',
      '/one.xml: has 1 entry that names no http or https URL, the first: "ftp://example.com/"',
    ])
  })

  it('is the time of the file, which is not the `timeout` of the page', async () => {
    const site = await openSite({ '/sitemap.xml': urlset('/1') })
    const get: GetSiteFile = async (url, signal) => {
      if (url.endsWith('/slow.xml')) throw new TrawlError('SCRAPE_TIMEOUT', 'longer than its `timeout` of 20000 ms')
      return getSiteFile(url, signal)
    }
    expect(await run(site, { get, robotsSitemaps: ['/slow.xml'] })).toEqual([
      '/slow.xml: could not be fetched: it took too long',
      '/1 < /sitemap.xml',
    ])
  })

  it('is marked when the sitemap’s URL was guessed', async () => {
    const site = await openSite({
      '/sitemap.xml': '<h1>Welcome</h1>',
      '/sitemap_index.xml': ({ response }) => void response.writeHead(403).end(),
      '/wp-sitemap.xml': urlset('/a'),
    })
    expect(await run(site, { robotsSitemaps: ['/gone.xml'] })).toEqual([
      '/gone.xml: answered 404 Not Found',
      '/sitemap.xml? is no sitemap: its root element is <h1>',
      '/sitemap_index.xml? answered 403 Forbidden',
      '/a < /wp-sitemap.xml',
    ])
  })

  it('is not reported for a file that is gzipped twice', async () => {
    const zipped = gzipSync('<urlset><url><loc>/a</loc></url></urlset>')
    const site = await openSite({
      '/once.xml.gz': file(zipped, { 'content-type': 'application/x-gzip' }),
      '/undone.xml.gz': file(zipped, { 'content-encoding': 'gzip' }),
      '/twice.xml.gz': file(gzipSync(zipped), { 'content-encoding': 'gzip' }),
    })
    expect(await run(site, { robotsSitemaps: ['/once.xml.gz', '/undone.xml.gz', '/twice.xml.gz'] })).toEqual([
      '/a < /once.xml.gz',
      '/a < /undone.xml.gz',
      '/a < /twice.xml.gz',
    ])
  })
})

describe('the search for sitemaps', () => {
  /** A `get` that counts concurrent requests, and responds after varying delays. */
  function watch(delayMs: (n: number) => number) {
    const seen = { asked: 0, underWay: 0, most: 0, aborted: 0 }
    const get: GetSiteFile = async (url, signal) => {
      const n = seen.asked++
      seen.most = Math.max(seen.most, ++seen.underWay)
      try {
        await sleep(delayMs(n), undefined, { signal })
        return await getSiteFile(url, signal)
      } catch (error) {
        if (signal.aborted) seen.aborted++
        throw error
      } finally {
        seen.underWay--
      }
    }
    return { seen, get }
  }
  const files = Array.from({ length: 20 }, (_, n) => `/many/${n}.xml`)
  const openLargeSite = () =>
    openSite({
      '/sitemap.xml': index(...files),
      ...Object.fromEntries(files.map((path) => [path, urlset(`${path}/a`, `${path}/b`)])),
    })

  it('yields the same pages in the same order, whichever file arrives first', async () => {
    const site = await openLargeSite()
    const first = await run(
      site,
      watch(() => 0),
    )
    const second = await run(
      site,
      watch((n) => (n * 7) % 20),
    )
    expect(first).toHaveLength(40)
    expect(second).toEqual(first)
  })

  /** Requests the sitemaps of a host, of which only those with these URLs exist. */
  async function askedFor(start: string, allowSubdomains: boolean, sitemaps: readonly string[]): Promise<string[]> {
    const asked: string[] = []
    const get: GetSiteFile = async (url) => {
      asked.push(url)
      const statusCode = sitemaps.includes(url) ? 200 : 404
      return { url, statusCode, body: Buffer.from('<urlset><url><loc>https://example.com/a</loc></url></urlset>') }
    }
    const { signal } = new AbortController()
    const options = { start: new URL(start), folders: ['/'], robotsSitemaps: [], allowSubdomains, get, signal }
    await collect(discoverSitemaps(options))
    return asked
  }
  const ofDomain = 'https://example.com/sitemap.xml'

  it('reads the sitemap of the domain last, if its pages belong to the crawl', async () => {
    const own = 'https://docs.example.com/wp-sitemap.xml'
    const asked = await askedFor('https://docs.example.com/', true, [own, ofDomain])
    expect(asked.slice(-2)).toEqual([own, ofDomain])
    expect(await askedFor('https://docs.example.com/', false, [])).not.toContain(ofDomain)
  })

  it.each(['https://www.example.com/', 'https://127.0.0.1/', 'http://localhost/', 'https://docs.example.com/a.xml'])(
    'reads no sitemap of a domain beside those of %s',
    async (start) => {
      const hosts = (await askedFor(start, true, [ofDomain])).map((url) => new URL(url).host)
      expect(new Set(hosts)).toEqual(new Set([new URL(start).host]))
    },
  )

  it('fetches at most three files ahead', async () => {
    const { seen, get } = watch(() => 5)
    const site = await openLargeSite()
    await run(site, { get })
    expect(seen).toEqual({ asked: 21, underWay: 0, most: 4, aborted: 0 })
  })

  it('ends when a site answers each request for an index with another, and reports it', async () => {
    const asked: string[] = []
    const get: GetSiteFile = async (url) => {
      asked.push(url)
      const maps = Array.from({ length: 20 }, (_, n) => `<sitemap><loc>${url}${n}.xml</loc></sitemap>`)
      return { url, statusCode: 200, body: Buffer.from(`<sitemapindex>${maps.join('')}</sitemapindex>`) }
    }
    const site = await openLargeSite()
    const found = await run(site, { get })
    expect(asked.length).toBeLessThan(110)
    expect(found.at(-1)).toMatch(/ is the last of 100 in a row that list no page: \d+ more are not read$/)
  })

  it('ends when its consumer stops, and aborts requests in flight', async () => {
    const { seen, get } = watch((n) => (n < 3 ? 0 : 60_000))
    const site = await openLargeSite()
    for await (const finding of search(site, { get })) if (finding.kind === 'page') break
    await expect.poll(() => seen.underWay).toBe(0)
    expect(seen.asked).toBeLessThan(8)
    expect(seen.aborted).toBeGreaterThan(0)
  })

  it.each([
    ['while it waits', 60_000],
    ['while it reads', 0],
  ])('ends with the reason of its signal %s', async (_name, delayMs) => {
    const { seen, get } = watch((n) => (n === 0 ? 0 : delayMs))
    const controller = new AbortController()
    const site = await openLargeSite()
    const findings = search(site, { get, signal: controller.signal })
    const reading = (async () => {
      for await (const _ of findings) controller.abort(new Error('enough'))
    })()
    if (delayMs > 0) setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(reading).rejects.toThrow('enough')
    await expect.poll(() => seen.underWay).toBe(0)
  })

  it('does not start with an aborted signal', async () => {
    const site = await openLargeSite()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(collect(search(site, { signal }))).rejects.toThrow('enough')
    expect(site.requests).toHaveLength(0)
  })

  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => (listeners++, add(...args)),
      removeEventListener: (...args: Parameters<typeof remove>) => (listeners--, remove(...args)),
    })
    const site = await openLargeSite()
    await collect(search(site, { signal }))
    for await (const _ of search(site, { signal })) break
    expect(listeners).toBe(0)
  })

  it('reads a file of 50,000 pages completely', async () => {
    const urls = Array.from({ length: 50_000 }, (_, n) => `https://example.com/some/path/to/a/page/number/${n}`)
    const site = await openSite({ '/sitemap.xml': urlset(...urls) })
    const found = await collect(search(site))
    expect(found.map((finding) => 'url' in finding && finding.url)).toEqual(urls)
  })
})
