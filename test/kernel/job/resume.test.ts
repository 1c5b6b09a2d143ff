import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Document,
  type Engine,
  type EngineConfig,
  memoryLedger,
  sqlite,
} from '../../../src/index.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { candidate } from '../../contracts/ledger-rows.js'
import { storedJob } from '../ledger/stored-job.js'
import { startSite, type Site } from '../../site/site.js'
import { page, pathOf } from './crawl-site.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** A tree of 31 slow pages. */
const PAGES = 31
type Answer = { response: { end(body: string): void } }
const slowly =
  (html: string) =>
  async ({ response }: Answer) => {
    await sleep(15)
    response.end(html)
  }
const tree = Object.fromEntries(
  Array.from({ length: PAGES }, (_, at) => {
    const links = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
    return [at === 0 ? '/' : `/${at}`, slowly(page(...links, at % 7 === 3 ? '/status/500' : '/'))]
  }),
)

let site: Site
let file: string
let engines: Engine[] = []
let files = 0

/** An engine on the ledger file, which stands for a process. */
function start(config: EngineConfig = {}): Engine {
  const engine = createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    cache: false,
    maxConcurrency: 3,
    retry: { maxRetries: 1, backoffMs: 1 },
    ledger: sqlite(file),
    ...config,
  })
  engines.push(engine)
  return engine
}

beforeEach(async () => {
  site = await startSite({ pages: tree })
  file = join(folder, `${files++}.db`)
})

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close({ drain: false })))
  engines = []
  await site.close()
})

const crawlOf = (limit = 100) => ({ url: site.url('/'), limit, ignoreRobotsTxt: true, sitemap: 'skip' as const })
const factsOf = ({ metadata, markdown }: Document) => [
  pathOf(metadata.url),
  metadata.depth,
  metadata['discoveredFrom'],
  markdown,
]
const untilDone = (engine: Engine, id: string, least: number) =>
  expect
    .poll(async () => (await (await engine.job(id))?.status())?.completed ?? 0, { interval: 5 })
    .toBeGreaterThanOrEqual(least)

describe('a job on an SQLite ledger', () => {
  it.each([true, false])('resumes in the next engine where it was parked, pages drained: %s', async (drain) => {
    const uninterrupted = await start({ ledger: memoryLedger() }).crawl(crawlOf()).finished()
    const whole = uninterrupted.data.map(factsOf)
    const before = site.requests.length
    const first = start()
    const { id } = first.crawl(crawlOf())
    await untilDone(first, id, 5)
    await first.close({ drain })
    const second = start()
    const [job, ...others] = await second.resume()
    expect(others).toEqual([])
    expect(job).toMatchObject({ id, request: crawlOf(), createdAt: expect.stringMatching(/^20.*Z$/) })
    const status = await job?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: whole.length, failed: 0 })
    expect(status?.data.map(factsOf)).toEqual(whole)
    const paths = site.requests.slice(before).map(({ path }) => path)
    const twice = paths.filter((path, at) => paths.indexOf(path) !== at && path !== '/status/500')
    // At most the active pages are fetched again.
    expect(twice.length).toBeLessThanOrEqual(drain ? 0 : 3)
  })

  it('returns exactly `limit` documents over both processes', async () => {
    const first = start()
    const { id } = first.crawl(crawlOf(17))
    await untilDone(first, id, 6)
    await first.close({ drain: false })
    const status = await (await start().job(id))?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: 17, total: 17 })
    expect(new Set(status?.data.map(({ metadata }) => metadata.url)).size).toBe(17)
  })

  it('rejects `finished()` and loops when it is parked', async () => {
    const engine = start()
    const job = engine.crawl(crawlOf())
    const finished = expect(job.finished()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    const read = expect(
      (async () => {
        for await (const _ of job) await sleep(1)
      })(),
    ).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await untilDone(engine, job.id, 2)
    await engine.close()
    await finished
    await read
    expect(engine.jobs()).toEqual([])
    expect(await engine.job(job.id)).toBeUndefined()
  })

  it('is not run by two engines at once', async () => {
    const [one, other] = [start(), start()]
    const job = one.crawl(crawlOf())
    const message = expect.stringContaining('is run by another engine: use it there')
    await expect(other.job(job.id)).rejects.toThrow(expect.objectContaining({ code: 'JOB_HELD', status: 409, message }))
    expect(await other.resume()).toEqual([])
    expect(await other.job('00000000-0000-7000-8000-000000000000')).toBeUndefined()
    await job.finished()
    expect(await (await other.job(job.id))?.status()).toMatchObject({ status: 'completed', completed: PAGES + 1 })
  })

  it('keeps its results, errors and warnings after its end, until it expires', async () => {
    let aheadMs = 0
    const now = () => Date.now() + aheadMs
    const first = start({ now, retentionMs: 60_000 })
    const job = first.batchScrape({ urls: [site.url('/1'), site.url('/reset'), site.url('/2'), site.url('/1')] })
    const before = await job.finished()
    const errors = await job.errors()
    await first.close()

    const second = start({ now, retentionMs: 60_000 })
    expect(await second.resume()).toEqual([])
    const again = await second.job(job.id)
    expect(await again?.finished()).toEqual(before)
    expect(await again?.errors()).toEqual(errors)
    expect(errors.errors.length).toBe(1)
    expect(before.data.map(({ metadata }) => pathOf(metadata.url))).toEqual(['/1', '/2', '/1'])
    const read = []
    for await (const document of again ?? []) read.push(document)
    expect(read.length).toBe(3)
    expect(await again?.cancel()).toEqual(before)
    aheadMs = 60_000
    expect(await second.job(job.id)).toBeUndefined()
    expect(await start({ now }).job(job.id)).toBeUndefined()
  })

  it('stays cancelled after a restart', async () => {
    const first = start()
    const job = first.crawl(crawlOf())
    await untilDone(first, job.id, 3)
    const cancelled = await job.cancel()
    await first.close()
    const second = start()
    expect(await second.resume()).toEqual([])
    expect(await (await second.job(job.id))?.status()).toEqual(cancelled)
  })

  it('is held by its engine until its last rows are written when it is cancelled', async () => {
    const [one, other] = [start(), start()]
    const job = one.crawl(crawlOf())
    await untilDone(one, job.id, 3)
    const cancelled = job.cancel()
    await expect(other.job(job.id)).rejects.toThrow(expect.objectContaining({ code: 'JOB_HELD' }))
    const closing = await cancelled
    expect(closing.skipped).toBeGreaterThan(0)
    expect(await (await other.job(job.id))?.finished()).toEqual(closing)
  })

  it('ends the loop of a slow reader with an error when it has expired', async () => {
    let aheadMs = 0
    const engine = start({ now: () => Date.now() + aheadMs })
    const job = engine.crawl(crawlOf())
    const documents = job[Symbol.asyncIterator]()
    await documents.next()
    await job.finished()
    aheadMs = 1e9
    await engine.job('another')
    // Documents are deleted some at a time.
    const ledger = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
    await expect.poll(() => ledger.prepare('SELECT count(*) AS left FROM documents').get()).toMatchObject({ left: 0 })
    ledger.close()
    const read = async (): Promise<void> => {
      for (let next = await documents.next(); next.done !== true; next = await documents.next());
    }
    await expect(read()).rejects.toMatchObject({ code: 'JOB_NOT_FOUND', message: `job ${job.id} has expired` })
  })

  it('gets no URLs once its engine closes, and gets them in the next engine', async () => {
    const first = start()
    const job = first.batchScrape({ urls: [site.url('/1')] })
    const closing = first.close()
    const parked = expect.objectContaining({ code: 'ENGINE_CLOSED', message: expect.stringContaining('was parked') })
    await expect(job.append([site.url('/2')])).rejects.toEqual(parked)
    await closing
    await expect(job.append([site.url('/2')])).rejects.toEqual(parked)
    const next = start()
    const [resumed] = await next.resume()
    await next.batchScrape({ appendToId: job.id, urls: [site.url('/2')] })
    expect(await resumed?.finished()).toMatchObject({ status: 'completed', completed: 2 })
  })

  it('is brought to its end by `resume` when the process that cancelled it died before', async () => {
    const ledger = sqlite(file)
    await ledger.jobStore?.add(storedJob('job', { request: JSON.stringify(crawlOf()) }))
    const rows = await ledger.open('job', { limit: 9, holdLevelMs: 0 })
    await rows.admit([candidate('a'), candidate('b')], 0)
    ledger.jobStore?.change('job', { state: 'cancelled', expiresAtMs: Date.now() + 60_000 })
    await ledger.close()
    const engine = start()
    expect(await engine.listJobs()).toMatchObject([{ status: 'cancelled', queued: 2, skipped: 0 }])
    expect(await engine.resume()).toEqual([])
    const ended = { status: 'cancelled', queued: 0, skipped: 2, completedAt: expect.any(String) }
    await expect.poll(() => engine.listJobs()).toMatchObject([ended])
    expect(await (await engine.job('job'))?.finished()).toMatchObject({ status: 'cancelled', skipped: 2 })
  })

  it('is not stored with `zeroDataRetention`, and is cancelled with its engine', async () => {
    const first = start()
    const job = first.crawl({ ...crawlOf(), zeroDataRetention: true })
    await sleep(30)
    await first.close()
    expect(await job.finished()).toMatchObject({ status: 'cancelled' })
    const second = start()
    expect(await second.resume()).toEqual([])
    expect(await second.job(job.id)).toBeUndefined()
  })

  it('cannot be resumed by an engine whose ledger ends with the process', async () => {
    await expect(start({ ledger: memoryLedger() }).resume()).rejects.toThrow(/sqlite/)
  })
})

describe('a job whose request could not be stored completely', () => {
  it('resumes when `complete` returns the request, and is named in the error when it does not', async () => {
    const id = '019b1e5f-0000-7000-8000-000000000000'
    const left = sqlite(file)
    const missing = ['scrapeOptions.formats[0].schema']
    await left.jobStore?.add(storedJob(id, { request: JSON.stringify({ url: site.url('/') }), missing }))
    await left.close()
    const engine = start()
    const unfit = expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(/000000.*schema/s) })
    await expect(engine.resume()).rejects.toEqual(unfit)
    await expect(engine.resume({ complete: () => undefined })).rejects.toEqual(unfit)
    await expect(engine.job(id)).rejects.toThrow(unfit)
    const asked: unknown[] = []
    const [job] = await engine.resume({
      complete: (known) => {
        asked.push(known)
        return crawlOf(3)
      },
    })
    expect(asked).toEqual([{ id, kind: 'crawl', request: { url: site.url('/') }, missing }])
    expect(await job?.finished()).toMatchObject({ status: 'completed', completed: 3 })
    await expect(engine.resume({ complete: 3 } as object)).rejects.toThrow(/complete/)
  })
})

describe('an idempotency key', () => {
  it('returns the same job, in the next process as well, and is refused for another request', async () => {
    const first = start()
    const asked = crawlOf(5)
    const job = await first.crawl(asked, { idempotencyKey: 'night' })
    expect(await first.crawl(asked, { idempotencyKey: 'night' })).toBe(job)
    const conflict = expect.objectContaining({ code: 'IDEMPOTENCY_CONFLICT', status: 409 })
    await expect(first.crawl(crawlOf(6), { idempotencyKey: 'night' })).rejects.toThrow(conflict)
    await first.close({ drain: false })
    const second = start()
    const again = await second.crawl(asked, { idempotencyKey: 'night' })
    expect(again.id).toBe(job.id)
    expect(await again.finished()).toMatchObject({ completed: 5 })
    await expect(second.batchScrape({ urls: [site.url('/')] }, { idempotencyKey: 'night' })).rejects.toThrow(conflict)
    const other = start({ ledger: memoryLedger() })
    expect(await other.crawl(asked, { idempotencyKey: 'k' })).toBe(await other.crawl(asked, { idempotencyKey: 'k' }))
  })

  it('starts one job for calls that ask at the same time', async () => {
    const engine = start()
    const [one, other] = await Promise.all([1, 2].map(async () => engine.crawl(crawlOf(5), { idempotencyKey: 'now' })))
    expect(one).toBe(other)
    expect(engine.jobs()).toHaveLength(1)
  })
})

describe('a job that several calls ask for at the same time', () => {
  it('has one handle, and is given back when the engine is closed meanwhile', async () => {
    const first = start()
    const { id } = first.crawl(crawlOf(5))
    await first.close({ drain: false })
    const second = start()
    const closed = second.job(id)
    const closing = second.close()
    await expect(closed).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await closing
    const third = start()
    const [[resumed], ...found] = await Promise.all([third.resume(), third.job(id), third.job(id)])
    expect(new Set([...(resumed ? [resumed] : []), ...found]).size).toBe(1)
    expect(await found[0]?.finished()).toMatchObject({ status: 'completed', completed: 5 })
  })
})
