import { describe, expect, it } from 'vitest'
import { memoryLedger } from '../../../src/index.js'
import { TrawlError } from '../../../src/base/errors.js'
import type { JobHandle } from '../../../src/kernel/job/handle/job-handle.js'
import { hasOtherEnd } from '../../../src/kernel/job/handle/serve-job.js'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { PAGES, useBudgetSite } from './budget-site.js'

const on = useBudgetSite()

describe('a job with a budget, in the next process', () => {
  it('a stopped job keeps its state, is not resumed by `engine.resume()`, and resumes with a larger budget', async () => {
    const first = on.start()
    const { id } = first.crawl(on.crawlOf({ requests: 10 }))
    const stopped = await (await first.job(id))?.finished()
    await first.close()
    const second = on.start()
    expect(await second.resume()).toEqual([])
    const job = await second.job(id)
    expect(await job?.finished()).toEqual(stopped)
    expect(() => job?.resume()).toThrow('budget.requests: 10 is not enough')
    void job?.resume({ budget: { requests: 20 } })
    expect(await job?.finished()).toMatchObject({ stoppedBy: 'requests', used: { requests: 20 } })
    await second.close()

    const third = on.start()
    const again = await third.job(id)
    void again?.resume({ budget: { requests: 1000 } })
    const status = await again?.finished()
    expect(status).toMatchObject({ completed: PAGES + 1, total: PAGES + 1 })
    const asked = on.pagesAsked()
    expect(asked.length).toBe(PAGES + 1)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('a stopped job that another process has resumed has another handle in the first one', async () => {
    const [first, second] = [on.start(), on.start()]
    const stopped = first.crawl(on.crawlOf({ requests: 10 }))
    await stopped.finished()
    expect(await first.job(stopped.id)).toBe(stopped)
    const resumed = await second.job(stopped.id)
    void resumed?.resume({ budget: { requests: 1000 } })
    await expect(first.job(stopped.id)).rejects.toThrow(expect.objectContaining({ code: 'JOB_HELD' }))
    const ended = await resumed?.finished()
    expect(ended).toMatchObject({ status: 'completed', completed: PAGES + 1 })
    expect(await (await first.job(stopped.id))?.finished()).toEqual(ended)
  })

  it.each(['completed', 'cancelled'] as const)(
    'a stopped job that another process has resumed and left can be %s by the first one',
    async (end) => {
      const [first, second] = [on.start(), on.start()]
      const stopped = first.crawl(on.crawlOf({ requests: 5 }))
      await stopped.finished()
      void (await second.job(stopped.id))?.resume({ budget: { requests: 1000 } })
      await second.close({ drain: false })
      expect(await first.listJobs()).toMatchObject([{ status: 'scraping', interrupted: true }])
      if (end === 'cancelled') await first.cancel(stopped.id)
      const status = await (await first.job(stopped.id))?.finished()
      expect(status).toMatchObject({ status: end })
      expect(status).not.toHaveProperty('stoppedBy')
    },
  )

  it('the resources that a parked job has used still count', async () => {
    const first = on.start()
    const left = first.crawl(on.crawlOf({ requests: 25 }))
    await new Promise<void>((resolve) => {
      left.on('progress', ({ completed }) => void (completed >= 9 && resolve(first.close())))
    })
    const asked = on.pagesAsked().length
    const [job] = await on.start().resume()
    const status = await job?.finished()
    expect(status).toMatchObject({ stoppedBy: 'requests', used: { requests: 25 } })
    expect(on.pagesAsked().length).toBeGreaterThan(asked)
    expect(on.pagesAsked().length).toBeLessThanOrEqual(25)
  })

  it('a raised budget survives a restart before the end of the job', async () => {
    const first = on.start()
    const job = first.crawl(on.crawlOf({ requests: 5 }))
    await job.finished()
    void job.resume({ budget: { requests: 1000 } })
    await first.close({ drain: false })
    const [left] = await on.start().resume()
    expect(await left?.finished()).toMatchObject({ completed: PAGES + 1 })
  })

  it('a stopped job can be cancelled', async () => {
    const first = on.start()
    const { id } = first.crawl(on.crawlOf({ requests: 6 }))
    const { completed = 0 } = (await (await first.job(id))?.finished()) ?? {}
    await first.close()
    const job = await on.start().job(id)
    const asked = on.site.requests.length
    expect(await job?.cancel()).toMatchObject({ status: 'cancelled', completed, total: completed })
    expect(on.site.requests).toHaveLength(asked)
  })

  it('a job that another process has resumed is held by that process', async () => {
    const [first, second] = [on.start(), on.start()]
    const job = first.crawl(on.crawlOf({ requests: 5 }))
    await job.finished()
    void (await second.job(job.id))?.resume({ budget: { requests: 8 } })
    await expect(job.resume({ budget: { requests: 1000 } })).rejects.toThrow(
      expect.objectContaining({ code: 'JOB_HELD' }),
    )
    await (await second.job(job.id))?.finished()
    await expect(job.resume({ budget: { requests: 1000 } })).rejects.toThrow(
      expect.objectContaining({ code: 'JOB_HELD' }),
    )
    await expect(job.cancel()).rejects.toMatchObject({ code: 'JOB_HELD' })
  })

  it('a stopped job expires', async () => {
    let nowMs = Date.now()
    const engine = on.start({ now: () => nowMs, retentionMs: 1000 })
    const { id } = engine.crawl(on.crawlOf({ requests: 5 }))
    await (await engine.job(id))?.finished()
    nowMs += 2000
    expect(await engine.job(id)).toBeUndefined()
    await engine.close()
    expect(await on.start().job(id)).toBeUndefined()
  })

  it('a job that ran out of credits resumes on an engine that has some left', async () => {
    const first = on.start({ creditLimit: 8 })
    const { id } = first.crawl(on.crawlOf())
    expect(await (await first.job(id))?.finished()).toMatchObject({
      stoppedBy: 'credits',
      completed: 8,
      creditsUsed: 8,
    })
    await first.close()
    const second = on.start({ creditLimit: 10 })
    const job = await second.job(id)
    expect(await job?.status()).toMatchObject({ status: 'failed', code: 'INSUFFICIENT_CREDITS', stoppedBy: 'credits' })
    void job?.resume()
    expect(await job?.finished()).toMatchObject({ stoppedBy: 'credits', completed: 18, creditsUsed: 18 })
    expect(() => job?.resume()).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_CREDITS' }))
    await second.close()
    const third = await on.start().job(id)
    void third?.resume()
    const status = await third?.finished()
    expect(status).toMatchObject({ status: 'completed', success: true, completed: PAGES + 1, creditsUsed: PAGES + 1 })
    expect(status).not.toHaveProperty('code')
  })

  it('a job whose request is incomplete cannot be resumed, but can be read and cancelled', async () => {
    const first = on.start()
    const schema = { '~standard': { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) } }
    const formats = ['markdown', { type: 'json', mode: 'structured', schema }] as const
    const { id } = first.crawl({ ...on.crawlOf({ requests: 5 }), scrapeOptions: { formats } })
    await (await first.job(id))?.finished()
    await first.close()
    const job = await on.start().job(id)
    expect(await job?.status()).toMatchObject({ stoppedBy: 'requests' })
    expect(() => job?.resume({ budget: { requests: 1000 } })).toThrow('scrapeOptions.formats[1].schema')
    expect(await job?.cancel()).toMatchObject({ status: 'cancelled' })
  })

  it('the signal of a stopped job still cancels it', async () => {
    const call = new AbortController()
    const engine = on.start()
    const job = engine.crawl(on.crawlOf({ requests: 5 }), { signal: call.signal })
    await job.finished()
    call.abort()
    expect(await job.finished()).toMatchObject({ status: 'cancelled' })
    const other = engine.crawl(on.crawlOf({ requests: 5 }), { signal: new AbortController().signal })
    await other.finished()
    expect(await other.status()).toMatchObject({ stoppedBy: 'requests' })
  })

  it('`finished()` waits for the end of a job that is resumed as soon as it has stopped', async () => {
    const job = on.start().crawl(on.crawlOf({ requests: 5 }))
    job.once('finished', () => void job.resume({ budget: { requests: 1000 } }))
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: PAGES + 1 })
  })

  it('a stopped job cannot be resumed on a closed engine', async () => {
    const engine = on.start({ ledger: memoryLedger() })
    const job = engine.crawl(on.crawlOf({ requests: 5 }))
    const { completed } = await job.finished()
    await engine.close()
    expect(() => job.resume({ budget: { requests: 1000 } })).toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
    expect(await job.finished()).toMatchObject({ stoppedBy: 'requests', completed })
  })
})

describe('a job that could not be written', () => {
  const lifecycle = { error: new TrawlError('LEDGER_ERROR', 'lost'), completedAtMs: 1 }
  const job = { id: 'job', runner: { isStopped: false, lifecycle } } as unknown as JobHandle

  it.each([
    [{ state: 'scraping' }, true],
    [{ state: 'completed', completedAtMs: 1 }, false],
    [{ state: 'completed', completedAtMs: 2 }, true],
  ])('is looked up in a database without keeping the thread waiting: %o', async (stored, hasOther) => {
    const refuse = (): never => expect.unreachable()
    const ledger = { jobStore: { read: refuse }, shared: { read: async () => ({ stored, isHeld: false }) } }
    expect(await hasOtherEnd(job, ledger as unknown as Ledger)).toBe(hasOther)
  })
})
