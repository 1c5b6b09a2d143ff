import { readFileSync } from 'node:fs'
import { createEngine } from 'trawl'
import { measure, type Task, type Yield } from '../speed/measure.js'

/** The task of a side: with a file of URLs it scrapes those, without one it has to find them. */
export interface SiteTask extends Task {
  readonly urls?: string
}

async function scrape(task: Task): Promise<Yield> {
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
