import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Document,
  type Engine,
  type EngineConfig,
  type Ledger,
  memoryLedger,
  sqlite,
} from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { page, pathOf } from './crawl-site.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

let site: Site
let engines: Engine[] = []
let files = 0

const start = (ledger: Ledger, more: EngineConfig = {}): Engine => {
  const engine = createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    cache: false,
    ledger,
    ...more,
  })
  engines.push(engine)
  return engine
}

/** Releases the page that waits. */
let release: () => void

beforeEach(async () => {
  const released = new Promise<void>((resolve) => (release = resolve))
  const slow = async ({ response }: { response: { end(body: string): void } }) => {
    await released
    response.end(page())
  }
  site = await startSite({ pages: { ...Object.fromEntries([1, 2, 3].map((n) => [`/${n}`, page()])), '/slow': slow } })
})

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close({ drain: false })))
  engines = []
  await site.close()
})

const urls = (...paths: string[]): string[] => paths.map((path) => site.url(path))
const names = (documents: readonly Document[]): string[] => documents.map(({ metadata }) => pathOf(metadata.sourceURL))
const asked = (): string[] => site.requests.map(({ path }) => path).toSorted()

describe.each([
  ['the memory ledger', () => memoryLedger()],
  ['the SQLite ledger', () => sqlite(join(folder, `${files++}.db`))],
])('appending to a batch, on %s', (_, make) => {
  it('returns one document for each position in the list, and fetches and bills each page once', async () => {
    const engine = start(make())
    const job = engine.batchScrape({ urls: urls('/slow', '/1', '/slow') })
    const heard: string[] = []
    job.on('document', ({ metadata }) => heard.push(pathOf(metadata.sourceURL)))
    await expect.poll(async () => (await job.status()).completed, { timeout: 20_000 }).toBe(1)
    // One done page, one active page, and two spellings of one new page.
    await job.append(urls('/1', '/slow', '/2', '/2'))
    release()
    const status = await job.finished()
    expect(names(status.data)).toEqual(['/slow', '/1', '/slow', '/1', '/slow', '/2', '/2'])
    expect(status).toMatchObject({ completed: 7, total: 7, creditsUsed: 3 })
    expect(status.data.map(({ metadata }) => metadata.creditsUsed).reduce((sum, credits) => sum + credits)).toBe(3)
    expect(asked()).toEqual(['/1', '/2', '/slow'])
    expect(heard.toSorted()).toEqual(names(status.data).toSorted())
    expect(await job.explain(site.url('/1'))).toMatchObject({ sources: [{ order: 1 }, { order: 3 }] })
  })

  it('works through `appendToId`, and is refused when the batch has ended', async () => {
    const engine = start(make())
    const job = engine.batchScrape({ urls: urls('/slow') })
    const same = await engine.batchScrape({ urls: [...urls('/3'), 'no url'], appendToId: job.id })
    expect(same).toBe(job)
    expect(same.toJSON().invalidURLs).toEqual(['no url'])
    release()
    const status = await job.finished()
    expect(names(status.data)).toEqual(['/slow', '/3'])
    expect(job.toJSON()).toMatchObject({ id: job.id, invalidURLs: ['no url'] })
    const finished = expect.objectContaining({ code: 'JOB_FINISHED', status: 409 })
    await expect(job.append(urls('/1'))).rejects.toEqual(finished)
    await expect(engine.batchScrape({ urls: urls('/1'), appendToId: job.id })).rejects.toThrow(finished)
    expect(await job.status()).toEqual(status)
    const crawl = engine.crawl({ url: site.url('/1') })
    for (const id of [crawl.id, '00000000-0000-7000-8000-000000000000']) {
      await expect(engine.batchScrape({ urls: urls('/1'), appendToId: id })).rejects.toThrow(
        expect.objectContaining({ code: 'JOB_NOT_FOUND', status: 404 }),
      )
    }
    expect(() => engine.batchScrape({ urls: [], appendToId: job.id })).toThrow(/urls/)
  })

  it('through `appendToId` is refused when the engine is closed before the batch is found: the job has not ended', async () => {
    const engine = start(make())
    const { id } = engine.batchScrape({ urls: urls('/slow') })
    const appended = engine.batchScrape({ appendToId: id, urls: urls('/1') })
    void engine.close({ drain: false })
    await expect(appended).rejects.toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
  })

  it('drops or refuses invalid URLs, depending on `ignoreInvalidURLs`', async () => {
    const engine = start(make())
    const strict = engine.batchScrape({ urls: urls('/slow'), ignoreInvalidURLs: false })
    await expect(strict.append(['ftp://x.test'])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const mixed = { urls: [...urls('/1'), 'ftp://x.test'], appendToId: strict.id }
    await expect(engine.batchScrape(mixed)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    release()
    expect(await strict.finished()).toMatchObject({ completed: 1 })
    expect(strict.invalidURLs).toBeUndefined()
  })

  it('accepts strings, `URL`s and iterables of them, and reads them at the call', async () => {
    const engine = start(make())
    const job = engine.batchScrape({ urls: new Set([new URL(site.url('/slow'))]) })
    const changing = [new URL(site.url('/1'))]
    const ofList = job.append(changing)
    changing.pop()
    await Promise.all([ofList, job.append(new Set([new URL(site.url('/2'))]))])
    const more = function* () {
      yield site.url('/3')
      yield new URL(site.url('/1'))
    }
    await job.append(more())
    await expect(job.append(site.url('/1'))).rejects.toThrow('is not a list')
    await expect(job.append([])).rejects.toThrow('urls: an empty list')
    const also = await engine.batchScrape({ urls: new Set([new URL(site.url('/2'))]), appendToId: job.id })
    expect(also).toBe(job)
    release()
    expect(names((await job.finished()).data)).toEqual(['/slow', '/1', '/2', '/3', '/1', '/2'])
  })

  it('adds a page of two lists that are appended at once, for each of its positions', async () => {
    const engine = start(make())
    const job = engine.batchScrape({ urls: urls('/slow') })
    await Promise.all([job.append(urls('/1', '/2')), job.append(urls('/2', '/1'))])
    release()
    expect(names((await job.finished()).data)).toEqual(['/slow', '/1', '/2', '/2', '/1'])
    expect(asked()).toEqual(['/1', '/2', '/slow'])
  })

  it('leaves no page of a long list in the queue when the job is cancelled meanwhile', async () => {
    const engine = start(make())
    const job = engine.batchScrape({ urls: urls('/slow') })
    const adding = job
      .append(Array.from({ length: 1200 }, (__, at) => site.url(`/page-${at}`)))
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'JOB_FINISHED' }))
    await expect.poll(async () => (await job.status()).total, { interval: 1 }).toBeGreaterThan(1)
    await job.cancel()
    await adding
    for await (const { outcome } of job.urls()) expect(outcome).toMatch(/failed|skipped/)
  })

  it('fetches a page again when its document was not kept', async () => {
    const engine = start(make())
    const job = engine.batchScrape({ urls: urls('/1', '/slow'), retain: false })
    const read: string[] = []
    for await (const { metadata } of job) {
      read.push(pathOf(metadata.sourceURL))
      if (read.length === 1) await job.append(urls('/1'))
      if (read.length === 2) release()
    }
    expect(read).toEqual(['/1', '/1', '/slow'])
    expect(await job.finished()).toMatchObject({ completed: 3, creditsUsed: 3 })
  })
})

it('appended URLs survive a restart of the process', async () => {
  const file = join(folder, `${files++}.db`)
  const first = start(sqlite(file))
  const job = first.batchScrape({ urls: urls('/slow', '/1') })
  await job.append(urls('/2', '/slow'))
  await first.close({ drain: false })
  const again = await start(sqlite(file)).job(job.id)
  if (again?.kind !== 'batch-scrape') throw new Error('the batch is gone')
  const batch = again as typeof job
  await batch.append(urls('/3', '/2'))
  release()
  const status = await batch.finished()
  expect(names(status.data)).toEqual(['/slow', '/1', '/2', '/slow', '/3', '/2'])
})

describe('a page that a batch lists several times', () => {
  it('has as many events as the counters count, each with the URL as it was given', async () => {
    const engine = start(memoryLedger(), { retry: { maxRetries: 0 } })
    const given = urls('/reset', '/reset#a', '/1', '/1#b')
    const job = engine.batchScrape({ urls: [...given, ...urls('/slow', '/slow#c')] })
    const told: string[] = []
    job.on('document', ({ metadata }) => told.push(`document ${metadata.sourceURL}`))
    job.on('failed', ({ url }) => told.push(`failed ${url}`))
    job.on('skipped', ({ url }) => told.push(`skipped ${url}`))
    await expect.poll(() => told.length).toBe(4)
    // The page has failed already.
    await job.append(urls('/reset#d', '/reset#e'))
    expect(told).toHaveLength(6)
    await job.cancel()
    const { completed, failed, skipped } = await job.status()
    expect([completed, failed + skipped]).toEqual([2, 6])
    expect(told.filter((what) => what.startsWith('document'))).toHaveLength(completed)
    expect(told.filter((what) => what.startsWith('failed'))).toHaveLength(failed)
    expect(told.filter((what) => what.startsWith('skipped'))).toHaveLength(skipped)
    const left = urls('/reset', '/reset#a', '/reset#d', '/reset#e', '/slow', '/slow#c')
    expect(told.filter((what) => !what.startsWith('document')).map((what) => what.split(' ')[1])).toEqual(left)
  })
})
