import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { openFetcher, textOf } from './open-fetcher.js'

const toLoopback = { lookup: async () => ['127.0.0.1'] }
const location = (site: { url(path: string): string }, target: string, status = 302) =>
  site.url(`/redirect-to?status=${status}&url=${encodeURIComponent(target)}`)

describe('redirects', () => {
  it('are followed and recorded hop by hop', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const page = await http.get(site.url('/redirect/3'))
    expect(page.url).toBe(site.url('/redirect/0'))
    expect(page.redirects).toEqual([3, 2, 1].map((n) => ({ url: site.url(`/redirect/${n}`), statusCode: 302 })))
  })

  it.each([301, 302, 303, 307, 308])('are followed for status %i', async (status) => {
    await using site = await startSite()
    await using http = openFetcher()
    const page = await http.get(location(site, '/page/end', status))
    expect(page).toMatchObject({ url: site.url('/page/end'), redirects: [{ statusCode: status }] })
  })

  it.each([300, 304, 305, 306])('are not followed for status %i', async (status) => {
    await using site = await startSite()
    await using http = openFetcher()
    expect(await http.get(location(site, '/page/end', status))).toMatchObject({ statusCode: status, redirects: [] })
  })

  it.each([
    ['../page/up', '/page/up'],
    ['?url=%2Fpage%2Fquery', '/page/query'],
    ['//127.0.0.1:PORT/page/host', '/page/host'],
    ['  /page/spaces  ', '/page/spaces'],
    ['/page/a b', '/page/a%20b'],
    ['/page/x#part', '/page/x#part'],
    ['http:/page/slip', undefined],
  ])('read the Location %s', async (target, end) => {
    await using site = await startSite()
    await using http = openFetcher()
    const visit = http.get(location(site, target.replace('PORT', String(site.port))))
    if (end === undefined) await expect(visit).rejects.toMatchObject({ code: 'SCRAPE_DNS_RESOLUTION_ERROR' })
    else expect((await visit).url).toBe(site.url(end))
  })

  it('read a Location that is UTF-8, and one that is not', async () => {
    const send = (bytes: Buffer) => ({
      pages: {
        '/start': ({ response }: { response: ServerResponse }) => {
          response.socket?.end(
            Buffer.concat([
              Buffer.from('HTTP/1.1 302 Found\r\nlocation: /'),
              bytes,
              Buffer.from('\r\ncontent-length: 0\r\n\r\n'),
            ]),
          )
        },
      },
    })
    await using http = openFetcher()
    await using utf8 = await startSite(send(Buffer.from('größe')))
    expect((await http.get(utf8.url('/start'))).url).toBe(utf8.url('/gr%C3%B6%C3%9Fe'))
    await using latin1 = await startSite(send(Buffer.from('größe', 'latin1')))
    expect((await http.get(latin1.url('/start'))).url).toBe(latin1.url('/gr%C3%B6%C3%9Fe'))
  })

  it('keep the fragment of the requested URL', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    expect((await http.get(site.url('/redirect/1#/route'))).url).toBe(site.url('/redirect/0#/route'))
  })

  it.each(['/redirect-without-location', '/redirect-to?url='])('without a Location are the page: %s', async (path) => {
    await using site = await startSite()
    await using http = openFetcher()
    expect(await http.get(site.url(path))).toMatchObject({ url: site.url(path), statusCode: 302, error: 'Found' })
  })

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://[broken',
    'http://',
  ])('to %s are refused', async (target) => {
    await using site = await startSite()
    await using http = openFetcher()
    await expect(http.get(location(site, target))).rejects.toMatchObject({ code: 'SCRAPE_REDIRECT_ERROR' })
  })

  it.each([
    ['in its header', 'a'.repeat(7990)],
    ['once it is escaped', 'ä'.repeat(2000)],
  ])('to a URL that is too long %s are refused, and the limit is named', async (_name, path) => {
    await using site = await startSite({
      pages: {
        '/far': ({ response }) =>
          response.writeHead(302, { location: Buffer.from(`/x/${path}`).toString('latin1') }).end(),
      },
    })
    await using http = openFetcher()
    await expect(http.get(site.url('/far'))).rejects.toMatchObject({
      code: 'SCRAPE_REDIRECT_ERROR',
      message: expect.stringContaining('at most 8000 are requested'),
    })
  })

  it('are limited in number', async () => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { redirects: 3 } })
    expect((await http.get(site.url('/redirect/3'))).redirects).toHaveLength(3)
    await expect(http.get(site.url('/redirect/4'))).rejects.toMatchObject({ code: 'SCRAPE_TOO_MANY_REDIRECTS' })
    await expect(http.get(site.url('/redirect-endless'))).rejects.toMatchObject({
      code: 'SCRAPE_TOO_MANY_REDIRECTS',
      message: expect.stringContaining('`limits.redirects` (3)'),
    })
  })

  it('fail with an error of their own when they form a loop', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    await expect(http.get(site.url('/redirect-loop/a'))).rejects.toMatchObject({
      code: 'SCRAPE_TOO_MANY_REDIRECTS',
      message: expect.stringContaining('loop'),
    })
    expect(site.requests).toHaveLength(2)
  })

  it('reuse their connection', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    await http.get(site.url('/redirect/8'))
    expect(site.connections.accepted).toBe(1)
  })

  it('leave no connection open when their body never ends', async () => {
    await using site = await startSite({
      pages: {
        '/start': ({ response }) => {
          response.writeHead(302, { location: '/page/end' }).write('never ending')
        },
      },
    })
    await using http = openFetcher()
    expect(textOf(await http.get(site.url('/start')))).toContain('Page end')
    await expect.poll(() => site.connections.open).toBeLessThanOrEqual(1)
  })
})

describe('cookies', () => {
  it('set by a redirect are sent with the next request', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    expect(textOf(await http.get(site.url('/cookie-gate')))).toContain('Behind the gate')
  })

  it('are forgotten with the page', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    await http.get(site.url('/cookie-gate'))
    expect(textOf(await http.get(site.url('/echo-headers')))).not.toContain('gate')
  })

  it("are merged with the caller's, and take precedence", async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const page = await http.get(site.url('/set-cookie?set=a%3Dnew'), { headers: { Cookie: 'a=old; b=2' } })
    expect(JSON.parse(textOf(page))).toMatchObject({ cookie: 'b=2; a=new' })
  })

  it('are not sent to another host', async () => {
    await using site = await startSite()
    await using http = openFetcher(toLoopback)
    const target = encodeURIComponent(site.url('/echo-headers', 'other.test'))
    const page = await http.get(site.url(`/set-cookie?set=a%3D1&to=${target}`, 'public.test'))
    expect(JSON.parse(textOf(page))).not.toHaveProperty('cookie')
  })
})

describe('headers', () => {
  it('contain the user agent and the accepted types and codings', async () => {
    await using site = await startSite()
    await using http = openFetcher({ userAgent: 'bot/1' })
    expect(JSON.parse(textOf(await http.get(site.url('/echo-headers'))))).toEqual({
      host: `127.0.0.1:${site.port}`,
      connection: 'keep-alive',
      'user-agent': 'bot/1',
      accept: expect.stringContaining('text/html'),
      'accept-language': expect.stringContaining('en'),
      'accept-encoding': 'gzip, deflate, br, zstd',
    })
  })

  it('of the caller take precedence, except those of the connection', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const headers = {
      'User-Agent': 'mine',
      'X-Key': 'k',
      Host: 'evil.test',
      Connection: 'close',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '5',
    }
    const seen = JSON.parse(textOf(await http.get(site.url('/echo-headers'), { headers })))
    expect(seen).toMatchObject({
      'user-agent': 'mine',
      'x-key': 'k',
      host: `127.0.0.1:${site.port}`,
      connection: 'keep-alive',
    })
    expect(seen).not.toHaveProperty('transfer-encoding')
  })

  it("of the caller are sent to the page's host only", async () => {
    await using site = await startSite()
    await using http = openFetcher(toLoopback)
    const headers = {
      Authorization: 'Bearer secret',
      Cookie: 'session=secret',
      'X-Key': 'secret',
      'User-Agent': 'mine',
    }
    const same = site.url(`/redirect-to?url=/echo-headers`, 'public.test')
    expect(JSON.parse(textOf(await http.get(same, { headers })))).toMatchObject({ 'x-key': 'secret' })
    for (const target of [site.url('/echo-headers', 'other.test'), site.url('/echo-headers', 'sub.public.test')]) {
      const page = await http.get(site.url(`/redirect-to?url=${encodeURIComponent(target)}`, 'public.test'), {
        headers,
      })
      expect(page.url).toBe(target)
      expect(textOf(page)).not.toContain('secret')
      expect(textOf(page)).not.toContain('mine')
    }
  })

  it('of the caller are not sent to another port', async () => {
    await using site = await startSite()
    await using elsewhere = await startSite()
    await using http = openFetcher()
    const page = await http.get(location(site, elsewhere.url('/echo-headers')), { headers: { 'x-key': 'secret' } })
    expect(textOf(page)).not.toContain('secret')
  })

  it('that are invalid fail with BAD_REQUEST', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const invalid: Record<string, string>[] = [{ 'x-a': 'line\r\nbreak: 1' }, { 'bad name': '1' }]
    for (const headers of invalid) {
      await expect(http.get(site.url('/'), { headers })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
    expect(site.requests).toHaveLength(0)
  })
})

describe('a user name and password in the URL', () => {
  const withUser = (url: string) => url.replace('://', '://us%40er:p%3Ass%25@')

  it('are sent as Basic authentication and are in no part of the result', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const page = await http.get(withUser(site.url('/auth/us%40er/p%3Ass%25')))
    expect(textOf(page)).toContain('Welcome')
    expect(page.url).toBe(site.url('/auth/us%40er/p%3Ass%25'))
  })

  it('are sent after a redirect on the host, and to no other host', async () => {
    await using site = await startSite()
    await using http = openFetcher(toLoopback)
    const page = await http.get(withUser(site.url('/redirect-to?url=/echo-headers', 'public.test')))
    expect(JSON.parse(textOf(page))).toHaveProperty('authorization')
    expect(JSON.stringify(page.redirects)).not.toContain('us%40er')
    const away = encodeURIComponent(site.url('/echo-headers', 'other.test'))
    const other = await http.get(withUser(site.url(`/redirect-to?url=${away}`, 'public.test')))
    expect(JSON.parse(textOf(other))).not.toHaveProperty('authorization')
  })

  it('of a Location are not sent', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const page = await http.get(location(site, withUser(site.url('/echo-headers'))))
    expect(JSON.parse(textOf(page))).not.toHaveProperty('authorization')
  })

  it('are in no error', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    for (const path of ['/reset', '/redirect-loop', '/false-coding', '/garbage']) {
      const error: unknown = await http.get(withUser(site.url(path))).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ url: expect.stringContaining(site.origin) })
      expect(JSON.stringify(error) + String(error)).not.toMatch(/us%40er|us@er|p%3A/)
    }
  })
})
