import { createEngine, warc } from 'trawl'
import { type CrawlOutput, measure, type Task } from '../speed/measure.js'
import { wholeSite } from '../whole-site.js'

/** Task of a crawl that writes an archive. */
export interface ArchiveTask extends Task {
  /** Path of the archive; without it there is none. */
  readonly archive?: string
}

/** A page that waits for its turn on a loaded machine may take longer than the default. */
const scrapeOptions = { timeout: 300_000 } as const

async function crawl(task: Task): Promise<CrawlOutput> {
  const { archive, limit = 10_000 } = task as ArchiveTask
  await using engine = createEngine({
    allowPrivateNetworks: true,
    cache: false,
    fetcher: 'http',
    ...(archive !== undefined && { archive: warc(archive) }),
  })
  const urls: string[] = []
  let characters = 0
  for await (const { metadata, markdown } of engine.crawl({ ...wholeSite(task), limit, scrapeOptions })) {
    urls.push(metadata.sourceURL)
    characters += markdown.length
  }
  return { urls, characters }
}

/** Crawls one page first, so that modules are loaded and compiled as in a running service. */
async function warmUp({ start }: Task): Promise<void> {
  await using engine = createEngine({ allowPrivateNetworks: true, cache: false, fetcher: 'http' })
  await engine.crawl({ url: start, limit: 1, sitemap: 'skip' }).finished()
}

await measure(crawl, warmUp)
