import { BasicCrawler, Configuration } from '@crawlee/basic'
import { load } from 'cheerio'
import TurndownService from 'turndown'
import { measure, type Task, type CrawlOutput } from './measure.js'

/**
 * Crawls as a script without trawl would: Crawlee with its own queue and HTTP client, cheerio, turndown. Minimum and
 * maximum concurrency are both set, because Crawlee would start with one page and take minutes to reach the maximum.
 */
async function crawl({ start, concurrency }: Task): Promise<CrawlOutput> {
  const turndown = new TurndownService()
  const documents = new Map<string, string>()
  const crawler = new BasicCrawler(
    {
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
      requestHandler: async ({ request, sendRequest, enqueueLinks }) => {
        const response = await sendRequest()
        const $ = load(response.body)
        const urls = $('a[href]')
          .toArray()
          .flatMap((link) => resolve($(link).attr('href') ?? '', response.url))
        await enqueueLinks({
          urls,
          baseUrl: start,
          strategy: 'same-hostname',
          exclude: [/\.(png|jpg|gif|svg|zip|gz)$/],
        })
        $('script, style').remove()
        documents.set(request.url, turndown.turndown($('body').html() ?? ''))
      },
    },
    new Configuration({ persistStorage: false }),
  )
  await crawler.run([start])
  const characters = [...documents.values()].reduce((sum, markdown) => sum + markdown.length, 0)
  return { urls: [...documents.keys()], characters }
}

const resolve = (href: string, base: string): string[] => {
  const url = URL.canParse(href, base) ? new URL(href, base) : undefined
  return url?.protocol.startsWith('http') ? [url.href] : []
}

await measure(crawl)
