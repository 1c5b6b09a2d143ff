import { BasicCrawler, Configuration, log } from '@crawlee/basic'
import { load } from 'cheerio'
import type { CrawlOutput, Task } from '../../speed/measure.js'
import { resolveLink } from './resolve-link.js'

/** Makes Markdown of a page; a page that the tool cannot read counts as empty. */
export type Convert = (html: string, url: string) => string | Promise<string>

/** Crawls with Crawlee and cheerio; `convert` makes Markdown of each page. */
export const withCrawlee =
  (convert?: Convert) =>
  async ({ start, concurrency, limit, fromStartOnly }: Task): Promise<CrawlOutput> => {
    log.setLevel(log.LEVELS.OFF)
    const urls: string[] = []
    let characters = 0
    const crawler = new BasicCrawler(
      {
        minConcurrency: concurrency,
        maxConcurrency: concurrency,
        ...(limit !== undefined && { maxRequestsPerCrawl: limit }),
        requestHandler: async ({ request: asked, sendRequest, enqueueLinks }) => {
          const { body, url } = await sendRequest()
          if (!fromStartOnly || asked.url === start) {
            const $ = load(body)
            const links = $('a[href]')
              .toArray()
              .flatMap((link) => resolveLink($(link).attr('href') ?? '', url))
            await enqueueLinks({ urls: links, baseUrl: start, strategy: 'same-hostname' })
          }
          characters += ((await convert?.(body, url)) ?? '').length
          urls.push(asked.url)
        },
      },
      new Configuration({ persistStorage: false }),
    )
    await crawler.run([start])
    return { urls, characters }
  }
