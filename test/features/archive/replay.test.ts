import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEngine, type Document, type Engine, type EngineConfig, replay } from '../../../src/index.js'
import { ArchiveWriter } from '../../../src/features/archive/write/archive-writer.js'
import { type HttpResponse, readHead, type Transport } from '../../../src/base/http/transport.js'
import type { FetchLimits } from '../../../src/kernel/fetch/fetcher.js'
import { withFetchers } from '../../../src/kernel/fetch/http/feature-transport.js'
import type { Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { infoRecord, pageRecord } from './make-warc.js'

let folder = ''
const engines: Engine[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-replay-'))
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await rm(folder, { recursive: true })
  vi.restoreAllMocks()
})

function open(config: EngineConfig): Engine {
  const engine = createEngine({
    allowPrivateNetworks: true,
    cache: false,
    threads: 0,
    retry: { maxRetries: 0 },
    ...config,
  })
  engines.push(engine)
  return engine
}

/** A document without what is new in each run. */
const comparable = ({ metadata: { scrapeId: _id, ...metadata }, ...document }: Document): object => ({
  ...document,
  metadata,
})

async function crawl(engine: Engine, url: string): Promise<object[]> {
  const found: Document[] = []
  for await (const document of engine.crawl({
    url,
    scrapeOptions: { formats: ['markdown', 'html', 'rawHtml', 'links'] },
  }))
    found.push(document)
  return found.map(comparable).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

test('a crawl of a documentation site is repeated from its archive with the same bytes, and opens no socket', async () => {
  const server = await startSite()
  server.mount('/', join(import.meta.dirname, '../../site/docs'))
  const start = server.url('/')
  const path = join(folder, 'docs.warc.gz')
  const first = open({ archive: path, fetcher: 'http' })
  const recorded = await crawl(first, start)
  await first.close()
  expect(recorded.length).toBeGreaterThan(5)
  await server.close()
  const sockets = vi.spyOn(Socket.prototype, 'connect')
  const engine = open({ fetcher: replay(path) })
  expect(await crawl(engine, start)).toEqual(recorded)
  // Other options give another cut of the same pages.
  const { html } = await engine.scrape(start, { formats: ['html'], onlyMainContent: false })
  expect(html).not.toBe('')
  expect(sockets).not.toHaveBeenCalled()
})

test.each(['fail', 'skip', 'fetch'] as const)('a response that the archive lacks: `missing: %s`', async (missing) => {
  await using server = await startSite({ pages: { '/a': '<p>a', '/b': '<p>b' } })
  const path = join(folder, 'some.warc.gz')
  const first = open({ archive: path, fetcher: 'http' })
  await first.scrape(server.url('/a'))
  await first.close()
  const engine = open({ fetcher: replay(path, { missing }) })
  expect((await engine.scrape(server.url('/a'))).markdown).toBe('a')
  const scraping = engine.scrape(server.url('/b'))
  if (missing === 'fail') await expect(scraping).rejects.toThrow('The archive has no response for')
  else expect((await scraping).metadata.statusCode).toBe(missing === 'skip' ? 404 : 200)
})

test('a cassette is recorded by the first run of a test, and answers the second one', async () => {
  const server = await startSite({ pages: { '/a': '<p>a' } })
  const url = server.url('/a')
  const path = join(folder, 'cassette.warc')
  const scrape = async (): Promise<string> => {
    const engine = open({ fetcher: replay(path, { record: 'missing' }) })
    const { markdown } = await engine.scrape(url)
    await engine.close()
    return markdown
  }
  expect(await scrape()).toBe('a')
  const recorded = await readFile(path, 'utf8')
  await server.close()
  expect(await scrape()).toBe('a')
  expect(await readFile(path, 'utf8')).toBe(recorded)
  // It can be read by people.
  expect(recorded).toContain('<p>a')
})

test.each(['cassette.warc', 'cassette.warc.gz'])(
  'two recordings of one run differ by dates alone: %s',
  async (name) => {
    const paths = Array.from({ length: 12 }, (_, at) => `/${at}`)
    const same = `<title>Page</title><p>${'The same text on all pages. '.repeat(20)}`
    const waits: number[] = []
    const pages = paths.map((path) => {
      const answer: Handler = async ({ response }) => {
        await setTimeout(waits.pop() ?? 0)
        response.writeHead(200, { 'content-type': 'text/html' }).end(same)
      }
      return [path, answer] as const
    })
    await using server = await startSite({
      pages: {
        ...Object.fromEntries(pages),
        '/moved': ({ response }) => response.writeHead(302, { location: '/0' }).end(),
      },
    })
    const recorded: { text: string; index: string }[] = []
    for (const order of [
      [0, 40, 80],
      [90, 50, 5],
    ]) {
      // Answers come in another order.
      waits.push(...paths.map((_, at) => order[at % 3] ?? 0))
      await rm(folder, { recursive: true })
      const engine = open({ fetcher: replay(join(folder, name), { record: 'missing' }), retry: { maxRetries: 0 } })
      await engine.batchScrape({ urls: [...paths, '/moved', '/missing'].map((path) => server.url(path)) }).finished()
      await engine.close()
      const bytes = await readFile(join(folder, name))
      recorded.push({
        text: withoutDates((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')),
        index: withoutDates(await readFile(join(folder, `${name}.cdxj`), 'utf8')),
      })
      // What was sorted is read by its index, and another run is added to it.
      const again = open({ fetcher: replay(join(folder, name)) })
      for (const path of [...paths, '/moved'])
        expect((await again.scrape(server.url(path))).metadata.title).toBe('Page')
    }
    expect(recorded[1]?.text).toBe(recorded[0]?.text)
    if (!name.endsWith('.gz')) expect(recorded[1]?.index).toBe(recorded[0]?.index)
    const targets = [...(recorded[0]?.text.matchAll(/Type: response\r[^]*?Target-URI: (\S+)/g) ?? [])].map(
      ([, url]) => url,
    )
    expect(targets.length).toBeGreaterThan(13)
    expect(targets).toEqual(targets.toSorted((a = '', b = '') => (a < b ? -1 : 1)))
  },
)

/** Replaces dates, and times that were taken, of one length each. */
const withoutDates = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE')
    .replace(/^(date): .*$/gim, '$1: DATE')
    .replace(/^(X-Fetch-Time-Ms: )\d{6}\r$/gm, '$1TIME')
    .replace(/ \d{14} /g, ' DATE ')
    // That of a block with the date of the site in its head.
    .replace(/^(WARC-Block-Digest: ).*$/gm, '$1DATE')

test('a page in the browser is answered from the archive, with all that it requests', async () => {
  const server = await startSite({
    pages: {
      '/app': '<main><p>Loading</p></main><script src="/app.js"></script>',
      '/app.js': ({ response }) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(
            'fetch("/data").then((r) => r.json()).then(({ text }) => (document.querySelector("p").textContent = text))',
          ),
      '/data': ({ response }) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"text":"The text that a script has loaded from the site."}'),
    },
  })
  const url = server.url('/app')
  const path = join(folder, 'app.warc.gz')
  const first = open({ archive: path, fetcher: 'browser' })
  const recorded = await first.scrape(url)
  expect(recorded.markdown).toContain('a script has loaded')
  await first.close()
  await server.close()
  const engine = open({ fetcher: replay(path) })
  const again = await engine.scrape(url, { waitFor: 200 })
  expect(again.markdown).toBe(recorded.markdown)
})

test('the answer to a form is none to a request of the page that has the form', async () => {
  const path = join(folder, 'form.warc.gz')
  const writer = new ArchiveWriter({ type: 'warc', path }, Date.now)
  const url = new URL('http://a.test/form')
  const exchange = (method: string, body: string, sentAtMs: number) => ({
    url,
    method,
    requestHeaders: {},
    sentAtMs,
    tookMs: 1,
    response: {
      statusCode: 200,
      statusText: 'OK',
      headers: { 'content-type': 'text/html' },
      setCookies: [],
      body: [Buffer.from(body)],
      isWhole: true,
    },
  })
  writer.write(exchange('GET', '<title>Form</title><p>form', 1000))
  for (const method of ['POST', 'HEAD']) writer.write(exchange(method, '', 2000))
  await writer.close()
  for (const round of ['with its index', 'without']) {
    const engine = open({ fetcher: replay(path) })
    expect((await engine.scrape(url.href)).metadata.title, round).toBe('Form')
    const read: unknown[] = []
    for await (const { metadata } of engine.archive(path)) read.push(metadata.title)
    expect(read, round).toEqual(['Form'])
    await rm(`${path}.cdxj`, { force: true })
  }
})

test('a response takes the time that it took, with `timing: recorded` alone', async () => {
  const url = 'http://a.test/slow'
  const path = join(folder, 'slow.warc')
  await writeFile(path, pageRecord(url, '<p>slow', { fields: { 'X-Fetch-Time-Ms': '3600000' } }))
  const leaving = new AbortController()
  const limits = { wireBytes: 1e6, bodyBytes: 1e6, headerBytes: 1e5 }
  const request = { url, method: 'GET', headers: {}, signal: leaving.signal, limits } as const
  const slow = Promise.resolve(replay(path, { timing: 'recorded' }).fetch(request)).then(
    ({ status }) => status,
    (error: Error) => error.name,
  )
  expect((await replay(path).fetch(request)).status).toBe(200)
  leaving.abort()
  expect(await slow).toBe('AbortError')
})

test('a form whose page is recorded is missing: `missing: fetch` sends it to the network, others do not', async () => {
  const path = join(folder, 'form.warc.gz')
  await writeFile(path, gzipSync(pageRecord('http://a.test/form', '<p>form')))
  const network: string[] = []
  const send = (method: string) => async (): Promise<HttpResponse> => {
    network.push(method)
    const body = { destroy: () => undefined, dump: async () => undefined, async *[Symbol.asyncIterator]() {} }
    return readHead({ statusCode: 204, statusText: '', headers: {}, body })
  }
  const transport: Transport = { get: send('GET'), post: send('POST'), close: async () => undefined }
  const url = new URL('http://a.test/form')
  const limits = { wireBytes: 1e6, bodyBytes: 1e6, headerBytes: 1e5 } as FetchLimits
  for (const missing of ['fetch', 'fail', 'skip'] as const) {
    const own = withFetchers(transport, [{ feature: 'replay', fetcher: replay(path, { missing }) }], limits)
    const { signal } = new AbortController()
    expect((await own.get(url, {}, signal)).statusCode).toBe(200)
    const answer = own.post({ url, form: 'a=1' }, {}, signal).then(
      ({ statusCode }) => statusCode,
      (error: Error) => error.message,
    )
    expect(await answer, missing).toEqual(
      missing === 'fail' ? expect.stringContaining('has no response for a form') : missing === 'skip' ? 404 : 204,
    )
  }
  expect(network).toEqual(['POST'])
})

test('an archive in which no request would be found is refused, and says why', async () => {
  const records = [infoRecord(), pageRecord('http://a.test/', '<p>a'), pageRecord('http://a.test/b', '<p>b')]
  const files = {
    'one-member.warc.gz': [gzipSync(Buffer.concat(records)), 'share a gzip member'],
    'page.warc': [Buffer.from('<!doctype html><p>No archive'), 'has no records'],
    'site.har': [Buffer.from('{"log":{"entries":[]}}'), 'has no records'],
  } as const
  for (const [name, [bytes, why]] of Object.entries(files)) {
    await writeFile(join(folder, name), bytes)
    const engine = open({ fetcher: replay(join(folder, name)) })
    await expect(engine.scrape('http://a.test/'), name).rejects.toThrow(why)
  }
  await writeFile(join(folder, 'good.warc.gz'), Buffer.concat(records.map((one) => gzipSync(one))))
  const engine = open({ fetcher: replay(join(folder, 'good.warc.gz')) })
  expect((await engine.scrape('http://a.test/b')).markdown).toBe('b')
})
