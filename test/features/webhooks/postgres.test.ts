import { describe, expect, it, onTestFinished } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { openPostgres } from '../../../src/features/machines/shared/open-postgres.js'
import { LONG_MS, settings } from '../machines/postgres-crawls.js'
import { missing } from '../../base/store/postgres-server.js'
import { PATIENT, useCrawls } from '../machines/use-crawls.js'
import { answers, startReceiver } from '../../site/receiver.js'

const title = `the webhook of a job in PostgreSQL${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useCrawls()

  it('is the same for an engine that does not run the job, and gets what is left from the next engine', async () => {
    const receiver = await startReceiver(answers.status(500))
    onTestFinished(() => receiver.close())
    const engine = on.start()
    const job = engine.crawl({ ...on.crawlOf(5), webhook: { url: receiver.url, events: ['page', 'completed'] } })
    await job.finished()
    await expect.poll(async () => (await job.undelivered()).filter(({ attempts }) => attempts > 0).length).toBe(5)
    const left = await job.undelivered()
    expect(left.map(({ type }) => type)).toEqual([...Array<string>(5).fill('crawl.page'), 'crawl.completed'])
    const other = (await on.start().job(job.id)) ?? expect.unreachable()
    await expect.poll(() => other.undelivered(), { timeout: LONG_MS }).toEqual(left)
    expect(await other.undelivered({ skip: 4, limit: 1 })).toEqual(left.slice(4, 5))
    // Reports of earlier versions name no feature.
    await on.server.query(`UPDATE "${on.schema}".reports SET report = replace(report, '"feature":"webhooks",', '')`)
    expect(await other.undelivered()).toEqual(left)
    // Those of other features are not meant.
    const foreign = `'{"number":9,"feature":"other","event":"page","attempts":0}'`
    await on.server.query(
      `INSERT INTO "${on.schema}".reports (job, number, event, delivered, report) SELECT job, 9, event, delivered, ${foreign}
         FROM "${on.schema}".reports WHERE number = 0`,
    )
    expect(await other.undelivered()).toEqual(left)

    receiver.answer = answers.ok
    const before = receiver.received.length
    await engine.close({ drain: false })
    const ledger = openPostgres({ connectionString: on.server.url(), schema: on.schema }, PATIENT)
    const next = on.closeLater(createEngine({ ...settings, ledger, now: () => Date.now() + 70_000 }))
    await next.resume()
    await expect.poll(() => receiver.types.slice(before).at(-1), { timeout: LONG_MS }).toBe('crawl.completed')
    expect(receiver.received.length - before).toBe(6)
    expect(await ((await next.job(job.id)) ?? expect.unreachable()).undelivered()).toEqual([])
  })
})
