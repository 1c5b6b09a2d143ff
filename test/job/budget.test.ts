import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Document,
  type Engine,
  type EngineConfig,
  type Job,
  type JobBudget,
  memoryLedger,
  sqlite,
} from '../../src/index.js'
import { startSite, type Site } from '../site/site.js'
import { page, pathOf } from './crawl-site.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-budget-'))
afterAll(() => rm(folder, { recursive: true }))

/** A tree of so many pages, with a sitemap that names some of them and one that no link leads to. */
const PAGES = 31
const tree = (origin: () => string) => ({
  ...Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => {
      const links = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
      return [at === 0 ? '/' : `/${at}`, page(...links, '/')]
    }),
  ),
  '/only': page('/'),
  '/sitemap.xml': ({ response }: { response: { end(body: string): void } }) =>
    response.end(`<urlset><url><loc>${origin()}/9</loc></url><url><loc>${origin()}/only</loc></url></urlset>`),
})

let site: Site
let file: string
let engines: Engine[] = []
let files = 0

function start(config: EngineConfig = {}): Engine {
  const settings: EngineConfig = { allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false }
  const engine = createEngine({ ...settings, maxConcurrency: 3, ledger: sqlite(file), ...config })
  engines.push(engine)
  return engine
}

beforeEach(async () => {
  site = await startSite({ pages: tree(() => site.origin) })
  file = join(folder, `${files++}.db`)
})

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  engines = []
  await site.close()
})

const crawlOf = (budget?: JobBudget) => ({ url: site.url('/'), ...(budget && { budget }) })
const pathsOf = (documents: readonly Document[]) => documents.map(({ metadata }) => pathOf(metadata.url))
const pagesAsked = () => site.requests.map(({ path }) => path).filter((path) => !/robots|sitemap/.test(path))
/** Every URL that the job knows has one outcome, and they add up. */
async function countOutcomes(job: Job<Document>) {
  const { completed, failed, skipped, total } = await job.status()
  return { completed, failed, skipped, queued: total - completed }
}

const ledgers = { memory: () => memoryLedger(), sqlite: () => sqlite(file) }

describe.each(['memory', 'sqlite'] as const)('a job that has used up its budget, on the ledger %s', (name) => {
  it('ends with its rest queued, says why, and goes on with a larger one', async () => {
    const engine = start({ ledger: ledgers[name]() })
    const whole = await start({ ledger: memoryLedger() }).crawl(crawlOf()).finished()
    const before = pagesAsked().length
    const job = engine.crawl(crawlOf({ requests: 12 }))
    const ends: string[] = []
    job.on('finished', ({ status, stoppedBy }) => ends.push(`${status} ${stoppedBy}`))
    const stopped = await job.finished()
    expect(stopped).toMatchObject({
      success: true,
      status: 'completed',
      stoppedBy: 'requests',
      warning: '`budget.requests` of 12 is used up: `job.resume({ budget })` goes on with a larger one.',
      used: { requests: 12 },
    })
    expect(stopped.total).toBeGreaterThan(stopped.completed)
    expect(stopped.completedAt).toBeDefined()
    expect(engine.jobs()).toEqual([])

    job.resume({ budget: { requests: 1000 } })
    expect(engine.jobs().map(({ id }) => id)).toEqual([job.id])
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'completed', completed: PAGES + 1, total: PAGES + 1 })
    expect(status).not.toHaveProperty('stoppedBy')
    expect(status).not.toHaveProperty('warning')
    expect(ends).toEqual(['completed requests', 'completed undefined'])
    expect(new Set(pathsOf(status.data))).toEqual(new Set(pathsOf(whole.data)))
    const asked = pagesAsked().slice(before)
    expect(asked.length).toBe(PAGES + 1)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('gives its documents to readers in each of its runs', async () => {
    const job = start({ ledger: ledgers[name]() }).crawl(crawlOf({ requests: 10 }), { acknowledge: true })
    const seen: string[] = []
    for (let requests = 20; ; requests += 10) {
      for await (const document of job) seen.push(pathOf(document.metadata.url))
      if (!(await job.finished()).stoppedBy) break
      job.resume({ budget: { requests } })
    }
    expect(seen.toSorted()).toEqual(pathsOf((await job.finished()).data).toSorted())
    expect(seen).toHaveLength(PAGES + 1)
  })

  it('is given up by `cancel()`', async () => {
    const job = start({ ledger: ledgers[name]() }).crawl(crawlOf({ requests: 6 }))
    const { completed } = await job.finished()
    const status = await job.cancel()
    expect(status).toMatchObject({ status: 'cancelled', completed, total: completed })
    expect(status).not.toHaveProperty('stoppedBy')
    expect(status.skippedByReason.CANCELLED).toBeGreaterThan(0)
    expect(() => job.resume({ budget: { requests: 1000 } })).toThrow('is cancelled')
    expect(pagesAsked().length).toBeLessThanOrEqual(6)
  })

  it('takes no more URLs until it goes on', async () => {
    const urls = ['/1', '/2', '/3', '/4'].map((path) => site.url(path))
    const job = start({ ledger: ledgers[name]() }).batchScrape({ urls, budget: { requests: 2 } })
    expect(await job.finished()).toMatchObject({ completed: 2, total: 4, stoppedBy: 'requests' })
    await expect(job.append([site.url('/5')])).rejects.toMatchObject({ code: 'JOB_FINISHED', status: 409 })
    job.resume({ budget: { requests: 10 } })
    await job.append([site.url('/5')])
    const { data, completed } = await job.finished()
    expect(completed).toBe(5)
    expect(pathsOf(data)).toEqual(['/1', '/2', '/3', '/4', '/5'])
  })

  it('is refused what would stop it again at once, and stays as it is', async () => {
    const job = start({ ledger: ledgers[name]() }).crawl(crawlOf({ requests: 5 }))
    const stopped = await job.finished()
    for (const budget of [
      undefined,
      {},
      { requests: 5 },
      { requests: 3 },
      { bytes: 10_000_000 },
      { requests: 99, bytes: 1 },
    ]) {
      expect(() => job.resume({ ...(budget && { budget }) })).toThrow(/budget\.(?:requests|bytes): \d+ is not enough/)
    }
    for (const requests of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(() => job.resume({ budget: { requests } })).toThrow('budget.requests')
    }
    expect(await job.status()).toEqual({ ...stopped, expiresAt: expect.any(String) })
  })
})

describe('a budget', () => {
  it.each<[keyof JobBudget, JobBudget]>([
    ['bytes', { bytes: 2000 }],
    ['requests', { requests: 7 }],
  ])('of %s ends a job once it is used up', async (limit, budget) => {
    const { stoppedBy, used, completed } = await start().crawl(crawlOf(budget)).finished()
    expect(stoppedBy).toBe(limit)
    expect(used[limit]).toBeGreaterThanOrEqual(budget[limit] ?? Infinity)
    expect(completed).toBeLessThan(PAGES)
  })

  it('of seconds ends a job by the clock, also while it has nothing to do', async () => {
    let nowMs = 1_000_000
    const engine = start({ now: () => nowMs })
    const job = engine.crawl({ ...crawlOf({ seconds: 100 }), sitemap: 'skip', delay: 60, learnBoilerplate: false })
    await expect.poll(async () => (await job.status()).completed, { timeout: 20_000 }).toBe(1)
    expect((await job.status()).status).toBe('scraping')
    nowMs += 100_000
    // What is asked looks at the clock; the alarm of the job goes by that of the machine.
    job.resume({ budget: { seconds: 100 } })
    expect(await job.finished()).toMatchObject({ stoppedBy: 'seconds', completed: 1, used: { seconds: 100 } })
  })

  it('of seconds wakes a job that waits', async () => {
    const job = start().crawl({ ...crawlOf({ seconds: 0.2 }), sitemap: 'skip', delay: 60 })
    const { stoppedBy, completed } = await job.finished()
    expect(stoppedBy).toBe('seconds')
    expect(completed).toBeLessThanOrEqual(1)
  })

  it('that is never reached changes nothing', async () => {
    const budget = { bytes: Number.MAX_SAFE_INTEGER, requests: 33, browserSeconds: 1e9, modelTokens: 1, seconds: 1e12 }
    const status = await start().crawl(crawlOf(budget)).finished()
    expect(status).toMatchObject({ status: 'completed', completed: PAGES + 1, used: { requests: 33, modelTokens: 0 } })
    expect(status).not.toHaveProperty('stoppedBy')
  })

  it('of the engine holds for every job that names none', async () => {
    const engine = start({ budget: { requests: 4 } })
    const [bound, free] = [engine.crawl(crawlOf()), engine.crawl(crawlOf({ seconds: 3600 }))]
    expect(await bound.finished()).toMatchObject({ stoppedBy: 'requests' })
    expect(await free.finished()).toMatchObject({ completed: PAGES + 1 })
  })

  it('can be changed while the job runs', async () => {
    const job = start().crawl(crawlOf({ requests: 20 }))
    job.resume({ budget: { requests: 1000 } })
    expect(await job.finished()).toMatchObject({ completed: PAGES + 1 })
    expect(() => job.resume({ budget: { requests: 2000 } })).toThrow('is completed')
    expect(() => job.resume()).not.toThrow()
  })

  it.each(['bytes', 'requests', 'browserSeconds', 'modelTokens', 'modelCost', 'seconds'] as const)(
    'of %s is a number above 0',
    (limit) => {
      const engine = start()
      for (const seen of [0, -1, Number.NaN, Infinity, '5', null]) {
        const budget = { [limit]: seen } as unknown as JobBudget
        expect(() => engine.crawl(crawlOf(budget))).toThrow(`budget.${limit}`)
        expect(() => createEngine({ budget })).toThrow(`budget.${limit}`)
      }
    },
  )
})

describe('in the next process', () => {
  it('a job that was stopped is as it was, is left alone by `resume()` of the engine, and goes on with a larger budget', async () => {
    const first = start()
    const { id } = first.crawl(crawlOf({ requests: 10 }))
    const stopped = await first.job(id)?.finished()
    await first.close()
    const second = start()
    expect(await second.resume()).toEqual([])
    const job = second.job(id)
    expect(await job?.finished()).toEqual(stopped)
    expect(() => job?.resume()).toThrow('budget.requests: 10 is not enough')
    job?.resume({ budget: { requests: 20 } })
    expect(await job?.finished()).toMatchObject({ stoppedBy: 'requests', used: { requests: 20 } })
    await second.close()

    const third = start()
    const again = third.job(id)
    again?.resume({ budget: { requests: 1000 } })
    const status = await again?.finished()
    expect(status).toMatchObject({ completed: PAGES + 1, total: PAGES + 1 })
    const asked = pagesAsked()
    expect(asked.length).toBe(PAGES + 1)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('what a job has taken up counts that was parked', async () => {
    const first = start()
    const left = first.crawl(crawlOf({ requests: 25 }))
    await new Promise<void>((resolve) => {
      left.on('progress', ({ completed }) => void (completed >= 9 && resolve(first.close())))
    })
    const asked = pagesAsked().length
    const [job] = await start().resume()
    const status = await job?.finished()
    expect(status).toMatchObject({ stoppedBy: 'requests', used: { requests: 25 } })
    expect(pagesAsked().length).toBeGreaterThan(asked)
    expect(pagesAsked().length).toBeLessThanOrEqual(25)
  })

  it('a larger budget stays, also when the process ends before the job does', async () => {
    const first = start()
    const job = first.crawl(crawlOf({ requests: 5 }))
    await job.finished()
    job.resume({ budget: { requests: 1000 } })
    await first.close({ drain: false })
    const [left] = await start().resume()
    expect(await left?.finished()).toMatchObject({ completed: PAGES + 1 })
  })

  it('a job that was stopped can be cancelled', async () => {
    const first = start()
    const { id } = first.crawl(crawlOf({ requests: 6 }))
    const { completed = 0 } = (await first.job(id)?.finished()) ?? {}
    await first.close()
    const job = start().job(id)
    const asked = site.requests.length
    expect(await job?.cancel()).toMatchObject({ status: 'cancelled', completed, total: completed })
    expect(await countOutcomes(job as Job<Document>)).toMatchObject({ queued: 0 })
    expect(site.requests).toHaveLength(asked)
  })

  it('a job that another process has gone on with is held by that', async () => {
    const [first, second] = [start(), start()]
    const job = first.crawl(crawlOf({ requests: 5 }))
    await job.finished()
    second.job(job.id)?.resume({ budget: { requests: 8 } })
    expect(() => job.resume({ budget: { requests: 1000 } })).toThrow(expect.objectContaining({ code: 'JOB_HELD' }))
    await second.job(job.id)?.finished()
    expect(() => job.resume({ budget: { requests: 1000 } })).toThrow(expect.objectContaining({ code: 'JOB_HELD' }))
    await expect(job.cancel()).rejects.toMatchObject({ code: 'JOB_HELD' })
  })

  it('a job that was stopped expires as any other', async () => {
    let nowMs = Date.now()
    const engine = start({ now: () => nowMs, retentionMs: 1000 })
    const { id } = engine.crawl(crawlOf({ requests: 5 }))
    await engine.job(id)?.finished()
    nowMs += 2000
    expect(engine.job(id)).toBeUndefined()
    await engine.close()
    expect(start().job(id)).toBeUndefined()
  })

  it('a job that ran out of credits goes on where there are some left', async () => {
    const first = start({ creditLimit: 8 })
    const { id } = first.crawl(crawlOf())
    expect(await first.job(id)?.finished()).toMatchObject({ stoppedBy: 'credits', completed: 8, creditsUsed: 8 })
    await first.close()
    const second = start({ creditLimit: 10 })
    const job = second.job(id)
    expect(await job?.status()).toMatchObject({ status: 'failed', code: 'INSUFFICIENT_CREDITS', stoppedBy: 'credits' })
    job?.resume()
    expect(await job?.finished()).toMatchObject({ stoppedBy: 'credits', completed: 18, creditsUsed: 18 })
    expect(() => job?.resume()).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_CREDITS' }))
    await second.close()
    const third = start().job(id)
    third?.resume()
    const status = await third?.finished()
    expect(status).toMatchObject({ status: 'completed', success: true, completed: PAGES + 1, creditsUsed: PAGES + 1 })
    expect(status).not.toHaveProperty('code')
  })

  it('a job goes on only where all is known that was asked for, and can be read and cancelled all the same', async () => {
    const first = start()
    const schema = { '~standard': { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) } }
    const formats = ['markdown', { type: 'json', mode: 'structured', schema }] as const
    const { id } = first.crawl({ ...crawlOf({ requests: 5 }), scrapeOptions: { formats } })
    await first.job(id)?.finished()
    await first.close()
    const job = start().job(id)
    expect(await job?.status()).toMatchObject({ stoppedBy: 'requests' })
    expect(() => job?.resume({ budget: { requests: 1000 } })).toThrow('scrapeOptions.formats[1].schema')
    expect(await job?.cancel()).toMatchObject({ status: 'cancelled' })
  })

  it('a job is cancelled by its signal also after it has stopped', async () => {
    const call = new AbortController()
    const engine = start()
    const job = engine.crawl(crawlOf({ requests: 5 }), { signal: call.signal })
    await job.finished()
    call.abort()
    expect(await job.finished()).toMatchObject({ status: 'cancelled' })
    const other = engine.crawl(crawlOf({ requests: 5 }), { signal: new AbortController().signal })
    await other.finished()
    expect(await other.status()).toMatchObject({ stoppedBy: 'requests' })
  })

  it('nothing goes on that was stopped on an engine that is closed', async () => {
    const engine = start({ ledger: memoryLedger() })
    const job = engine.crawl(crawlOf({ requests: 5 }))
    const { completed } = await job.finished()
    await engine.close()
    expect(() => job.resume({ budget: { requests: 1000 } })).toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
    expect(await job.finished()).toMatchObject({ stoppedBy: 'requests', completed })
  })
})
