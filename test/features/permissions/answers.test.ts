import { describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig } from '../../../src/index.js'
import { collectSpans } from '../../base/tracing/collect-spans.js'
import { breakages, startBrokenSite } from '../../site/broken-site.js'
import { startSite } from '../../site/site.js'

const config: EngineConfig = { allowPrivateNetworks: true, fetcher: 'http', threads: 0, retry: { maxRetries: 0 } }

describe.each(Object.keys(breakages))('an error with a body %s', (how) => {
  it('is no file about the use of pages, and no robots.txt: the site is crawled', async () => {
    using site = await startBrokenSite(404, how, (path) => !['/', '/a'].includes(path))
    await using engine = createEngine(config)
    const job = engine.crawl({ url: `${site.url}/`, scrapeOptions: { use: ['ai-input'] } })
    const { data } = await job.finished()
    expect(data.map(({ metadata }) => new URL(metadata.url ?? '').pathname).toSorted()).toEqual(['/', '/a'])
    expect(site.asked).toEqual(expect.arrayContaining(['/robots.txt', '/sitemap.xml', '/.well-known/tdmrep.json']))
  })
})

it('the attempt at a page of which the use is not permitted fails as the page does', async () => {
  await using site = await startSite({
    pages: { '/': '<meta name="tdm-reservation" content="1"><main><p>A text that is reserved.</p></main>' },
  })
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'http' })
  using spans = collectSpans()
  await expect(engine.scrape(site.url('/'), { use: ['ai-train'] })).rejects.toMatchObject({
    code: 'SCRAPE_NOT_PERMITTED',
  })
  expect(spans.ended.page).toMatchObject([{ outcome: 'failed', code: 'SCRAPE_NOT_PERMITTED' }])
  expect(spans.ended.attempt).toMatchObject([{ outcome: 'failed', code: 'SCRAPE_NOT_PERMITTED', statusCode: 200 }])
})
