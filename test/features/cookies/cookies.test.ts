import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CookieJar } from '../../../src/base/http/cookies.js'
import { createEngine, type CrawlRequest, type EngineConfig, sqlite } from '../../../src/index.js'
import { type Exchange, htmlPage, sendPage } from '../../site/exchange.js'
import { type Pages, useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()
const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, fetcher: 'http' }

const link = (...paths: string[]): string => paths.map((path) => `<a href="${path}">${path} of the site</a>`).join(' ')

/** A page that sets cookies, and says which ones it got. */
const page =
  (title: string, set: string | string[] = [], links = '') =>
  (exchange: Exchange): void => {
    exchange.response.setHeader('set-cookie', set)
    sendPage(exchange, htmlPage(title, `<p>${title} has a text of its own.</p>${links}`))
  }

const pages: Pages = {
  '/': page(
    'Home',
    ['visit=1; Path=/', 'shop=2; Path=/shop', 'gone=3; Max-Age=0', 'safe=4; Secure'],
    link('/a', '/shop/b'),
  ),
  '/a': page('A', 'visit=5; Path=/; HttpOnly', link('/c')),
  '/shop/b': page('B'),
  '/c': page('C'),
}

const asked = (path: string): (string | undefined)[] =>
  on.site.requests.filter((one) => one.path === path).map(({ headers }) => headers.cookie)

const request = (more: Partial<CrawlRequest> = {}): CrawlRequest => ({
  url: on.site.url('/'),
  sitemap: 'skip',
  crawlEntireDomain: true,
  ...more,
})

describe('a crawl with `cookies`', () => {
  it('sends what pages have set with those after them, by host, path and age', async () => {
    await on.open(pages, config)
    const { completed } = await on.engine.crawl(request({ cookies: true, maxConcurrency: 1 })).finished()
    expect(completed).toBe(4)
    expect(asked('/')).toEqual([undefined])
    expect(asked('/a')).toEqual(['visit=1'])
    expect(asked('/shop/b')[0]).toMatch(/^shop=2; visit=[15]$/)
    expect(asked('/c')).toEqual(['visit=5'])
    expect(asked('/robots.txt')).toEqual([undefined])
  })

  it('has cookies of its own, and begins without them when it is run again', async () => {
    await on.open(pages, { ...config, cookies: true })
    await Promise.all([1, 2].map(() => on.engine.crawl(request()).finished()))
    await on.engine.crawl(request()).finished()
    expect(asked('/')).toEqual([undefined, undefined, undefined])
  })

  it('is the way without the option: no cookie is sent', async () => {
    await on.open(pages, config)
    await on.engine.crawl(request()).finished()
    for (const path of ['/', '/a', '/shop/b', '/c']) expect(asked(path)).toEqual([undefined])
  })

  it('sends no cookie to another host', async () => {
    await on.open({ ...pages, '/elsewhere': page('Other') }, config)
    const elsewhere = on.site.url('/elsewhere').replace('127.0.0.1', 'localhost')
    const urls = [on.site.url('/'), elsewhere, on.site.url('/a')]
    await on.engine.batchScrape({ urls, cookies: true, maxConcurrency: 1 }).finished()
    expect([asked('/elsewhere'), asked('/a')]).toEqual([[undefined], ['visit=1']])
  })

  it('neither reads the cache nor writes to it', async () => {
    await on.open(pages, config)
    await on.engine.crawl(request()).finished()
    await on.engine.crawl(request({ cookies: true })).finished()
    expect(asked('/a')).toHaveLength(2)
    await on.engine.crawl(request()).finished()
    expect(asked('/a')).toHaveLength(2)
  })

  it('follows no link that signs out', async () => {
    await on.open({ ...pages, '/': page('Home', 'visit=1', link('/a', '/logout')) }, config)
    const { skippedByReason } = await on.engine.crawl(request({ cookies: true })).finished()
    expect(skippedByReason).toEqual({ UNSAFE_LINK: 1 })
  })

  it('leaves no cookie in its ledger and its cache', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    await on.open({ ...pages, '/': page('Home', 'visit=do-not-store-me; Path=/', link('/a')) }, config)
    {
      await using engine = createEngine({
        ...config,
        ledger: sqlite(join(folder, 'ledger.db')),
        cache: join(folder, 'cache'),
      })
      await engine.crawl(request({ cookies: true })).finished()
    }
    expect(asked('/a')).toEqual(['visit=do-not-store-me'])
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((one) => one.isFile()))
      expect((await readFile(join(file.parentPath, file.name))).includes('do-not-store-me')).toBe(false)
    await rm(folder, { recursive: true })
  })

  it('shares them between HTTP and the browser', async () => {
    const script =
      '<script>document.cookie = "made=" + (document.cookie.includes("visit=1") ? "with" : "without")</script>'
    await on.open(
      {
        ...pages,
        '/': page('Home', 'visit=1; Path=/', `${link('/a')}${script}`),
        '/a': page('A', [], `${link('/c')}${script}`),
      },
      { ...config, fetcher: 'browser' },
    )
    await on.engine.crawl(request({ cookies: true, maxConcurrency: 1, limit: 3 })).finished()
    expect(asked('/c').at(-1)?.split('; ').toSorted()).toEqual(['made=with', 'visit=1'])
  })
})

it('a page of plain http neither sets a cookie for https, nor takes the place of one', async () => {
  const jar = new CookieJar()
  const now = Date.now()
  const store = (url: string, ...lines: string[]) => jar.store(new URL(url), lines, now)
  const header = (url: string) => jar.header(new URL(url), now)
  await store('https://a.test/', 'sid=1; Secure; Path=/', 'open=2; Path=/')
  await store('http://a.test/x/', 'sid=evil; Path=/', 'sid=evil; Path=/login', 'sid=evil', 'open=3; Path=/')
  await store('http://www.a.test/', 'sid=own', 'new=4; Secure')
  expect([await header('https://a.test/login/x'), await header('http://a.test/')]).toEqual(['sid=1; open=3', 'open=3'])
  expect(await header('https://www.a.test/')).toBe('sid=own')
})

it.each([
  ['https://a.test/', 'https://evil-a.test/'],
  ['https://a.test/', 'https://a.test.evil.test/'],
  ['https://a.co.uk/', 'https://b.co.uk/'],
  ['https://a.github.io/', 'https://b.github.io/'],
  ['http://127.0.0.1/', 'http://127.0.0.2/'],
])('a cookie of %s with the domain of its parent, or its own, is not sent to %s', async (from, to) => {
  const jar = new CookieJar()
  const { hostname } = new URL(from)
  const domains = [hostname, hostname.slice(hostname.indexOf('.') + 1), `.${hostname}`]
  await jar.store(
    new URL(from),
    domains.map((domain, at) => `n${at}=1; Path=/; Domain=${domain}`),
    Date.now(),
  )
  expect(await jar.header(new URL(from), Date.now())).toContain('n0=1')
  expect(await jar.header(new URL(to), Date.now())).toBe('')
})
