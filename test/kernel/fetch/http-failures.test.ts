import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { openFetcher, textOf } from './open-fetcher.js'

describe('a site that breaks a connection', () => {
  it.each(['/reset', '/close', '/truncated', '/truncated-chunked', '/garbage'])(
    'fails the page with SCRAPE_SITE_ERROR: %s',
    async (path) => {
      await using site = await startSite()
      await using http = openFetcher()
      await expect(http.get(site.url(path))).rejects.toMatchObject({
        code: 'SCRAPE_SITE_ERROR',
        retry: true,
        url: site.url(path),
        message: expect.stringContaining(`127.0.0.1:${site.port}`),
      })
    },
  )

  it('fails the page with SCRAPE_SITE_ERROR for an invalid status', async () => {
    const pages = {
      '/': ({ response }: Exchange) => void response.socket?.end('HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n'),
    }
    await using site = await startSite({ pages })
    await using http = openFetcher()
    await expect(http.get(site.url('/'))).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      message: expect.stringContaining('The response is not valid HTTP'),
    })
    expect((await http.get(site.url('/page/a'))).statusCode).toBe(200)
  })

  it('fails the page with a message that contains the errno', async () => {
    const site = await startSite()
    await using http = openFetcher()
    await expect(http.get(site.url('/reset'))).rejects.toThrow('ECONNRESET')
    await site.close()
    await expect(http.get(site.url('/'))).rejects.toThrow('The connection was refused')
    await expect(http.get(site.url('/'))).rejects.toThrow('ECONNREFUSED')
  })

  it('is requested again when a persistent connection breaks as it is reused', async () => {
    await using site = await startSite()
    await using http = openFetcher({ maxConcurrency: 1 })
    for (let i = 0; i < 3; i++) expect(textOf(await http.get(site.url('/reset-when-reused')))).toContain('Once')
    expect(site.connections.accepted).toBe(3)
  })

  it('fails all requests that wait for a connection', async () => {
    const site = await startSite()
    await site.close()
    await using http = openFetcher({ maxConcurrency: 3 })
    const pages = await Promise.allSettled(Array.from({ length: 40 }, () => http.get(site.url('/'))))
    expect(pages.every(({ status }) => status === 'rejected')).toBe(true)
  })
})

describe('a name that does not resolve', () => {
  it('fails with SCRAPE_DNS_RESOLUTION_ERROR, which contains the name', async () => {
    await using http = openFetcher()
    await expect(http.get('http://no-such-name.invalid/')).rejects.toMatchObject({
      code: 'SCRAPE_DNS_RESOLUTION_ERROR',
      message: expect.stringContaining('`no-such-name.invalid`'),
    })
  })
})

describe('TLS', () => {
  it('refuses an untrusted certificate, and names the option that accepts it', async () => {
    await using site = await startSite({ protocol: 'https' })
    await using http = openFetcher()
    await expect(http.get(site.url('/page/a'), { skipTlsVerification: false })).rejects.toMatchObject({
      code: 'SCRAPE_SSL_ERROR',
      message: expect.stringContaining('`skipTlsVerification: true`'),
    })
    expect(textOf(await http.get(site.url('/page/a'), { skipTlsVerification: true }))).toContain('Page a')
  })

  it('does not reuse an unverified connection for a page that verifies certificates', async () => {
    await using site = await startSite({ protocol: 'https' })
    await using http = openFetcher()
    await http.get(site.url('/page/a'), { skipTlsVerification: true })
    await expect(http.get(site.url('/page/a'), { skipTlsVerification: false })).rejects.toMatchObject({
      code: 'SCRAPE_SSL_ERROR',
    })
  })

  it('uses HTTP/1.1 with a server that offers HTTP/2 too', async () => {
    await using site = await startSite({ protocol: 'h2' })
    await using http = openFetcher()
    expect(textOf(await http.get(site.url('/page/a')))).toContain('Page a')
    expect(site.requests[0]?.httpVersion).toBe('1.1')
  })

  it('fails with SCRAPE_SSL_ERROR, without that advice, at a server without TLS', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const error: unknown = await http.get(site.url('/').replace('http:', 'https:')).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'SCRAPE_SSL_ERROR' })
    expect(String(error)).not.toContain('skipTlsVerification')
  })
})
