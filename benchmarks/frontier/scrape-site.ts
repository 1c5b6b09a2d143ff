import { readFileSync } from 'node:fs'
import { createEngine } from 'trawl'
import { measure, type Task, type CrawlOutput } from '../speed/measure.js'

/** Task of one side: a batch of the URLs in a file or, without a file, a crawl that discovers them. */
export interface SiteTask extends Task {
  readonly urls?: string
}

async function scrape(task: Task): Promise<CrawlOutput> {
  const { start, concurrency: maxConcurrency, urls: file }: SiteTask = task
  await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency, cache: false })
  const job =
    file === undefined
      ? engine.crawl({ url: start, crawlEntireDomain: true, maxConcurrency })
      : engine.batchScrape({ urls: JSON.parse(readFileSync(file, 'utf8')) as string[], maxConcurrency })
  const urls: string[] = []
  let characters = 0
  for await (const { metadata, markdown } of job) {
    urls.push(metadata.sourceURL)
    characters += markdown.length
  }
  return { urls, characters }
}

await measure(scrape)
