import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineConfig, sqlite } from '../../../src/index.js'
import { readNote, writeNote } from '../../../src/kernel/job/run/restore-job.js'
import { storedJob } from '../ledger/stored-job.js'
import type { Handler } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'
import { page, pathOf } from './crawl-site.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

const LONG = Array.from({ length: 60 }, (_, n) => `word${n} of the one text that two addresses have`).join(' ')
const twin = `<!doctype html><title>Twin</title><main><h1>Twin</h1><p>${LONG}.</p></main>`

let site: Site
let release: () => void
let engines: Engine[] = []
let files = 0

const start = (file: string, config: EngineConfig = {}): Engine => {
  const engine = createEngine({
    ...config,
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    cache: false,
    ledger: sqlite(file),
  })
  engines.push(engine)
  return engine
}

beforeEach(async () => {
  const released = new Promise<void>((resolve) => (release = resolve))
  site = await startSite({
    pages: {
      '/': page('/twin', '/old', '/gate', '/other'),
      '/twin': twin,
      '/other': twin,
      '/old': ({ response }) => response.writeHead(302, { location: '/new' }).end(),
      '/new': page('/'),
      '/gate': async ({ response }) => {
        await released
        response.end('<!doctype html><title>Gate</title><main><h1>Gate</h1><p>What only this page says.</p></main>')
      },
    },
  })
})

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close({ drain: false })))
  engines = []
  await site.close()
})

const request = (more: object) => ({ url: site.url('/'), sitemap: 'skip' as const, ignoreRobotsTxt: true, ...more })
const soon = { timeout: 20_000 }

it('a resumed crawl keeps a page that waited for others when its process ended, although its copy had been refused', async () => {
  const file = join(folder, `${files++}.db`)
  const first = start(file)
  const { id } = first.crawl(request({ deduplicateContent: true }))
  const outcomes = async (): Promise<(string | undefined)[]> => {
    const rows = ['/twin', '/other'].map(async (path) => (await first.job(id))?.explain(site.url(path)))
    return (await Promise.all(rows)).map((row) => row?.outcome)
  }
  // The page itself waits for the samples of `/gate`.
  await expect.poll(outcomes, { ...soon, interval: 5 }).toContain('skipped')
  await first.close({ drain: false })
  release()
  const [job] = await start(file).resume()
  const { data } = (await job?.finished()) ?? {}
  expect(data?.filter(({ metadata }) => metadata.title === 'Twin')).toHaveLength(1)
})

it('a resumed crawl detects duplicates of pages that an earlier process finished', async () => {
  const file = join(folder, `${files++}.db`)
  const first = start(file)
  const asked = request({ deduplicateContent: true, maxConcurrency: 1 })
  const { id } = first.crawl(asked)
  await expect.poll(async () => (await (await first.job(id))?.explain(site.url('/gate')))?.outcome, soon).toBe('active')
  await first.close({ drain: false })
  release()
  const second = start(file)
  const status = await (await second.job(id))?.finished()
  expect(status?.data.map(({ metadata }) => pathOf(metadata.sourceURL))).toEqual(['/', '/twin', '/old', '/gate'])
  expect(await (await second.job(id))?.explain(site.url('/other'))).toMatchObject({
    outcome: 'skipped',
    refusal: { reason: 'DUPLICATE' },
    duplicateOf: site.url('/twin'),
  })
})

it('a resumed crawl stays below the folder that its start page led to', async () => {
  const file = join(folder, `${files++}.db`)
  const released = new Promise<void>((resolve) => (release = resolve))
  await using docs = await startSite({
    pages: {
      '/docs/': ({ response }) => response.writeHead(302, { location: '/manual/' }).end(),
      '/manual/': page('/manual/gate'),
      '/manual/gate': async ({ response }) => {
        await released
        response.end(page('/manual/later', '/other'))
      },
      '/manual/later': page(),
    },
  })
  const first = start(file)
  const { id } = first.crawl({ url: docs.url('/docs/'), sitemap: 'skip' })
  const gate = async (): Promise<string | undefined> =>
    (await (await first.job(id))?.explain(docs.url('/manual/gate')))?.outcome
  await expect.poll(gate, soon).toBe('active')
  await first.close({ drain: false })
  release()
  const second = start(file)
  const data = (await (await second.job(id))?.finished())?.data ?? []
  expect(data.map(({ metadata }) => pathOf(metadata.url))).toEqual(['/manual/', '/manual/gate', '/manual/later'])
  expect(await (await second.job(id))?.explain(docs.url('/other'))).toMatchObject({
    refusal: { reason: 'BACKWARD_CRAWLING' },
  })
})

it('a job that needs a language model is left to an engine with one, and other jobs are resumed', async () => {
  const file = join(folder, `${files++}.db`)
  const model = async () => ({ text: 'A gate.' })
  const first = start(file, { model })
  const urls = [site.url('/gate')]
  const [bare, summed] = [first.batchScrape({ urls }), first.batchScrape({ urls, formats: ['summary'] })]
  await first.close({ drain: false })
  release()
  const without = start(file)
  const needsModel = { code: 'BAD_REQUEST', message: expect.stringContaining('needs a language model') }
  const named = expect.stringContaining(`job ${summed.id} cannot be resumed here: `)
  await expect(without.resume()).rejects.toMatchObject({ ...needsModel, message: named })
  await expect(without.resume()).rejects.toMatchObject(needsModel)
  await expect(without.job(summed.id)).rejects.toThrow(expect.objectContaining(needsModel))
  expect(await (await without.job(bare.id))?.finished()).toMatchObject({ status: 'completed', completed: 1 })
  expect(await without.listJobs()).toMatchObject([{ id: summed.id, interrupted: true }, { status: 'completed' }])
  const [resumed] = await start(file, { model }).resume()
  expect((await resumed?.finished())?.data).toMatchObject([{ summary: 'A gate.' }])
  // It has ended: its documents can be read by any engine.
  expect((await (await without.job(summed.id))?.finished())?.data).toMatchObject([{ summary: 'A gate.' }])
})

it('a crawl whose prompt was resolved before needs no model', async () => {
  const file = join(folder, `${files++}.db`)
  release()
  const ledger = sqlite(file)
  const prompted: object = { ...request({ limit: 2 }), prompt: 'the first page' }
  await ledger.jobStore?.add(storedJob('job', { request: JSON.stringify(prompted) }))
  ledger.jobStore?.change('job', { generated: JSON.stringify({ limit: 1 }) })
  await ledger.close()
  const [job] = await start(file).resume()
  expect(await job?.finished()).toMatchObject({ status: 'completed' })
})

it('a job that was stopped by its budget is not resumed in an engine that cannot run it', async () => {
  const file = join(folder, `${files++}.db`)
  release()
  const first = start(file, { model: async () => ({ text: 'A page.' }) })
  const job = first.batchScrape({
    urls: ['/new', '/twin', '/other'].map((path) => site.url(path)),
    formats: ['summary'],
    budget: { requests: 1 },
    maxConcurrency: 1,
  })
  expect(await job.finished()).toMatchObject({ stoppedBy: 'requests' })
  await first.close()
  const stopped = await start(file).job(job.id)
  expect(await stopped?.status()).toMatchObject({ stoppedBy: 'requests' })
  expect(() => stopped?.resume({ budget: { requests: 9 } })).toThrow(/needs a language model/)
})

it('a page note survives a round trip', () => {
  const list = { path: 'a', columns: [{ name: 'title', places: ['b'], isCommon: true }] }
  const note = { page: { sight: 'repeat' }, list }
  expect(readNote(writeNote(note) ?? '')).toEqual(note)
  expect(readNote(writeNote({ page: [1] }) ?? '')).toEqual({ page: [1] })
  expect(writeNote({})).toBeUndefined()
})

it.each([
  ['forbids it', 200],
  ['cannot be read', 500],
])('a resumed crawl stays on its host when its start page redirected to one whose robots.txt %s', async (_, status) => {
  const robots: Handler = ({ response }) => response.writeHead(status).end('User-agent: *\nDisallow: /')
  await using other = await startSite({ pages: { '/x': page(), '/robots.txt': robots } })
  await using own = await startSite({
    pages: {
      '/': ({ response }) => response.writeHead(302, { location: other.url('/x') }).end(),
      '/sitemap.xml': ({ response }) => response.end(`<urlset><url><loc>${own.url('/a')}</loc></url></urlset>`),
      '/a': page('/b'),
      '/b': page(),
    },
  })
  const file = join(folder, `${files++}.db`)
  const config = { retry: { maxRetries: 0 }, maxConcurrency: 1 }
  const first = start(file, config)
  const { id } = first.crawl({ url: own.url('/'), budget: { requests: 3 } })
  expect(await (await first.job(id))?.finished()).toMatchObject({ stoppedBy: 'requests' })
  await first.close()
  const job = (await start(file, config).job(id)) ?? expect.unreachable()
  void job.resume({ budget: { requests: 100 } })
  const { data } = await job.finished()
  expect(data.map(({ metadata }) => pathOf(metadata.url))).toEqual(['/a', '/b'])
})
