import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type BatchScrapeRequest, type Engine, type Job, sqlite } from '../../src/index.js'
import { openEngine } from '../../src/kernel/engine/create-engine.js'
import { FeatureSet } from '../../src/kernel/engine/feature-set.js'
import { defineFeature, type EngineExtension, type Feature } from '../../src/kernel/engine/feature.js'
import type { CalledJob, JobHooks, JobView } from '../../src/kernel/job/job-hooks.js'
import { optionalBoolean } from '../../src/kernel/options/fields/basic-schemas.js'
import { useEngineSite } from '../site/engine-site.js'

const on = useEngineSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

const config = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false } as const

/** A feature of the jobs that ask for it by its name, with these hooks. */
const make = (name: string, hooks: (job: JobView) => JobHooks, more: EngineExtension = {}): Feature =>
  defineFeature({
    name,
    options: { job: { [name]: { schema: optionalBoolean, help: false, stores: 'stores pages' } } },
    planJob: (page, options) =>
      Object.hasOwn(options, name) ? { slice: `slice of ${name} for ${page.fetch.timeoutMs}` } : undefined,
    extendEngine: () => ({ job: hooks, ...more }),
  })

const start = (engine: Engine, request: object): Job<object> =>
  engine.batchScrape(request as Omit<BatchScrapeRequest, 'appendToId'>)

describe('a feature of jobs', () => {
  it('acts at each moment of a job in the order of features, and before the ledger records what has ended', async () => {
    await on.open({ '/': '<p>One' })
    const moments: string[] = []
    let job: Job<object> | undefined
    const note =
      (name: string): ((view: JobView) => JobHooks) =>
      ({ slice }) => ({
        begin: () => void moments.push(`${name} begin ${String(slice)}`),
        async ended({ url }) {
          moments.push(`${name} ended: ${(await job?.explain(url))?.outcome}`)
          return undefined
        },
        finish: async () => void moments.push(`${name} finish`),
        async conclude({ completed }) {
          const done = (await completed?.counts())?.done
          const status = (await job?.status())?.status
          moments.push(`${name} conclude: ${status}, ${done} done`)
        },
      })
    await using engine = openEngine(config, new FeatureSet([make('one', note('one')), make('two', note('two'))]))
    job = start(engine, { urls: [on.site.url('/')], two: true, one: true, timeout: 5000 })
    await job.finished()
    expect(moments).toEqual([
      'one begin slice of one for 5000',
      'two begin slice of two for 5000',
      'one ended: active',
      'two ended: active',
      'one finish',
      'two finish',
      'one conclude: scraping, 1 done',
      'two conclude: scraping, 1 done',
    ])
  })

  it('changes an ending for those after it, for the ledger and for the reader', async () => {
    await on.open({ '/': '<p>One' })
    const seen: string[] = []
    const write = (name: string) => (): JobHooks => ({
      async ended(_, ending) {
        if (ending.outcome !== 'done') return undefined
        const documents = ending.documents.map((document) => ({
          ...document,
          markdown: `${document.markdown} ${name}`,
        }))
        seen.push(documents.map(({ markdown }) => markdown).join())
        return { ...ending, documents }
      },
    })
    await using engine = openEngine(config, new FeatureSet([make('one', write('one')), make('two', write('two'))]))
    const { data } = await start(engine, { urls: [on.site.url('/')], one: true, two: true }).finished()
    expect(seen).toEqual(['One one', 'One one two'])
    expect(data).toMatchObject([{ markdown: 'One one two' }])
  })

  it('is not opened in a job that does not ask for it, and is refused with `zeroDataRetention` if it stores pages', async () => {
    await on.open({ '/': '<p>One' })
    let opened = 0
    const probe = make('probe', () => {
      opened += 1
      return {}
    })
    await using engine = openEngine(config, new FeatureSet([probe]))
    const request = { urls: [on.site.url('/')], zeroDataRetention: true }
    await start(engine, request).finished()
    expect(opened).toBe(0)
    expect(() => start(engine, { ...request, probe: true })).toThrow('probe: stores pages: with `zeroDataRetention`')
  })

  it('gets the rows of a job that another engine began, and does not begin it again', async () => {
    await on.open({ '/': '<p>One', '/other': '<p>Two' })
    const urls = [on.site.url('/'), on.site.url('/other')]
    const moments: string[] = []
    const probe = make('probe', ({ id }) => ({
      begin: () => void moments.push(`begin ${id}`),
      restore: async (rows) => void moments.push(`restore ${rows.map(({ outcome }) => outcome).join(' ')}`),
      conclude: async () => void moments.push(`conclude ${id}`),
    }))
    const open = (): Engine => openEngine({ ...config, ledger: sqlite(join(folder, 'a.db')) }, new FeatureSet([probe]))
    const first = open()
    const { id } = start(first, { urls, probe: true, maxConcurrency: 1, budget: { requests: 1 } })
    await (await first.job(id))?.finished()
    await first.close()
    await using second = open()
    await (await second.job(id))?.resume({ budget: { requests: 10 } })
    await (await second.job(id))?.finished()
    expect(moments).toEqual([`begin ${id}`, `conclude ${id}`, 'restore done queued', `conclude ${id}`])
  })

  it('is called on jobs, and lets go of what it has when none runs any more', async () => {
    await on.open({ '/': '<p>One' })
    const moments: string[] = []
    const jobCalls = {
      nameOf(this: CalledJob) {
        return `${this.id} ${this.openBudget() !== undefined}`
      },
    }
    const hooks = (): JobHooks => ({ conclude: async () => void moments.push('conclude') })
    const release = async (): Promise<void> => void moments.push('release')
    await using engine = openEngine(config, new FeatureSet([make('probe', hooks, { jobCalls, release })]))
    const job = start(engine, { urls: [on.site.url('/')], probe: true })
    expect((job as unknown as { nameOf(): string }).nameOf()).toBe(`${job.id} true`)
    await engine.close()
    expect(moments).toEqual(['conclude', 'release'])
  })

  it('may drop the promise of a `resume()` at the end of a job, which rejects after it', async () => {
    await on.open({ '/': '<p>One' })
    const unhandled: unknown[] = []
    const note = (error: unknown): number => unhandled.push(error)
    process.on('unhandledRejection', note)
    let job: Job<object> | undefined
    const hooks = (): JobHooks => ({ conclude: async () => void job?.resume({ budget: { requests: 9 } }) })
    await using engine = openEngine(config, new FeatureSet([make('one', hooks)]))
    job = start(engine, { urls: [on.site.url('/')], one: true })
    expect(await job.finished()).toMatchObject({ status: 'completed' })
    await new Promise(setImmediate)
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})
