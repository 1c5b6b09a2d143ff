import { rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import NewestClient from 'firecrawl-newest'
import OldestClient from 'firecrawl-oldest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/index.js'
import { findFreePort } from '../site/find-free-port.js'
import { startSite, type Site } from '../site/site.js'
import { asModule, blocks, writeModules } from './doc-code.js'
import { page } from './server-client.js'

const folder = new URL('.clients/', import.meta.url)
const block = blocks.find(({ name }) => name === 'firecrawl.ts')

let site: Site
let running: { engine: Engine; server: Server }
let newest: NewestClient
let api: { apiKey: string; apiUrl: string }
let oldest: InstanceType<typeof OldestClient>
const held = { isHeld: false }

beforeAll(async () => {
  if (!block) throw new Error('docs/guides/firecrawl-clients.md has no firecrawl.ts')
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
  await writeModules([], options)
  const file = new URL('firecrawl.ts', folder)
  await writeFile(file, `${asModule(block, options)}\nexport { engine, server }`)
  running = (await import(file.href)) as typeof running
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
  const lines = block?.code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//')) ?? []
  expect(lines.length).toBeLessThanOrEqual(25)
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
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: `There is no ${method} ${path}` }])
    }
  })

  it('is told what is wrong with a request', async () => {
    await expect(newest.scrape(site.url('/a'), { formats: ['nothing' as never] })).rejects.toThrow(/formats/)
    await expect(newest.getCrawlStatus('0197a1de-0000-7000-8000-000000000000')).rejects.toThrow('Job not found')
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
