import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, InvalidRequestError } from '../../../src/index.js'
import { type Handler, htmlPage } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'

const prose = '<p>The words that a reader came for, which no other page of the site has in this order.</p>'
const headers = { Authorization: 'Bearer secret', Cookie: 'session=secret', 'X-Api-Key': 'secret' }

let home: Site
let away: Site
let engine: Engine

const script =
  (text: string): Handler =>
  ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end(text)

const sitemap = (...urls: string[]): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

beforeEach(async () => {
  const awayPages: Record<string, string | Handler> = { '/a.js': script('/* away */') }
  away = await startSite({ address: '127.0.0.2', pages: awayPages })
  home = await startSite({
    pages: {
      '/': htmlPage('Home', `${prose}<a href="/in">in</a> <a href="${away.url('/there')}">out</a>`),
      '/in': htmlPage('In', `${prose}<script src="/h.js"></script><script src="${away.url('/a.js')}"></script>`),
      '/h.js': script('/* home */'),
      '/leave': ({ response }) => void response.writeHead(302, { location: away.url('/there') }).end(),
      '/robots.txt': ({ response }) => void response.end(`Sitemap: ${away.url('/map.xml')}\n`),
      '/listed': htmlPage('Listed', prose),
    },
  })
  awayPages['/there'] = htmlPage(
    'Away',
    `${prose}<p id="out"></p><iframe src="/frame"></iframe><script>
      const settled = ['${home.url('/api')}', '${home.url('/h.js')}'].map((url) => fetch(url).catch(() => 0))
      Promise.all(settled).then(() => (out.textContent = 'ASKED'))
    </script>`,
  )
  awayPages['/frame'] = `<img src="${home.url('/framed.png')}">`
  awayPages['/map.xml'] = sitemap(home.url('/listed'), away.url('/elsewhere'))
  awayPages['/elsewhere'] = htmlPage('Elsewhere', prose)
  engine = createEngine({ allowPrivateNetworks: true, threads: 0, retry: { maxRetries: 0 } })
})

afterEach(async () => {
  await engine.close()
  await home.close()
  await away.close()
})

/** Paths that a site was asked for, with the names of the secret headers that it was given. */
const told = (site: Site): Record<string, string[]> =>
  Object.fromEntries(
    site.requests.map(({ path, headers: got }) => [
      path,
      ['authorization', 'cookie', 'x-api-key'].filter((name) => got[name]?.includes('secret')),
    ]),
  )
const all = ['authorization', 'cookie', 'x-api-key']

describe('headers of a crawl', () => {
  it.each(['v2', 'v1'] as const)('go to the host of its `url` only, and with no robots.txt (%s)', async (version) => {
    const request = {
      url: home.url('/'),
      allowExternalLinks: true,
      crawlEntireDomain: true,
      scrapeOptions: { headers },
    }
    const job = version === 'v2' ? engine.crawl(request) : engine.v1.crawl(request)
    await job.finished()
    expect(told(home)).toMatchObject({ '/robots.txt': [], '/': all, '/in': all, '/listed': all })
    expect(told(away)).toMatchObject({ '/robots.txt': [], '/map.xml': [], '/there': [] })
    expect(Object.values(told(away)).flat()).toEqual([])
  })

  it('stay with that host when the start page redirects to another one', async () => {
    await engine.crawl({ url: home.url('/leave'), scrapeOptions: { headers } }).finished()
    expect(told(home)['/leave']).toEqual(all)
    expect(Object.keys(told(away))).toContain('/there')
    expect(Object.values(told(away)).flat()).toEqual([])
  })

  it('go to the hosts of `headersFor` as well', async () => {
    const headersFor = [new URL(away.origin).host]
    const options = { url: home.url('/'), allowExternalLinks: true, scrapeOptions: { headers, headersFor } }
    await engine.crawl(options).finished()
    expect(told(away)).toMatchObject({ '/robots.txt': [], '/map.xml': all, '/there': all })
  })
})

describe('headers of a batch and of a single page', () => {
  it('go to the host of each URL of the list, and not to where it redirects', async () => {
    await engine
      .batchScrape({ urls: [home.url('/in'), away.url('/elsewhere'), home.url('/leave')], headers })
      .finished()
    expect(told(home)).toMatchObject({ '/in': all, '/leave': all })
    expect(told(away)).toMatchObject({ '/elsewhere': all, '/there': [] })
  })

  it('go to where a page redirects if `headersFor` names it', async () => {
    await engine.scrape(home.url('/leave'), { headers, headersFor: [new URL(away.origin).host] })
    expect(told(away)['/there']).toEqual(all)
  })

  it.each([
    ['https://example.com', '"https://example.com" is not a host such as'],
    ['example.com/path', 'is not a host such as'],
    ['*.com', 'is not a host such as'],
    ['user@example.com', 'is not a host such as'],
  ])('are refused for `headersFor: %j`', async (host, message) => {
    const scraping = engine.scrape(home.url('/'), { headers, headersFor: [host] })
    await expect(scraping).rejects.toThrow(InvalidRequestError)
    await expect(scraping).rejects.toThrow('headersFor[0]: ')
    await expect(scraping).rejects.toThrow(message)
  })
})

describe('headers in the browser', () => {
  const open = async (): Promise<void> => {
    await engine.close()
    engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'browser', retry: { maxRetries: 0 } })
  }

  it('go to the host of the crawl only, and scripts of another host cannot have them sent there', async () => {
    await open()
    const job = engine.crawl({
      url: home.url('/'),
      sitemap: 'skip',
      allowExternalLinks: true,
      scrapeOptions: { headers, onlyMainContent: false },
    })
    const pages = []
    for await (const page of job) pages.push(page)
    expect(pages.map(({ markdown }) => markdown).join()).toContain('ASKED')
    expect(told(home)).toMatchObject({ '/': all, '/in': all, '/api': [], '/framed.png': [] })
    expect(told(away)).toMatchObject({ '/there': [], '/a.js': [], '/frame': [] })
    expect(Object.values(told(away)).flat()).toEqual([])
    // Once from the own page, with headers, and once from the other one, without.
    const scripts = home.requests.filter(({ path }) => path === '/h.js').map(({ headers: got }) => got['x-api-key'])
    expect(new Set(scripts)).toEqual(new Set(['secret', undefined]))
    expect(scripts).toHaveLength(2)
  })

  it('go to the hosts of `headersFor`, also for what a page loads', async () => {
    await open()
    await engine.scrape(home.url('/in'), { headers, headersFor: [new URL(away.origin).host] })
    expect(told(home)).toMatchObject({ '/in': all, '/h.js': all })
    expect(told(away)['/a.js']).toEqual(expect.arrayContaining(['authorization', 'x-api-key']))
  })

  it('do not follow a page to another host, whose scripts cannot use them', async () => {
    await open()
    const { markdown } = await engine.scrape(home.url('/leave'), { headers, onlyMainContent: false })
    expect(markdown).toContain('ASKED')
    expect(told(home)).toMatchObject({ '/leave': all, '/api': [], '/h.js': [], '/framed.png': [] })
    expect(Object.values(told(away)).flat()).toEqual([])
  })
})
