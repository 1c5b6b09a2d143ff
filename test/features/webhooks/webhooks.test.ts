import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Job, memoryStore } from '../../../src/index.js'
import { answers, startReceiver, type Received, type Receiver } from '../../site/receiver.js'
import { noteRunners } from '../../kernel/job/left-of-jobs.js'
import { page, type Pages, useCrawlSite } from '../../kernel/job/crawl-site.js'

const until = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 20_000 })

const on = useCrawlSite()
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const site: Pages = {
  '/': page('/a', '/b'),
  '/a': page('/b'),
  '/b': page(),
  '/broken': ({ response }) => response.destroy(),
}

/** Waits until the receiver was sent the report of the job's end. */
const untilEndReported = (): Promise<void> =>
  until(() => receiver.types.at(-1) ?? '').toMatch(/\.(completed|cancelled|failed)$/)

const sourcesOf = (received: readonly Received[]) => received.flatMap(({ body }) => body.data.map(sourceOf))
const sourceOf = ({ metadata }: { metadata: { sourceURL: string } }) => metadata.sourceURL

describe('the webhook of a crawl', () => {
  it('gets reports of an unreachable start page and of the failed crawl', async () => {
    await on.open({})
    await on.engine.crawl({ url: 'http://127.0.0.1:1/', webhook: receiver.url }).finished()
    await untilEndReported()
    expect(receiver.types).toEqual(['crawl.started', 'crawl.page', 'crawl.failed'])
    const [, told, end] = receiver.received.map(({ body }) => body)
    expect(told).toMatchObject({ success: false, error: expect.stringContaining('ECONNREFUSED') })
    expect(end).toMatchObject({ success: false, error: expect.stringContaining('ECONNREFUSED') })
  })

  it('gets the report of the start first, then of each page, and of the end last', async () => {
    await on.open(site)
    const { job, status } = await on.crawl({
      webhook: { url: receiver.url, headers: { 'X-Team': 'docs' }, metadata: { run: '7' } },
    })
    await untilEndReported()
    expect(receiver.types).toEqual(['crawl.started', 'crawl.page', 'crawl.page', 'crawl.page', 'crawl.completed'])
    const bodies = receiver.received.map(({ body }) => body)
    for (const { id, metadata, success } of bodies)
      expect([id, metadata, success]).toEqual([job.id, { run: '7' }, true])
    expect(bodies[0]).toEqual({
      success: true,
      type: 'crawl.started',
      id: job.id,
      webhookId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      data: [],
      metadata: { run: '7' },
    })
    expect(bodies[4]?.data).toEqual([])
    expect(new Set(bodies.map(({ webhookId }) => webhookId)).size).toBe(5)
    const pages = bodies.filter(({ type }) => type === 'crawl.page').flatMap(({ data }) => data)
    const byUrl = (a: { metadata: { sourceURL: string } }, b: { metadata: { sourceURL: string } }) =>
      sourceOf(a).localeCompare(sourceOf(b))
    expect(pages.toSorted(byUrl)).toEqual(JSON.parse(JSON.stringify(status.data.toSorted(byUrl))))
    expect(receiver.received.every(({ headers }) => headers['x-team'] === 'docs')).toBe(true)
    await until(() => job.undelivered()).toEqual([])
  })

  it('gets reports of pages that failed or were refused after their fetch, and of no other refused page', async () => {
    const pages: Pages = {
      ...site,
      '/': page('/a', '/broken', '/moved', '/x.zip'),
      '/moved': ({ response }) => response.writeHead(302, { location: '/excluded' }).end(),
      '/excluded': page(),
    }
    await on.open(pages, { retry: { maxRetries: 0 } })
    const { job } = await on.crawl({ webhook: receiver.url, excludePaths: ['^/excluded'] })
    await untilEndReported()
    const { errors } = await job.errors()
    expect(errors.map(({ code }) => code).toSorted()).toEqual(['CRAWL_DENIAL', 'SCRAPE_SITE_ERROR'])
    const failures = receiver.received.map(({ body }) => body).filter(({ success }) => !success)
    expect(failures.toSorted((a, b) => String(a.error).localeCompare(String(b.error)))).toEqual(
      errors
        .toSorted((a, b) => a.error.localeCompare(b.error))
        .map(({ url, error }) => ({
          success: false,
          type: 'crawl.page',
          id: job.id,
          webhookId: expect.any(String),
          data: [{ metadata: { sourceURL: url } }],
          error,
          metadata: {},
        })),
    )
    expect(receiver.types.filter((type) => type === 'crawl.page').length).toBe(5)
  })

  it('gets one report of a cancellation, and none of a page that was never attempted', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const paths = Array.from({ length: 30 }, (_, at) => `/${at}`)
    await on.open(
      {
        '/': page(...paths),
        '/0': async ({ response }) => {
          await held
          response.end(page())
        },
      },
      { maxConcurrency: 1 },
    )
    const job = on.engine.crawl({ url: on.site.url('/'), webhook: receiver.url })
    await until(() => on.site.requests.some(({ path }) => path === '/0')).toBe(true)
    await job.cancel()
    release()
    await untilEndReported()
    expect(receiver.types).toEqual(['crawl.started', 'crawl.page', 'crawl.page', 'crawl.cancelled'])
    expect(receiver.received[2]?.body).toMatchObject({ success: false, error: expect.stringMatching(/cancelled/) })
    expect(receiver.received[3]?.body).toMatchObject({ success: true, data: [] })
  })

  it('gets the report of a failed job, with its error', async () => {
    await on.open(site, { snapshots: memoryStore() })
    const id = '01930000-0000-7000-8000-000000000000'
    const job = on.engine.crawl({
      url: on.site.url('/'),
      since: id,
      webhook: { url: receiver.url, events: ['failed'] },
    })
    const { status, error } = await job.finished()
    expect(status).toBe('failed')
    await untilEndReported()
    expect(receiver.received.map(({ body }) => body)).toMatchObject([
      { type: 'crawl.failed', success: false, error, data: [] },
    ])
  })

  it('gets only the events listed in `events`', async () => {
    await on.open(site)
    const { job } = await on.crawl({ webhook: { url: receiver.url, events: ['completed'] } })
    await untilEndReported()
    expect(receiver.types).toEqual(['crawl.completed'])
    const quiet = on.engine.crawl({ url: on.site.url('/'), webhook: { url: receiver.url, events: [] } })
    await quiet.finished()
    expect(await quiet.undelivered()).toEqual([])
    expect(receiver.received.every(({ body }) => body.id === job.id)).toBe(true)
  })

  it('gets the same reports in version 1, signed when the engine has a secret', async () => {
    await on.open(site, { webhookSecret: 'key' })
    await on.engine.v1.crawl({ url: on.site.url('/'), webhook: receiver.url }).finished()
    await untilEndReported()
    expect(receiver.types.length).toBe(5)
    for (const { raw, headers } of receiver.received) {
      const hex = createHmac('sha256', 'key').update(raw).digest('hex')
      expect(headers['x-firecrawl-signature']).toBe(`sha256=${hex}`)
    }
  })

  it('gets a document or the end only after the status has it', async () => {
    await on.open(site)
    const seen: [type: string, isThere: boolean][] = []
    let job: Job<unknown> | undefined
    receiver.answer = async (response, { body }) => {
      const { data = [], status } = (await job?.status()) ?? {}
      const urls = JSON.stringify(data)
      const isPage = body.type === 'crawl.page'
      const isThere = isPage ? body.data.every((document) => urls.includes(sourceOf(document))) : status === 'completed'
      seen.push([body.type, body.type === 'crawl.started' || isThere])
      response.end()
    }
    job = on.engine.crawl({ url: on.site.url('/'), webhook: receiver.url })
    await until(() => seen.length).toBe(5)
    expect(seen.filter(([, isThere]) => !isThere)).toEqual([])
  })
})

describe('the webhook of a batch', () => {
  it('gets a report for each position of a page in the list', async () => {
    await on.open(site, { retry: { maxRetries: 0 } })
    const [a, broken] = [on.site.url('/a'), on.site.url('/broken')]
    const urls = [a, broken, `${a}#x`, `${broken}#x`]
    const job = on.engine.batchScrape({ urls, webhook: receiver.url })
    await job.finished()
    await untilEndReported()
    expect(receiver.types).toEqual([
      'batch_scrape.started',
      ...urls.map(() => 'batch_scrape.page'),
      'batch_scrape.completed',
    ])
    const [good, bad] = [true, false].map((success) => receiver.received.filter(({ body }) => body.success === success))
    expect(sourcesOf(good ?? []).toSorted()).toEqual([a, `${a}#x`])
    expect(sourcesOf(bad ?? []).toSorted()).toEqual([broken, `${broken}#x`])
  })

  it('gets reports of appended URLs', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await on.open({
      ...site,
      '/slow': async ({ response }) => {
        await held
        response.end(page())
      },
    })
    const [a, slow] = [on.site.url('/a'), on.site.url('/slow')]
    const job = on.engine.batchScrape({ urls: [a, slow], webhook: receiver.url })
    await until(() => receiver.types.length).toBe(2)
    await job.append([`${a}#again`, on.site.url('/b')])
    await until(() => receiver.types.length).toBe(4)
    release()
    await untilEndReported()
    expect(sourcesOf(receiver.received).toSorted()).toEqual([a, `${a}#again`, on.site.url('/b'), slow].toSorted())
  })

  it('gets each document with its `deliveryId`', async () => {
    await on.open(site)
    const job = on.engine.batchScrape({ urls: [on.site.url('/a')], webhook: receiver.url }, { acknowledge: true })
    await job.finished()
    await untilEndReported()
    expect(receiver.received[1]?.body.data[0]?.metadata.deliveryId).toBe(0)
  })
})

it('lists reports that were given up, also when nothing else is left of the job', async () => {
  const runners = noteRunners()
  receiver.answer = answers.status(500)
  let passedMs = 0
  await on.open({ '/': page() }, { now: () => Date.now() + passedMs })
  const job = on.engine.crawl({
    url: on.site.url('/'),
    sitemap: 'skip',
    webhook: { url: receiver.url, events: ['completed'] },
  })
  await job.finished()
  // Each wait for another attempt is over at once.
  const attempts = async (): Promise<number | undefined> => {
    passedMs += 20 * 60_000
    return (await job.undelivered()).at(0)?.attempts
  }
  await expect.poll(attempts, { interval: 200, timeout: 30_000 }).toBe(4)
  const before = await job.undelivered()
  expect(before).toMatchObject([{ type: 'crawl.completed', attempts: 4, error: 'answered with 500' }])
  await runners.letGo()
  expect(await job.undelivered()).toEqual(before)
})
