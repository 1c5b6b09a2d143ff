import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadPlaywright } from '../../../src/features/browser/process/load-playwright.js'
import type { Document, EngineConfig } from '../../../src/index.js'
import { useEngineSite, type Pages } from '../../site/engine-site.js'

const on = useEngineSite()
const folders: string[] = []

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-zero-'))
  folders.push(folder)
  return folder
}

const SECRET = 'Quillfeather'
const page = (...links: string[]): string =>
  `<!doctype html><title>${SECRET}</title><main><h1>${SECRET} ${links.length}</h1><p>The word is ${SECRET}, and no other.</p>${links
    .map((href) => `<a href="${href}">${SECRET} ${href}</a>`)
    .join('')}</main>`

const pages: Pages = {
  '/': page('/a', '/b', '/blocked', '/broken'),
  '/a': page('/b'),
  '/b': page(),
  '/blocked': ({ response }) =>
    response
      .writeHead(403, { 'cf-mitigated': 'challenge', 'content-type': 'text/html' })
      .end(`<title>Just a moment</title>${page()}`),
  '/broken': ({ response }) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(SECRET),
}

/** The files below a folder that have the secret in them, by name or within. */
async function findSecret(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name)
    const file = await stat(path).catch(() => undefined)
    if (name.includes(SECRET)) found.push(path)
    if (file?.isFile() && (await readFile(path)).includes(SECRET)) found.push(path)
  }
  return found
}

/** Everything that is written to standard output and standard error. */
function listen(): () => string {
  const said: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => Boolean(said.push(String(chunk))))
  }
  return () => said.join('')
}

async function readAll(job: AsyncIterable<Document>): Promise<Document[]> {
  const documents: Document[] = []
  for await (const document of job) documents.push(document)
  return documents
}

const kept = { zeroDataRetention: true } as const

describe('zeroDataRetention', () => {
  it('leaves nothing of a page anywhere but in the documents', async () => {
    const folder = await newFolder()
    // Whatever is temporary goes into this folder, too. Bodies are small enough to be stored as they are.
    vi.stubEnv('TMPDIR', folder)
    const said = listen()
    const config: EngineConfig = { cache: join(folder, 'cache'), snapshots: join(folder, 'snapshots') }
    await on.open(pages, { ...config, fetcher: 'http', retry: { maxRetries: 1, backoffMs: 1 } })
    const crawl = on.engine.crawl({ url: on.site.url('/'), ...kept })
    const batch = on.engine.batchScrape({ urls: ['/a', '/broken', '/b'].map((path) => on.site.url(path)), ...kept })
    const v1 = on.engine.v1.crawl({ url: on.site.url('/'), ...kept })
    const failures: unknown[] = []
    crawl.on('failed', (failure) => failures.push(failure))
    const documents = [...(await readAll(crawl)), ...(await readAll(batch)), ...(await readAll(v1))]
    expect(documents.filter(({ markdown }) => markdown?.includes(SECRET)).length).toBeGreaterThanOrEqual(8)

    const ended = await Promise.all([crawl, batch, v1].map((job) => job.finished()))
    expect(ended.map(({ data }) => data)).toEqual([[], [], []])
    expect(ended[1]).toMatchObject({ completed: 2, failed: 1, creditsUsed: 4 })
    const rows = await Promise.all(
      ['/', '/a', '/b', '/blocked', '/broken'].map((path) => crawl.explain(on.site.url(path))),
    )
    const told = [ended, rows, failures, await crawl.errors(), await batch.errors(), await readAll(crawl), said()]
    expect(inspect(told, { depth: Infinity, maxStringLength: Infinity })).not.toContain(SECRET)
    expect(failures.length).toBeGreaterThan(0)
    await on.engine.close()
    expect(await findSecret(folder)).toEqual([])
  })

  it(
    'leaves nothing in the folders of the browser either, as long as that runs and after',
    { timeout: 60_000 },
    async () => {
      const folder = await newFolder()
      // When it is loaded, Playwright reads where temporary files are, and the tests of other files connect to browsers with it.
      loadPlaywright()
      vi.stubEnv('TMPDIR', folder)
      const storing = `${page()}<script>localStorage.setItem('word', '${SECRET}'); document.cookie = 'word=${SECRET}; max-age=9999'</script>`
      await on.open({ '/': storing }, { fetcher: 'browser' })
      const job = on.engine.batchScrape({ urls: [on.site.url('/')], ...kept })
      expect((await readAll(job)).map(({ markdown }) => markdown?.includes(SECRET))).toEqual([true])
      expect(await findSecret(folder)).toEqual([])
      await on.engine.close()
      expect(await findSecret(folder)).toEqual([])
    },
  )

  it('is the cause: without it the folders contain the word', async () => {
    const folder = await newFolder()
    await on.open({ '/': page() }, { cache: join(folder, 'cache'), snapshots: join(folder, 'snapshots') })
    const status = await on.engine.crawl({ url: on.site.url('/') }).finished()
    expect(status.data).toHaveLength(1)
    await on.engine.close()
    expect((await findSecret(folder)).length).toBeGreaterThan(1)
  })

  it('delivers each document to one reader, or to the listeners if there is no reader', async () => {
    await on.open({ '/': page('/a', '/b'), '/a': page('/b'), '/b': page() })
    const url = on.site.url('/')
    const job = on.engine.crawl({ url, ...kept })
    const both = await Promise.all([readAll(job), readAll(job)])
    expect(both.flat()).toHaveLength(3)
    const late = on.engine.crawl({ url, ...kept })
    await late.finished()
    expect(await readAll(late)).toHaveLength(3)
    expect(await readAll(late)).toHaveLength(0)
    const heard = on.engine.crawl({ url, ...kept })
    const documents: Document[] = []
    heard.on('document', (document) => documents.push(document))
    await heard.finished()
    expect(documents).toHaveLength(3)
    expect(await readAll(heard)).toHaveLength(0)
  })

  it('keeps no document that was delivered, while the job is still known', async () => {
    await on.open({ '/': page('/a'), '/a': page() })
    const reread = async (request: { zeroDataRetention?: boolean }) => {
      const job = on.engine.crawl({ url: on.site.url('/'), ...request })
      const handed = (await readAll(job)).map((document) => new WeakRef(document))
      await job.finished()
      return { job, isHeld: () => handed.map((document) => document.deref() !== undefined) }
    }
    const [zero, usual] = [await reread(kept), await reread({})]
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const collected = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      collect()
      expect(zero.isHeld()).toEqual([false, false])
    }
    await vi.waitFor(collected, { timeout: 20_000 })
    expect(usual.isHeld()).toEqual([true, true])
    expect(await zero.job.status()).toMatchObject({ completed: 2, data: [] })
    expect((await usual.job.status()).data).toHaveLength(2)
  })

  it('reads pages from the cache, and writes nothing to it', async () => {
    const folder = await newFolder()
    await on.open({ '/a': page(), '/b': page() }, { cache: folder })
    await on.engine.scrape(on.site.url('/a'))
    const count = async () => (await readdir(folder, { recursive: true })).length
    const before = await count()
    const urls = ['/a', '/b'].map((path) => on.site.url(path))
    const job = on.engine.batchScrape({ urls, formats: ['markdown', 'html', 'links'], ...kept })
    const states = (await readAll(job)).map(({ metadata }) => metadata.cacheState)
    expect(states.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['hit', 'miss'])
    expect(await count()).toBe(before)
  })

  it('is refused together with options that store something, which the error names', async () => {
    await on.open({}, { media: async () => 'https://media.test/x.png' })
    const [url, urls] = ['https://books.test/', ['https://books.test/']]
    const { engine } = on
    const batch = (options: object) => () => engine.batchScrape({ urls, ...kept, ...options })
    expect(batch({ formats: ['markdown', 'changeTracking'] })).toThrow(/formats\[1\]: `changeTracking` .*stored/)
    expect(batch({ storeInCache: true })).toThrow(/storeInCache: true stores the page/)
    expect(batch({ profile: { name: 'shop' } })).toThrow(/profile: stores the browser data/)
    expect(batch({ formats: ['screenshot'] })).toThrow(/formats\[0\]: `screenshot` is stored by .*`media`/)
    expect(batch({ actions: [{ type: 'pdf' }] })).toThrow(/actions\[0\]: the file of `pdf` is stored by/)
    const inCrawl = { url, ...kept, scrapeOptions: { formats: ['markdown', 'changeTracking'] } } as const
    expect(() => engine.crawl(inCrawl)).toThrow(/scrapeOptions\.formats\[1\]/)
    expect(() => engine.v1.crawl(inCrawl)).toThrow(/scrapeOptions\.formats\[1\]/)
    expect(() => engine.crawl({ url, ...kept, since: 'last' })).toThrow(
      /since: compares with the record of an earlier crawl/,
    )
  })
})
