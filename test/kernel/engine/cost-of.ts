import { expect } from 'vitest'
import type { Engine, ScrapeOptions } from '../../../src/index.js'

/** What a page costs by itself, in a batch and in a crawl of version 1, and what the jobs say. */
export async function costOf(engine: Engine, url: string, options: ScrapeOptions = {}): Promise<number[]> {
  const single = await engine.scrape(url, options)
  const batch = await engine.batchScrape({ urls: [url], ...options }).finished()
  const crawl = await engine
    .crawl({ url, limit: 1, sitemap: 'skip', ignoreRobotsTxt: true, scrapeOptions: options })
    .finished()
  expect([batch.creditsUsed, crawl.creditsUsed]).toEqual(
    [batch, crawl].map(({ data }) => data[0]?.metadata.creditsUsed),
  )
  return [single.metadata.creditsUsed, batch.creditsUsed, crawl.creditsUsed]
}
