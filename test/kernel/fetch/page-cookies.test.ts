import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import type { Handler } from '../../site/exchange.js'
import { startProxy } from '../../site/proxy-server.js'
import { startSite, type Site } from '../../site/site.js'

const text =
  '<!doctype html><title>Text</title><main><h1>Text</h1><p>The text behind the gate, for those with the cookie.</p></main>'
const html = { 'content-type': 'text/html' }
const refusal = '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>'
/** Answers the first visit with a cookie, and gives the text to those who bring it back. */
const gate =
  (statusCode: number, headers: Readonly<Record<string, string>>, body = ''): Handler =>
  ({ request, response }) => {
    const isKnown = request.headers.cookie?.includes('pass=1') ?? false
    if (isKnown) response.writeHead(200, html).end(text)
    else response.writeHead(statusCode, { ...html, 'set-cookie': 'pass=1; Path=/', ...headers }).end(body)
  }

const pages = {
  '/503': gate(503, {}),
  '/503-body': gate(503, {}, '<p>Wait a moment.</p>'),
  '/429': gate(429, { 'retry-after': '0' }),
  '/no-url': gate(200, {}, '<meta http-equiv="refresh" content="0">'),
  '/own-url': gate(200, {}, '<meta http-equiv="refresh" content="0; url=/own-url">'),
  '/own-fragment': gate(200, {}, '<meta http-equiv="refresh" content="0; url=#top">'),
  '/header': gate(200, { refresh: '0' }),
  '/redirect': gate(302, { location: '/redirect' }),
}
const options = { allowPrivateNetworks: true, threads: 0, retry: { backoffMs: 1 } } as const

describe('a cookie of the first answer', () => {
  it.each(Object.keys(pages))('is sent in the next attempt at %s', async (path) => {
    await using site = await startSite({ pages })
    await using engine = createEngine({ ...options, fetcher: 'http' })
    const { markdown } = await engine.scrape(site.url(path))
    expect(markdown).toContain('The text behind the gate')
    const job = engine.batchScrape({ urls: [site.url(path)], maxAge: 0 })
    const { data } = await job.finished()
    expect(data[0]?.markdown).toContain('The text behind the gate')
  })

  it('is sent by a browser that comes after HTTP, and by HTTP no more for another page', async () => {
    await using site: Site = await startSite({
      pages: {
        '/shell': ({ request, response }) => {
          const isKnown = request.headers.cookie?.includes('pass=1') ?? false
          const body = isKnown ? `<script>document.write(${JSON.stringify(text)})</script>` : ''
          const shell = `<!doctype html><div id="root"></div><script src="/app.js"></script>${body}`
          response.writeHead(200, { ...html, 'set-cookie': 'pass=1; Path=/' }).end(shell)
        },
        '/app.js': '0',
        '/next': ({ request, response }) =>
          void response.writeHead(200, html).end(`<p>Sent: ${request.headers.cookie ?? 'nothing'}</p>`),
      },
    })
    await using engine = createEngine(options)
    expect((await engine.scrape(site.url('/shell'))).markdown).toContain('The text behind the gate')
    expect((await engine.scrape(site.url('/next'))).markdown).toContain('Sent: nothing')
  })

  it.each(['/503', '/429', '/no-url', '/own-url', '/header'])(
    'is sent in the next attempt of a browser at %s',
    async (path) => {
      await using site = await startSite({ pages })
      await using engine = createEngine({ ...options, fetcher: 'browser' })
      expect((await engine.scrape(site.url(path))).markdown).toContain('The text behind the gate')
    },
  )

  it('is asked for once more only: a page that loads itself again with a new cookie each time is the page', async () => {
    let visits = 0
    await using site = await startSite({
      pages: {
        '/': ({ response }) => {
          visits += 1
          const body = `<meta http-equiv="refresh" content="0"><main><p>Visit ${visits}</p></main>`
          response.writeHead(200, { ...html, 'set-cookie': `visit=${visits}` }).end(body)
        },
      },
    })
    await using engine = createEngine({ ...options, fetcher: 'http' })
    expect((await engine.scrape(site.url('/'))).markdown).toContain('Visit 2')
    expect(visits).toBe(2)
  })

  it('is sent in the next attempt by the same way only: through another proxy comes another visitor', async () => {
    const seen: (string | undefined)[] = []
    await using basic = await startProxy()
    await using enhanced = await startProxy()
    await using site = await startSite({
      pages: {
        '/': ({ request, response }) => {
          seen.push(request.headers.cookie)
          const isFirst = seen.length === 1
          response
            .writeHead(isFirst ? 403 : 200, { ...html, 'set-cookie': 'bot=1; Path=/' })
            .end(isFirst ? refusal : text)
        },
      },
    })
    const proxies = { basic: [basic.url], enhanced: [enhanced.url] }
    await using engine = createEngine({ ...options, fetcher: 'http', proxies })
    expect((await engine.scrape(site.url('/'))).markdown).toContain('The text behind the gate')
    expect(seen).toEqual([undefined, undefined])
    expect([basic.tunnels.length, enhanced.tunnels.length]).toEqual([1, 1])
  })
})
