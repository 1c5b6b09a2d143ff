import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Engine, EngineHealth } from '../../../src/index.js'
import { runCli } from '../../cli/start-cli.js'
import { page } from '../../kernel/job/crawl-site.js'
import { missing, startNetwork } from '../../base/store/postgres-server.js'
import { useCrawls } from './use-crawls.js'
import { useWorkers } from './use-workers.js'

/** While it is set, the site holds its answers back. */
const held = { isHeld: false }
const links = Array.from({ length: 12 }, (_, at) => `/${at}`)
const pages = Object.fromEntries(
  ['/', ...links].map((path) => [
    path,
    async ({ response }: { response: { end(body: string): void } }) => {
      if (path !== '/') while (held.isHeld) await sleep(5)
      response.end(page(...(path === '/' ? links : [])))
    },
  ]),
)

/** Asks an engine until its answer passes the test. */
async function until(engine: Engine, test: (health: EngineHealth) => boolean): Promise<EngineHealth> {
  for (;;) {
    const health = await engine.health()
    if (test(health)) return health
    await sleep(20)
  }
}

describe.skipIf(missing !== undefined)(`the health of engines${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useWorkers(pages)

  it('has the tasks, workers and jobs of all engines, and the age of the oldest task that waits', async () => {
    const watcher = on.open()
    await watcher.health()
    const worker = await on.addWorker()
    const owner = on.open()
    held.isHeld = true
    const job = owner.crawl({
      url: on.site.url('/'),
      ignoreRobotsTxt: true,
      sitemap: 'skip',
      deduplicateContent: false,
    })
    const { workers } = await until(watcher, ({ tasks }) => tasks?.active === 4)
    expect(workers).toEqual([
      {
        id: expect.any(Number),
        version: expect.stringMatching(/^trawl\//),
        concurrency: 4,
        active: 4,
        lastSeenMs: expect.any(Number),
      },
    ])
    const ofOwner = await owner.health()
    expect(ofOwner).toMatchObject({ ledger: { reachable: true }, jobs: { running: 1, interrupted: 0 } })
    expect(ofOwner).not.toHaveProperty('worker')
    held.isHeld = false
    await job.finished()

    // A task that nobody takes.
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(*) = 0')
    await on.ask(`INSERT INTO SCHEMA.tasks (owner, number, version, job, lease_ms, queued_at, payload)
      SELECT owner, 1000, 'trawl/99', 'none', 1000, clock_timestamp() - interval '1 minute', '' FROM SCHEMA.workers`)
    const { tasks } = await watcher.health()
    expect(tasks).toEqual({ waiting: 1, active: 0, oldestWaitingMs: expect.any(Number) })
    expect(tasks?.oldestWaitingMs).toBeGreaterThanOrEqual(60_000)

    const address = ['--database', on.server.url(), '--schema', on.schema]
    const { stdout, code } = await runCli(['jobs', '--workers', ...address])
    const [head, row, ...rest] = stdout.trimEnd().split('\n')
    expect([code, head, rest]).toEqual([0, expect.stringMatching(/^WORKER +PLACES +ACTIVE +SEEN +VERSION$/), []])
    expect(row).toMatch(/^\d+ +4 +0 +\d+\.\d s ago +trawl\//)
    const json = await runCli(['jobs', '--workers', '--json', ...address])
    expect(JSON.parse(json.stdout)).toMatchObject({ concurrency: 4, active: 0 })

    await worker.kill()
    await until(watcher, (health) => health.workers?.length === 0)
    const own = await watcher.work({ concurrency: 3 })
    expect((await watcher.health()).worker).toEqual({ concurrency: 3, active: 0, done: 0, failed: 0 })
    await own.close()
    const parked = owner.batchScrape({ urls: [on.site.url('/1')] })
    await parked.pause()
    await owner.close()
    expect((await watcher.health()).jobs).toEqual({ running: 0, interrupted: 1 })
  }, 90_000)
})

describe.skipIf(missing !== undefined)(`the lag of an engine${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useCrawls()

  it('grows while the server cannot be reached, and is gone after it', async () => {
    const network = await startNetwork(on.server.port)
    const engine = on.start(network.port)
    const before = on.site.requests.length
    const job = engine.crawl(on.crawlOf())
    while (on.site.requests.length < before + 3) await sleep(5)
    await network.cut()
    const { ledger, jobs, tasks, workers } = await until(
      engine,
      (health) => !health.ledger.reachable && health.ledger.waitingWrites > 0,
    )
    expect(ledger).toEqual({
      reachable: false,
      error: expect.stringContaining('cannot be used'),
      waitingWrites: expect.any(Number),
      lagMs: expect.any(Number),
    })
    expect([jobs, tasks, workers]).toEqual([{ running: 1 }, undefined, undefined])
    await until(engine, (health) => health.ledger.lagMs > ledger.lagMs)
    await network.mend()
    expect((await job.finished()).data).toHaveLength(on.whole.length)
    const end = await engine.health()
    expect(end).toMatchObject({ ledger: { reachable: true, waitingWrites: 0, lagMs: 0 }, jobs: { running: 0 } })
    await network.close()
  }, 90_000)
})
