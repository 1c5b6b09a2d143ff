import { describe, expect, it } from 'vitest'
import { writeEncodedPage } from '../../site/encoded-page.js'
import type { Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { openFetcher, textOf } from './open-fetcher.js'

describe('a page', () => {
  it('has its URL, status, headers, content type and bytes', async () => {
    await using site = await startSite({ pages: { '/a': '<h1>A</h1>' } })
    await using http = openFetcher({ now: () => 1_000 })
    expect(await http.get(site.url('/a'))).toEqual({
      url: site.url('/a'),
      redirects: [],
      statusCode: 200,
      headers: expect.objectContaining({ 'content-type': 'text/html; charset=utf-8' }),
      contentType: 'text/html; charset=utf-8',
      body: new TextEncoder().encode('<h1>A</h1>'),
      fetcher: 'http',
      fetchedAtMs: 1_000,
    })
  })

  it.each([404, 403, 429, 500, 503])('has `error` at status %i', async (status) => {
    await using site = await startSite()
    await using http = openFetcher()
    const page = await http.get(site.url(`/status/${status}`))
    expect(page.statusCode).toBe(status)
    expect(page.error).toMatch(/[a-z]/i)
    expect(textOf(page)).toContain(`<h1>${status}`)
  })

  it('has the standard text, or the number, as `error` without a reason phrase', async () => {
    await using site = await startSite({
      pages: {
        '/known': ({ response }) => void response.writeHead(404, ' ').end(),
        '/unknown': ({ response }) => void response.writeHead(999, ' ').end(),
      },
    })
    await using http = openFetcher()
    expect((await http.get(site.url('/known'))).error).toBe('Not Found')
    expect((await http.get(site.url('/unknown'))).error).toBe('HTTP 999')
  })

  it('has no more than a line of a reason phrase as `error`', async () => {
    await using site = await startSite({
      pages: { '/': ({ response }) => void response.writeHead(404, `Gone\taway ${'x'.repeat(10_000)}`).end() },
    })
    await using http = openFetcher()
    expect((await http.get(site.url('/'))).error).toBe(`Gone away ${'x'.repeat(90)}`)
  })

  it('is empty for an empty body and for 204', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    expect((await http.get(site.url('/empty'))).body).toHaveLength(0)
    expect(await http.get(site.url('/no-content'))).toMatchObject({ statusCode: 204, body: new Uint8Array() })
  })

  it('joins repeated headers, cookies too', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const { headers } = await http.get(site.url('/repeated-headers'))
    expect(headers).toMatchObject({ 'x-note': 'one, two', 'set-cookie': 'a=1, b=2' })
  })

  it('has bytes in a buffer of their own', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    const { body } = await http.get(site.url('/binary'))
    expect(body.buffer.byteLength).toBe(1024)
    expect([...body.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  })

  it('ends with the connection when the response has no length', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    expect(textOf(await http.get(site.url('/until-close')))).toBe('<p>All of it</p>')
  })
})

describe('content coding', () => {
  it.each([
    '/gzip',
    '/x-gzip',
    '/br',
    '/deflate',
    '/deflate-raw',
    '/zstd',
    '/stacked?codings=gzip,br',
    '/stacked?codings=deflate-raw,zstd,gzip',
  ])('is decoded: %s', async (path) => {
    await using site = await startSite()
    await using http = openFetcher()
    const page = await http.get(site.url(path))
    expect(page.headers['content-encoding']).toBeTruthy()
    expect(textOf(page)).toBe(writeEncodedPage())
  })

  it.each(['gzip', 'deflate', 'br', 'zstd'])('yields the decoded part of a truncated %s stream', async (coding) => {
    await using site = await startSite()
    await using http = openFetcher()
    const text = textOf(await http.get(site.url(`/truncated-coding?coding=${coding}&drop=20`)))
    expect(text.length).toBeGreaterThan(100)
    expect(writeEncodedPage().startsWith(text.replace(/\uFFFD$/, ''))).toBe(true)
  })

  it.each(['gzip', 'deflate', 'br', 'zstd', 'compress'])(
    'is refused when the body is not %s as it claims',
    async (coding) => {
      await using site = await startSite()
      await using http = openFetcher()
      await expect(http.get(site.url(`/false-coding?coding=${coding}`))).rejects.toMatchObject({
        code: 'SCRAPE_ENCODING_ERROR',
        message: expect.stringContaining(`\`${coding}\``),
        url: site.url(`/false-coding?coding=${coding}`),
      })
    },
  )

  it('is refused when a zstd frame asks for a window larger than 8 MiB', async () => {
    const frame = (windowLog: number) => Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, 9, 0, 0, 0x41)
    const send =
      (windowLog: number): Handler =>
      ({ response }) =>
        void response.writeHead(200, { 'content-encoding': 'zstd' }).end(frame(windowLog))
    await using site = await startSite({ pages: { '/23': send(23), '/24': send(24) } })
    await using http = openFetcher()
    expect(textOf(await http.get(site.url('/23')))).toBe('A')
    await expect(http.get(site.url('/24'))).rejects.toMatchObject({ code: 'SCRAPE_ENCODING_ERROR' })
  })

  it.each(['utf-8', 'none', 'identity'])('is ignored when its name, %s, is not that of a coding', async (name) => {
    await using site = await startSite()
    await using http = openFetcher()
    expect(textOf(await http.get(site.url(`/false-coding?coding=${name}`)))).toBe('<p>Plain text.</p>')
  })
})
