import { describe, expect, it } from 'vitest'
import { PostgresJobLedger } from '../../../src/features/machines/postgres/postgres-job-ledger.js'
import { noteObjects, noteRunners, readAll } from '../../kernel/job/left-of-jobs.js'
import { LONG_MS } from './postgres-crawls.js'
import { missing } from '../../base/store/postgres-server.js'
import { useCrawls } from './use-crawls.js'

const title = `a job on PostgreSQL that has ended${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useCrawls()
  const urls = (): [string, string] => [on.site.url('/5'), on.site.url('/elsewhere')]

  it.each(['crawl', 'crawl with a goal', 'batch'])('keeps its record alone: a %s', async (kind) => {
    const runners = noteRunners()
    const ledgers = noteObjects(PostgresJobLedger.prototype, 'recordUse')
    on.allow(Infinity)
    const engine = on.start()
    const job =
      kind === 'batch'
        ? engine.batchScrape({ urls: ['/1', '/5', '/1'].map((path) => on.site.url(path)) })
        : engine.crawl({ ...on.crawlOf(8), ...(kind === 'crawl' ? {} : { goal: 'words of the page' }) })
    expect(await job.finished()).toMatchObject({ status: 'completed' })
    const before = await readAll(job, urls())
    await runners.letGo()
    await ledgers.letGo()
    expect(await readAll(job, urls())).toEqual(before)
    await runners.letGo()
    expect(await engine.job(job.id)).toBe(job)
  })

  it('is read by another engine, and told by both of its acknowledgements and its end', async () => {
    const runners = noteRunners()
    on.allow(Infinity)
    const engine = on.start()
    const job = engine.crawl(on.crawlOf(4), { acknowledge: true })
    const closing = await job.finished()
    await runners.letGo()
    const elsewhere = await on.start().job(job.id)
    expect(await elsewhere?.status()).toMatchObject({ status: 'completed', completed: closing.completed })
    let read = 0
    for await (const document of job) read += document.markdown === undefined ? 0 : 1
    expect(read).toBe(4)
    await runners.letGo()
    for await (const _ of job) read += 1
    expect(read).toBe(4)
    await expect(engine.batchScrape({ urls: [on.site.url('/1')], appendToId: job.id })).rejects.toThrow(
      /knows no batch/,
    )
    expect(() => job.resume({ budget: { requests: 100 } })).toThrow(/nothing left to do/)
    expect(await elsewhere?.cancel()).toMatchObject({ status: 'completed' })
  })
})
