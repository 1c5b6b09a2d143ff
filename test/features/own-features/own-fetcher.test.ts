import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Document,
  type Engine,
  type EngineConfig,
  type FeatureFetcher,
  type FetcherRequest,
  type FetcherResponse,
  memoryCache,
} from '../../../src/index.js'
import { startSite } from '../../site/site.js'

const engines: Engine[] = []

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close({ drain: false })))
})

/** Makes an engine with a fetcher for `https://shop.test/`. What a hostile caller answers may have any type. */
function open(fetch: (request: FetcherRequest) => unknown, config: EngineConfig = {}): Engine {
  const fetcher: FeatureFetcher = {
    handles: (url) => url.startsWith('https://shop.test/'),
    fetch: fetch as FeatureFetcher['fetch'],
  }
  const engine = createEngine({
    threads: 0,
    cache: false,
    retry: { maxRetries: 0 },
    ...config,
    features: [{ name: 'shop', fetcher }],
  })
  engines.push(engine)
  return engine
}

/** Reads a job to its end. */
async function readAll(job: AsyncIterable<Document>): Promise<Document[]> {
  const documents: Document[] = []
  for await (const document of job) documents.push(document)
  return documents
}

/** Makes a fetcher of a map of paths. */
const serve =
  (pages: Readonly<Record<string, string | FetcherResponse>>, asked: string[] = []) =>
  ({ url }: FetcherRequest): FetcherResponse => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    const page = pages[pathname] ?? { status: 404 }
    return typeof page === 'string' ? { headers: { 'content-type': 'text/html' }, body: page } : page
  }

const page = (title: string, links: readonly string[] = []): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Words about ${title}, which are the content of this page alone.</p>${links
    .map((link) => `<a href="${link}">${link}</a>`)
    .join(' ')}</main>`

describe('a fetcher of a feature', () => {
  it('gives a crawl its pages, its robots.txt and its sitemap, without a network', async () => {
    const asked: string[] = []
    const engine = open(
      serve(
        {
          '/': page('home', ['/lamp', '/secret', '/missing']),
          '/lamp': page('lamps'),
          '/chair': page('chairs'),
          '/secret': page('secrets'),
          '/robots.txt': { body: 'User-agent: *\nDisallow: /secret\nSitemap: https://shop.test/map.xml' },
          '/map.xml': {
            headers: { 'content-type': 'application/xml' },
            body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://shop.test/chair</loc></url></urlset>',
          },
        },
        asked,
      ),
    )
    const job = engine.crawl({ url: 'https://shop.test/' })
    const seen: string[] = []
    for await (const { metadata } of job) seen.push(`${metadata.statusCode} ${new URL(metadata.url).pathname}`)
    expect(seen.toSorted()).toEqual(['200 /', '200 /chair', '200 /lamp', '404 /missing'])
    expect(asked).toContain('/robots.txt')
    expect(asked).not.toContain('/secret')
    const secret = await job.explain('https://shop.test/secret')
    expect(secret).toMatchObject({ outcome: 'skipped', refusal: { reason: 'ROBOTS_TXT' } })
  })

  it('is sent what a site is sent: headers in lower case, cookies of redirects, no fragment and no credentials', async () => {
    const requests: FetcherRequest[] = []
    const engine = open((request) => {
      requests.push(request)
      return request.url.endsWith('/')
        ? new Response(null, { status: 302, headers: { location: '/next', 'set-cookie': 'session=1' } })
        : new Response(page('next'), { headers: { 'content-type': 'text/html' } })
    })
    const { metadata } = await engine.scrape('https://user@shop.test/#part', { headers: { 'X-Mine': 'yes' } })
    expect(metadata).toMatchObject({ url: 'https://shop.test/next#part', statusCode: 200, title: 'next' })
    expect(requests.map(({ url }) => url)).toEqual(['https://shop.test/', 'https://shop.test/next'])
    expect(requests[0]).toMatchObject({ method: 'GET', headers: { 'x-mine': 'yes' }, limits: { headerBytes: 65_536 } })
    expect(requests[1]?.headers['cookie']).toBe('session=1')
    expect(requests[1]?.signal).toBeInstanceOf(AbortSignal)
  })

  it.each([
    ['a text', 'Words of the page.'],
    ['bytes', new TextEncoder().encode('Words of the page.')],
    ['a stream of the platform', new Blob(['Words of the page.']).stream()],
    [
      'chunks',
      (async function* () {
        yield new TextEncoder().encode('Words of ')
        yield new TextEncoder().encode('the page.')
      })(),
    ],
  ])('may answer with %s', async (_, body) => {
    const engine = open(() => ({ body }))
    expect((await engine.scrape('https://shop.test/')).markdown).toContain('Words of the page.')
  })

  it('may answer with a coded body, a repeated header and an error status', async () => {
    const engine = open(() => ({
      status: 410,
      headers: { 'Content-Type': 'text/html', 'content-encoding': 'gzip', link: ['</a>; rel=a', '</b>; rel=b'] },
      body: gzipSync(page('gone')),
    }))
    const { metadata, markdown } = await engine.scrape('https://shop.test/')
    expect(metadata).toMatchObject({ statusCode: 410, error: 'Gone', contentType: 'text/html' })
    expect(markdown).toContain('Words about gone')
  })

  it('may hand on what `fetch` of the platform returns, which is decoded already', async () => {
    const site = await startSite({
      pages: {
        '/': ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          response.end(gzipSync(page('proxied')))
        },
      },
    })
    const engine = open(({ signal }) => fetch(site.url('/'), { signal, redirect: 'manual' }))
    expect((await engine.scrape('https://shop.test/')).markdown).toContain('Words about proxied')
    await site.close()
  })

  it('may hand on what `fetch` of a package returns, whose headers are of a class of their own', async () => {
    // As undici's own: an instance has its lines behind its iterator alone.
    const makeHeaders = (lines: Readonly<Record<string, string>>): object =>
      Object.create({ [Symbol.iterator]: () => Object.entries(lines)[Symbol.iterator]() }) as object
    const answer = (status: number, lines: Readonly<Record<string, string>>, body?: string) => ({
      status,
      headers: makeHeaders(lines),
      body: body === undefined ? null : new Blob([body]).stream(),
      bodyUsed: false,
      url: 'https://shop.test/',
    })
    const engine = open(({ url }) =>
      url.endsWith('/next')
        ? answer(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }, page('next'))
        : answer(302, { location: '/next' }),
    )
    const { metadata, markdown } = await engine.scrape('https://shop.test/')
    expect([metadata.url, markdown?.includes('# next')]).toEqual(['https://shop.test/next', true])
  })

  it('gets its own URLs alone: a redirect leads to the network, and back', async () => {
    const asked: string[] = []
    const site = await startSite({
      pages: {
        '/': ({ response }) => {
          response.writeHead(302, { location: 'https://shop.test/end' })
          response.end()
        },
      },
    })
    const engine = open(
      serve({ '/start': { status: 301, headers: { location: site.url('/') } }, '/end': page('end') }, asked),
      {
        allowPrivateNetworks: true,
      },
    )
    const { metadata } = await engine.scrape('https://shop.test/start')
    expect(metadata.url).toBe('https://shop.test/end')
    expect(asked).toEqual(['/start', '/end'])
    await site.close()
  })

  it('does not lead a page out of the scope of its crawl, nor to a private address', async () => {
    const engine = open(
      serve({
        '/': page('home', ['/away', '/inside']),
        '/away': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      }),
    )
    const job = engine.crawl({ url: 'https://shop.test/' })
    await readAll(job)
    expect(await job.explain('https://shop.test/away')).not.toMatchObject({ outcome: 'done' })
    await expect(engine.scrape('https://shop.test/away')).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })

  it('is not asked for a page that is in the cache, and is asked with the validators of an old one', async () => {
    let requests: FetcherRequest[] = []
    const engine = open(
      (request) => {
        requests.push(request)
        return request.headers['if-none-match'] === '"1"'
          ? { status: 304 }
          : { headers: { 'content-type': 'text/html', etag: '"1"' }, body: page('kept') }
      },
      { cache: memoryCache() },
    )
    for (const cacheState of ['miss', 'hit'])
      expect((await engine.scrape('https://shop.test/', { maxAge: 60_000 })).metadata).toMatchObject({ cacheState })
    expect(requests).toHaveLength(1)
    requests = []
    expect((await engine.scrape('https://shop.test/', { maxAge: 0 })).markdown).toContain('Words about kept')
    expect(requests).toHaveLength(1)
  })

  it('takes the place of the browser as well: what needs one is refused with the name of the feature', async () => {
    const engine = open(serve({ '/': page('home') }), { fetcher: 'browser' })
    expect((await engine.scrape('https://shop.test/', { proxy: 'enhanced' })).markdown).toContain('Words about home')
    await expect(engine.scrape('https://shop.test/', { formats: ['screenshot'] })).rejects.toMatchObject({
      code: 'SCRAPE_NO_BROWSER',
      message: expect.stringContaining('the page comes from feature `shop`') as string,
    })
  })

  it('costs an engine nothing where it is not the one of the page', async () => {
    const site = await startSite({ pages: { '/': page('real') } })
    let isAsked = false
    const engine = open(() => (isAsked = true), { allowPrivateNetworks: true })
    expect((await engine.scrape(site.url('/'))).markdown).toContain('Words about real')
    expect(isAsked).toBe(false)
    await site.close()
  })
})

describe('a fetcher that fails', () => {
  const named = (message: string) => ({
    code: 'FEATURE_FAILED',
    message: expect.stringContaining(`feature \`shop\` failed: ${message}`) as string,
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no such shelf')), 'no such shelf'],
    [
      'throws at once',
      () => {
        throw new Error('no such shelf')
      },
      'no such shelf',
    ],
    ['throws what is no error', () => Promise.reject(undefined as unknown as Error), 'undefined was thrown'],
    ['returns nothing', () => undefined, 'its fetcher returned undefined: an object with'],
    ['returns a text', () => '<p>Words', 'its fetcher returned "<p>Words"'],
    ['returns bytes', () => new Uint8Array(3), 'its fetcher returned'],
    ['returns a status that is none', () => ({ status: '200' }), 'its fetcher returned the `status` "200"'],
    ['returns an early status', () => ({ status: 103 }), 'its fetcher returned the `status` 103'],
    ['returns a status out of range', () => ({ status: 1e9 }), 'its fetcher returned the `status` 1000000000'],
    ['returns a number as header', () => ({ headers: { age: 5 } }), 'its fetcher returned the header `age` as 5'],
    ['returns a header of two lines', () => ({ headers: { a: 'b\r\nc: d' } }), 'its fetcher returned the header `a`'],
    [
      'returns a header without a name',
      () => ({ headers: { '': 'b' } }),
      'its fetcher returned a header with the name ""',
    ],
    ['returns a list of headers', () => ({ headers: [['a', 'b']] }), 'its fetcher returned the `headers` a list of 1'],
    ['returns an object as body', () => ({ body: { text: 'a' } }), 'its fetcher returned the `body` an object'],
    [
      'has a field that throws',
      () => ({
        get status() {
          throw new Error('a trap')
        },
      }),
      'a trap',
    ],
    [
      'streams texts',
      () => ({
        body: (async function* () {
          yield 'text'
        })(),
      }),
      'the body of its fetcher broke off: a chunk is "text"',
    ],
    [
      'breaks off',
      () => ({
        body: (async function* () {
          yield new Uint8Array(2)
          throw new Error('no more')
        })(),
      }),
      'the body of its fetcher broke off: no more',
    ],
  ])('ends the page with its name when it %s', async (_, fetch, message) => {
    await expect(open(fetch).scrape('https://shop.test/')).rejects.toMatchObject(named(message))
  })

  it.each([
    [() => Promise.resolve(true), 'its `handles` returned an object, and no boolean'],
    [() => Promise.reject(new Error('late')), 'its `handles` returned an object, and no boolean'],
    [() => undefined, 'its `handles` returned undefined, and no boolean'],
    [
      () => {
        throw new Error('no idea')
      },
      'its `handles` threw: no idea',
    ],
  ])('ends the page with its name when it cannot tell its URLs', async (handles, message) => {
    const fetcher = { handles: handles as unknown as () => boolean, fetch: () => ({ body: 'a' }) }
    const engine = createEngine({ threads: 0, features: [{ name: 'shop', fetcher }] })
    engines.push(engine)
    await expect(engine.scrape('https://shop.test/')).rejects.toMatchObject(named(message))
  })

  it.each<[string, () => unknown]>([
    ['never answers', () => new Promise(() => undefined)],
    ['never sends its body', () => ({ body: new ReadableStream() })],
    [
      'never ends its body',
      () => ({ body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) } }),
    ],
  ])('ends the page at its timeout when it %s', async (_, fetch) => {
    const from = performance.now()
    await expect(open(fetch).scrape('https://shop.test/', { timeout: 1000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
    })
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  it('sends no more than the limits, and is told that nobody reads on', async () => {
    let isEnded = false
    const endless = async function* () {
      try {
        for (;;) yield new Uint8Array(65_536)
      } finally {
        isEnded = true
      }
    }
    const limits = { wireBytes: 1_000_000, bodyBytes: 1_000_000, headerBytes: 1000 }
    await expect(open(() => ({ body: endless() }), { limits }).scrape('https://shop.test/')).rejects.toMatchObject({
      code: 'SCRAPE_BODY_TOO_LARGE',
    })
    expect(isEnded).toBe(true)
    const long = { headers: { 'x-long': 'a'.repeat(1000) } }
    await expect(open(() => long, { limits }).scrape('https://shop.test/')).rejects.toMatchObject({
      code: 'SCRAPE_HEADERS_TOO_LARGE',
    })
  })

  it.each<[string, (body: ReadableStream, request: FetcherRequest) => unknown]>([
    ['that stalls', (body) => ({ body })],
    ['of an answer that is none', (body) => ({ status: 'ok', body })],
    ['of an answer with headers beyond the limits', (body) => ({ headers: { a: 'b'.repeat(100_000) }, body })],
    [
      'of an answer that comes too late',
      (body, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 50, { body }))),
    ],
  ])('lets go of a body %s', async (_, answer) => {
    let isCancelled = false
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('<p>')),
      cancel: () => void (isCancelled = true),
    })
    const engine = open((request) => answer(body, request))
    await expect(engine.scrape('https://shop.test/', { timeout: 1000 })).rejects.toThrow()
    await expect.poll(() => isCancelled).toBe(true)
  })

  it('does not hold the event loop with chunks that are empty', async () => {
    const empty = async function* () {
      for (;;) yield new Uint8Array(0)
    }
    const engine = open(() => ({ body: empty() }))
    await expect(engine.scrape('https://shop.test/', { timeout: 1000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
    })
  })

  it('ends its pages alone: the job goes on', async () => {
    const engine = open((request) => {
      if (request.url.endsWith('/broken')) throw new Error('no such shelf')
      return serve({ '/': page('home', ['/broken', '/lamp']), '/lamp': page('lamps') })(request)
    })
    const job = engine.crawl({ url: 'https://shop.test/' })
    expect(await readAll(job)).toHaveLength(2)
    expect(await job.explain('https://shop.test/broken')).toMatchObject({
      outcome: 'failed',
      failure: { code: 'FEATURE_FAILED' },
    })
    expect((await job.status()).status).toBe('completed')
  })

  it('is named where its robots.txt cannot be read', async () => {
    const job = open(() => Promise.reject(new Error('no such shelf'))).crawl({ url: 'https://shop.test/' })
    await expect(readAll(job)).rejects.toMatchObject(named('no such shelf'))
  })

  it('is not asked twice for what it throws, unless it says that it may pass', async () => {
    const { TrawlError } = await import('../../../src/index.js')
    let asked = 0
    const engine = open(
      () => {
        asked += 1
        if (asked < 3) throw new TrawlError('SCRAPE_SITE_ERROR', 'not now')
        return { body: page('home') }
      },
      { retry: { maxRetries: 3, backoffMs: 1, maxBackoffMs: 1 } },
    )
    expect((await engine.scrape('https://shop.test/')).markdown).toContain('Words about home')
    expect(asked).toBe(3)
    let failed = 0
    const broken = open(() => Promise.reject(new Error(`no ${(failed += 1)}`)), {
      retry: { maxRetries: 3, backoffMs: 1 },
    })
    await expect(broken.scrape('https://shop.test/')).rejects.toMatchObject(named('no 1'))
    expect(failed).toBe(1)
  })
})
