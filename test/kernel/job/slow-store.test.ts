import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type Ledger, sqlite } from '../../../src/index.js'
import type { JobStore } from '../../../src/kernel/ledger/job-store.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

const start = (ledger: Ledger, now = Date.now): Engine =>
  createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false, ledger, now })

/** Opens a file as a ledger with other methods of its store. */
function openWith(name: string, change: (store: JobStore) => Partial<JobStore>): Ledger {
  const ledger = sqlite(join(folder, name))
  const store = ledger.jobStore ?? expect.unreachable()
  const changed = change(store)
  const jobStore = new Proxy(store, {
    get(target, method: keyof JobStore) {
      const own = changed[method] ?? target[method]
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
  return { ...ledger, jobStore }
}

/** A promise that a test resolves. */
function createAnswer(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give }
}

describe('a ledger that answers late', () => {
  it('has one handle of a job with an `idempotencyKey`, also for who has its id from a list before the answer', async () => {
    await on.open({ '/': '<p>One' })
    const answer = createAnswer()
    await using engine = start(
      openWith('key.db', (store) => ({
        add(job) {
          void store.add(job)
          return answer.given
        },
      })),
    )
    const started = engine.batchScrape({ urls: [on.site.url('/')] }, { idempotencyKey: 'key' })
    await expect.poll(async () => (await engine.listJobs()).length).toBe(1)
    const [{ id } = { id: '' }] = await engine.listJobs()
    const found = engine.job(id)
    answer.give()
    const job = await started
    expect(job.id).toBe(id)
    expect(await found).toBe(job)
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: 1 })
  })

  it('is asked for no further job by `resume()` when the engine is closed, and no job is named as one that cannot run', async () => {
    await on.open({ '/': async ({ response }) => void response.destroy() })
    const first = start(sqlite(join(folder, 'resume.db')))
    for (let count = 0; count < 3; count += 1) void first.batchScrape({ urls: [on.site.url('/')] }).pause()
    await first.close({ drain: false })
    const answer = createAnswer()
    const asked: string[] = []
    const second = start(
      openWith('resume.db', (store) => ({
        async acquire(id) {
          asked.push(id)
          await answer.given
          return store.acquire(id)
        },
      })),
    )
    const resumed = second.resume()
    await expect.poll(() => asked.length).toBe(1)
    const closed = second.close({ drain: false })
    answer.give()
    await expect(resumed).rejects.toThrow(/^the engine was closed/)
    await closed
    expect(asked).toHaveLength(1)
    await using third = start(sqlite(join(folder, 'resume.db')))
    expect(await third.resume()).toHaveLength(3)
  })

  it('is told to hurry when the engine is closed while a job is being started, and has the job back', async () => {
    await on.open({ '/': '<p>One' })
    const answer = createAnswer()
    const released: string[] = []
    const engine = start(
      openWith('hurry.db', (store) => ({
        add(job) {
          void store.add(job)
          return answer.given
        },
        hurry: () => answer.give(),
        release(id) {
          released.push(id)
          store.release(id)
        },
      })),
    )
    const started = engine.batchScrape({ urls: [on.site.url('/')] }, { idempotencyKey: 'key' })
    await expect.poll(async () => (await engine.listJobs()).length).toBe(1)
    const [{ id } = { id: '' }] = await engine.listJobs()
    const closed = engine.close()
    await expect(started).rejects.toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
    await closed
    expect(released).toEqual([id])
  })

  it.each([true, false])('is told to hurry when the pages that are waited for have ended, drain: %s', async (drain) => {
    const [asked, answer] = [createAnswer(), createAnswer()]
    await on.open({
      '/': async ({ response }) => {
        asked.give()
        await answer.given
        response.end('<p>One')
      },
    })
    let hurries = 0
    const engine = start(openWith(`hurry-${drain}.db`, () => ({ hurry: () => void (hurries += 1) })))
    engine.batchScrape({ urls: [on.site.url('/')] })
    await asked.given
    const closed = engine.close({ drain })
    await new Promise(setImmediate)
    expect(hurries).toBe(drain ? 0 : 1)
    answer.give()
    await closed
    expect(hurries).toBe(1)
  })

  it('is not told to release a job that was never in it', async () => {
    await on.open({ '/': '<p>One' })
    const released: string[] = []
    let isStarting = false
    const ledger = openWith('transient.db', (store) => ({
      async findByKey(key) {
        const found = await store.findByKey(key)
        isStarting = true
        return found
      },
      release: (id) => void released.push(id),
    }))
    let closed: Promise<void> | undefined
    const engine = start(ledger, () => {
      // The engine is closed between the look for the key and the start.
      if (isStarting) closed ??= engine.close()
      return Date.now()
    })
    const request = { urls: [on.site.url('/')], zeroDataRetention: true }
    const started = engine.batchScrape(request, { idempotencyKey: 'key' })
    await expect(started).rejects.toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
    await closed
    expect(closed).toBeDefined()
    expect(released).toEqual([])
  })

  it('lets no stopped job run that is resumed again as soon as it was refused, before it has agreed', async () => {
    await on.open({ '/': '<p>One', '/2': '<p>Two' })
    const answer = createAnswer()
    let asked = 0
    await using engine = start(
      openWith('stopped.db', () => ({
        async restart() {
          asked += 1
          if (asked > 1) await answer.given
          return false
        },
      })),
    )
    const urls = [on.site.url('/'), on.site.url('/2')]
    const job = engine.batchScrape({ urls, maxConcurrency: 1, budget: { requests: 1 } })
    const stopped = await job.finished()
    expect(stopped).toMatchObject({ stoppedBy: 'requests' })
    const requests = on.site.requests.length
    const resume = () => job.resume({ budget: { requests: 9 } })
    const again = resume().catch(resume)
    await expect.poll(() => asked).toBe(2)
    // A turn of the loop in which it would begin.
    await new Promise(setImmediate)
    answer.give()
    await expect(again).rejects.toThrow(expect.objectContaining({ code: 'JOB_HELD' }))
    expect(await job.finished()).toEqual(stopped)
    expect(on.site.requests).toHaveLength(requests)
  })
})
