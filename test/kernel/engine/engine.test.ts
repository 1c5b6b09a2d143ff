import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createEngine, InvalidRequestError, memoryCache } from '../../../src/index.js'
import { useEngineSite } from '../../site/engine-site.js'

const page = '<!doctype html><title>The title</title><main><h1>Page</h1><p>Some words that are the content.</p></main>'

const on = useEngineSite()

describe('scrape', () => {
  it('gives the document of one page', async () => {
    await on.open({ '/a': page })
    const document = await on.engine.scrape(on.site.url('/a'), { formats: ['markdown', 'links'] })
    expect(document).toEqual({
      markdown: expect.stringContaining('# Page'),
      links: [],
      fidelity: { visibleWords: 7, words: 1 },
      metadata: expect.objectContaining({
        title: 'The title',
        sourceURL: on.site.url('/a'),
        url: on.site.url('/a'),
        statusCode: 200,
        cacheState: 'miss',
        proxyUsed: 'basic',
        creditsUsed: 1,
      }),
    })
  })

  it('returns an error page as a document, and rejects only if there is no response', async () => {
    await on.open({})
    const missing = await on.engine.scrape(on.site.url('/status/404'))
    expect(missing.metadata).toMatchObject({ statusCode: 404, error: 'Not Found' })
    await expect(on.engine.scrape(on.site.url('/reset'))).rejects.toMatchObject({
      name: 'TrawlError',
      code: 'SCRAPE_SITE_ERROR',
      url: on.site.url('/reset'),
    })
  })

  it('retries transient failures within its timeout', async () => {
    await on.open({})
    expect((await on.engine.scrape(on.site.url('/flaky?times=2'))).metadata.statusCode).toBe(200)
    await expect(on.engine.scrape(on.site.url('/hang'), { timeout: 1000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      status: 408,
    })
    expect(on.site.requests.filter(({ path }) => path === '/hang')).toHaveLength(1)
  })

  it('refuses addresses that are not public, unless the engine allows them', async () => {
    await on.open({ '/a': page }, { allowPrivateNetworks: false })
    await expect(on.engine.scrape(on.site.url('/a'))).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
    expect(on.site.requests).toHaveLength(0)
  })

  it('takes a recent page from the cache, and makes any formats from one stored page', async () => {
    await on.open({ '/a': page })
    await on.engine.scrape(on.site.url('/a'))
    const again = await on.engine.scrape(on.site.url('/a'), { formats: ['rawHtml'] })
    expect(again.rawHtml).toBe(page)
    expect(again.metadata).toMatchObject({ cacheState: 'hit', cachedAt: expect.stringMatching(/Z$/) })
    const fresh = await on.engine.scrape(on.site.url('/a'), { maxAge: 0 })
    expect(fresh.metadata).not.toHaveProperty('cacheState')
    expect(on.site.requests).toHaveLength(2)
    await expect(on.engine.scrape(on.site.url('/b'), { minAge: 1 })).rejects.toMatchObject({
      code: 'SCRAPE_NO_CACHED_DATA',
      status: 404,
    })
  })

  it('neither stores nor reads from the cache a page that was requested with headers', async () => {
    await on.open({ '/a': page })
    for (let i = 0; i < 2; i++) await on.engine.scrape(on.site.url('/a'), { headers: { cookie: 'a=1' } })
    expect(await on.engine.scrape(on.site.url('/a'))).toMatchObject({ metadata: { cacheState: 'miss' } })
    expect(on.site.requests).toHaveLength(3)
  })

  it('stops at once when its signal aborts, with the signal’s reason', async () => {
    await on.open({})
    const reason = new Error('changed my mind')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 20)
    await expect(on.engine.scrape(on.site.url('/slow-body'), {}, { signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('parse', () => {
  it('makes a document from the input of the caller, and fetches nothing', async () => {
    await on.open({})
    const html = '<title>T</title><main><h1>Ä</h1><p>Enough words to be kept. <a href="b">b</a></p></main>'
    const document = await on.engine.parse({
      body: html,
      url: 'https://a.test/x/',
      contentType: 'text/html; charset=latin1',
    })
    expect(document.markdown).toContain('# Ä')
    expect(document.markdown).toContain('[b](https://a.test/x/b)')
    expect(document.metadata).toMatchObject({ sourceURL: 'https://a.test/x/', statusCode: 200, title: 'T' })
    expect(document.metadata).not.toHaveProperty('cacheState')
  })

  it('decodes bytes in the charset that they declare', async () => {
    await on.open({})
    const body = Buffer.from('<!doctype html><meta charset="iso-8859-15"><p>caf\xe9 costs 3 \xa4', 'latin1')
    const document = await on.engine.parse({ body, url: 'https://a.test/' })
    expect(document.markdown).toContain('café costs 3 €')
  })

  it('reads the text of a component from its props where the page shows a few words, and no copy of what it shows', async () => {
    await on.open({})
    const story = Array.from(
      { length: 9 },
      (_, at) => `Sentence ${at} of the story says what no other says of the mill.`,
    )
    const props = JSON.stringify({ headline: 'The mill', body: story.join(' ') }).replaceAll('"', '&quot;')
    const pageOf = (shown: string): string =>
      `<title>The mill</title><body><a href="/">Riverside</a>${shown}<div data-react-props="${props}"></div>`
    const read = (shown: string) => on.engine.parse({ body: pageOf(shown), url: 'https://a.test/mill' })
    expect(await read('')).toMatchObject({
      markdown: expect.stringContaining('Sentence 8 of the story') as string,
      metadata: { hydratedFrom: 'data-react-props' },
    })
    const { markdown, metadata } = await read(`<p>${story.join(' ')}</p>`)
    expect(metadata).not.toHaveProperty('hydratedFrom')
    expect(markdown.split('Sentence 8')).toHaveLength(2)
  })

  it('refuses invalid input', async () => {
    await on.open({})
    await expect(on.engine.parse({ body: 7, url: 'nope', extra: 1 } as never)).rejects.toBeInstanceOf(
      InvalidRequestError,
    )
  })
})

describe('the options of a call', () => {
  it('are checked as requests are', async () => {
    await on.open({ '/': page })
    const url = on.site.url('/')
    expect(() => on.engine.crawl({ url }, null as never)).toThrow(InvalidRequestError)
    expect(() => on.engine.crawl({ url }, { signal: {} } as never)).toThrow(/signal/)
    await expect(on.engine.scrape(url, {}, { sginal: 1 } as never)).rejects.toThrow(/sginal/)
    await expect(on.engine.scrape(url, { headers: { Host: 'x' } })).rejects.toThrow(/headers/)
  })
})

describe('an engine', () => {
  it('refuses an invalid configuration and reports all of its problems', () => {
    expect(() => createEngine({ maxConcurrency: 0, threds: 2, limits: { wireBytes: -1 } } as never)).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        issues: expect.arrayContaining([
          expect.objectContaining({ path: ['maxConcurrency'] }),
          expect.objectContaining({ path: ['limits', 'wireBytes'] }),
          expect.objectContaining({ message: expect.stringContaining('threds') }),
        ]),
      }),
    )
  })

  it('refuses calls after it was closed, and can be closed twice', async () => {
    await on.open({ '/': page })
    const job = on.engine.crawl({ url: on.site.url('/slow-body') })
    const finished = job.finished()
    await Promise.all([on.engine.close(), on.engine.close()])
    expect((await finished).status).toBe('cancelled')
    expect((await job.status()).status).toBe('cancelled')
    expect(() => on.engine.crawl({ url: on.site.url('/') })).toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
    await expect(on.engine.scrape(on.site.url('/'))).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })

  it('rejects a scrape in flight when it is closed', async () => {
    await on.open({})
    const scrape = on.engine.scrape(on.site.url('/hang'))
    const outcome = expect(scrape).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await on.engine.close()
    await outcome
  })

  it('does not close a cache that the host created', async () => {
    const cache = memoryCache()
    await on.open({ '/a': page }, { cache })
    await on.engine.scrape(on.site.url('/a'))
    await on.engine.close()
    const other = createEngine({ cache, allowPrivateNetworks: true, threads: 0 })
    expect((await other.scrape(on.site.url('/a'))).metadata.cacheState).toBe('hit')
    await other.close()
  })

  it('causes no listener leak warning if many jobs share one signal, and leaves no listener on it', async () => {
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    await on.open({ '/a': page })
    const { signal } = new AbortController()
    const jobs = Array.from({ length: 12 }, () => on.engine.batchScrape({ urls: [on.site.url('/a')] }, { signal }))
    await Promise.all(jobs.map((job) => job.finished()))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', note)
    expect(warnings).toEqual([])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('works beside others in one process, each with its own jobs', async () => {
    await on.open({ '/a': page, '/b': page })
    const others = [1, 2, 3].map(() => createEngine({ allowPrivateNetworks: true, threads: 0 }))
    const statuses = await Promise.all(
      others.flatMap((one) => ['/a', '/b'].map((path) => one.crawl({ url: on.site.url(path) }).finished())),
    )
    expect(statuses.every(({ completed }) => completed === 1)).toBe(true)
    expect(on.site.requests.filter(({ path }) => path === '/a' || path === '/b')).toHaveLength(6)
    await Promise.all(others.map((one) => one.close()))
  })
})

/** Runs a module against the built package in a process of its own. */
async function run(code: string): Promise<{ stdout: string }> {
  const dist = new URL('../../../dist/index.js', import.meta.url).href
  const script = `import * as trawl from ${JSON.stringify(dist)}\n${code}`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 25_000 })
}

describe('the host process', () => {
  const leftovers = `
    await new Promise((resolve) => setTimeout(resolve, 50)) // the module loader is still closing its files
    const left = process.getActiveResourcesInfo().filter((name) => !/^(Pipe|TTY|FS)/.test(name))
    console.log(JSON.stringify({ left, sigint: process.listenerCount('SIGINT'), sigterm: process.listenerCount('SIGTERM') }))`

  it('exits by itself after close, with no thread, socket, timer, listener or patch left on it', async () => {
    await on.open({ '/': `${page}<a href="/a">a</a>`, '/a': page.repeat(3000) })
    const { stdout } = await run(`
      import { EventEmitter } from 'node:events'
      const traces = () => [
        ...['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'uncaughtException', 'unhandledRejection'].map((name) => process.listenerCount(name)),
        process.emit === emit, process.reallyExit === reallyExit, EventEmitter.defaultMaxListeners,
      ]
      const { emit, reallyExit } = process
      const before = traces()
      const engine = trawl.createEngine({ allowPrivateNetworks: true, threads: 2 })
      // What it is told is still to be sent again when the engine is closed.
      const webhook = ${JSON.stringify(on.site.url('/status/500'))}
      const job = engine.crawl({ url: ${JSON.stringify(on.site.url('/'))}, webhook })
      const during = []
      for await (const document of job) during.push(traces())
      await engine.close()
      const [{ attempts }] = await job.undelivered()
      console.log(JSON.stringify({ completed: (await job.status()).completed, attempts, before, during, after: traces() }))
      ${leftovers}`)
    const [seen, after] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(seen).toMatchObject({
      completed: 2,
      attempts: 1,
      during: [seen?.['before'], seen?.['before']],
      after: seen?.['before'],
    })
    expect(after?.['left']).toEqual([])
  })

  it('keeps promises of the host free of asynchronous hooks during a crawl', async () => {
    await on.open({ '/': page })
    const { stdout } = await run(`
      import { triggerAsyncId } from 'node:async_hooks'
      const engine = trawl.createEngine({ allowPrivateNetworks: true })
      await engine.crawl({ url: ${JSON.stringify(on.site.url('/'))} }).finished()
      // Without hooks, Node gives promises no ids.
      console.log(await Promise.resolve().then(() => triggerAsyncId()))
      await engine.close()`)
    expect(stdout.trim()).toBe('0')
  })

  it('exits by itself when an engine was closed in the middle of everything', async () => {
    await on.open({})
    const slow = JSON.stringify(on.site.url('/slow-body'))
    const { stdout } = await run(`
      const engine = trawl.createEngine({ allowPrivateNetworks: true })
      const job = engine.batchScrape({ urls: [${slow}, ${slow} + '?2', ${slow} + '?3'] })
      const reader = job[Symbol.asyncIterator]()
      void reader.next()
      engine.scrape(${slow}).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await engine.close()
      console.log((await job.status()).status)`)
    expect(stdout.trim()).toBe('cancelled')
  })

  it('exits by itself with the default engine, which nobody closes', async () => {
    await on.open({ '/': page })
    const { stdout } = await run(`
      const error = await trawl.scrape(${JSON.stringify(on.site.url('/'))}).catch((thrown) => thrown)
      console.log(error.code)`)
    expect(stdout.trim()).toBe('SCRAPE_ADDRESS_REFUSED')
  })

  it('gets the error of a listener that throws, and the job continues', async () => {
    await on.open({ '/': `${page}<a href="/a">a</a>`, '/a': page })
    const { stdout } = await run(`
      process.on('uncaughtException', (error) => console.log(error.message))
      const engine = trawl.createEngine({ allowPrivateNetworks: true })
      const job = engine.crawl({ url: ${JSON.stringify(on.site.url('/'))} })
      job.once('document', () => { throw new Error('listener broke') })
      console.log((await job.finished()).completed)
      await engine.close()`)
    expect(stdout.trim().split('\n')).toEqual(['listener broke', '2'])
  })

  it('is not affected by creating an engine: nothing is opened or started', async () => {
    await on.open({})
    const { stdout } = await run(`
      trawl.createEngine()
      ${leftovers}`)
    expect(JSON.parse(stdout)).toMatchObject({ left: [] })
  })
})
