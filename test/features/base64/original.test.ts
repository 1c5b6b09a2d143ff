import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { makePdf } from '../../content/pdf/make-pdf.js'
import { useEngineSite } from '../../site/engine-site.js'
import type { Handler } from '../../site/exchange.js'

const on = useEngineSite()

const file =
  (body: Uint8Array | string, type: string, headers = {}): Handler =>
  ({ response }) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body)

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89', 'latin1')
const mp3 = (seed: number) => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.alloc(3000, seed)])
const zip = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1')
const sumOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

describe('original', () => {
  it('is the file as received, with its digest, in the document or in `media`', async () => {
    const body = makePdf([{ pieces: [{ text: 'One page of words.', x: 50, y: 700, size: 12 }] }])
    await on.open({ '/report.pdf': file(body, 'application/pdf') })
    const url = on.site.url('/report.pdf')
    const { original, markdown } = await on.engine.scrape(url, { formats: ['markdown', 'original'] })
    expect(markdown).toContain('One page of words.')
    expect(original).toEqual({
      url: `data:application/pdf;base64,${Buffer.from(body).toString('base64')}`,
      name: 'report.pdf',
      mediaType: 'application/pdf',
      bytes: body.length,
      sha256: sumOf(body),
    })
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-original-'))
    try {
      await using engine = createEngine({ media: folder, allowPrivateNetworks: true })
      const take = async () => (await engine.scrape(url, { formats: ['original'] })).original
      const stored = fileURLToPath((await take())?.url ?? '')
      const { mtimeMs } = await stat(stored)
      expect(Buffer.compare(await readFile(stored), body)).toBe(0)
      await take()
      expect((await stat(stored)).mtimeMs).toBe(mtimeMs)
      expect(await readdir(folder)).toEqual([`${sumOf(body).slice(0, 32)}.pdf`])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.each([
    ['/table.csv', 'a,b\n1,2\n', 'text/csv', {}, 'table.csv', 'text/csv'],
    ['/x.zip', zip, 'application/zip', {}, 'x.zip', 'application/zip'],
    ['/get?id=1', png, 'image/png', {}, 'get.png', 'image/png'],
    ['/photo.JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'image/jpeg', {}, 'photo.JPEG', 'image/jpeg'],
    [
      '/get',
      zip,
      'application/zip',
      { 'content-disposition': 'attachment; filename="../a/b.docx"' },
      'b.docx',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['/report.aspx', png, 'image/png', {}, 'report.aspx.png', 'image/png'],
    ['/', zip, 'application/zip', {}, 'file.zip', 'application/zip'],
  ])('names a file by its server or URL, and by its type: %s', async (path, body, type, headers, name, mediaType) => {
    await on.open({ [path.split('?')[0] ?? '']: file(body, type, headers) })
    const { original } = await on.engine.scrape(on.site.url(path), { formats: ['original'] })
    expect(original).toMatchObject({ name, mediaType, sha256: sumOf(body) })
  })

  it.each([
    ['a page', '<h1>Page</h1>', 'text/html', 200],
    ['Markdown', '# Page', 'text/markdown', 200],
    ['an error', zip, 'application/zip', 404],
  ])('is absent for %s', async (_, body, type, status) => {
    await on.open({ '/page': ({ response }) => response.writeHead(status, { 'content-type': type }).end(body) })
    expect(await on.engine.scrape(on.site.url('/page'), { formats: ['markdown', 'original'] })).not.toHaveProperty(
      'original',
    )
  })

  it('keeps a file that cannot be read, as a page without content that says why', async () => {
    await on.open({
      '/a.mp3': file(mp3(1), 'audio/mpeg'),
      '/broken.pdf': file('%PDF-1.4 nothing', 'application/pdf'),
    })
    const formats = ['markdown', 'original'] as const
    const audio = await on.engine.scrape(on.site.url('/a.mp3'), { formats })
    expect(audio).toMatchObject({
      markdown: '',
      original: { name: 'a.mp3' },
      warning: expect.stringContaining('No parser'),
    })
    const broken = await on.engine.scrape(on.site.url('/broken.pdf'), { formats })
    expect(broken).toMatchObject({
      markdown: '',
      original: { name: 'broken.pdf' },
      warning: expect.stringContaining('PDF'),
    })
    await expect(on.engine.scrape(on.site.url('/a.mp3'))).rejects.toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    })
  })

  it('lets a file whose reading exceeds the time limit fail: the next run may have the time', async () => {
    const pages = Array.from({ length: 50 }, () => ({ pieces: [{ text: 'Words.', x: 50, y: 700, size: 12 }] }))
    await on.open({ '/slow.pdf': file(makePdf(pages), 'application/pdf') }, { fileTimeoutMs: 1, threads: 1 })
    await expect(
      on.engine.scrape(on.site.url('/slow.pdf'), { formats: ['markdown', 'original'] }),
    ).rejects.toMatchObject({ code: 'SCRAPE_FILE_TOO_COMPLEX' })
  })

  it('has a warning in the place of a file that is too large for a document', async () => {
    await on.open({ '/large.zip': file(Buffer.concat([zip, Buffer.alloc(9 * 1024 * 1024)]), 'application/zip') })
    const document = await on.engine.scrape(on.site.url('/large.zip'), { formats: ['original'] })
    expect(document).not.toHaveProperty('original')
    expect(document.warning).toContain('There is no `original`: The original has 9437206 bytes')
  })

  it('stores nothing with `zeroDataRetention`', async () => {
    await on.open({}, { media: () => 'https://example.com/x' })
    expect(() =>
      on.engine.crawl({ url: on.site.url('/'), zeroDataRetention: true, scrapeOptions: { formats: ['original'] } }),
    ).toThrow("`original` is stored by the engine's `media`: with `zeroDataRetention` nothing is stored")
  })
})

it('makes a crawl follow links to files of all types, by its rules', async () => {
  const paths = ['/a.mp3', '/b.mp3', '/c.mp3', '/d.mp3', '/x.zip', '/denied/y.zip', '/excluded.zip']
  const links = [...paths, 'http://other.invalid/z.zip']
    .map((path) => `<li><a href="${path}">${path}</a></li>`)
    .join('')
  const asked: string[] = []
  await on.open({
    '/': file(`<main><h1>Files</h1><ul>${links}</ul></main>`, 'text/html'),
    '/robots.txt': file('User-agent: *\nDisallow: /denied/', 'text/plain'),
    ...Object.fromEntries(
      paths.map((path, index): [string, Handler] => [
        path,
        (exchange) => {
          asked.push(path)
          return file(path.endsWith('.zip') ? zip : mp3(index), 'application/octet-stream')(exchange)
        },
      ]),
    ),
  })
  const crawl = async (formats: ('markdown' | 'original')[]) => {
    const scrapeOptions = { formats, maxAge: 0 }
    const job = on.engine.crawl({ url: on.site.url('/'), excludePaths: ['excluded'], maxConcurrency: 1, scrapeOptions })
    const names: string[] = []
    for await (const { original } of job as AsyncIterable<{ original?: { name: string } }>)
      if (original) names.push(original.name)
    return names.toSorted()
  }
  expect(await crawl(['markdown', 'original'])).toEqual(['a.mp3', 'b.mp3', 'c.mp3', 'd.mp3', 'x.zip'])
  expect(asked.toSorted()).toEqual(['/a.mp3', '/b.mp3', '/c.mp3', '/d.mp3', '/x.zip'])
  expect(await crawl(['markdown'])).toEqual([])
})
