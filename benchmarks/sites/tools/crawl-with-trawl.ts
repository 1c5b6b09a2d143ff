import { createEngine } from 'trawl'
import type { CrawlOutput, Task } from '../../speed/measure.js'
import { wholeSite } from '../../whole-site.js'

/** More pages than a site has. Without it, a crawl ends after 10,000 pages. */
const WHOLE_SITE = 1_000_000

/** Crawls with trawl, which makes these formats of each page. */
export const withTrawl =
  (formats: readonly ('markdown' | 'links')[]) =>
  async (task: Task): Promise<CrawlOutput> => {
    const { concurrency, limit = WHOLE_SITE, fromStartOnly } = task
    await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency: concurrency })
    const job = engine.crawl({
      ...wholeSite(task),
      limit,
      ...(fromStartOnly && { maxDiscoveryDepth: 1 }),
      // For links only, all of a page as in the loop: without Markdown, no content is taken out of it.
      scrapeOptions: { formats: [...formats], onlyMainContent: formats.includes('markdown') },
    })
    const urls: string[] = []
    let characters = 0
    for await (const { metadata, markdown } of job) {
      urls.push(metadata.sourceURL)
      characters += markdown?.length ?? 0
    }
    return { urls, characters }
  }
