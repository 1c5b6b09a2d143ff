import { expect, it } from 'vitest'
import { htmlPage } from '../../site/exchange.js'
import { useModelSite } from '../../site/model-site.js'

const on = useModelSite()

it('a crawl that is described in words keeps the format that the request has', async () => {
  await on.open({ '/': htmlPage('A', '<main><p>Words.</p></main>') }, () => ({ says: { limit: 1 } }))
  const scrapeOptions = { formats: ['markdown' as const, { type: 'branding' as const }] }
  const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'the first page', limit: 1, scrapeOptions })
  const { status, data } = await job.finished()
  expect([status, data[0]?.branding !== undefined]).toEqual(['completed', true])
})
