import { describe, expect, it, vi } from 'vitest'
import { createEngine, type Document, type BatchScrapeJob, type Job } from '../../../src/index.js'
import { PgDatabase } from '../../../src/features/machines/postgres/database.js'
import { openPostgres } from '../../../src/features/machines/shared/open-postgres.js'
import type { JobNews } from '../../../src/kernel/ledger/shared-jobs.js'
import { factsOf, LONG_MS, settings, sorted, untilSteady } from './postgres-crawls.js'
import { missing, startNetwork } from '../../base/store/postgres-server.js'
import { startSite } from '../../site/site.js'
import { storedJob } from '../../kernel/ledger/stored-job.js'
import { PATIENT, QUICK, useCrawls } from './use-crawls.js'

const title = `a job of another engine${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useCrawls()

  async function readAll(job: AsyncIterable<Document>): Promise<unknown[]> {
    const read: unknown[] = []
    for await (const document of job) read.push(factsOf(document))
    return read
  }
  async function list<T>(rows: AsyncIterable<T>): Promise<T[]> {
    const listed: T[] = []
    for await (const row of rows) listed.push(row)
    return listed
  }
  /** The same job in another engine. */
  const elsewhere = async (job: Job<Document>, engine = on.start()): Promise<Job<Document>> => {
    await job.prepared()
    return (await engine.job(job.id)) ?? expect.unreachable()
  }
  const untilDone = (job: Job<Document>, least: number) =>
    expect
      .poll(async () => (await job.status({ limit: 0 })).completed, { interval: 20, timeout: LONG_MS })
      .toBeGreaterThanOrEqual(least)

  it('is read while it runs, by several engines, up to its end', async () => {
    const job = on.start().crawl(on.crawlOf())
    const [one, two] = [await elsewhere(job), await elsewhere(job)]
    expect(JSON.stringify(one)).toBe(JSON.stringify(job))
    expect(one).toMatchObject({ id: job.id, url: job.url, kind: 'crawl', createdAt: job.createdAt })
    const [read, readToo, status] = await Promise.all([readAll(one), readAll(two), two.finished()])
    expect(sorted(read)).toEqual(sorted(on.whole))
    expect(sorted(readToo)).toEqual(sorted(on.whole))
    expect(status).toMatchObject({ status: 'completed', completed: on.whole.length, failed: 0 })
    expect(sorted(status.data.map(factsOf))).toEqual(sorted(on.whole))
  })

  it('is read as the rows of its lists', async () => {
    const port = (name: string): string => `<tr><td>${name}</td><td>${name.length}</td></tr>`
    const ports = `<table><tr><th>Port</th><th>Letters</th></tr>${['Bari', 'Split', 'Ancona'].map(port).join('')}</table>`
    await using site = await startSite({ pages: { '/ports': ports, '/harbours': ports } })
    const urls = [site.url('/ports'), site.url('/harbours')]
    const job = on.start().batchScrape({ urls, formats: ['list'] })
    const names = (await list((await elsewhere(job)).items())).map((row) => row['Port'])
    expect(names).toEqual(['Bari', 'Split', 'Ancona'])
    const bare = on.start().batchScrape({ urls })
    const other = await elsewhere(bare)
    expect(() => other.items()).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  it('explains its URLs, lists its rows and errors, and skips nothing', async () => {
    on.allow(12)
    const job = on.start().crawl({ ...on.crawlOf(20), excludePaths: ['/7$'] })
    const other = await elsewhere(job)
    await untilDone(other, 9)
    expect(await other.explain(on.site.url('/'))).toMatchObject({ outcome: 'done', depth: 0, via: 'seed' })
    expect(await other.explain(on.site.url('/7'))).toMatchObject({ refusal: { reason: 'EXCLUDE_PATTERN' } })
    expect(await other.explain(on.site.url('/nowhere'))).toMatchObject({ outcome: 'unseen' })
    on.allow(Infinity)
    await job.finished()
    // Pages may have texts that the operators of JSON refuse.
    const half = String.raw`{"half":"\ud83d\u0000",`
    await on.server.query(`UPDATE "${on.schema}".pages SET entry = '${half}' || substr(entry, 2)`)
    for (const query of [{}, { outcome: 'done' as const }, { reason: 'LIMIT' as const, limit: 3 }]) {
      const [own, remote] = [await list(job.urls(query)), await list(other.rows(query))]
      expect(remote.map(({ url, outcome }) => [url, outcome])).toEqual(own.map(({ url, outcome }) => [url, outcome]))
      expect(remote.length).toBeGreaterThan(0)
    }
    const [first] = await list(other.rows({ limit: 1 }))
    const [second] = await list(other.rows({ limit: 1, after: first?.url ?? '' }))
    expect(second?.key).not.toBe(first?.key)
    expect(await other.errors()).toEqual(await job.errors())
    const { data, ...facts } = await other.status()
    const own = await job.status()
    expect(facts).toEqual({ ...own, data: undefined })
    expect(data).toEqual(own.data)
  })

  it('is paused, resumed and cancelled', async () => {
    on.allow(12)
    const job = on.start().crawl(on.crawlOf())
    const other = await elsewhere(job)
    await untilDone(other, 5)
    expect(await other.pause()).toMatchObject({ status: 'scraping', data: [] })
    on.allow(12)
    await expect.poll(async () => (await list(job.urls({ outcome: 'active' }))).length, { timeout: LONG_MS }).toBe(0)
    const paused = await untilSteady(() => on.site.requests.length)
    const finished: unknown[] = []
    other.on('finished', ({ status }) => finished.push(status))
    expect(await other.resume()).toMatchObject({ status: 'scraping' })
    await expect.poll(() => on.site.requests.length, { timeout: LONG_MS }).toBeGreaterThan(paused)
    const closing = await other.cancel()
    expect(closing).toMatchObject({ status: 'cancelled', success: true })
    const { completed, failed, skipped, skippedByReason } = await job.finished()
    expect(closing).toMatchObject({ completed, failed, skipped, skippedByReason })
    expect(skippedByReason.CANCELLED).toBeGreaterThan(0)
    await expect.poll(() => finished, { timeout: LONG_MS }).toEqual(['cancelled'])
    // A job that has ended is neither paused nor cancelled, and its end is told once: also when the time of its end was
    // stored after that of its cancellation.
    await on.server.query(`UPDATE "${on.schema}".jobs SET completed_at = completed_at + 1 WHERE id = '${job.id}'`)
    expect(await other.pause()).toMatchObject({ status: 'cancelled' })
    expect(await other.cancel()).toMatchObject({ status: 'cancelled' })
    await expect(other.resume({ budget: { requests: 10 } })).rejects.toMatchObject({ code: 'JOB_FINISHED' })
    expect(finished).toEqual(['cancelled'])
  })

  it('has ended, when it is cancelled, as soon as the time of its end is written', async () => {
    const open = () => openPostgres({ connectionString: on.server.url(), schema: on.schema }, PATIENT)
    const [own, other] = [open(), open()]
    await own.jobStore?.add(storedJob('ending'))
    const news: JobNews[] = []
    const tell = (told: JobNews | undefined): void => void (told && news.push(told))
    const fail = (error: unknown): void => expect.unreachable(String(error))
    const watch = other.shared.watch('ending', { isWaiting: true, position: undefined, tell, fail })
    own.jobStore?.change('ending', { state: 'cancelled', expiresAtMs: Date.now() + LONG_MS })
    const find = () => news.find(({ state }) => state === 'cancelled')
    await expect.poll(find, { timeout: LONG_MS }).toMatchObject({ hasEnded: false })
    own.jobStore?.change('ending', { completedAtMs: Date.now() })
    await expect.poll(() => news.at(-1), { timeout: LONG_MS }).toMatchObject({ state: 'cancelled', hasEnded: true })
    watch.stop()
    await Promise.all([own.close(), other.close()])
  })

  it('gets further URLs and a larger budget', async () => {
    const engine = on.start()
    const job = engine.batchScrape({ urls: [on.site.url('/1'), on.site.url('/2')], budget: { requests: 3 } })
    const other = on.start()
    await job.pause()
    const batch = (await other.job(job.id)) as BatchScrapeJob<Document>
    await batch.append([on.site.url('/3'), new URL(on.site.url('/4'))])
    await expect(batch.append(['http://'])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: ['urls'] }],
    })
    expect(() => batch.resume({ budget: { requests: 0 } })).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
    const started = await other.batchScrape({ appendToId: job.id, urls: [on.site.url('/5'), 'no url'] })
    expect(started.toJSON()).toMatchObject({ id: job.id, invalidURLs: ['no url'] })
    await batch.resume({ budget: { requests: 5 } })
    expect((await readAll(batch)).length).toBe(5)
    expect(await batch.finished()).toMatchObject({ status: 'completed', completed: 5 })
    await expect(batch.append([on.site.url('/6')])).rejects.toMatchObject({ code: 'JOB_FINISHED' })
  })

  it('waits for a slow reader, and not for one whose engine has died', async () => {
    const ledger = openPostgres({ connectionString: on.server.url(), schema: on.schema }, PATIENT)
    const engine = on.closeLater(createEngine({ ...settings, ledger, maxWaitingBytes: 1 }))
    const job = engine.crawl(on.crawlOf())
    const slow = on.start()
    const reader = (await elsewhere(job, slow))[Symbol.asyncIterator]()
    for (let read = 0; read < 5; read += 1) expect((await reader.next()).done).toBe(false)
    const readCount = async () => (await job.status({ limit: 0 })).completed
    await expect.poll(async () => (await list(job.urls({ outcome: 'active' }))).length, { timeout: LONG_MS }).toBe(0)
    const held = await untilSteady(readCount)
    expect(held).toBeLessThan(on.whole.length)
    for (let read = 5; read < held; read += 1) expect((await reader.next()).done).toBe(false)
    expect((await reader.next()).done).toBe(false)
    expect(await readCount()).toBeGreaterThan(held)
    const other = await elsewhere(job, slow)
    await slow.close()
    await expect(other.finished()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    await expect(reader.next()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })

  it('delivers each document once where documents are acknowledged', async () => {
    const job = await on.start().crawl(on.crawlOf(), { acknowledge: true, idempotencyKey: 'once' })
    const first = await on.start().crawl(on.crawlOf(), { acknowledge: true, idempotencyKey: 'once' })
    expect(first.id).toBe(job.id)
    const read: unknown[] = []
    for await (const document of first) {
      read.push(factsOf(document))
      await first.acknowledge(document)
      if (read.length === 9) break
    }
    await expect(first.acknowledge(10_000)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    read.push(...(await readAll(await elsewhere(job))))
    expect(sorted(read)).toEqual(sorted(on.whole))
    await expect(on.start().crawl(on.crawlOf(7), { idempotencyKey: 'once' })).rejects.toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_CONFLICT' }),
    )
  })

  it('is not listed once it has expired, and a reader that it has expired for gets an error', async () => {
    const [own, reader] = [on.start(), on.start()]
    const job = own.crawl(on.crawlOf())
    const other = await elsewhere(job, reader)
    const documents = other[Symbol.asyncIterator]()
    await documents.next()
    await Promise.all([job.finished(), other.finished()])
    await on.server.query(`UPDATE "${on.schema}".jobs SET expires_at = 1`)
    expect(await reader.listJobs()).toEqual([])
    for (const table of ['jobs', 'documents']) await on.server.query(`DELETE FROM "${on.schema}".${table}`)
    const read = readAll({ [Symbol.asyncIterator]: () => documents })
    await expect(read).rejects.toMatchObject({ code: 'JOB_NOT_FOUND', message: `job ${job.id} has expired` })
  })

  it('is awaited when the server ends the statements of its readers', async () => {
    on.allow(12)
    const job = on.start().crawl(on.crawlOf())
    const other = await elsewhere(job)
    await untilDone(other, 5)
    const finished = other.finished()
    // Statements wait for the lock until they are ended. A poll is tried again for a second.
    const lock = await on.server.hold(`LOCK TABLE "${on.schema}".jobs`)
    let ended = 0
    const end = async (): Promise<number> => {
      const waiting = `FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
      ended += (await on.server.query(`SELECT pg_cancel_backend(pid) ${waiting}`)).length
      return ended
    }
    await expect.poll(end, { interval: 20, timeout: LONG_MS }).toBeGreaterThan(30)
    await lock.end()
    on.allow(Infinity)
    expect(await finished).toMatchObject({ status: 'completed', completed: on.whole.length })
  })

  it('waits while no engine runs it, and goes on in the next one', async () => {
    const network = await startNetwork(on.server.port)
    const cut = on.start(network.port)
    on.allow(12)
    const job = cut.crawl(on.crawlOf())
    const next = on.start()
    const [other, third] = [await elsewhere(job, next), await elsewhere(job)]
    const progress: number[] = []
    other.on('progress', ({ completed }) => progress.push(completed))
    const reading = Promise.all([readAll(other), readAll(third)])
    await untilDone(other, 5)
    expect(await other.status({ limit: 0 })).not.toHaveProperty('interrupted')
    await network.cut()
    on.allow(Infinity)
    await expect.poll(async () => (await other.status({ limit: 0 })).interrupted, { timeout: LONG_MS }).toBe(true)
    expect((await other.status({ limit: 0 })).warning).toContain('`engine.resume()` of any engine continues it')
    await expect(other.pause()).rejects.toMatchObject({ code: 'JOB_INTERRUPTED' })
    // Handles stay valid, also in the engine that takes the job over.
    const [resumed] = await next.resume()
    expect(resumed?.id).toBe(job.id)
    expect(await other.pause()).toMatchObject({ status: 'scraping' })
    expect(await third.resume()).toMatchObject({ status: 'scraping' })
    for (const read of await reading) expect(sorted(read)).toEqual(sorted(on.whole))
    expect(await other.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    expect(progress.at(-1)).toBe(on.whole.length)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    await network.mend()
    expect(await job.finished()).toMatchObject({ status: 'failed', code: 'JOB_HELD' })
    expect(await (await cut.job(job.id))?.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    await network.close()
  })

  it('rejects commands with `JOB_INTERRUPTED` while the engine that runs it is being closed', async () => {
    on.allow(5)
    const own = on.start()
    const urls = Array.from({ length: 9 }, (_, index) => on.site.url(`/${index + 1}`))
    const job = own.batchScrape({ urls })
    const other = (await elsewhere(job)) as BatchScrapeJob<Document>
    await untilDone(other, 5)
    const closing = own.close()
    const interrupted = { code: 'JOB_INTERRUPTED' }
    await expect(other.resume()).rejects.toMatchObject(interrupted)
    await expect(other.append([on.site.url('/10')])).rejects.toMatchObject(interrupted)
    on.allow(Infinity)
    await closing
  })

  it('that was stopped here is found without a question to the server, until another engine goes on with it', async () => {
    const network = await startNetwork(on.server.port)
    const [own, other] = [on.start(network.port, QUICK), on.start()]
    const job = own.crawl({ ...on.crawlOf(), budget: { requests: 5 } })
    expect(await job.finished()).toMatchObject({ stoppedBy: 'requests' })
    const ask = vi.spyOn(PgDatabase.prototype, 'run')
    await network.freeze()
    expect(await own.job(job.id)).toBe(job)
    expect(ask).not.toHaveBeenCalled()
    ask.mockRestore()
    await network.mend()
    const resumed = await elsewhere(job, other)
    await resumed.resume({ budget: { requests: 1000 } })
    await expect.poll(async () => (await own.job(job.id)) === job, { timeout: LONG_MS }).toBe(false)
    const ended = { status: 'completed', completed: on.whole.length }
    expect(await resumed.finished()).toMatchObject(ended)
    expect(await (await own.job(job.id))?.finished()).toMatchObject(ended)
    await network.close()
  })
})
