import { createEngine, type Engine, type EngineConfig, openAiCompatible } from '../../../src/index.js'
import { type Handler, htmlPage, sendPage } from '../../site/exchange.js'
import { type Behaviour, startModelServer } from '../../site/model-server.js'
import { article } from '../../site/model-site.js'
import { startSite, type Site } from '../../site/site.js'

/** A password that is in URLs and headers of the crawls, and must be in no span. */
export const SECRET = 'hunter2-secret'

const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
const robots: Handler = ({ response }) =>
  void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /private\n')
const links = (...paths: string[]): string =>
  paths.map((path) => `<p>A line of text about <a href="${path}">${path}</a>.</p>`).join('')
/** Redirects to a URL with a password. */
const redirectWithPassword: Handler = ({ request, response }) =>
  void response.writeHead(302, { location: `http://user:${SECRET}@${request.headers.host}/page/behind` }).end()
const filler = '<p>Words that make the page long enough to be read in a thread of its own.</p>'.repeat(60)

/** Where one crawl runs: its engine, and what ends with it. */
interface CrawlPlace extends AsyncDisposable {
  readonly engine: Engine
  readonly site: Site
}

async function open(pages: Parameters<typeof startSite>[0], config: EngineConfig): Promise<CrawlPlace> {
  const site = await startSite(pages)
  const engine = createEngine({ allowPrivateNetworks: true, retry: { backoffMs: 1 }, ...config })
  return {
    engine,
    site,
    async [Symbol.asyncDispose]() {
      await engine.close()
      await site.close()
    },
  }
}

/** Start of a job whose spans are compared with its counters. */
export interface TracedCrawl {
  readonly name: string
  /** Runs the job to its end, and hands it over before its engine is closed. */
  run(inspect: (job: Awaited<ReturnType<Engine['crawl'] | Engine['batchScrape']>>) => Promise<void>): Promise<void>
}

/** Every third request to the model fails. */
const behaviour: Behaviour = ({ number, prompt }) =>
  number % 3 === 0
    ? { status: 503 }
    : { says: { title: /^# (.*)$/m.exec(prompt)?.[1] }, usage: { prompt_tokens: 90 + number, completion_tokens: 7 } }

const site: TracedCrawl = {
  name: 'a crawl with a model, redirects, retries, failures, and refusals of robots.txt',
  async run(inspect) {
    const pages = {
      '/robots.txt': robots,
      '/': article(
        `<h1>Start</h1>${links('/a', '/b', '/flaky', '/status/500', '/status/404', '/redirect/2', '/private/x', 'http://elsewhere.example/')}${filler}`,
      ),
      '/a': article(`<h1>Page a</h1>${links('/reset', '/private/y', '/b')}${filler}`),
      '/b': article(`<h1>Page b</h1>${links('/truncated', '/a', '/gate')}`),
      '/gate': redirectWithPassword,
    }
    const server = await startModelServer(behaviour)
    const model = openAiCompatible({ baseUrl: server.baseUrl, model: 'tiny', apiKey: SECRET })
    const modelOptions = { backoffMs: 1, price: { input: 1, output: 2 } }
    await using place = await open({ pages }, { model, modelOptions, threads: 1, fetcher: 'http' })
    const job = place.engine.crawl({
      url: place.site.url('/'),
      sitemap: 'skip',
      scrapeOptions: {
        formats: ['markdown', { type: 'json', schema }],
        headers: { authorization: `Bearer ${SECRET}` },
        maxAge: 0,
      },
    })
    for await (const _ of job);
    await inspect(job)
    await server[Symbol.asyncDispose]()
  },
}

const cached: TracedCrawl = {
  name: 'a crawl of cached pages, of which some changed status',
  async run(inspect) {
    let isBroken = false
    const pages = {
      '/robots.txt': robots,
      '/': article(`<h1>Start</h1>${links('/a', '/b', '/c', '/private/x')}`),
      '/a': article(`<h1>Page a</h1>${links('/d')}${filler}`),
      '/b': article('<h1>Page b</h1>'),
      '/c': ((exchange) => (isBroken ? exchange.response.destroy() : sendPage(exchange, htmlPage('c')))) as Handler,
      '/d': ((exchange) => sendPage(exchange, htmlPage('d'), isBroken ? 503 : 404)) as Handler,
    }
    await using place = await open({ pages }, { threads: 0, fetcher: 'http' })
    const warm = { url: place.site.url('/a'), maxAge: 60_000 }
    await place.engine.scrape(warm.url, { maxAge: warm.maxAge })
    await place.engine.scrape(place.site.url('/b'), { maxAge: warm.maxAge })
    isBroken = true
    const job = place.engine.crawl({
      url: place.site.url('/'),
      sitemap: 'skip',
      scrapeOptions: { maxAge: warm.maxAge },
    })
    for await (const _ of job);
    await inspect(job)
  },
}

const batch: TracedCrawl = {
  name: 'a batch that lists pages twice, runs out of time for some, and ends before all are scraped',
  async run(inspect) {
    const ok = Object.fromEntries(['/1', '/2', '/3', '/4'].map((path) => [path, htmlPage(`Page ${path}`)]))
    await using place = await open(
      { pages: ok },
      { threads: 0, fetcher: 'http', maxConcurrency: 2, retry: { maxRetries: 1, backoffMs: 1 } },
    )
    const paths = ['/1', '/close', '/2', '/1', '/retry-after?times=1&seconds=0', '/3', '/hang', '/4']
    const job = place.engine.batchScrape({
      urls: paths.map((path) => place.site.url(path)),
      timeout: 1000,
      budget: { requests: 8 },
    })
    await job.finished()
    await job.cancel()
    await inspect(job)
  },
}

export const tracedCrawls: readonly TracedCrawl[] = [site, cached, batch]
