import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEngine, type Engine, type EngineConfig, replay, type ScrapeOptions } from '../../../src/index.js'
import { listPages } from '../../site/lists/list-sites.js'
import type { Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

let folder = ''
const engines: Engine[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-replay-'))
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close({ drain: false })))
  await rm(folder, { recursive: true })
  vi.restoreAllMocks()
})

function open(config: EngineConfig): Engine {
  const base = { allowPrivateNetworks: true, cache: false, threads: 0, retry: { maxRetries: 0 } } as const
  const engine = createEngine({ ...base, ...config })
  engines.push(engine)
  return engine
}

const text = (name: string): string =>
  `<title>${name}</title><main><h1>${name}</h1><p>This page speaks of ${name}, and of nothing else, at some length.</p></main>`
const pages = {
  ...listPages,
  '/': `${text('the start')}<ul>${['/a', '/b', '/c?x=1', '/old'].map((path) => `<li><a href="${path}">${path}</a>`).join('')}</ul>`,
  '/a': text('oaks'),
  '/b': text('elms'),
  '/c?x=1': text('ashes'),
  '/old': (({ response }) => response.writeHead(301, { location: '/a' }).end()) satisfies Handler,
  '/robots.txt': 'User-agent: *\nDisallow: /private',
}

const withoutIds = (document: object): unknown =>
  JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === 'scrapeId' ? undefined : value)))

type Work = (engine: Engine, url: (path: string) => string, options: ScrapeOptions) => Promise<unknown>

/** Kinds of work, by their name: each returns what a caller has of it. */
const works: Readonly<Record<string, Work>> = {
  'a scrape': async (engine, url, options) =>
    withoutIds(await engine.scrape(url('/a'), { ...options, formats: ['markdown', 'html', 'rawHtml', 'links'] })),
  'a crawl': async (engine, url, scrapeOptions) => {
    const found: unknown[] = []
    for await (const document of engine.crawl({ url: url('/'), limit: 10, scrapeOptions }))
      found.push(withoutIds(document))
    return found.map((one) => JSON.stringify(one)).toSorted()
  },
  'a batch': async (engine, url, options) => {
    const job = engine.batchScrape({ urls: ['/a', '/b', '/missing', '/old'].map(url), ...options })
    const found: unknown[] = []
    for await (const document of job) found.push(withoutIds(document))
    return found.map((one) => JSON.stringify(one)).toSorted()
  },
  'a check of a watch': async (engine, url, scrapeOptions) => {
    const watch = await engine.watch({
      name: 'w',
      targets: [{ urls: ['/a', '/b'].map(url) }],
      scrapeOptions,
      every: '1h',
    })
    const first = await watch.check()
    const second = await watch.check()
    await watch.remove()
    return [first.summary, second.summary]
  },
  'a list over all of its pages': async (engine, url, options) => {
    const { list } = await engine.scrape(url('/lists/numbered/plain?n=60'), {
      ...options,
      formats: [{ type: 'list', all: true }],
    })
    return list
  },
}

test.each(
  (['http', 'browser'] as const).flatMap((fetcher) => Object.keys(works).map((name) => [name, fetcher] as const)),
)('%s is the same from its archive, without the site and without a socket to it: %s', async (name, fetcher) => {
  const work: Work = works[name] ?? (async () => undefined)
  const site = await startSite({ pages })
  const url = (path: string): string => site.url(path)
  const start = url('/')
  const path = join(folder, 'work.warc.gz')
  // A page that is waited for is loaded in a browser.
  const options = fetcher === 'browser' ? { waitFor: 1 } : {}
  const recorder = open({ archive: path, ...(fetcher === 'http' && { fetcher }) })
  const recorded = await work(recorder, url, options)
  await recorder.close()
  await site.close()
  const sockets = vi.spyOn(Socket.prototype, 'connect')
  const engine = open({ fetcher: replay(path) })
  expect(await work(engine, url, options)).toEqual(recorded)
  const port = new URL(start).port
  expect(sockets.mock.calls.filter((call) => JSON.stringify(call).includes(port))).toEqual([])
})
