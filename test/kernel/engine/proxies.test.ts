import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { useEngineSite } from '../../site/engine-site.js'
import type { Exchange } from '../../site/exchange.js'
import { htmlPage, sendPage } from '../../site/exchange.js'
import { type ProxyServer, startProxy } from '../../site/proxy-server.js'

const prose = '<p>The words that a reader came for, which no other page of the site has in this order.</p>'
const page = htmlPage('Page', prose)
const challenge =
  '<title>Just a moment...</title><p>Enable JavaScript and cookies to continue</p><script>window._cf_chl_opt={}</script>'

const on = useEngineSite()
const open: AsyncDisposable[] = []

async function proxy(options: Parameters<typeof startProxy>[0] = {}): Promise<ProxyServer> {
  const server = await startProxy(options)
  open.push(server)
  return server
}

afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

/** What no patience helps against. */
const refusal = '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>'

/** Lets nobody in whose user agent has a program's name. */
const forBrowsers = (exchange: Exchange): void => {
  const isProgram = exchange.request.headers['user-agent']?.includes('trawl') ?? true
  sendPage(exchange, isProgram ? refusal : page, isProgram ? 403 : 200)
}

describe('pages through proxies', () => {
  it('take turns among the basic ones, with their robots.txt and sitemaps', async () => {
    const [a, b] = [await proxy(), await proxy({ protocol: 'socks5', credentials: { username: 'u', password: 'p' } })]
    const links = [1, 2, 3, 4].map((n) => `<a href="/${n}">${n}</a>`).join(' ')
    await on.open(
      {
        '/': htmlPage('Home', prose + links),
        ...Object.fromEntries([1, 2, 3, 4].map((n) => [`/${n}`, htmlPage(`${n}`, prose)])),
      },
      { proxies: { basic: [a.url, b.url] } },
    )
    const status = await on.engine.crawl({ url: on.site.url('/'), deduplicateSimilarURLs: false }).finished()
    expect(status).toMatchObject({ completed: 5, creditsUsed: 5 })
    expect(on.site.requests.map(({ path }) => path)).toContain('/robots.txt')
    expect(Math.min(a.tunnels.length, b.tunnels.length)).toBeGreaterThan(0)
    expect(on.site.connections.accepted).toBe(a.tunnels.length + b.tunnels.length)
  })

  it('come through another proxy if one fails, which is then not used for a while', async () => {
    const [bad, good] = [await proxy({ fault: 503 }), await proxy()]
    await on.open({ '/a': page, '/b': page }, { proxies: { basic: [bad.url, good.url] } })
    for (const path of ['/a', '/b']) {
      expect(await on.engine.scrape(on.site.url(path))).toMatchObject({
        metadata: { statusCode: 200, proxyUsed: 'basic' },
      })
    }
    expect(bad.accepted).toBe(1)
  })

  it('fail with SCRAPE_PROXY_ERROR if no proxy works, and the message has no password', async () => {
    await on.open({ '/a': page }, { proxies: { basic: ['http://sesame:open@127.0.0.1:1'] }, retry: { maxRetries: 0 } })
    const error: unknown = await on.engine.scrape(on.site.url('/a')).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'SCRAPE_PROXY_ERROR' })
    expect(inspect(error, { depth: 9 })).not.toContain('sesame')
  })

  it('come through the proxies of their country, or else through those for all countries with a warning', async () => {
    const [anywhere, german] = [await proxy(), await proxy()]
    const proxies = { basic: [anywhere.url], byCountry: { de: [german.url] } }
    await on.open({ '/a': page, '/b': page, '/c': page }, { proxies })
    expect(await on.engine.scrape(on.site.url('/a'), { location: { country: 'DE' } })).not.toHaveProperty('warning')
    expect([anywhere.accepted, german.accepted]).toEqual([0, 1])
    const french = await on.engine.scrape(on.site.url('/b'), { location: { country: 'FR' } })
    expect(french.warning).toBe(
      'No proxy is assigned to FR: the page was fetched through one that may be in another country.',
    )
    expect(await on.engine.scrape(on.site.url('/c'))).not.toHaveProperty('warning')
    expect([anywhere.accepted, german.accepted]).toEqual([1, 1])
  })

  it('are not fetched if there is no proxy for their country or for all countries', async () => {
    await on.open({ '/a': page }, { proxies: { byCountry: { DE: { basic: ['http://127.0.0.1:1'] } } } })
    await expect(on.engine.scrape(on.site.url('/a'), { location: { country: 'FR' } })).rejects.toMatchObject({
      code: 'SCRAPE_PROXY_SELECTION_ERROR',
      message: expect.stringContaining('`proxies.byCountry`'),
    })
  })
})

describe('a wrong list of proxies', () => {
  it('is refused by createEngine(), without quoting it', () => {
    const proxies = { basic: ['http://ok:1', 'sesame.test:8080:user:pass'], byCountry: { XQ: ['http://ok:1'] } }
    expect(() => createEngine({ proxies })).toThrow(/proxies\.basic\[1\]: not the URL of a proxy/)
    expect(() => createEngine({ proxies })).toThrow(/proxies\.byCountry\.XQ: not a country/)
    expect(() => createEngine({ proxies })).not.toThrow(/sesame/)
  })
})

describe('a page behind an anti-bot system', () => {
  const fetcher = 'http'

  it('is fetched again through the enhanced proxies, costs five credits, and reports what blocked it', async () => {
    const [basic, enhanced] = [await proxy(), await proxy()]
    const guarded = (exchange: Exchange): void => {
      const isFirst = exchange.visits === 1
      sendPage(exchange, isFirst ? challenge : page, isFirst ? 403 : 200)
    }
    await on.open({ '/a': guarded }, { fetcher, proxies: { basic: [basic.url], enhanced: [enhanced.url] } })
    const job = on.engine.batchScrape({ urls: [on.site.url('/a')], maxAge: 0 })
    const status = await job.finished()
    expect(status).toMatchObject({ completed: 1, creditsUsed: 5 })
    expect(status.data[0]).toMatchObject({
      markdown: expect.stringContaining('The words'),
      metadata: { statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 },
    })
    expect([basic.tunnels.length, enhanced.tunnels.length]).toEqual([1, 1])
    expect(await job.explain(on.site.url('/a'))).toMatchObject({
      attempts: [
        { proxyUsed: 'stealth', blocks: [{ vendor: 'Cloudflare', evidence: expect.stringContaining('it contains') }] },
      ],
    })
  })

  it('costs what `enhancedCredits` says, also against the limit', async () => {
    const enhanced = await proxy()
    const config = { fetcher, proxies: { enhanced: [enhanced.url] }, enhancedCredits: 0, creditLimit: 1 } as const
    await on.open({ '/a': page }, config)
    const { metadata } = await on.engine.scrape(on.site.url('/a'), { proxy: 'enhanced' })
    expect([metadata.proxyUsed, metadata.creditsUsed, on.engine.credits().left]).toEqual(['stealth', 1, 0])
  })

  it('fails with the sign of the challenge if no proxy gets through', async () => {
    const enhanced = await proxy()
    await on.open({ '/a': challenge, '/b': page }, { fetcher, proxies: { enhanced: [enhanced.url] } })
    const job = on.engine.batchScrape({ urls: [on.site.url('/a'), on.site.url('/b')] })
    const status = await job.finished()
    expect(status).toMatchObject({ completed: 1, failed: 1, creditsUsed: 1 })
    expect((await job.errors()).errors).toEqual([
      expect.objectContaining({
        code: 'SCRAPE_BLOCKED',
        error: expect.stringMatching(
          /^The site answered with a challenge or a refusal of Cloudflare \(it contains `.*`\), 2 times$/,
        ),
      }),
    ])
    expect(await job.explain(on.site.url('/a'))).toMatchObject({ attempts: [{ code: 'SCRAPE_BLOCKED' }] })
  })

  it('is requested through another proxy of the same kind', async () => {
    const [a, b] = [await proxy(), await proxy()]
    const onlyLater = (exchange: Exchange): void => sendPage(exchange, exchange.visits === 1 ? challenge : page)
    await on.open({ '/a': onlyLater }, { fetcher, proxies: { enhanced: [a.url, b.url] } })
    const document = await on.engine.scrape(on.site.url('/a'), { proxy: 'enhanced' })
    expect(document.metadata).toMatchObject({ proxyUsed: 'stealth', creditsUsed: 5 })
    expect([a.tunnels.length, b.tunnels.length]).toEqual([1, 1])
  })

  it('is not requested again with `proxy: basic`', async () => {
    const enhanced = await proxy()
    await on.open({ '/a': challenge }, { fetcher, proxies: { enhanced: [enhanced.url] } })
    await expect(on.engine.scrape(on.site.url('/a'), { proxy: 'basic' })).rejects.toMatchObject({
      code: 'SCRAPE_BLOCKED',
    })
    expect(enhanced.accepted).toBe(0)
    expect(on.site.requests).toHaveLength(1)
  })

  it('makes the job start with the enhanced proxies after two such pages', async () => {
    const [basic, enhanced] = [await proxy(), await proxy()]
    const guarded = (exchange: Exchange): void => sendPage(exchange, exchange.visits === 1 ? challenge : page)
    const paths = ['/1', '/2', '/3', '/4']
    await on.open(
      { '/1': guarded, '/2': guarded, '/3': page, '/4': page },
      { fetcher, maxConcurrency: 1, proxies: { basic: [basic.url], enhanced: [enhanced.url] } },
    )
    await on.engine.batchScrape({ urls: paths.map((path) => on.site.url(path)) }).finished()
    expect(on.site.requests.map(({ path }) => path)).toEqual(['/1', '/1', '/2', '/2', '/3', '/4'])
  })

  it.each([401, 403, 429])(
    'with a bare status %s is tried through other proxies, and otherwise is a document with a warning',
    async (code) => {
      const enhanced = await proxy()
      const refused = (exchange: Exchange): void => sendPage(exchange, htmlPage('No', '<p>Not for you.</p>'), code)
      const retry = { maxRetries: 0 }
      await on.open({ '/a': refused }, { fetcher, retry, proxies: { enhanced: [enhanced.url] } })
      const document = await on.engine.scrape(on.site.url('/a'))
      expect(document).toMatchObject({
        warning: `The site may block automated clients (the status ${code}).`,
        metadata: { statusCode: code },
      })
      expect(enhanced.tunnels.length).toBe(1)
      await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher, retry })
      const before = on.site.requests.length
      expect((await engine.scrape(on.site.url('/a'))).metadata).toMatchObject({
        statusCode: code,
        proxyUsed: 'basic',
        creditsUsed: 1,
      })
      expect(on.site.requests.length - before).toBe(1)
    },
  )
})

describe('by HTTP with the fingerprint of a browser', () => {
  it('a page that admits only browsers is fetched without one', async () => {
    await on.open({ '/a': forBrowsers }, { browser: { executablePath: '/no/such/browser' } })
    const job = on.engine.batchScrape({ urls: [on.site.url('/a')] })
    const { data } = await job.finished()
    expect(data[0]).toMatchObject({ metadata: { statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 } })
    expect(await job.explain(on.site.url('/a'))).toMatchObject({ attempts: [{ fetcher: 'enhanced-http' }] })
  })

  it('is followed by a browser where that is blocked too', async () => {
    const third = (exchange: Exchange): void => {
      const isLet = exchange.visits > 2
      sendPage(exchange, isLet ? page : challenge, isLet ? 200 : 403)
    }
    await on.open({ '/a': third })
    const job = on.engine.batchScrape({ urls: [on.site.url('/a')] })
    expect(await job.finished()).toMatchObject({ completed: 1 })
    expect(await job.explain(on.site.url('/a'))).toMatchObject({
      attempts: [{ fetcher: 'browser', fetcherReason: expect.stringContaining('proxy'), blocks: [{}, {}] }],
    })
  })
})

describe('in a browser', () => {
  it('a page that admits only browsers is fetched with `auto`, and with `enhanced` at once', async () => {
    const enhanced = await proxy({ protocol: 'socks5', credentials: { username: 'u', password: 'p' } })
    await on.open(
      { '/a': forBrowsers, '/b': forBrowsers },
      { fetcher: 'browser', proxies: { enhanced: [enhanced.url] } },
    )
    const document = await on.engine.scrape(on.site.url('/a'))
    expect(document).toMatchObject({
      markdown: expect.stringContaining('The words'),
      metadata: { statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 },
    })
    expect(enhanced.tunnels.length).toBeGreaterThan(0)
    const before = on.site.requests.length
    expect((await on.engine.scrape(on.site.url('/b'), { proxy: 'stealth' })).metadata.proxyUsed).toBe('stealth')
    const agents = on.site.requests.slice(before).map(({ headers }) => headers['user-agent'])
    for (const agent of agents) expect(agent).not.toMatch(/trawl|Headless/)
  })

  it('a page is fetched without proxies too, and the browser does not identify itself as automated', async () => {
    const probe = `<p id="out"></p><script>out.textContent = 'WEBDRIVER ' + navigator.webdriver + ' ' + navigator.userAgent</script>`
    const guarded = (exchange: Exchange): void =>
      sendPage(
        exchange,
        exchange.visits === 1 ? refusal : htmlPage('Page', prose + probe),
        exchange.visits === 1 ? 403 : 200,
      )
    await on.open({ '/a': guarded, '/b': htmlPage('Page', prose + probe) }, { fetcher: 'browser' })
    const { markdown, metadata } = await on.engine.scrape(on.site.url('/a'))
    expect(metadata.proxyUsed).toBe('stealth')
    expect((await on.engine.scrape(on.site.url('/b'))).markdown).toMatch(/WEBDRIVER true Mozilla.* trawl\//)
    expect(markdown).toMatch(/WEBDRIVER false Mozilla\/5\.0 .*Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/m)
  })

  it('a challenge that passes by itself is waited for', async () => {
    const looksFirst = (exchange: Exchange): void => {
      if (exchange.request.headers.cookie?.includes('passed=1')) return sendPage(exchange, page)
      const script = `setTimeout(() => { document.cookie = 'passed=1'; location.reload() }, 1500)`
      sendPage(exchange, `${challenge}<script>${script}</script>`, 503)
    }
    await on.open({ '/a': looksFirst }, { fetcher: 'browser' })
    const document = await on.engine.scrape(on.site.url('/a'), { proxy: 'basic' })
    expect(document).toMatchObject({ markdown: expect.stringContaining('The words'), metadata: { statusCode: 200 } })
  })

  it('a page is fetched by plain HTTP through the enhanced proxies, with a warning, if the machine has no browser', async () => {
    const enhanced = await proxy()
    const browser = { executablePath: '/no/such/browser' }
    await on.open({ '/a': page }, { browser, proxies: { enhanced: [enhanced.url] } })
    // A telephone is nothing that HTTP alone can look like.
    const document = await on.engine.scrape(on.site.url('/a'), { proxy: 'enhanced', mobile: true })
    expect(document.warning).toMatch(
      /^A browser is preferred because `proxy` is enhanced, but the page was fetched without one/,
    )
    expect(enhanced.tunnels.length).toBe(1)
  })
})

describe('a page whose basic proxies fail, with `proxy: auto`', () => {
  const settings = { fetcher: 'http', retry: { maxRetries: 0 }, maxConcurrency: 1 } as const

  it.each([
    ['refuse connections', 'none'],
    ['answer 403', 403],
    ['answer 407', 407],
    ['answer 500', 500],
    ['answer 502', 502],
    ['close the connection', 'close'],
    ['speak another protocol', 'garbage'],
    ['give no answer', 'hang'],
  ] as const)('comes through the enhanced ones where they %s', async (_what, fault) => {
    const enhanced = await proxy()
    const basic = fault === 'none' ? 'http://127.0.0.1:1' : (await proxy({ fault })).url
    await on.open({ '/a': page }, { ...settings, proxies: { basic: [basic], enhanced: [enhanced.url] } })
    const document = await on.engine.scrape(on.site.url('/a'), { timeout: 6_000 })
    expect(document).toMatchObject({
      markdown: expect.stringContaining('The words'),
      metadata: { statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 },
    })
    await expect(on.engine.scrape(on.site.url('/a'), { proxy: 'basic', timeout: 3_000, maxAge: 0 })).rejects.toThrow()
  })

  it.each([407, 500, 502, 503, 504])(
    'comes through the enhanced ones where the basic ones give status %i',
    async (status) => {
      const enhanced = await proxy()
      const failing = (exchange: Exchange): void =>
        sendPage(exchange, page, exchange.visits === 1 || exchange.url.search !== '' ? status : 200)
      await on.open({ '/a': failing, '/b?always': failing }, { ...settings, proxies: { enhanced: [enhanced.url] } })
      const { metadata } = await on.engine.scrape(on.site.url('/a'))
      expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 })
      // What the enhanced tier does not do better is not charged as enhanced.
      const still = await on.engine.scrape(on.site.url('/b?always'))
      expect(still.metadata).toMatchObject({ statusCode: status, proxyUsed: 'basic', creditsUsed: 1 })
      expect(enhanced.tunnels).toHaveLength(2)
    },
  )

  it('fails with what each kind of proxy did, if none works', async () => {
    const proxies = { basic: ['http://127.0.0.1:1'], enhanced: [(await proxy({ fault: 403 })).url] }
    await on.open({ '/a': page }, { ...settings, proxies })
    await expect(on.engine.scrape(on.site.url('/a'))).rejects.toMatchObject({
      code: 'SCRAPE_PROXY_ERROR',
      message: expect.stringMatching(/cannot be reached \(ECONNREFUSED\); with `enhanced`: .* answered 403/),
    })
  })

  it('does not ask them again while they rest', async () => {
    const [basic, enhanced] = [await proxy({ fault: 'hang' }), await proxy()]
    const paths = ['/1', '/2', '/3', '/4']
    await on.open(Object.fromEntries(paths.map((path) => [path, page])), {
      ...settings,
      proxies: { basic: [basic.url], enhanced: [enhanced.url] },
    })
    const urls = paths.map((path) => on.site.url(path))
    const { data } = await on.engine.batchScrape({ urls, timeout: 4_000 }).finished()
    expect(data.map(({ metadata }) => metadata.proxyUsed)).toEqual(paths.map(() => 'stealth'))
    expect(basic.accepted).toBe(1)
  })
})

it('one hanging proxy of several leaves time for the others', async () => {
  const [hanging, good] = [await proxy({ fault: 'hang' }), await proxy()]
  const proxies = { basic: [hanging.url, good.url] }
  await on.open({ '/a': page, '/b': page }, { fetcher: 'http', retry: { maxRetries: 0 }, proxies })
  for (const path of ['/a', '/b']) {
    const { metadata } = await on.engine.scrape(on.site.url(path), { timeout: 6_000 })
    expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'basic' })
  }
  expect(hanging.accepted).toBe(1)
})

it('a slow page is not taken for a hanging proxy once it has begun to come', async () => {
  const [a, b] = [await proxy(), await proxy()]
  const slow = ({ response }: Exchange): void => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write(page.slice(0, 20))
    setTimeout(() => response.end(page.slice(20)), 4_000)
  }
  const proxies = { basic: [a.url], enhanced: [b.url] }
  await on.open({ '/a': slow }, { fetcher: 'http', retry: { maxRetries: 0 }, proxies })
  const { metadata } = await on.engine.scrape(on.site.url('/a'), { timeout: 7_000 })
  expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'basic' })
  expect(on.site.requests.filter(({ path }) => path === '/a')).toHaveLength(1)
})
