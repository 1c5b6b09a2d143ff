import { createEngine } from 'trawl'
import { endOf, type Part, takeOrders } from './load-part.js'

/** One engine for all parts, every page in the browser; all else as it comes: Markdown, `blockAds`, the automatic wait. */

const concurrency = Number(process.argv[2] ?? 4)
const engine = createEngine({
  allowPrivateNetworks: true,
  fetcher: 'browser',
  maxConcurrency: concurrency,
  browser: { maxPages: concurrency },
  cache: false,
})

async function load({ urls }: Part): Promise<number> {
  let whole = 0
  const job = engine.batchScrape({ urls: [...urls], maxConcurrency: concurrency })
  for await (const { markdown, metadata } of job) if (markdown.includes(endOf(metadata.sourceURL))) whole += 1
  return whole
}

takeOrders(load, () => engine.close())
