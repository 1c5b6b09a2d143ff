import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type JobBudget, memoryLedger } from '../../../src/index.js'
import { answers, startReceiver, type Receiver } from '../../site/receiver.js'
import { PAGES, useBudgetSite } from '../../kernel/job/budget-site.js'

const until = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 20_000 })

const on = useBudgetSite()
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const crawlOf = (budget: JobBudget) => ({ ...on.crawlOf(budget), webhook: receiver.url })
const minutes = (count: number) => () => Date.now() + count * 60_000

/** Pages whose reports were accepted. */
const reportedPages = (): string[] =>
  receiver.received.flatMap(({ body }) => body.data.map(({ metadata }) => metadata.sourceURL))
const otherTypes = (): string[] => receiver.types.filter((type) => type !== 'crawl.page')

describe('the webhook of a stopped job', () => {
  it('gets no report of the end until the job has been resumed and ends; each page is reported once, the start not again', async () => {
    const engine = on.start({ ledger: memoryLedger() })
    const job = engine.crawl(crawlOf({ requests: 12 }))
    const stopped = await job.finished()
    expect(stopped.stoppedBy).toBe('requests')
    await until(() => reportedPages().length).toBe(stopped.completed)
    await until(() => job.undelivered()).toEqual([])
    expect(otherTypes()).toEqual(['crawl.started'])

    void job.resume({ budget: { requests: 1000 } })
    const status = await job.finished()
    await until(() => receiver.types.at(-1)).toBe('crawl.completed')
    expect(otherTypes()).toEqual(['crawl.started', 'crawl.completed'])
    expect(status.completed).toBe(PAGES + 1)
    expect(reportedPages().toSorted()).toEqual(status.data.map(({ metadata }) => metadata.sourceURL).toSorted())
  })

  it('gets the report of the cancellation, and none about skipped pages', async () => {
    const engine = on.start({ creditLimit: 9 })
    const job = engine.crawl({ ...crawlOf({}), scrapeOptions: { proxy: 'basic' } })
    expect(await job.finished()).toMatchObject({ status: 'failed', stoppedBy: 'credits', completed: 9 })
    await until(() => reportedPages().length).toBe(9)
    await until(() => job.undelivered()).toEqual([])
    expect(otherTypes()).toEqual(['crawl.started'])
    await job.cancel()
    await until(() => receiver.types.at(-1)).toBe('crawl.cancelled')
    expect(otherTypes()).toEqual(['crawl.started', 'crawl.cancelled'])
    expect(reportedPages().length).toBe(9)
  })

  it('gets the remaining reports from the next process, and the end from the one that resumes the job', async () => {
    receiver.answer = (response, { body }) => response.writeHead(body.type === 'crawl.page' ? 500 : 200).end()
    const first = on.start()
    const job = first.crawl(crawlOf({ requests: 12 }))
    const { completed } = await job.finished()
    await expect
      .poll(async () => (await job.undelivered()).filter(({ attempts }) => attempts === 1).length)
      .toBe(completed)
    await first.close()
    const refused = receiver.received.length

    receiver.answer = answers.ok
    const second = on.start({ now: minutes(2) })
    expect(await second.resume()).toEqual([])
    await until(() => receiver.received.length).toBe(refused + completed)
    await until(async () => (await second.job(job.id))?.undelivered()).toEqual([])
    expect(otherTypes()).toEqual(['crawl.started'])
    // No report is left for now: no process holds the job, and its handle is the same.
    const handle = await second.job(job.id)
    expect(await second.resume()).toEqual([])
    expect(await second.job(job.id)).toBe(handle)
    await second.close()

    const third = on.start({ now: minutes(3) })
    void (await third.job(job.id))?.resume({ budget: { requests: 1000 } })
    const status = await (await third.job(job.id))?.finished()
    await until(() => receiver.types.at(-1)).toBe('crawl.completed')
    expect(otherTypes()).toEqual(['crawl.started', 'crawl.completed'])
    const told = receiver.received.slice(refused).flatMap(({ body }) => body.data)
    expect(told.map(({ metadata }) => metadata.sourceURL).toSorted()).toEqual(
      status?.data.map(({ metadata }) => metadata.sourceURL).toSorted(),
    )
    await third.close()

    const last = on.start({ now: minutes(4) })
    const sent = receiver.received.length
    expect(await last.resume()).toEqual([])
    await (await last.job(job.id))?.status()
    await last.close()
    expect(receiver.received.length).toBe(sent)
  })

  it('gets reports from one process at a time, and the job can be resumed elsewhere after the last report', async () => {
    receiver.answer = (response, { body }) => response.writeHead(body.type === 'crawl.page' ? 500 : 200).end()
    let now = minutes(0)
    const one = on.start({ now: () => now() })
    const job = one.crawl(crawlOf({ requests: 12 }))
    const { completed } = await job.finished()
    await expect
      .poll(async () => (await job.undelivered()).filter(({ attempts }) => attempts === 1).length)
      .toBe(completed)
    const other = on.start()
    const goOn = async () => (await other.job(job.id))?.resume({ budget: { requests: 1000 } })
    expect(await other.resume()).toEqual([])
    await expect(goOn()).rejects.toThrow(expect.objectContaining({ code: 'JOB_HELD' }))

    receiver.answer = answers.ok
    const refused = receiver.received.length
    now = minutes(2)
    await until(() => receiver.received.length).toBe(refused + completed)
    await until(() => canDo(goOn)).toBe(true)
    await (await other.job(job.id))?.finished()
    await until(() => receiver.types.at(-1)).toBe('crawl.completed')
    expect(otherTypes()).toEqual(['crawl.started', 'crawl.completed'])
  })
})

/** Tells whether a call succeeded. */
const canDo = (act: () => Promise<unknown>): Promise<boolean> =>
  act().then(
    () => true,
    () => false,
  )
