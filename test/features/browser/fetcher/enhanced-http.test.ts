import { afterAll, describe, expect, it } from 'vitest'
import type { FetchPlan } from '../../../../src/kernel/fetch/fetcher.js'
import { createEnhancedHttpFetcher } from '../../../../src/features/browser/enhanced/enhanced-http.js'
import type { HttpFetcherOptions } from '../../../../src/kernel/fetch/http/http-fetcher.js'
import { createProxyDial } from '../../../../src/base/network/proxy-dial.js'
import { parseProxy } from '../../../../src/base/network/proxy.js'
import { startProxy } from '../../../site/proxy-server.js'
import { startSite } from '../../../site/site.js'
import { defaultLimits, textOf } from '../../../kernel/fetch/open-fetcher.js'

const make = (options: Partial<HttpFetcherOptions> = {}) =>
  createEnhancedHttpFetcher({ allowPrivateNetworks: true, limits: defaultLimits, ...options })
const fetcher = make()
afterAll(() => fetcher.close())

const get = (url: string, plan: Partial<FetchPlan> = {}, by = fetcher, timeoutMs = 15_000) =>
  by.fetch(
    { url, sourceURL: url },
    { headers: {}, skipTlsVerification: true, timeoutMs, ...plan },
    AbortSignal.timeout(timeoutMs),
  )

describe('the enhanced HTTP fetcher', () => {
  it("sends Chrome's headers over HTTP/2, with the caller's among them", async () => {
    await using site = await startSite({ protocol: 'h2', pages: { '/': 'HERE' } })
    const page = await get(site.url('/', 'localhost'), {
      headers: { 'x-own': '1', cookie: 'a=b' },
      emulation: { mobile: false, languages: ['de-DE', 'de'], isAnonymous: true },
    })
    expect(textOf(page)).toContain('HERE')
    const [request] = site.requests
    expect(request?.httpVersion).toBe('2.0')
    expect(request?.headers).toMatchObject({
      'user-agent': expect.stringMatching(/^Mozilla\/5\.0 .*Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/),
      'sec-ch-ua': expect.stringContaining('Google Chrome'),
      'sec-fetch-mode': 'navigate',
      'accept-language': 'de-DE,de;q=0.9',
      'x-own': '1',
      cookie: 'a=b',
    })
    expect(JSON.stringify(request?.headers)).not.toContain('trawl')
  })

  it("follows redirects with cookies, and sends the caller's headers to no other host", async () => {
    await using other = await startSite({ address: '127.0.0.2' })
    await using site = await startSite()
    expect(textOf(await get(site.url('/cookie-gate')))).toContain('<')
    const page = await get(site.url(`/redirect-to?url=${encodeURIComponent(other.url('/echo-headers'))}`), {
      headers: { 'x-secret': 'sesame' },
    })
    expect(page.redirects).toHaveLength(1)
    expect(textOf(page)).not.toContain('sesame')
  })

  it('sends a form by POST, once', async () => {
    const sent: unknown[] = []
    await using site = await startSite({
      pages: {
        '/': async ({ request, response }) => {
          let body = ''
          for await (const part of request) body += String(part)
          sent.push([request.method, request.headers['content-type'], body])
          response.writeHead(302, { location: '/after' }).end()
        },
        '/after': 'HERE',
      },
    })
    const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 9000 }
    const request = { url: site.url('/'), sourceURL: site.url('/'), form: 'user=anna&pass=a%26b' }
    const page = await fetcher.fetch(request, plan, AbortSignal.timeout(9000))
    expect(textOf(page)).toContain('HERE')
    expect(sent).toEqual([['POST', 'application/x-www-form-urlencoded', 'user=anna&pass=a%26b']])
  })

  it.each(['gzip', 'br', 'zstd', 'deflate'])('decodes a body in %s', async (coding) => {
    await using site = await startSite()
    expect(textOf(await get(site.url(`/${coding}`))).includes('<p>1999: ')).toBe(true)
  })

  it('returns an error page as a page', async () => {
    await using site = await startSite()
    expect(await get(site.url('/status/503'))).toMatchObject({ statusCode: 503, error: 'Service Unavailable' })
  })

  it('goes through a proxy, to http and https alike', async () => {
    await using site = await startSite({ pages: { '/': 'HERE' } })
    await using secure = await startSite({ protocol: 'https', pages: { '/': 'THERE' } })
    await using server = await startProxy({ protocol: 'socks5', credentials: { username: 'u', password: 'p' } })
    const proxy = parseProxy(server.url)
    if (!proxy) throw new Error('no proxy')
    const route = {
      key: 'a',
      proxy: '',
      dial: createProxyDial(proxy, { allowPrivateNetworks: true }),
      report: () => undefined,
    }
    for (const url of [site.url('/'), secure.url('/')]) {
      const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 9000 }
      await fetcher.fetch({ url, sourceURL: url, route }, plan, AbortSignal.timeout(9000))
    }
    expect(server.tunnels.map(({ target }) => target)).toEqual([`127.0.0.1:${site.port}`, `127.0.0.1:${secure.port}`])
  })

  it('applies the egress policy, also after a redirect', async () => {
    await using site = await startSite({ address: '127.0.0.2' })
    const strict = make({ allowPrivateNetworks: false, allowAddress: (address) => address === '127.0.0.2' })
    for (const url of ['http://127.0.0.1:1/', site.url('/redirect-to?url=http://127.0.0.1:1/')]) {
      await expect(get(url, {}, strict)).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
    }
    await strict.close()
  })

  it('verifies certificates unless `skipTlsVerification` is set', async () => {
    await using site = await startSite({ protocol: 'https' })
    const plan = { skipTlsVerification: false }
    await expect(get(site.url('/page/a'), plan)).rejects.toMatchObject({
      code: 'SCRAPE_SSL_ERROR',
      message: expect.stringMatching(/certificate of .* was refused \(\w+\)/),
    })
  })

  it('applies the limits for a page', async () => {
    await using site = await startSite()
    const small = make({ limits: { ...defaultLimits, wireBytes: 200_000, bodyBytes: 300_000, redirects: 2 } })
    const codes = {
      '/endless': /TOO_LARGE/,
      '/bomb?coding=gzip&bytes=50000000': /TOO_LARGE/,
      '/redirect/5': /REDIRECTS/,
      '/big-header?bytes=100000': /HEADERS_TOO_LARGE/,
    }
    for (const [path, code] of Object.entries(codes)) {
      await expect(get(site.url(path), {}, small)).rejects.toMatchObject({ code: expect.stringMatching(code) })
    }
    await small.close()
  })

  it.each(['/hang', '/slow-body?intervalMs=50&bytes=100000'])(
    'is ended at the deadline at %s, with its connection',
    async (path) => {
      await using site = await startSite()
      await expect(get(site.url(path), {}, fetcher, 700)).rejects.toThrow(/timeout/)
      await expect.poll(() => site.connections.open, { timeout: 10_000 }).toBe(0)
    },
  )

  it('fails with SCRAPE_SITE_ERROR when a connection breaks', async () => {
    await using site = await startSite()
    for (const path of ['/reset', '/close', '/garbage']) {
      await expect(get(site.url(path))).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
    }
  })

  it('fails with SCRAPE_PROXY_ERROR when the proxy fails', async () => {
    await using server = await startProxy({ fault: 503 })
    const proxy = parseProxy(server.url)
    if (!proxy) throw new Error('no proxy')
    const route = {
      key: 'a',
      proxy: '',
      dial: createProxyDial(proxy, { allowPrivateNetworks: true }),
      report: () => undefined,
    }
    const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 9000 }
    for (const url of ['http://site.test/', 'https://site.test/']) {
      await expect(
        fetcher.fetch({ url, sourceURL: url, route }, plan, AbortSignal.timeout(9000)),
      ).rejects.toMatchObject({
        code: 'SCRAPE_PROXY_ERROR',
      })
    }
  })
})
