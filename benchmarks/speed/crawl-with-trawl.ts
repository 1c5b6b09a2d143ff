import { createEngine } from 'trawl'
import { wholeSite } from '../whole-site.js'
import { measure, type Task, type CrawlOutput } from './measure.js'

/** Options for the same work as the plain script: the whole body of each page as Markdown, without a cache. */
const sameWork = { onlyMainContent: false, maxAge: 0, storeInCache: false } as const

/** Crawls with trawl's defaults or, with `--same-work`, with the same work as the plain script. */
async function crawl(task: Task): Promise<CrawlOutput> {
  const options = process.argv.includes('--same-work') ? sameWork : {}
  await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency: task.concurrency })
  const job = engine.crawl({ ...wholeSite(task), scrapeOptions: { ...options, formats: ['markdown'] } })
  const documents = new Map<string, string>()
  for await (const document of job) documents.set(document.metadata.sourceURL, document.markdown)
  const characters = [...documents.values()].reduce((sum, markdown) => sum + markdown.length, 0)
  return { urls: [...documents.keys()], characters }
}

await measure(crawl)
