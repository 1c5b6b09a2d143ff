import { describe, expect, it } from 'vitest'
import { createEngine, memoryCache } from '../../../src/index.js'
import { page, pathOf, useCrawlSite, type Pages } from './crawl-site.js'

const on = useCrawlSite()
const file =
  (type: string, body = 'x'.repeat(1000)): Pages[string] =>
  ({ response }) =>
    response.writeHead(200, { 'content-type': type }).end(body)
const asHtml: Pages[string] = ({ response, url }) =>
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<main><h1>${url.pathname}</h1><p>The text of ${url.pathname} is its own.</p></main>`)

describe('pages that are named like files', () => {
  it.each([
    '/wiki/File:Pier.jpg',
    '/package/chart.js',
    '/docs/node.js',
    '/blob/main/index.css',
    '/u/anna.mp3',
    '/site/x.zip',
  ])('are scraped where their type is HTML: %s', async (path) => {
    await on.open({ '/': page(path), [path]: asHtml })
    expect((await on.crawl({ sitemap: 'skip' })).paths).toEqual(['/', path])
  })

  it('are as many as a site has', async () => {
    const paths = Array.from({ length: 30 }, (_, at) => `/wiki/File:${at}.jpg`)
    await on.open({ '/': page(...paths), ...Object.fromEntries(paths.map((path) => [path, asHtml])) })
    expect((await on.crawl({ sitemap: 'skip', deduplicateContent: false })).status.completed).toBe(31)
  })

  it.each([
    ['pictures', 'jpg', 'image/jpeg'],
    ['scripts', 'js', 'text/javascript'],
    ['archives', 'zip', 'application/zip'],
    ['songs of no known type', 'mp3', 'application/octet-stream'],
  ])('are refused by their names after some of them were %s', async (_name, extension, type) => {
    const paths = Array.from({ length: 60 }, (_, at) => `/files/${at}.${extension}`)
    const listed = ['/', '/further']
    await on.open({
      '/': page(...paths.slice(0, 30), '/further'),
      '/further': page(...paths.slice(30)),
      ...Object.fromEntries(paths.map((path) => [path, file(type)])),
    })
    const { job, status, paths: scraped } = await on.crawl({ sitemap: 'skip', maxConcurrency: 1 })
    expect(scraped).toEqual(listed.toSorted())
    expect(status).toMatchObject({ completed: 2, failed: 0, skippedByReason: { FILE_TYPE: 60 } })
    expect(on.site.requests.filter(({ path }) => path.startsWith('/files/'))).toHaveLength(2)
    const row = await on.rowOf(job, '/files/59.' + extension)
    expect(row).toMatchObject({
      refusal: { reason: 'FILE_TYPE', message: expect.stringContaining(`.${extension} file`) },
    })
  })

  it('are no more than twenty files, however many folders have them', async () => {
    const paths = Array.from({ length: 60 }, (_, at) => `/${at}/song.mp3`)
    await on.open({ '/': page(...paths), ...Object.fromEntries(paths.map((path) => [path, file('audio/mpeg')])) })
    const { status } = await on.crawl({ sitemap: 'skip', maxConcurrency: 1 })
    expect(status).toMatchObject({ completed: 1, failed: 0, skippedByReason: { FILE_TYPE: 60 } })
    expect(on.site.requests.filter(({ path }) => path.endsWith('.mp3'))).toHaveLength(20)
  })

  it('are no errors where they are not there, and are pages that are not there where others of their kind are pages', async () => {
    await on.open({
      '/': page('/none/a.png', '/wiki/a.jpg', '/wiki/b.jpg', '/wiki/c.jpg', '/wiki/gone.jpg'),
      '/wiki/a.jpg': asHtml,
      '/wiki/b.jpg': asHtml,
      '/wiki/c.jpg': asHtml,
    })
    const { job, status } = await on.crawl({ sitemap: 'skip', maxConcurrency: 1 })
    expect(status).toMatchObject({ failed: 0, skippedByReason: { FILE_TYPE: 1 } })
    expect(await on.rowOf(job, '/none/a.png')).toMatchObject({
      refusal: { message: 'a .png file holds no page to read; the request for it answered 404' },
    })
    expect(status.data.find(({ metadata }) => metadata.url.endsWith('gone.jpg'))?.metadata.statusCode).toBe(404)
    expect((await job.errors()).errors).toEqual([])
  })

  it('are no errors where they do not answer, and two of a kind are asked for', async () => {
    const paths = Array.from({ length: 10 }, (_, at) => `/songs/${at}.mp3`)
    await on.open({ '/': page(...paths), ...Object.fromEntries(paths.map((path) => [path, () => undefined])) })
    const scrapeOptions = { timeout: 1000 }
    const { job, status } = await on.crawl({ sitemap: 'skip', maxConcurrency: 1, scrapeOptions })
    expect(status).toMatchObject({ completed: 1, failed: 0, skippedByReason: { FILE_TYPE: 10 } })
    expect(new Set(on.site.requests.map(({ path }) => path)).size).toBe(4)
    expect(await on.rowOf(job, '/songs/0.mp3')).toMatchObject({
      refusal: { message: 'a .mp3 file holds no page to read; the request for it failed with SCRAPE_TIMEOUT' },
    })
    expect((await job.errors()).errors).toEqual([])
  })

  it('are asked for once by all crawls that share a cache', async () => {
    const zip = file('application/zip')
    const pages = { '/': page('/a.zip', '/b.zip', '/c.png'), '/a.zip': zip, '/b.zip': zip, '/c.png': file('image/png') }
    await on.open(pages, { cache: memoryCache() })
    await on.crawl({ sitemap: 'skip' })
    const asked = on.site.requests.length
    const { status } = await on.crawl({ sitemap: 'skip' })
    expect(status).toMatchObject({ completed: 1, failed: 0, skippedByReason: { FILE_TYPE: 3 } })
    expect(
      on.site.requests
        .slice(asked)
        .map(({ path }) => path)
        .filter((path) => path !== '/robots.txt'),
    ).toEqual([])
    // What was noted for crawls is not what a caller gets who wants the file.
    const scrape = on.engine.scrape(on.site.url('/a.zip'))
    await expect(scrape).rejects.toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
      message: expect.stringContaining('zip'),
    })
    expect(on.site.requests.at(-1)?.path).toBe('/a.zip')
  })

  it('are not read to the end where they are files', async () => {
    let sent = 0
    await on.open({
      '/': page('/long.mp4'),
      '/long.mp4': ({ response }) => {
        response.writeHead(200, { 'content-type': 'video/mp4' })
        const timer = setInterval(() => {
          sent += 1
          response.write(Buffer.alloc(1024))
        }, 5)
        response.on('close', () => clearInterval(timer))
      },
    })
    const { status } = await on.crawl({ sitemap: 'skip' })
    expect(status).toMatchObject({ completed: 1, failed: 0, skippedByReason: { FILE_TYPE: 1 } })
    expect(sent).toBeLessThan(200)
  })

  it('are judged by the other rules as well, and fetched in vain for no links', async () => {
    await on.open({
      '/docs/': page('/docs/a.js', '/docs/secret/b.js', '/other/c.js'),
      '/docs/a.js': asHtml,
      '/docs/secret/b.js': asHtml,
      '/other/c.js': asHtml,
    })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    const job = engine.crawl({ url: on.site.url('/docs/'), sitemap: 'skip', excludePaths: ['secret'] })
    const { data } = await job.finished()
    expect(data.map(({ metadata }) => pathOf(metadata.url)).toSorted()).toEqual(['/docs/', '/docs/a.js'])
    expect(on.site.requests.map(({ path }) => path)).not.toContain('/other/c.js')
  })
})
