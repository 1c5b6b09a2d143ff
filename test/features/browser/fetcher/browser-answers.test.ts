import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, memoryCache } from '../../../../src/index.js'
import { createAdFilter } from '../../../../src/features/browser/ad-block/ad-filter.js'
import { type Handler, htmlPage } from '../../../site/exchange.js'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

const browser = openBrowser({
  lookup: async () => ['127.0.0.1'],
  filter: createAdFilter({ adLists: [], getList: async () => '', now: Date.now }),
})
afterAll(() => browser.close())

const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Handler =>
  ({ response }) =>
    void response.writeHead(status, headers).end(body)

const basic = { 'www-authenticate': 'Basic realm="a"' }
const digest = { 'www-authenticate': 'Digest realm="a", nonce="b", qop="auth"' }
const html = { 'content-type': 'text/html' }
const shown = '<p>SHOWN</p>'

const withoutBody = [400, 401, 403, 404, 410, 429, 500, 503].map((status): [string, number, Handler, string] => [
  `${status}`,
  status,
  answer(status),
  '',
])

describe('an answer with an error status', () => {
  it.each<[string, number, Handler, string]>([
    ...withoutBody,
    ['of no length', 404, answer(404, { 'content-length': '0' }), ''],
    ['with Basic', 401, answer(401, basic), ''],
    ['with Basic and a body', 401, answer(401, { ...basic, ...html }, shown), 'SHOWN'],
    ['with Digest and a body', 401, answer(401, { ...digest, ...html }, shown), 'SHOWN'],
  ])('is a page of its status in the browser, from one request: %s', async (_what, status, handler, text) => {
    await using site = await startSite({ pages: { '/a': handler } })
    const page = await browser.render(site.url('/a'), { actions: [{ type: 'wait', milliseconds: 10 }] })
    expect(page).toMatchObject({ statusCode: status, url: site.url('/a'), redirects: [] })
    expect(textOf(page)).toMatch(new RegExp(`<body>(?:<p>)?\\s*${text}\\s*(?:</p>)?</body>`))
    expect(site.requests.map(({ path }) => path)).toEqual(['/a'])
  })

  it.each(['http-equiv', 'script', 'click'])('is the page that another led to: %s', async (how) => {
    const ways = {
      'http-equiv': '<meta http-equiv="refresh" content="0; url=/gone">',
      script: '<script>location = "/gone"</script>',
      click: '<a href="/gone">on</a>',
    }
    await using site = await startSite({ pages: { '/a': ways[how as keyof typeof ways], '/gone': answer(404) } })
    const actions = how === 'click' ? [{ type: 'click' as const, selector: 'a', all: false }] : []
    const page = await browser.render(site.url('/a'), { actions, waitForMs: 300 })
    expect(page).toMatchObject({ statusCode: 404, url: site.url('/gone') })
    expect(textOf(page)).not.toMatch(/error|found|ERR_/i)
    expect(site.requests.map(({ path }) => path)).toEqual(['/a', '/gone'])
  })

  it('keeps the redirects that led to it, and its headers', async () => {
    const gone = answer(429, { 'retry-after': '7' })
    await using site = await startSite({ pages: { '/a': answer(302, { location: '/gone' }), '/gone': gone } })
    const page = await browser.get(site.url('/a'))
    expect(page).toMatchObject({ statusCode: 429, redirects: [{ url: site.url('/a'), statusCode: 302 }] })
    expect(page.headers).toMatchObject({ 'retry-after': '7' })
    expect(site.requests).toHaveLength(2)
  })

  it.each([304, 407])('that a browser shows nothing of is left to HTTP: %s', async (status) => {
    await using site = await startSite({ pages: { '/a': answer(status) } })
    expect(await browser.ask(site.url('/a'))).toMatchObject({ declined: expect.stringMatching(/^received a response/) })
  })

  it('is a document of a crawl by the browser, and takes the page out of the cache', async () => {
    let isGone = false
    const page: Handler = (exchange) =>
      isGone ? answer(404)(exchange) : answer(200, html, htmlPage('There'))(exchange)
    await using site = await startSite({ pages: { '/': page } })
    const engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'browser', cache: memoryCache() })
    expect(await engine.scrape(site.url('/'))).toMatchObject({ metadata: { statusCode: 200 } })
    isGone = true
    const job = engine.crawl({ url: site.url('/'), limit: 1, scrapeOptions: { maxAge: 0 } })
    const { data } = await job.finished()
    expect(data).toMatchObject([{ metadata: { statusCode: 404 } }])
    expect(await engine.scrape(site.url('/'))).toMatchObject({ metadata: { statusCode: 404 } })
    await engine.close()
  })
})

describe('a frame that cannot be loaded', () => {
  const framed = (frames: string): string => htmlPage('Framed', `<p>BEFORE</p>${frames}<p>AFTER</p>`)
  const size = 'width="300" height="250"'
  const LOST = /^The content of (?:a frame|\d frames) is missing/

  async function render(frames: (port: number) => string, pages: Record<string, string | Handler> = {}) {
    // A server that ends each connection at once.
    const closing = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
    const { port } = closing.address() as { port: number }
    await using site = await startSite({ pages: { ...pages, '/a': framed(frames(port)) } })
    const page = await browser.render(site.url('/a'), { blockAds: true, waitForMs: 300 })
    closing.close()
    expect(textOf(page)).toMatch(/BEFORE[^]*AFTER/)
    expect(textOf(page)).not.toMatch(/chrome-error|ERR_|refused|can’t be|data:image/)
    return page
  }

  it.each([
    ['closed', (port: number) => `<iframe src="http://127.0.0.1:${port}/" ${size}></iframe>`],
    ['refused', () => `<iframe src="http://127.0.0.1:9/" ${size}></iframe>`],
    ['failed TLS', (port: number) => `<iframe src="https://127.0.0.1:${port}/" ${size}></iframe>`],
    ['X-Frame-Options', () => `<iframe src="/denied" ${size}></iframe>`],
    ['frame-ancestors', () => `<iframe src="/apart" ${size}></iframe>`],
    ['nested', () => `<iframe src="/outer" ${size}></iframe>`],
    [
      'in a shadow root',
      () => `<div id="host"><template shadowrootmode="open"><iframe src="/denied" ${size}></iframe></template></div>`,
    ],
    [
      'by a script',
      () => `<iframe id="f" src="/ok" ${size}></iframe><script>setTimeout(() => (f.src = '/denied'), 100)</script>`,
    ],
  ])('is left out with a warning: %s', async (_what, frames) => {
    const page = await render(frames, {
      '/denied': answer(200, { ...html, 'x-frame-options': 'DENY' }, 'DENIED'),
      '/apart': answer(200, { ...html, 'content-security-policy': "frame-ancestors 'none'" }, 'DENIED'),
      '/outer': `<p>OUTER</p><iframe src="/denied" ${size}></iframe>`,
      '/ok': '<p>OK</p>',
    })
    expect(page.warnings).toContainEqual(expect.stringMatching(LOST))
  })

  it.each([
    ['at once', 'http://ad.doubleclick.net/x'],
    ['after a redirect', '/to-ad'],
  ])('because trawl blocks it is left out in silence: %s', async (_what, src) => {
    const page = await render(() => `<iframe src="${src}" ${size}></iframe>`, {
      '/to-ad': answer(302, { location: 'http://ad.doubleclick.net/x' }),
    })
    expect(page.warnings ?? []).not.toContainEqual(expect.stringMatching(LOST))
  })
})
