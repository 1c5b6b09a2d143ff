import { rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import NewestClient from 'firecrawl-newest'
import OldestClient from 'firecrawl-oldest'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Engine } from '../../src/index.js'
import { findFreePort } from '../site/find-free-port.js'
import { startSite, type Site } from '../site/site.js'
import { blocks, writeModules } from './doc-code.js'
import { page } from './server-client.js'

const folder = new URL('.clients/', import.meta.url)
const ofGuide = blocks.filter(({ name }) => /^firecrawl(?:-more)?\.ts$/.test(name))

let site: Site
let running: { engine: Engine; server: Server }
let newest: NewestClient
let api: { apiKey: string; apiUrl: string }
let oldest: InstanceType<typeof OldestClient>
const held = { isHeld: false }

beforeAll(async () => {
  site = await startSite({
    pages: {
      '/': page('/a', '/b', '/broken'),
      '/a': page('/'),
      '/b': page('/'),
      '/slow': async ({ response }) => {
        while (held.isHeld) await new Promise((resolve) => setTimeout(resolve, 5))
        response.end(page())
      },
      '/broken': ({ response }) => response.destroy(),
    },
  })
  const port = await findFreePort()
  const options = { origin: site.origin, folder, ports: [0, 0, 0, port], trawl: '../../../src/index.js' }
  await writeModules(ofGuide, options)
  running = (await import(new URL('firecrawl.ts', folder).href)) as typeof running
  await import(new URL('firecrawl-more.ts', folder).href)
  api = { apiKey: 'any', apiUrl: `http://127.0.0.1:${port}` }
  newest = new NewestClient(api)
  oldest = new OldestClient(api)
}, 60_000)

afterAll(async () => {
  running.server.closeAllConnections()
  running.server.close()
  await running.engine.close()
  await site.close()
  await rm(folder, { recursive: true })
})

it('the shortest server has at most 25 lines of code', () => {
  const lines = ofGuide[0]?.code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//')) ?? []
  expect(lines.length).toBeLessThanOrEqual(25)
})

it('the server answers JSON that cannot be read with 400, and a body of null as one without a URL', async () => {
  const post = async (route: string, body: string) => {
    const response = await fetch(`${api.apiUrl}${route}`, { method: 'POST', body })
    return [response.status, await response.json()]
  }
  const malformed = [400, { success: false, error: expect.any(String), code: 'BAD_REQUEST_INVALID_JSON' }]
  for (const route of ['/v2/scrape', '/v1/scrape', '/v2/map', '/v2/crawl', '/v2/batch/scrape'])
    for (const body of ['{"url": ', '']) expect(await post(route, body)).toEqual(malformed)
  expect(await post('/v2/scrape', 'null')).toEqual([400, expect.objectContaining({ success: false })])
  expect(await post('/v2/crawl', '[1]')).toEqual([400, expect.objectContaining({ success: false })])
})

describe('the newest client', () => {
  it('scrapes and maps, with every field that it has', async () => {
    const common = { origin: 'test', integration: 'test', auditMetadata: { user: 'a' } as never, timeout: 20_000 }
    const document = await newest.scrape(site.url('/a'), {
      ...common,
      formats: ['markdown', 'links'],
      useMock: 'x',
      blockAds: true,
    })
    expect(document.markdown).toContain('# Page')
    expect(document.links).toEqual([site.url('/')])
    expect(document.warning).toBe('`useMock` has no effect: only the hosted service has what it asks for.')
    const location = { country: 'DE', languages: ['de'] }
    const map = await newest.map(site.url('/'), {
      ...common,
      location,
      includeSubdomains: true,
      ignoreQueryParameters: true,
      limit: 3,
    })
    expect(map.links.map(({ url }) => url)).toEqual(['/', '/a', '/b'].map((path) => site.url(path)))
  })

  it('crawls, and reads status and errors', async () => {
    const ended = await newest.crawl(site.url('/'), {
      limit: 10,
      scrapeOptions: { formats: ['markdown'], origin: 'test' },
      pollInterval: 1,
    })
    expect(ended.status).toBe('completed')
    expect(ended.data.map(({ metadata }) => metadata?.sourceURL ?? '').toSorted()).toEqual(
      ['/', '/a', '/b'].map((path) => site.url(path)),
    )
    const { id } = await newest.startCrawl(site.url('/broken'), {})
    await expect.poll(async () => (await newest.getCrawlErrors(id)).errors.length, { timeout: 20_000 }).toBe(1)
  }, 60_000)

  it('scrapes a batch', async () => {
    const urls = [site.url('/a'), site.url('/b')]
    const ended = await newest.batchScrape(urls, {
      options: { formats: ['html'], integration: 'test' },
      pollInterval: 1,
    })
    expect(ended.data.map(({ html }) => typeof html)).toEqual(['string', 'string'])
  }, 60_000)

  it('lists active crawls and cancels one', async () => {
    held.isHeld = true
    const { id } = await newest.startCrawl(site.url('/slow'), { origin: 'test' })
    expect((await newest.getActiveCrawls()).crawls).toMatchObject([{ id, url: site.url('/slow') }])
    expect(await newest.cancelCrawl(id)).toBe(true)
    expect((await newest.getCrawlStatus(id)).status).toBe('cancelled')
    held.isHeld = false
  })

  it('lists no batch among active crawls, and is told which route is missing', async () => {
    held.isHeld = true
    const { id } = await newest.startBatchScrape([site.url('/slow')])
    expect((await newest.getActiveCrawls()).crawls).toEqual([])
    held.isHeld = false
    expect((await newest.getBatchScrapeStatus(id)).id).toBe(id)
    for (const [method, path] of [
      ['POST', '/v2/search'],
      ['GET', '/v2/scrape'],
      ['GET', '/v2/team/credit-usage'],
    ]) {
      const answer = await fetch(`${api.apiUrl}${path}`, { method })
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { error: `There is no ${method} ${path}`, code: 'NO_ROUTE' },
      ])
    }
  })

  it('is told what is wrong with a request', async () => {
    await expect(newest.scrape(site.url('/a'), { formats: ['nothing' as never] })).rejects.toThrow(/formats/)
    await expect(newest.getCrawlStatus('0197a1de-0000-7000-8000-000000000000')).rejects.toThrow('Job not found')
  })
})

describe('the calls of version 1 of the newest client', () => {
  const v1 = () => newest.v1
  it('scrape a page with options that only version 1 has', async () => {
    const options = {
      formats: ['markdown'],
      parsePDF: false,
      auditMetadata: {},
      jsonOptions: { prompt: 'x' },
    } as object
    expect(await v1().scrapeUrl(site.url('/a'), options)).toMatchObject({
      success: true,
      markdown: expect.stringContaining('# Page'),
      warning: '`jsonOptions` has no effect: `json` is not among `formats`.',
    })
    await expect(v1().scrapeUrl(site.url('/a'), { minAge: 5 } as object)).rejects.toThrow(
      '"minAge", which is of version 2',
    )
  })

  it('scrape a batch, and read it page by page', async () => {
    const urls = [site.url('/a'), site.url('/b')]
    const ended = await v1().batchScrapeUrls(urls, { formats: ['links'], parsePDF: true } as object, 1)
    expect(ended).toMatchObject({ success: true, status: 'completed', completed: 2 })
    const { id = '' } = (await v1().asyncBatchScrapeUrls(urls, { formats: ['html'] } as object)) as { id?: string }
    expect((await running.engine.job(id))?.url).toBe(`${api.apiUrl}/v1/batch/scrape/${id}`)
    await expect.poll(() => v1().checkBatchScrapeStatus(id), { timeout: 20_000 }).toMatchObject({ status: 'completed' })
    expect(await v1().checkBatchScrapeErrors(id)).toMatchObject({ errors: [] })
  }, 60_000)
})

describe('a crawl that fails', () => {
  it('ends for the newest client, for its version 1 and for the oldest', async () => {
    const url = site.url('/broken')
    const failed = await newest.crawl(url, { pollInterval: 1 })
    expect([failed.status, failed.data]).toEqual(['failed', []])
    await expect(newest.v1.crawlUrl(url, {}, 1)).rejects.toThrow('Status: failed')
    await expect(oldest.crawlUrl(url, {})).rejects.toThrow('Status: failed')
    for (const version of ['v1', 'v2']) {
      const answer = await fetch(`${api.apiUrl}/${version}/crawl/${failed.id ?? ''}`)
      expect(await answer.json()).toMatchObject({ success: true, status: 'failed', error: expect.any(String) })
    }
  }, 60_000)

  it('is no success in the library, nor is its cancelling', async () => {
    const { id } = await newest.startCrawl(site.url('/broken'))
    const job = await running.engine.job(id)
    await job?.finished().catch(() => undefined)
    expect(await job?.status()).toMatchObject({ success: false, status: 'failed' })
    expect(await newest.cancelCrawl(id)).toBe(false)
  })
})

describe('a batch whose pages fail', () => {
  it('ends for the newest client and for its version 1', async () => {
    const urls = [site.url('/broken')]
    expect(await newest.batchScrape(urls, { pollInterval: 1 })).toMatchObject({ status: 'completed', data: [] })
    expect(await newest.v1.batchScrapeUrls(urls, {}, 1)).toMatchObject({ success: true, status: 'completed' })
  }, 60_000)
})

describe('the routes of files and watchers', () => {
  it('read a file that the client sends', async () => {
    const data = '<title>Sent</title><main><h1>Sent</h1><p>Some words of a file that was sent.</p></main>'
    const sent = { data, filename: 'a page.html', contentType: 'text/html' }
    const document = await newest.parse(sent, { formats: ['markdown', 'links'] })
    expect(document.markdown).toContain('# Sent')
    expect(document.metadata?.sourceURL).toBe('https://upload.invalid/a%20page.html')
    await expect(newest.parse({ data, filename: 'a.html' }, { formats: ['nothing'] } as object)).rejects.toThrow(
      /formats/,
    )
  })

  it('tell a watcher each document of a crawl and of a batch, and the end', async () => {
    vi.stubGlobal('WebSocket', WebSocket)
    const watch = async (id: string, kind: 'crawl' | 'batch') => {
      const seen = new Set<string>()
      const watcher = newest.watcher(id, { kind, pollInterval: 1 })
      watcher.on('document', ({ metadata }) => seen.add(String(metadata?.sourceURL)))
      const done = new Promise((resolve, reject) => watcher.on('done', resolve).on('error', reject))
      await watcher.start()
      expect(await done).toMatchObject({ status: 'completed' })
      return [...seen].toSorted()
    }
    const crawl = await newest.startCrawl(site.url('/'), { limit: 3 })
    expect(await watch(crawl.id, 'crawl')).toEqual(['/', '/a', '/b'].map((path) => site.url(path)))
    const batch = await newest.startBatchScrape([site.url('/a')])
    expect(await watch(batch.id, 'batch')).toEqual([site.url('/a')])

    const ofVersion1 = await newest.v1.crawlUrlAndWatch(site.url('/'), { limit: 2 })
    const seen: unknown[] = []
    ofVersion1.addEventListener('document', ({ detail }) => void seen.push(detail))
    await new Promise((resolve) => ofVersion1.addEventListener('done', resolve))
    expect(seen).toHaveLength(2)

    const lost = newest.watcher('0197a1de-0000-7000-8000-000000000000', { kind: 'crawl', timeout: 1 })
    const error = new Promise((resolve) => lost.on('error', resolve))
    await lost.start()
    expect(await error).toMatchObject({ status: 'failed' })
    vi.unstubAllGlobals()
  }, 60_000)
})

describe('a key of idempotency', () => {
  it('gives the same job for the same request, and refuses it for another', async () => {
    const urls = [site.url('/a')]
    const start = (more: object) => newest.startBatchScrape(urls, { idempotencyKey: 'one', ...more })
    const [first, second] = [await start({}), await start({})]
    expect(second.id).toBe(first.id)
    await expect(start({ options: { formats: ['html'] } })).rejects.toThrow(/other request|another request/)
  })
})

describe('the oldest client', () => {
  it('scrapes, maps and crawls with version 1', async () => {
    expect(await oldest.scrapeUrl(site.url('/a'), { formats: ['markdown'] })).toMatchObject({
      success: true,
      markdown: expect.stringContaining('# Page'),
    })
    const mapped = { search: 'a', includeSubdomains: false, ignoreSitemap: true }
    const map = await oldest.mapUrl(site.url('/'), mapped)
    expect(map).toMatchObject({ success: true, links: expect.arrayContaining([site.url('/a')]) })
    const options = { limit: 2, maxDepth: 3, scrapeOptions: { formats: ['markdown'] } }
    const ended = await oldest.crawlUrl(site.url('/'), options as object)
    expect(ended).toMatchObject({ success: true, status: 'completed', completed: 2 })
    const started = (await oldest.crawlUrl(site.url('/a'), {}, false)) as { id: string }
    expect(await oldest.checkCrawlStatus(started.id)).toMatchObject({ success: true })
    // A later client of version 1 asks for errors by DELETE, which must cancel nothing.
    held.isHeld = true
    const slow = (await oldest.crawlUrl(site.url('/slow'), {}, false)) as { id: string }
    const asked = await fetch(`${api.apiUrl}/v1/crawl/${slow.id}/errors`, { method: 'DELETE' })
    expect(await asked.json()).toEqual({ errors: [], robotsBlocked: [] })
    expect(await oldest.checkCrawlStatus(slow.id)).toMatchObject({ status: 'scraping' })
    held.isHeld = false
  }, 60_000)
})
