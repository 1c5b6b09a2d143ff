import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../src/index.js'
import { makeDocx, makeZip } from '../../content/office/make-zip.js'
import { htmlPage } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/office/${name}`, import.meta.url))

const links = [
  '/text.docx',
  '/text.odt',
  '/text.rtf',
  '/book.epub',
  '/sheet.xlsx',
  '/sheet.ods',
  '/slides.pptx',
  '/slides.odp',
  '/download?id=7',
  '/broken.docx',
  '/bomb.xlsx',
]

const prose = '<p>Files of the harbour, in all the formats that its office has ever written.</p>'

/** The path of a URL, with its query. */
const pathOf = (url = ''): string => new URL(url).pathname + new URL(url).search

let site: Site
let engine: Engine

beforeAll(async () => {
  const send =
    (body: Uint8Array, type = 'application/octet-stream') =>
    ({ response }: { response: ServerResponse }) =>
      void response.writeHead(200, { 'content-type': type }).end(body)
  site = await startSite({
    pages: {
      '/': htmlPage('Files', prose + links.map((href) => `<p><a href="${href}">${href}</a></p>`).join('')),
      '/text.docx': send(fixture('text.docx')),
      '/text.odt': send(fixture('text.odt'), 'application/vnd.oasis.opendocument.text'),
      '/text.rtf': send(fixture('text.rtf'), 'text/rtf'),
      '/book.epub': send(fixture('text.epub'), 'application/epub+zip'),
      '/sheet.xlsx': send(fixture('sheet.xlsx'), 'application/zip'),
      '/sheet.ods': send(fixture('sheet.ods'), 'text/html'),
      '/slides.pptx': send(fixture('slides.pptx')),
      '/slides.odp': send(fixture('slides.odp')),
      '/download': send(
        makeDocx(
          '<w:p><w:hyperlink r:id="h"><w:r><w:t>onwards</w:t></w:r></w:hyperlink></w:p>',
          {},
          { h: ['hyperlink', '/next'] },
        ),
      ),
      '/next': htmlPage('Next', prose),
      '/broken.docx': send(
        fixture('text.docx').subarray(0, 4000),
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ),
      '/bomb.xlsx': send(makeZip({ 'xl/workbook.xml': '\0'.repeat(30_000_000) })),
    },
  })
  engine = createEngine({ allowPrivateNetworks: true, threads: 1 })
})

afterAll(async () => {
  await engine.close()
  await site.close()
})

describe('a crawl', () => {
  it('reads the files that pages link to, follows their links, and says what it cannot read', async () => {
    const job = engine.crawl({ url: site.url('/'), scrapeOptions: { formats: ['markdown', 'links', 'rawHtml'] } })
    const { data } = await job.finished()
    const read = new Map(data.map((page) => [pathOf(page.metadata.url), page]))
    for (const path of links.slice(0, 8))
      expect(read.get(path)?.markdown, path).toMatch(/Harbour handbook|Berths|The harbour/)
    expect(read.get('/text.docx')).toMatchObject({ metadata: { title: 'Harbour handbook', language: 'en-GB' } })
    expect(read.get('/text.docx')?.rawHtml).toContain('<h1>Arrival</h1>')
    expect(read.get('/text.odt')?.links).toContain('https://harbour.test/tides')
    expect(read.get('/sheet.xlsx')?.warning).toContain('Hidden sheet is left out: “Secret”.')
    expect(read.get('/download?id=7')?.markdown).toContain('onwards')
    expect([...read.keys()]).toContain('/next')
    const { errors } = await job.errors()
    expect(new Map(errors.map(({ url, code }) => [pathOf(url), code]))).toEqual(
      new Map([
        ['/bomb.xlsx', 'SCRAPE_FILE_TOO_COMPLEX'],
        ['/broken.docx', 'SCRAPE_FILE_BROKEN'],
      ]),
    )
  })
})

describe('parse', () => {
  it('takes the bytes of a file, with or without a type', async () => {
    const url = 'https://site.test/report'
    const { markdown, chunks } = await engine.parse(
      { body: fixture('text.odt'), url },
      { formats: ['markdown', 'chunks'] },
    )
    expect(markdown).toContain('## What to bring')
    expect(chunks.map(({ path }) => path.at(-1))).toContain('Fees')
    const sheet = await engine.parse({
      body: fixture('sheet.ods'),
      url,
      contentType: 'application/vnd.oasis.opendocument.spreadsheet',
    })
    expect(sheet.markdown).toContain('| Anna |'.replace('Anna', '[Anna](https://harbour.test/anna)'))
  })
})
