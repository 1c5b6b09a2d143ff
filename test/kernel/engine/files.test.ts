import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ImageParser } from '../../../src/index.js'
import { makeZip } from '../../content/parse/make-zip.js'
import { useEngineSite } from '../../site/engine-site.js'
import type { Handler } from '../../site/exchange.js'

const on = useEngineSite()

/** What a server says of a file, and the file. */
const file =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
  ({ response }) =>
    response.writeHead(200, headers).end(body)

const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\nstream \0\x01\x02 endstream\n%%EOF\n', 'latin1')
const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89', 'latin1')
const zip = makeZip({ 'a.txt': 'a' })

describe('parsers', () => {
  it('as an empty list return a file as base64, for one credit, and do not affect pages and text', async () => {
    await on.open({
      '/a.pdf': file(pdf, { 'content-type': 'application/pdf' }),
      '/a.zip': file(zip, { 'content-type': 'application/zip' }),
      '/a.csv': file('a,b\n1,2', { 'content-type': 'text/csv' }),
      '/page': '<h1>Page</h1><p>Text</p>',
    })
    const options = { parsers: [], formats: ['markdown', 'html', 'rawHtml'] } as const
    for (const [path, body] of [
      ['/a.pdf', pdf],
      ['/a.zip', zip],
    ] as const) {
      const base64 = Buffer.from(body).toString('base64')
      const document = await on.engine.scrape(on.site.url(path), options)
      expect(document).toMatchObject({ markdown: base64, html: base64, rawHtml: base64 })
      expect(document.metadata.creditsUsed).toBe(1)
      expect(document).not.toHaveProperty('warning')
    }
    expect((await on.engine.scrape(on.site.url('/a.csv'), options)).markdown).toContain('| 1')
    expect((await on.engine.scrape(on.site.url('/page'), options)).markdown).toContain('# Page')
  })

  it('without `pdf` return only PDF files as base64, as `parsePDF: false` of version 1 does', async () => {
    await on.open({
      '/': '<a href="/a.pdf">a</a>',
      '/a.pdf': file(pdf, { 'content-type': 'application/pdf' }),
      '/a.zip': file(zip, { 'content-type': 'application/zip' }),
    })
    const { markdown } = await on.engine.scrape(on.site.url('/a.pdf'), { parsers: ['image'] })
    expect(markdown).toBe(pdf.toString('base64'))
    await expect(on.engine.scrape(on.site.url('/a.zip'), { parsers: ['image'] })).rejects.toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    })
    const job = on.engine.v1.crawl({ url: on.site.url('/'), scrapeOptions: { parsePDF: false } })
    const { data } = await job.finished()
    expect(data.map((document) => document.markdown)).toContain(markdown)
  })
})

describe('an image parser', () => {
  const seen: { mediaType: string; url: string; bytes: Uint8Array }[] = []
  const imageParser: ImageParser = async (bytes, { mediaType, url }) => {
    seen.push({ mediaType, url, bytes })
    return `# Seen\n\nA picture with [a link](/b).`
  }

  it('makes a document of an image, which is recognized by its bytes and not by its declared type', async () => {
    await on.open({ '/a': file(png, { 'content-type': 'text/html' }) }, { imageParser })
    seen.length = 0
    const document = await on.engine.scrape(on.site.url('/a'), { formats: ['markdown', 'links'] })
    expect(document.markdown).toBe('# Seen\n\nA picture with [a link](/b).')
    expect(document.links).toEqual([on.site.url('/b')])
    expect(document.metadata).toMatchObject({ title: 'Seen', contentType: 'text/html' })
    expect(seen).toMatchObject([{ mediaType: 'image/png', url: on.site.url('/a') }])
    expect(Buffer.from(seen[0]?.bytes ?? []).equals(png)).toBe(true)
  })

  it('is called only if `parsers` has `image`, and a crawl follows links to images only then', async () => {
    const pages = {
      '/': '<p>Words</p><a href="/a.PNG">a</a>',
      '/a.PNG': file(png, { 'content-type': 'image/png' }),
      '/b': '<p>Other words</p>',
    }
    await on.open(pages, { imageParser })
    const without = on.engine.scrape(on.site.url('/a.PNG'), { parsers: ['pdf'] })
    await expect(without).rejects.toThrow('`image/png`')
    const crawl = async (parsers?: ['image']): Promise<string[]> => {
      const request = { url: on.site.url('/'), scrapeOptions: { ...(parsers && { parsers }) } }
      const { data } = await on.engine.crawl(request).finished()
      return data.map(({ metadata }) => new URL(metadata.url).pathname).toSorted()
    }
    expect(await crawl()).toEqual(['/'])
    expect(await crawl(['image'])).toEqual(['/', '/a.PNG', '/b'])
  })

  it('fails its page when it fails', async () => {
    const broken: ImageParser = async () => Promise.reject(new Error('no such model'))
    await on.open({ '/a.png': file(png, { 'content-type': 'image/png' }) }, { imageParser: broken })
    await expect(on.engine.scrape(on.site.url('/a.png'))).rejects.toMatchObject({
      code: 'UNKNOWN_ERROR',
      message: expect.stringContaining('no such model'),
    })
  })

  it('is waited for no longer than the timeout of the page', async () => {
    await on.open(
      { '/a.png': file(png, { 'content-type': 'image/png' }) },
      { imageParser: () => new Promise<string>(() => undefined) },
    )
    await expect(on.engine.scrape(on.site.url('/a.png'), { timeout: 1000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
    })
  })

  it('is named by the error of an image that cannot be read', async () => {
    await on.open({ '/a.png': file(png, { 'content-type': 'text/html' }) })
    await expect(on.engine.scrape(on.site.url('/a.png'))).rejects.toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
      message: expect.stringMatching(/`image\/png` \(served as `text\/html`\).*`imageParser`/),
    })
  })
})

describe('a file', () => {
  it('is recognized by its download name, and a gzip file by its content', async () => {
    const sitemap = '<?xml version="1.0"?><urlset><url><loc>https://a.test/</loc></url></urlset>'
    await on.open({
      '/export': file('a;b\n1;2', {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="export.csv"',
      }),
      '/sitemap.xml.gz': file(gzipSync(sitemap), { 'content-type': 'application/x-gzip' }),
      '/main.py': file('print("hi")\n', { 'content-type': 'text/plain' }),
    })
    const read = async (path: string): Promise<string | undefined> =>
      (await on.engine.scrape(on.site.url(path))).markdown
    expect(await read('/export')).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |')
    expect(await read('/sitemap.xml.gz')).toBe(`\`\`\`xml\n${sitemap}\n\`\`\``)
    expect(await read('/main.py')).toBe('```python\nprint("hi")\n```')
  })

  it('with entries or links provides further URLs for a crawl', async () => {
    const feed = (link: string): string =>
      `<rss version="2.0"><channel><title>F</title><item><title>E</title><link>${link}</link></item></channel></rss>`
    await on.open({
      '/': '<p>Words</p><a href="/feed.xml">f</a><a href="/feed.json">j</a><a href="/llms.txt">l</a>',
      '/feed.xml': ({ response }) =>
        response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed(on.site.url('/by-rss'))),
      '/feed.json': file(
        '{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [{"id": "1", "url": "/by-json"}]}',
        { 'content-type': 'application/feed+json' },
      ),
      '/llms.txt': file('# L\n\n- [By text](/by-text): words', { 'content-type': 'text/plain' }),
      '/by-rss': '<p>One page</p>',
      '/by-json': '<p>Another page</p>',
      '/by-text': '<p>A third page</p>',
    })
    const { data } = await on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip' }).finished()
    expect(data.map(({ metadata }) => new URL(metadata.url).pathname).toSorted()).toEqual(
      ['/', '/by-json', '/by-rss', '/by-text', '/feed.json', '/feed.xml', '/llms.txt'].toSorted(),
    )
  })
})

describe('a browser', () => {
  it.each([
    ['a PDF file', '/a.pdf', pdf, { 'content-type': 'application/pdf' }],
    ['a PDF file that is called a page', '/a', pdf, { 'content-type': 'text/html' }],
    [
      'a picture that is called a page',
      '/b',
      Buffer.concat([png, Buffer.alloc(3000, '\x03\x9f\x14q')]),
      { 'content-type': 'text/html' },
    ],
    ['a zip', '/a.zip', zip, { 'content-type': 'application/zip' }],
  ])('leaves to HTTP what is not a page: %s', async (_, path, body, headers) => {
    await on.open({ [path]: file(body, headers) }, { fetcher: 'browser' })
    const document = await on.engine.scrape(on.site.url(path), { parsers: [] })
    expect(document.markdown).toBe(Buffer.from(body).toString('base64'))
    expect(document.metadata.contentType).toBe(headers['content-type'])
  })

  it.each([
    ['a table', '/a.csv', 'a,b\n1,2', { 'content-type': 'text/csv' }, '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['JSON', '/a.json', '{"a": 1}', { 'content-type': 'application/json' }, '```json\n{"a": 1}\n```'],
    [
      'a download',
      '/export',
      'a\tb\n1\t2',
      { 'content-type': 'text/html', 'content-disposition': 'attachment; filename=x.tsv' },
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
  ])('leaves to HTTP what is read better without it: %s', async (_, path, body, headers, markdown) => {
    await on.open({ [path]: file(body, headers) }, { fetcher: 'browser' })
    expect((await on.engine.scrape(on.site.url(path))).markdown).toBe(markdown)
  })
})
