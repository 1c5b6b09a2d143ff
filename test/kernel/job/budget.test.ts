import { describe, expect, it } from 'vitest'
import { createEngine, type JobBudget, memoryLedger, sqlite } from '../../../src/index.js'
import { PAGES, pathsOf, useBudgetSite } from './budget-site.js'
import { pathOf } from './crawl-site.js'

const on = useBudgetSite()

const ledgers = { memory: () => memoryLedger(), sqlite: () => sqlite(on.file) }

describe.each(['memory', 'sqlite'] as const)('a job stopped by its budget, on the ledger %s', (name) => {
  it('ends with URLs queued, states the limit, and resumes with a larger budget', async () => {
    const engine = on.start({ ledger: ledgers[name]() })
    const whole = await on.start({ ledger: memoryLedger() }).crawl(on.crawlOf()).finished()
    const before = on.pagesAsked().length
    const job = engine.crawl(on.crawlOf({ requests: 12 }))
    const ends: string[] = []
    job.on('finished', ({ status, stoppedBy }) => ends.push(`${status} ${stoppedBy}`))
    const stopped = await job.finished()
    expect(stopped).toMatchObject({
      success: true,
      status: 'completed',
      stoppedBy: 'requests',
      warning: '`budget.requests` of 12 is used up: `job.resume({ budget })` continues with a larger one.',
      used: { requests: 12 },
    })
    expect(stopped.total).toBeGreaterThan(stopped.completed)
    expect(stopped.completedAt).toBeDefined()
    expect(engine.jobs()).toEqual([])

    void job.resume({ budget: { requests: 1000 } })
    expect(engine.jobs().map(({ id }) => id)).toEqual([job.id])
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'completed', completed: PAGES + 1, total: PAGES + 1 })
    expect(status).not.toHaveProperty('stoppedBy')
    expect(status).not.toHaveProperty('warning')
    expect(ends).toEqual(['completed requests', 'completed undefined'])
    expect(new Set(pathsOf(status.data))).toEqual(new Set(pathsOf(whole.data)))
    const asked = on.pagesAsked().slice(before)
    expect(asked.length).toBe(PAGES + 1)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('has the budget of the last of two calls', async () => {
    const job = on.start({ ledger: ledgers[name]() }).crawl(on.crawlOf({ requests: 6 }))
    await job.finished()
    void job.resume({ budget: { requests: 8 } })
    void job.resume({ budget: { requests: 1000 } })
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: PAGES + 1 })
  })

  it('delivers its documents to readers in each of its runs', async () => {
    const job = on.start({ ledger: ledgers[name]() }).crawl(on.crawlOf({ requests: 10 }), { acknowledge: true })
    const seen: string[] = []
    for (let requests = 20; ; requests += 10) {
      for await (const document of job) seen.push(pathOf(document.metadata.url))
      if (!(await job.finished()).stoppedBy) break
      void job.resume({ budget: { requests } })
    }
    expect(seen.toSorted()).toEqual(pathsOf((await job.finished()).data).toSorted())
    expect(seen).toHaveLength(PAGES + 1)
  })

  it('is cancelled by `cancel()`', async () => {
    const job = on.start({ ledger: ledgers[name]() }).crawl(on.crawlOf({ requests: 6 }))
    const { completed } = await job.finished()
    const status = await job.cancel()
    expect(status).toMatchObject({ status: 'cancelled', completed, total: completed })
    expect(status).not.toHaveProperty('stoppedBy')
    expect(status.skippedByReason.CANCELLED).toBeGreaterThan(0)
    expect(() => job.resume({ budget: { requests: 1000 } })).toThrow('is cancelled')
    expect(on.pagesAsked().length).toBeLessThanOrEqual(6)
  })

  it('refuses appended URLs until it is resumed', async () => {
    const urls = ['/1', '/2', '/3', '/4'].map((path) => on.site.url(path))
    const job = on.start({ ledger: ledgers[name]() }).batchScrape({ urls, budget: { requests: 2 } })
    expect(await job.finished()).toMatchObject({ completed: 2, total: 4, stoppedBy: 'requests' })
    await expect(job.append([on.site.url('/5')])).rejects.toMatchObject({ code: 'JOB_FINISHED', status: 409 })
    void job.resume({ budget: { requests: 10 } })
    await job.append([on.site.url('/5')])
    const { data, completed } = await job.finished()
    expect(completed).toBe(5)
    expect(pathsOf(data)).toEqual(['/1', '/2', '/3', '/4', '/5'])
  })

  it('refuses a budget that would stop it again at once, and keeps its state', async () => {
    const job = on.start({ ledger: ledgers[name]() }).crawl(on.crawlOf({ requests: 5 }))
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
    const { stoppedBy, used, completed } = await on.start().crawl(on.crawlOf(budget)).finished()
    expect(stoppedBy).toBe(limit)
    expect(used[limit]).toBeGreaterThanOrEqual(budget[limit] ?? Infinity)
    expect(completed).toBeLessThan(PAGES)
  })

  it('of seconds is not used up by a clock that is set, and the job has no negative duration', async () => {
    let nowMs = 1_000_000
    const engine = on.start({ now: () => nowMs })
    const job = engine.crawl({ ...on.crawlOf({ seconds: 100 }), sitemap: 'skip', delay: 60 })
    await expect.poll(async () => (await job.status()).completed, { timeout: 20_000 }).toBe(1)
    nowMs += 100_000
    // Tests the limits.
    expect(await job.resume({ budget: { seconds: 100 } })).toMatchObject({ status: 'scraping' })
    const { used, ...status } = await job.status()
    expect(status).not.toHaveProperty('stoppedBy')
    expect(used.seconds).toBeLessThan(100)
    nowMs -= 200_000
    expect(await job.cancel()).toMatchObject({ status: 'cancelled', duration: 0 })
  })

  it('of seconds wakes a waiting job', async () => {
    const job = on.start().crawl({ ...on.crawlOf({ seconds: 0.2 }), sitemap: 'skip', delay: 60 })
    const { stoppedBy, completed } = await job.finished()
    expect(stoppedBy).toBe('seconds')
    expect(completed).toBeLessThanOrEqual(1)
  })

  it('that is never reached changes nothing', async () => {
    const budget = { bytes: Number.MAX_SAFE_INTEGER, requests: 33, browserSeconds: 1e9, modelTokens: 1, seconds: 1e12 }
    const status = await on.start().crawl(on.crawlOf(budget)).finished()
    expect(status).toMatchObject({ status: 'completed', completed: PAGES + 1, used: { requests: 33, modelTokens: 0 } })
    expect(status).not.toHaveProperty('stoppedBy')
  })

  it('of the engine applies to each job without one of its own', async () => {
    const engine = on.start({ budget: { requests: 4 } })
    const [bound, free] = [engine.crawl(on.crawlOf()), engine.crawl(on.crawlOf({ seconds: 3600 }))]
    expect(await bound.finished()).toMatchObject({ stoppedBy: 'requests' })
    expect(await free.finished()).toMatchObject({ completed: PAGES + 1 })
  })

  it('can be changed while the job runs', async () => {
    const job = on.start().crawl(on.crawlOf({ requests: 20 }))
    void job.resume({ budget: { requests: 1000 } })
    expect(await job.finished()).toMatchObject({ completed: PAGES + 1 })
    expect(() => job.resume({ budget: { requests: 2000 } })).toThrow('is completed')
    expect(() => job.resume()).not.toThrow()
  })

  it.each(['bytes', 'requests', 'browserSeconds', 'modelTokens', 'modelCost', 'seconds'] as const)(
    'of %s is a number above 0',
    (limit) => {
      const engine = on.start()
      for (const seen of [0, -1, Number.NaN, Infinity, '5', null]) {
        const budget = { [limit]: seen } as unknown as JobBudget
        expect(() => engine.crawl(on.crawlOf(budget))).toThrow(`budget.${limit}`)
        expect(() => createEngine({ budget })).toThrow(`budget.${limit}`)
      }
    },
  )
})
