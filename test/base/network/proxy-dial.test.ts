import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { createProxyDial, type ProxyDialOptions } from '../../../src/base/network/proxy-dial.js'
import { parseProxy } from '../../../src/base/network/proxy.js'
import type { ProxyRoute } from '../../../src/base/network/proxy-route.js'
import { startProxy, type ProxyOptions } from '../../site/proxy-server.js'
import { startSite } from '../../site/site.js'
import { openFetcher, textOf } from '../../kernel/fetch/open-fetcher.js'

const credentials = { username: 'me:@%', password: 'pa ss/wörd' }

function routeTo(url: string, options: Partial<ProxyDialOptions> = {}): ProxyRoute {
  const proxy = parseProxy(url)
  if (!proxy) throw new Error(`${url} is no proxy`)
  const dial = createProxyDial(proxy, { allowPrivateNetworks: true, skipTlsVerification: true, ...options })
  return { key: url, proxy: proxy.name, dial, report: () => undefined }
}

/** The result of a page through such a proxy. */
async function fetchThrough(options: ProxyOptions, change: (url: string) => string = (url) => url, timeoutMs = 15_000) {
  await using site = await startSite({ pages: { '/': 'HERE' } })
  await using proxy = await startProxy(options)
  await using fetcher = openFetcher()
  const request = { url: site.url('/'), sourceURL: '', route: routeTo(change(proxy.url)) }
  const plan = { headers: {}, skipTlsVerification: true, timeoutMs }
  const page = await fetcher.fetcher.fetch(request, plan, AbortSignal.timeout(timeoutMs))
  return { text: textOf(page), tunnels: [...proxy.tunnels], direct: site.requests.length - proxy.tunnels.length }
}

describe.each(['http', 'https', 'socks5'] as const)('a proxy over %s', (protocol) => {
  it('carries a page and each of its redirects', async () => {
    await using site = await startSite({ pages: { '/': 'HERE' } })
    await using other = await startSite({ address: '127.0.0.2', protocol: 'https', pages: { '/': 'THERE' } })
    await using proxy = await startProxy({ protocol })
    await using fetcher = openFetcher()
    const url = site.url(`/redirect-to?url=${encodeURIComponent(other.url('/'))}`)
    const request = { url, sourceURL: '', route: routeTo(proxy.url) }
    const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 15_000 }
    const page = await fetcher.fetcher.fetch(request, plan, AbortSignal.timeout(15_000))
    expect(textOf(page)).toContain('THERE')
    expect(proxy.tunnels.map(({ target }) => target)).toEqual([`127.0.0.1:${site.port}`, `127.0.0.2:${other.port}`])
    expect(site.connections.accepted + other.connections.accepted).toBe(2)
  })

  it('receives its credentials, whatever characters they have', async () => {
    const { text, tunnels } = await fetchThrough({ protocol, credentials })
    expect(text).toContain('HERE')
    if (protocol === 'socks5') expect(tunnels[0]?.username).toBe(credentials.username)
  })

  it('fails the page when it refuses the credentials, which are in no part of the error', async () => {
    const wrong = (url: string): string => url.replace(/\/\/[^@]*@/, '//sesame:open-sesame@')
    const error = await fetchThrough({ protocol, credentials }, wrong).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({
      code: 'SCRAPE_PROXY_ERROR',
      message: expect.stringContaining('refuses the credentials'),
    })
    expect(error instanceof TrawlError && error.message).toMatch(new RegExp(`^The proxy \`${protocol}://127`))
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('sesame')
  })

  it('fails the page when it requires credentials and has none', async () => {
    const none = (url: string): string => url.replace(/\/\/[^@]*@/, '//')
    await expect(fetchThrough({ protocol, credentials }, none)).rejects.toMatchObject({
      code: 'SCRAPE_PROXY_ERROR',
      message: expect.stringContaining('asks for credentials'),
    })
  })

  it.each(['close', 'garbage', protocol === 'socks5' ? 1 : 503, protocol === 'socks5' ? 2 : 403] as const)(
    'with the fault %s fails the page by its own code',
    async (fault) => {
      await expect(fetchThrough({ protocol, fault })).rejects.toMatchObject({ code: 'SCRAPE_PROXY_ERROR' })
    },
  )

  it("is abandoned at the page's deadline when it never answers", async () => {
    await expect(fetchThrough({ protocol, fault: 'hang' }, undefined, 500)).rejects.toThrow(/timeout/)
  })

  it('is named in the error when nothing listens at its port', async () => {
    await expect(fetchThrough({ protocol }, () => `${protocol}://a:b@127.0.0.1:1`)).rejects.toMatchObject({
      code: 'SCRAPE_PROXY_ERROR',
      message: `The proxy \`${protocol}://127.0.0.1:1\` cannot be reached (ECONNREFUSED)`,
    })
  })
})

it('blames the site when a SOCKS proxy reports a refused connection', async () => {
  await expect(fetchThrough({ protocol: 'socks5', fault: 5 })).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
})

it('verifies the certificate of an https proxy unless `skipTlsVerification` is set', async () => {
  await using proxy = await startProxy({ protocol: 'https' })
  const { dial } = routeTo(proxy.url, { skipTlsVerification: false })
  await expect(dial({ hostname: '127.0.0.1', port: 1 }, AbortSignal.timeout(9000))).rejects.toMatchObject({
    code: 'SCRAPE_PROXY_ERROR',
    message: expect.stringMatching(/TLS \(.*CERT/),
  })
})

describe('the egress policy through a proxy', () => {
  const lookup = async (hostname: string): Promise<string[]> =>
    hostname === 'private.test' ? ['10.0.0.1'] : hostname === 'none.test' ? [] : ['127.0.0.2']
  const allowAddress = (address: string): boolean => address === '127.0.0.2'
  const strict = { allowPrivateNetworks: false, lookup, allowAddress }

  it.each(['10.0.0.1', '169.254.169.254', '::1', 'private.test'])(
    'refuses %s before the proxy is contacted',
    async (hostname) => {
      await using proxy = await startProxy()
      const { dial } = routeTo(proxy.url, strict)
      await expect(dial({ hostname, port: 80 }, AbortSignal.timeout(9000))).rejects.toMatchObject({
        code: 'SCRAPE_ADDRESS_REFUSED',
      })
      expect(proxy.accepted).toBe(0)
    },
  )

  it('sends a checked address to a proxy in a private network, so that it cannot resolve another', async () => {
    await using site = await startSite({ address: '127.0.0.2' })
    await using proxy = await startProxy({ protocol: 'socks5' })
    const socket = await routeTo(proxy.url, strict).dial(
      { hostname: 'public.test', port: site.port },
      AbortSignal.timeout(9000),
    )
    socket.destroy()
    expect(proxy.tunnels).toEqual([{ target: `127.0.0.2:${site.port}`, username: '' }])
  })

  it('leaves names to the proxy when private networks are allowed', async () => {
    await using site = await startSite()
    await using proxy = await startProxy({ to: { hostname: '127.0.0.1', port: site.port } })
    const socket = await routeTo(proxy.url).dial({ hostname: 'nowhere.test', port: 80 }, AbortSignal.timeout(9000))
    socket.destroy()
    expect(proxy.tunnels[0]?.target).toBe('nowhere.test:80')
  })
})
