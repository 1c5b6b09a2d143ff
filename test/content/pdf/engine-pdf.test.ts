import { expect, it } from 'vitest'
import type { DocumentMetadata } from '../../../src/index.js'
import { htmlPage } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'
import { lines, makePdf } from './make-pdf.js'

const on = useEngineSite()

const text = lines(['A file of two pages, which leads on to a page of the site.'], { x: 72, y: 100 })

it('a crawl reads PDF files, follows their links, and counts one credit for each page', async () => {
  await on.open({
    '/': htmlPage('Start', '<p>Here is <a href="/file.pdf">a file</a>.</p>'),
    '/file.pdf': ({ response }) => {
      const link = { text: 'the page behind it', x: 72, y: 130, href: on.site.url('/behind') }
      response.writeHead(200, { 'content-type': 'application/pdf' })
      response.end(makePdf([{ pieces: [...text, link] }, { pieces: text }], { info: { Title: 'The File' } }))
    },
    '/behind': htmlPage('Behind', '<p>Only the file leads here.</p>'),
  })
  const job = on.engine.crawl({ url: on.site.url('/'), limit: 10 })
  const documents = new Map<string, DocumentMetadata>()
  for await (const document of job) documents.set(new URL(document.metadata.url).pathname, document.metadata)
  expect([...documents.keys()].toSorted()).toEqual(['/', '/behind', '/file.pdf'])
  expect(documents.get('/file.pdf')).toMatchObject({ title: 'The File', numPages: 2, totalPages: 2, creditsUsed: 2 })
  expect((await job.finished()).creditsUsed).toBe(4)
})

it('PDF bytes of the caller are parsed, whatever media type is given', async () => {
  await on.open({})
  const body = makePdf([{ pieces: text }])
  for (const contentType of ['application/pdf', 'application/octet-stream', 'text/html', undefined]) {
    const document = await on.engine.parse(
      { body, url: 'https://a.test/x', ...(contentType !== undefined && { contentType }) },
      { formats: ['markdown', 'html', 'rawHtml', 'chunks', 'links'] },
    )
    expect(document.markdown).toBe('A file of two pages, which leads on to a page of the site.')
    expect(document.html).toContain('<p>A file of two pages')
    expect(document.rawHtml).toContain('<html>')
    expect(document.metadata).toMatchObject({ numPages: 1, creditsUsed: 1 })
  }
})

it('a PDF file that takes too long fails with SCRAPE_FILE_TOO_COMPLEX', async () => {
  await on.open({}, { fileTimeoutMs: 1, threads: 1 })
  const body = makePdf(Array.from({ length: 50 }, () => ({ pieces: text })))
  await expect(on.engine.parse({ body, url: 'https://a.test/x.pdf' })).rejects.toMatchObject({
    code: 'SCRAPE_FILE_TOO_COMPLEX',
    message: /longer than 1 ms/,
  })
})
