import { describe, expect, it } from 'vitest'
import { createEngine, postgres } from '../../../src/index.js'
import { factsOf, LONG_MS, settings } from './postgres-crawls.js'
import { candidate } from '../../contracts/ledger-rows.js'
import { openPostgres } from '../../../src/features/machines/shared/open-postgres.js'
import { missing, startNetwork } from '../../base/store/postgres-server.js'
import { storedJob } from '../../kernel/ledger/stored-job.js'
import { PATIENT, QUICK, useCrawls } from './use-crawls.js'

describe.skipIf(missing !== undefined)(`engines with \`resume\`${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useCrawls()

  it('one of them takes over the job of an engine that has ended, and gives the rest of its documents', async () => {
    const continued: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const ledger = postgres({ connectionString: on.server.url(), schema: on.schema })
      on.closeLater(createEngine({ ...settings, ledger, resume: { onJob: (id) => continued.push(id) } }))
    }
    const owner = on.start()
    on.allow(5)
    const job = owner.crawl(on.crawlOf())
    const { id } = job
    await expect.poll(async () => (await job.status()).completed, { timeout: 30_000 }).toBeGreaterThan(2)
    await owner.close({ drain: false })
    on.allow(Infinity)
    const reader = on.start()
    // `engine.job(id)` would take the job over itself.
    const state = async () => (await reader.listJobs({ limit: 1 }))[0]?.status
    await expect.poll(state, { timeout: 30_000 }).toBe('completed')
    expect(continued).toEqual([id])
    const { data } = (await (await reader.job(id))?.finished()) ?? {}
    expect(data?.map(factsOf)).toEqual(on.whole)
  }, 60_000)
})

describe.skipIf(missing !== undefined)(`a cancelled job${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useCrawls()
  const open = () => openPostgres({ connectionString: on.server.url(), schema: on.schema }, PATIENT)

  it('is held by its engine until its last rows are written, also from an engine that resumes all jobs', async () => {
    const [own, other] = [open(), open()]
    await own.jobStore?.add(storedJob('job'))
    own.jobStore?.change('job', { state: 'cancelled', expiresAtMs: Date.now() + 60_000 })
    await own.jobStore?.written?.('job')
    expect(await other.jobStore?.acquire('job')).toBe('held')
    expect(await other.jobStore?.listUnreported()).toEqual([])
    const completedAtMs = Date.now()
    own.jobStore?.change('job', { completedAtMs })
    await own.jobStore?.written?.('job')
    expect(await other.jobStore?.acquire('job')).toMatchObject({ state: 'cancelled', completedAtMs })
    await Promise.all([own.close(), other.close()])
  }, 60_000)

  it('is brought to its end by `resume` when the process that cancelled it died before', async () => {
    const ledger = open()
    await ledger.jobStore?.add(storedJob('job', { request: JSON.stringify(on.crawlOf()) }))
    const rows = await ledger.open('job', { limit: 9, holdLevelMs: 0 })
    await rows.admit([candidate('a'), candidate('b')], 0)
    ledger.jobStore?.change('job', { state: 'cancelled', expiresAtMs: Date.now() + 60_000 })
    await ledger.close()
    const engine = on.start()
    expect(await engine.listJobs()).toMatchObject([{ status: 'cancelled', queued: 2, skipped: 0 }])
    expect(await engine.resume()).toEqual([])
    const ended = { status: 'cancelled', queued: 0, skipped: 2, completedAt: expect.any(String) }
    await expect.poll(() => engine.listJobs(), { timeout: 30_000 }).toMatchObject([ended])
    expect(await (await engine.job('job'))?.finished()).toMatchObject({ status: 'cancelled', skipped: 2 })
  }, 60_000)
})

describe.skipIf(missing !== undefined)(`a stopped job${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useCrawls()

  it('is cancelled by its id in the engine that has just resumed it', async () => {
    const [own, other] = [on.start(), on.start()]
    const job = own.crawl({ ...on.crawlOf(), budget: { requests: 5 } })
    await job.finished()
    const resumed = (await other.job(job.id)) ?? expect.unreachable()
    on.allow(0)
    await resumed.resume({ budget: { requests: 1000 } })
    await own.cancel(job.id)
    expect(await resumed.finished()).toMatchObject({ status: 'cancelled' })
  }, 60_000)

  it('is resumed here when the engine that has resumed it has left it', async () => {
    const network = await startNetwork(on.server.port)
    const [own, other] = [on.start(network.port, QUICK), on.start()]
    const job = own.crawl({ ...on.crawlOf(), budget: { requests: 5 } })
    await job.finished()
    on.allow(0)
    await network.freeze()
    void ((await other.job(job.id)) ?? expect.unreachable()).resume({ budget: { requests: 1000 } })
    await other.close({ drain: false })
    on.allow(Infinity)
    await network.mend()
    await expect.poll(async () => (await own.job(job.id)) === job, { timeout: LONG_MS }).toBe(false)
    expect(await (await own.job(job.id))?.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    await network.close()
  }, 60_000)
})
