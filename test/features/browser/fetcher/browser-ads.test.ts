import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { BrowserPlan } from '../../../../src/kernel/fetch/browser-plan.js'
import { type AdFilterSource, createAdFilter } from '../../../../src/features/browser/ad-block/ad-filter.js'
import { adHosts } from '../../../../src/features/browser/ad-block/ad-hosts.js'
import { adRequests } from '../../../site/ad-requests.js'
import type { Handler } from '../../../site/exchange.js'
import { type Site, startSite } from '../../../site/site.js'
import { openBrowser, type OpenBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

function makeFilter(
  adLists: readonly string[] = [],
  lists: Record<string, string> = {},
  now: () => number = Date.now,
): AdFilterSource {
  const getList = async (url: string): Promise<string> => {
    const text = lists[url]
    if (text === undefined) throw new Error('it answered 404')
    return text
  }
  return createAdFilter({ adLists, getList, now })
}

/** Every name leads to this machine, where the whole web is one site. */
const open = (filter: AdFilterSource): OpenBrowser => openBrowser({ lookup: async () => ['127.0.0.1'], filter })
const browser = open(makeFilter())
afterAll(() => browser.close())

/** Pictures are waited for only where somebody looks at the page. */
const looking = { actions: [{ type: 'scrape' as const }] }

/** A site at `news.example`; `PORT` in its page is its port. */
async function startNews(html: string): Promise<Site> {
  const page: Handler = ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Page</title>${html.replaceAll('PORT', `${site.port}`)}`)
  const site: Site = await startSite({ pages: { '/page': page } })
  return site
}

async function render(
  html: string,
  blockAds = true,
  by: OpenBrowser = browser,
  more: Partial<BrowserPlan> = {},
): Promise<{ text: string; asked: string[] }> {
  await using site = await startNews(html)
  const page = await by.render(site.url('/page', 'news.example'), { blockAds, ...more })
  const asked = site.requests.map(({ headers, path }) => `${headers.host?.split(':')[0]}${path}`)
  return { text: textOf(page), asked }
}

/** What the browser calls a request. */
const typeOf = { script: 'script', image: 'image', frame: 'document', fetch: 'fetch', beacon: 'ping' } as const

const places = adHosts.filter((place) => !place.includes('/'))

describe('requests', () => {
  it('to advertisers and trackers are blocked, and none to the site itself, whatever their names', async () => {
    const own = ['/ads/banner.js', '/adserver/track.gif', '/google-analytics.js', '/pagead/show_ads.js', '/advert.png']
    const html = [
      ...places.slice(0, 100).map((host) => `<img src="http://sub.${host}:PORT/px">`),
      ...own.map((path) => `<img src="${path}"><img src="http://static.news.example:PORT${path}">`),
      '<img src="http://cdn.example.net:PORT/px"><iframe src="http://ad.doubleclick.net:PORT/frame"></iframe>',
      `<script>fetch('http://www.google-analytics.com:PORT/collect').catch(() => (document.title = 'STOPPED'))</script>`,
    ]
    const { text, asked } = await render(html.join(''), true, browser, looking)
    expect(text).toContain('<title>STOPPED</title>')
    const wanted = own.flatMap((path) => [`news.example${path}`, `static.news.example${path}`])
    const others = asked.filter((one) => one !== 'news.example/page' && one !== 'news.example/favicon.ico')
    expect(others.toSorted()).toEqual([...wanted, 'cdn.example.net/px'].toSorted())
  })

  it('are blocked one by one if a host serves other content as well, and after redirects', async () => {
    const wanted = ['cdn.example.net/app.js', 'stats.example.net/stats.js']
    // A whole browser knows it as a site of https alone, and asks nothing of this one.
    const ofHttps = 'connect.facebook.net/en_US/sdk.js'
    const stopped = [
      'connect.facebook.net/en_US/fbevents.js',
      'cdn.example.net/Matomo.js',
      'cdn.example.net/userSync',
      'stats.example.net/px',
      'cdn.example.net/redirect-to?url=http://ad.doubleclick.net:PORT/px',
    ]
    const load = (of: readonly string[], as: string): string =>
      of.map((url) => `<${as} src="http://${url.replace('/', ':PORT/')}"></${as}>`).join('')
    const { asked } = await render(load([...wanted, ofHttps], 'script') + load(stopped, 'img'), true, browser, looking)
    const others = new Set(
      asked.filter((one) => !one.startsWith('news.example/')).map((one) => one.replace(/\?.*/, '')),
    )
    others.delete(ofHttps)
    expect([...others].toSorted()).toEqual([...wanted, 'cdn.example.net/redirect-to'].toSorted())
  })

  it('open no connection, whatever way the page uses', async () => {
    const looked = new Set<string>()
    const lookup = async (host: string): Promise<string[]> => {
      looked.add(host)
      return ['127.0.0.1']
    }
    await using own = openBrowser({ lookup, filter: makeFilter() })
    const worker = `fetch('http://stats.g.doubleclick.net:PORT/').catch(() => 0).then(() => fetch('http://worker.example:PORT/')).catch(() => 0).then(() => postMessage(0))`
    const html = `<iframe src="http://other.example:PORT/page?frame"></iframe>
      <script>
        const open = (host) => new Promise((done) => { const one = new WebSocket('ws://' + host + ':PORT/'); one.onerror = one.onclose = done })
        const work = new Promise((done) => { new Worker(URL.createObjectURL(new Blob([\`${worker}\`]))).onmessage = done })
        if (top === self) Promise.all([open('ws.hotjar.com'), open('live.example'), work]).then(() => fetch('/end')).then(() => document.title = 'END')
        else new Image().src = 'http://px.ads.linkedin.com:PORT/collect'
      </script>`
    const { text } = await render(html, true, own)
    expect(text).toContain('<title>END</title>')
    expect([...looked].toSorted()).toEqual(['live.example', 'news.example', 'other.example', 'worker.example'])
  })

  it('are blocked on the page of an advertiser that redirects, too', async () => {
    const pages: Record<string, string | Handler> = {
      '/page': ({ response }) => void response.writeHead(302, { location: at('ad.doubleclick.net', '/click') }).end(),
      '/click': ({ response }) => void response.writeHead(302, { location: at('shop.example', '/shop') }).end(),
      '/shop': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>SHOP</title><img src="${at('ad.doubleclick.net', '/px')}"><img src="/own">`),
    }
    await using site = await startSite({ pages })
    const at = (host: string, path: string): string => site.url(path, host)
    const page = await browser.render(at('news.example', '/page'), { blockAds: true, ...looking })
    expect(textOf(page)).toContain('SHOP')
    expect(site.requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/click', '/own']))
    expect(site.requests.map(({ path }) => path)).not.toContain('/px')
  })

  it('are matched by the start of long URLs only', async () => {
    const filter = await makeFilter().load(AbortSignal.timeout(20_000))
    // With the square of its length this one would take minutes.
    const url = `https://x.example${'/collect?v=1&'.repeat(100_000)}`
    expect(filter.blocks({ url, pageUrl: 'https://news.example/', resourceType: 'image' })).toBe(false)
  })

  it('are blocked by their host, or by the URLs that the filter lists', async () => {
    const filter = await makeFilter().load(AbortSignal.timeout(20_000))
    const asked = filter.patterns.map(
      (one) =>
        new RegExp(
          `^${one
            .replace(/[.+^${}()|[\]\\]/g, '\\$&')
            .replaceAll('*', '.*')
            .replaceAll('?', '.')}$`,
        ),
    )
    const blocks = (url: string, resourceType: string): boolean =>
      filter.blocks({ url, pageUrl: 'https://news.example/', resourceType })
    const unseen = adRequests
      .filter(({ url, as }) => blocks(url, typeOf[as]) && !blocks(`https://${new URL(url).hostname}/`, 'other'))
      .filter(({ url }) => !asked.some((pattern) => pattern.test(url)))
    expect(unseen).toEqual([])
  })

  it('are all sent without blockAds', async () => {
    const { asked } = await render('<img src="http://ad.doubleclick.net:PORT/px">', false, browser, looking)
    expect(asked).toContain('ad.doubleclick.net/px')
  })

  it('are blocked by lists of `adLists`, files and URLs, with their exceptions', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    try {
      const file = join(folder, 'list.txt')
      await writeFile(file, '[Adblock Plus 2.0]\n! Title: Own\n||spy.example^\n@@||spy.example^*/needed$image\n')
      await using own = open(
        makeFilter([file, 'http://lists.test/a.txt'], { 'http://lists.test/a.txt': '/beacon?$third-party' }),
      )
      const urls = ['spy.example:PORT/px', 'spy.example:PORT/needed', 'x.example:PORT/beacon?1', 'x.example:PORT/px']
      const { asked } = await render(urls.map((url) => `<img src="http://${url}">`).join(''), true, own, looking)
      expect(asked.filter((one) => !one.startsWith('news')).sort()).toEqual(['spy.example/needed', 'x.example/px'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('lists', () => {
  // A signal for each call: one for all would time out while the pages before are tested on a busy machine.
  const blocks = async (filter: AdFilterSource, url: string): Promise<boolean> =>
    (await filter.load(AbortSignal.timeout(20_000))).blocks({
      url,
      pageUrl: 'https://news.example/',
      resourceType: 'script',
    })

  it('that cannot be read give a warning, and the built-in list is used', async () => {
    await using own = open(makeFilter(['/no/such/list.txt', 'http://lists.test/b.txt']))
    await using site = await startNews('<img src="http://ad.doubleclick.net:PORT/px">')
    const page = await own.render(site.url('/page', 'news.example'), { blockAds: true, ...looking })
    expect(page.warnings).toEqual([
      expect.stringMatching(/^The list `\/no\/such\/list\.txt` of `adLists` could not be read: ENOENT/),
      'The list `http://lists.test/b.txt` of `adLists` could not be read: it answered 404.',
    ])
    expect(site.requests.map(({ path }) => path)).not.toContain('/px')
  })

  it('are loaded again after a day, while the old ones are used', async () => {
    let nowMs = 0
    const lists: Record<string, string> = { 'http://lists.test/': '||old.example^' }
    const filter = makeFilter(['http://lists.test/'], lists, () => nowMs)
    expect(await blocks(filter, 'https://old.example/')).toBe(true)
    lists['http://lists.test/'] = '||new.example^'
    expect(await blocks(filter, 'https://new.example/')).toBe(false)
    nowMs += 25 * 60 * 60 * 1000
    await expect.poll(() => blocks(filter, 'https://new.example/'), { timeout: 15_000 }).toBe(true)
    expect(await blocks(filter, 'https://old.example/')).toBe(false)
  })

  it('that are built in match hosts and their subdomains only', async () => {
    const filter = makeFilter()
    for (const place of places) expect(await blocks(filter, `https://a.${place}/x.js`), place).toBe(true)
    for (const place of places) expect(await blocks(filter, `https://not-${place}/x.js`), place).toBe(false)
    expect(await blocks(filter, 'https://connect.facebook.net/en_US/fbevents.js')).toBe(true)
    expect(await blocks(filter, 'https://connect.facebook.net/en_US/sdk.js')).toBe(false)
  })
})
