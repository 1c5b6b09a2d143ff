import { describe, expect, it } from 'vitest'
import { type Site, startSite } from '../../site/site.js'
import { openFetcher, type OpenFetcher, textOf } from './open-fetcher.js'

/** A fetcher limited to public addresses, with the test site as the public address of `public.test`. */
const openStrictFetcher = (): OpenFetcher =>
  openFetcher({
    allowPrivateNetworks: false,
    lookup: async () => ['127.0.0.1'],
    allowAddress: (_address, hostname) => hostname === 'public.test',
  })

describe('the egress policy', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://１２７.0.0.1:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://other.test:PORT/',
    'https://127.0.0.1:PORT/',
  ])('connects to nothing at %s', async (url) => {
    await using site = await startSite()
    await using http = openStrictFetcher()
    await expect(http.get(url.replace('PORT', String(site.port)))).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
      retry: false,
      message: expect.stringContaining('allowPrivateNetworks'),
    })
    expect(site.connections.accepted).toBe(0)
  })

  it('is disabled by `allowPrivateNetworks`', async () => {
    await using site = await startSite()
    await using http = openFetcher({ allowPrivateNetworks: true })
    expect(textOf(await http.get(`http://2130706433:${site.port}/page/a`))).toContain('Page a')
    expect(textOf(await http.get(`http://[::ffff:127.0.0.1]:${site.port}/page/a`))).toContain('Page a')
  })

  it.each([
    ['an address', (site: Site) => site.url('/page/secret')],
    ['another spelling of it', (site: Site) => `http://0x7f000001:${site.port}/page/secret`],
    ['another name for it', (site: Site) => site.url('/page/secret', 'other.test')],
  ])('refuses a redirect from a public page to %s', async (_what, target) => {
    await using site = await startSite()
    await using http = openStrictFetcher()
    const url = site.url(`/redirect-to?url=${encodeURIComponent(target(site))}`, 'public.test')
    await expect(http.get(url)).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
      url: expect.stringContaining('/page/secret'),
    })
    expect(site.requests.map(({ path }) => path)).not.toContain('/page/secret')
  })

  it('connects to the checked address, and resolves the name once for each connection', async () => {
    // A site at 127.0.0.2 represents a public one; a second look-up returns a private address.
    await using publicSite = await startSite({ address: '127.0.0.2' })
    await using privateSite = await startSite({ address: '127.0.0.1' })
    let lookups = 0
    await using http = openFetcher({
      allowPrivateNetworks: false,
      allowAddress: (address) => address === '127.0.0.2',
      lookup: async () => [++lookups === 1 ? '127.0.0.2' : '127.0.0.1'],
    })
    expect(textOf(await http.get(publicSite.url('/page/a', 'rebound.test')))).toContain('Page a')
    expect(lookups).toBe(1)
    expect(textOf(await http.get(publicSite.url('/page/b', 'rebound.test')))).toContain('Page b')
    expect(lookups).toBe(1)
    await expect(http.get(privateSite.url('/page/c', 'rebound.test'))).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
    })
    expect(lookups).toBe(2)
    expect(privateSite.connections.accepted).toBe(0)
  })

  it('checks again for every new connection to the same host', async () => {
    await using site = await startSite({ address: '127.0.0.2' })
    let lookups = 0
    await using http = openFetcher({
      allowPrivateNetworks: false,
      allowAddress: (address) => address === '127.0.0.2',
      lookup: async () => [++lookups === 1 ? '127.0.0.2' : '127.0.0.1'],
    })
    await http.get(site.url('/until-close', 'rebound.test'))
    await expect(http.get(site.url('/page/a', 'rebound.test'))).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
    })
  })

  it('tries the other addresses of a name when the first does not answer', async () => {
    await using site = await startSite({ address: '127.0.0.2' })
    await using http = openFetcher({ lookup: async () => ['127.0.0.3', '127.0.0.2'] })
    expect(textOf(await http.get(site.url('/page/a', 'public.test')))).toContain('Page a')
  })
})
