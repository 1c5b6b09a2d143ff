import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineConfig, memoryLedger } from '../../../src/index.js'
import type { TaskHandler, TaskQueue, TaskResult } from '../../../src/kernel/ledger/task-queue.js'
import { startSite } from '../../site/site.js'
import { crawlOf, createWorkSite, resultsOf } from './work-site.js'

/** A queue of tasks in this process: one engine works for another. */
interface LocalTasks extends TaskQueue {
  /** Tasks that were sent. */
  readonly sent: readonly { readonly isNear: boolean }[]
}

/** @param refuse returns the end of a task that the worker does not get */
function createLocalTasks(
  capacity: number,
  refuse: (isNear: boolean) => TaskResult | undefined = () => undefined,
): LocalTasks {
  const sent: { isNear: boolean }[] = []
  let handler: TaskHandler | undefined
  return {
    sent,
    get capacity() {
      return handler ? capacity : 0
    },
    follow: () => () => undefined,
    async send({ payload, near }, signal) {
      const isNear = near !== undefined
      sent.push({ isNear })
      const refused = refuse(isNear)
      if (refused) return refused
      const answer = await handler?.handle(payload, signal)
      return answer === undefined ? { reason: 'unserved' } : { answer, worker: 1 }
    },
    async work(_, given) {
      handler = given
      return { stop: async () => void (handler = undefined) }
    },
  }
}

const settings: EngineConfig = {
  allowPrivateNetworks: true,
  threads: 0,
  fetcher: 'http',
  cache: false,
  maxConcurrency: 1,
  maxConcurrencyPerSite: 8,
  retry: { maxRetries: 1, backoffMs: 1 },
}

describe('pages at a worker', () => {
  const engines: Engine[] = []
  const open = (tasks?: LocalTasks, config?: EngineConfig): Engine => {
    const engine = createEngine({ ...settings, ...config, ledger: tasks ? { ...memoryLedger(), tasks } : undefined })
    engines.push(engine)
    return engine
  }
  /** Opens an engine, and another one that works for it. */
  const openPair = async (tasks: LocalTasks): Promise<Engine> => {
    await open(tasks).work()
    return open(tasks)
  }
  afterEach(async () => void (await Promise.all(engines.splice(0).map((engine) => engine.close()))))

  const refusals: readonly [string, (isNear: boolean) => TaskResult | undefined][] = [
    ['are the same as those of one engine', () => undefined],
    ['are scraped here when no worker takes them', (isNear) => (isNear ? undefined : { reason: 'unserved' })],
    [
      'are fetched again when the worker is gone that has them',
      (isNear) => (isNear ? { reason: 'unserved' } : undefined),
    ],
  ]
  it.each(refusals)('%s', async (_, refuse) => {
    const { pages } = createWorkSite(5)
    await using site = await startSite({ pages })
    // A page is converted again by the worker that has it.
    const request = { ...crawlOf(site.url('/')), learnBoilerplate: true }
    const expected = await resultsOf(open().crawl(request))
    const tasks = createLocalTasks(6, refuse)
    const job = (await openPair(tasks)).crawl(request)
    expect(await resultsOf(job)).toEqual(expected)
    expect(new Set(tasks.sent.map(({ isNear }) => isNear)).size).toBe(refuse(false) ? 1 : 2)
  })

  it('are tried again when several workers were lost with them', async () => {
    await using site = await startSite()
    let losses = 0
    const tasks = createLocalTasks(1, () => (losses++ === 0 ? { reason: 'lost' } : undefined))
    const job = (await openPair(tasks)).batchScrape({ urls: [site.url('/page/1'), site.url('/page/2')] })
    const { data } = await job.finished()
    expect(data.map(({ metadata }) => metadata.statusCode)).toEqual([200, 200])
    const rows = []
    for await (const { attempts } of job.urls()) rows.push(attempts.map(({ code = '' }) => code).join())
    expect(rows.toSorted()).toEqual(['', 'SCRAPE_ALL_ENGINES_FAILED,'])
  })

  it('are scraped here when the network of the worker does not reach them', async () => {
    await using site = await startSite()
    const tasks = createLocalTasks(4)
    const worker = await open(tasks, { allowPrivateNetworks: false }).work()
    const urls = [1, 2, 3, 4].map((number) => site.url(`/page/${number}`))
    const { data, failed } = await open(tasks).batchScrape({ urls }).finished()
    expect([data.length, failed, worker.counts()]).toEqual([4, 0, { active: 0, done: 0, failed: 0 }])
    expect(tasks.sent.length).toBeGreaterThan(0)
  })

  it('count towards the budget of the job, and fail with the error of the page', async () => {
    await using site = await startSite()
    const urls = ['/page/1', '/redirect-loop', '/page/2', '/truncated'].map((path) => site.url(path))
    const facts = async (engine: Engine): Promise<unknown> => {
      const job = engine.batchScrape({ urls })
      await job.finished()
      const rows = []
      for await (const { outcome, failure, attempts } of job.urls()) rows.push([outcome, failure, attempts.length])
      const { used } = await job.status()
      return [rows, used.requests, used.bytes]
    }
    const tasks = createLocalTasks(4)
    expect(await facts(await openPair(tasks))).toEqual(await facts(open()))
    expect(tasks.sent.length).toBeGreaterThan(0)
  })
})
