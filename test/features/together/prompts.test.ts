import { describe, expect, it } from 'vitest'
import { htmlPage } from '../../site/exchange.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

describe('a crawl that is described in words', () => {
  it('keeps the format of a feature that the request has', async () => {
    await on.open({ '/': htmlPage('A', '<main><p>Words.</p></main>') }, () => ({ says: { limit: 1 } }))
    const scrapeOptions = { formats: ['markdown' as const, { type: 'branding' as const }] }
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'the first page', limit: 1, scrapeOptions })
    const { status, data } = await job.finished()
    expect([status, data[0]?.branding !== undefined]).toEqual(['completed', true])
  })

  it('keeps the `use` that the request has', async () => {
    await on.open({ '/': htmlPage('A', '<main><p>Words.</p></main>') }, () => ({ says: { limit: 1 } }))
    const scrapeOptions = { use: ['search' as const] }
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'the first page', limit: 1, scrapeOptions })
    expect((await job.finished()).status).toBe('completed')
  })

  it('is indexed without Markdown in documents of other formats that the prompt has asked for', async () => {
    const pages = { '/refunds': article('<h2>Annual plans</h2><p>Annual plans are refunded within fourteen days.</p>') }
    await on.open(pages, () => ({ says: { scrapeOptions: { formats: ['html'] } } }), { index: true })
    const job = on.engine.crawl({ url: on.site.url('/refunds'), prompt: 'its HTML', limit: 1, sitemap: 'skip' })
    const { data } = await job.finished()
    expect(data).toMatchObject([{ html: expect.stringContaining('Annual plans') }])
    expect(data[0]).not.toHaveProperty('markdown')
    expect(await job.search('plans')).not.toEqual([])
  })
})
