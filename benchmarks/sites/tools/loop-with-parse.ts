import { readFileSync } from 'node:fs'
import { createEngine } from 'trawl'
import type { CrawlOutput, Task } from '../../speed/measure.js'
import { loopOverUndici, type ReadPage } from './loop-over-undici.js'

/** What a crawl costs beside reading its pages: fetches the pages of a crawl, and has trawl read them in its threads. */
export async function loopWithParse(task: Task): Promise<CrawlOutput> {
  const urls = JSON.parse(readFileSync(task.urlsFile ?? '', 'utf8')) as string[]
  await using engine = createEngine()
  const read: ReadPage = async (body, url) => {
    const document = await engine.parse({ url, body, contentType: 'text/html' }, { formats: ['markdown', 'links'] })
    return { links: [], characters: document.markdown?.length ?? 0 }
  }
  return await loopOverUndici(task, read, urls)
}
