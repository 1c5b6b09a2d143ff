import { createEngine } from 'trawl'
import { endOf, type Part, answerParts } from './load-part.js'

/**
 * Loads parts with one engine, every page in the browser, otherwise with defaults: Markdown, `blockAds`, automatic
 * wait.
 */

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

answerParts(load, () => engine.close())
