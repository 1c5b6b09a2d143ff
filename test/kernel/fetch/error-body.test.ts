import { describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig } from '../../../src/index.js'
import { breakages, startBrokenSite } from '../../site/broken-site.js'

const config: EngineConfig = { allowPrivateNetworks: true, fetcher: 'http', threads: 0, retry: { maxRetries: 0 } }

describe.each(Object.keys(breakages))('an error with a body %s', (how) => {
  it.each([403, 404, 500])('is a document with its status: %i', async (status) => {
    using site = await startBrokenSite(status, how, (path) => path === '/gone')
    await using engine = createEngine(config)
    const { metadata, warning } = await engine.scrape(`${site.url}/gone`, { timeout: 3_000 })
    expect(metadata.statusCode).toBe(status)
    expect(warning).toContain(`The body of the answer ${status} Broken could not be read whole`)
  })

  it('is no robots.txt and no sitemap: the site is crawled', async () => {
    using site = await startBrokenSite(404, how, (path) => !['/', '/a'].includes(path))
    await using engine = createEngine(config)
    const job = engine.crawl({ url: `${site.url}/` })
    const { data } = await job.finished()
    expect(data.map(({ metadata }) => new URL(metadata.url ?? '').pathname).toSorted()).toEqual(['/', '/a'])
    expect(site.asked).toEqual(expect.arrayContaining(['/robots.txt', '/sitemap.xml']))
  })

  it('keeps a robots.txt that fails with 503 unreachable', async () => {
    using site = await startBrokenSite(503, how, (path) => path === '/robots.txt')
    await using engine = createEngine(config)
    const job = engine.crawl({ url: `${site.url}/`, sitemap: 'skip' })
    await job.finished()
    expect((await job.errors()).errors).toEqual([
      expect.objectContaining({ error: expect.stringContaining('robots.txt could not be read: 503 Broken') }),
    ])
  })
})
