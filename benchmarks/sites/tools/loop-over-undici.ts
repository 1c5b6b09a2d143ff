import { Agent, request } from 'undici'
import type { CrawlOutput, Task } from '../../speed/measure.js'

/** Reads a page of the loop: its links, and the number of characters of its Markdown. */
export type ReadPage = (body: Uint8Array, url: string) => Promise<{ links: Iterable<string>; characters: number }>

/** A loop over undici with nothing around it but a set of URLs: no retries, rules, outcomes or kept documents. */
export async function loopOverUndici(
  { start, concurrency, limit = Infinity, fromStartOnly }: Task,
  read: ReadPage,
  queue: string[] = [start],
): Promise<CrawlOutput> {
  const agent = new Agent({ connections: concurrency, pipelining: 1 })
  const { origin } = new URL(start)
  // The first page that was found is fetched first, as in a crawl by depth.
  let next = 0
  const known = new Set(queue)
  const urls: string[] = []
  let characters = 0
  const visit = async (url: string): Promise<void> => {
    const { body, statusCode, headers } = await request(url, { dispatcher: agent })
    const bytes = new Uint8Array(await body.arrayBuffer())
    if (statusCode !== 200 || !String(headers['content-type']).includes('html')) return
    urls.push(url)
    const page = await read(bytes, url)
    characters += page.characters
    for (const link of page.links) {
      if (known.has(link) || !link.startsWith(origin) || (fromStartOnly && url !== start)) continue
      known.add(link)
      queue.push(link)
    }
  }
  await new Promise<void>((resolve, reject) => {
    let running = 0
    /** Begins as many pages as may run. Each that ends begins others: only the start is known at first. */
    const fill = (): void => {
      while (running < concurrency && urls.length + running < limit) {
        const url = queue[next]
        if (url === undefined) break
        next += 1
        running += 1
        visit(url)
          .finally(() => (running -= 1))
          .then(fill, reject)
      }
      if (running === 0) resolve()
    }
    fill()
  })
  await agent.close()
  return { urls, characters }
}
