import { readFileSync } from 'node:fs'
import { BasicCrawler, Configuration, log } from '@crawlee/basic'
import { Readability } from '@mozilla/readability'
import { load } from 'cheerio'
import { Defuddle } from 'defuddle/node'
import { Parser } from 'htmlparser2'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { Agent, request } from 'undici'
import { createEngine } from 'trawl'
import { measure, type CrawlOutput, type Task } from '../speed/measure.js'

/** Makes Markdown of a page; a page that the tool cannot read counts as empty. */
type Convert = (html: string, url: string) => string | Promise<string>

const withReadability = (): Convert => {
  const turndown = new TurndownService()
  return (html) => turndown.turndown(new Readability(parseHTML(html).document).parse()?.content ?? '')
}

const withDefuddle = (): Convert => async (html, url) =>
  (await Defuddle(parseHTML(html).document, url, { markdown: true })).content

/** Crawls with Crawlee and cheerio; `convert` makes Markdown of each page. */
const withCrawlee =
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

/** Reads a page of the loop: its links, and the number of characters of its Markdown. */
type ReadPage = (body: Uint8Array, url: string) => Promise<{ links: Iterable<string>; characters: number }>

/** A loop over undici with nothing around it but a set of URLs: no retries, rules, outcomes or kept documents. */
async function loopOverUndici(
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

/** The physical limit of Node's HTTP client: fetches pages and tokenizes them for links. */
const findOnlyLinks: ReadPage = async (body, url) => ({
  links: findLinks(new TextDecoder().decode(body), url),
  characters: 0,
})

/** What a crawl costs beside reading its pages: fetches the pages of a crawl, and has trawl read them in its threads. */
async function loopWithParse(task: Task): Promise<CrawlOutput> {
  const urls = JSON.parse(readFileSync(task.urlsFile ?? '', 'utf8')) as string[]
  await using engine = createEngine()
  const read: ReadPage = async (body, url) => {
    const document = await engine.parse({ url, body, contentType: 'text/html' }, { formats: ['markdown', 'links'] })
    return { links: [], characters: document.markdown?.length ?? 0 }
  }
  return await loopOverUndici(task, read, urls)
}

function findLinks(html: string, base: string): Set<string> {
  const links = new Set<string>()
  const parser = new Parser({
    onopentag: (name, { href }) => {
      if (name === 'a' && href !== undefined) for (const url of resolveLink(href, base)) links.add(url)
    },
  })
  parser.end(html)
  return links
}

function resolveLink(href: string, base: string): string[] {
  const url = URL.canParse(href, base) ? new URL(href, base) : undefined
  if (url === undefined || !url.protocol.startsWith('http')) return []
  url.hash = ''
  return [url.href]
}

/** A binding of Spider, a crawler in Rust: `npm install --no-save @spider-rs/spider-rs` and its package for this system. */
interface SpiderBinding {
  readonly Website: new (url: string) => {
    crawl(): Promise<void>
    getLinks(): string[]
    withBudget(budget: object): void
    withDepth(depth: number): void
  }
}

async function withSpider({ start, limit, fromStartOnly }: Task): Promise<CrawlOutput> {
  const binding = '@spider-rs/spider-rs'
  const { Website } = (await import(binding)) as SpiderBinding
  const website = new Website(start)
  if (limit !== undefined) website.withBudget({ '*': limit })
  if (fromStartOnly) website.withDepth(1)
  await website.crawl()
  return { urls: website.getLinks(), characters: 0 }
}

/** More pages than a site has. Without it, a crawl ends after 10,000 pages. */
const WHOLE_SITE = 1_000_000

/** Computes half of the time, in parts of 20 ms, as a host that has much to do. */
async function besideBusyHost<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    const end = performance.now() + 20
    while (performance.now() < end);
  }, 40)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const withTrawl =
  (formats: readonly ('markdown' | 'links')[]) =>
  async ({ start, concurrency, limit = WHOLE_SITE, fromStartOnly }: Task): Promise<CrawlOutput> => {
    await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency: concurrency })
    const job = engine.crawl({
      url: start,
      crawlEntireDomain: true,
      sitemap: 'skip',
      maxConcurrency: concurrency,
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

const tools: Readonly<Record<string, (task: Task) => Promise<CrawlOutput>>> = {
  crawlee: withCrawlee(),
  readability: withCrawlee(withReadability()),
  defuddle: withCrawlee(withDefuddle()),
  undici: (task) => loopOverUndici(task, findOnlyLinks),
  parse: loopWithParse,
  spider: withSpider,
  'trawl-content': withTrawl(['markdown', 'links']),
  'trawl-links': withTrawl(['links']),
  'trawl-busy': (task) => besideBusyHost(() => withTrawl(['markdown', 'links'])(task)),
}

const tool = tools[process.argv[3] ?? '']
if (!tool) throw new Error(`the tool is one of ${Object.keys(tools).join(', ')}`)
await measure(tool)
