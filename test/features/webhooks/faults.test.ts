import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answers, startReceiver, type Receiver } from '../../site/receiver.js'
import { page, type Pages, useCrawlSite } from '../../kernel/job/crawl-site.js'

const until = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 20_000 })

const on = useCrawlSite()
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const site: Pages = { '/': page('/a', '/b'), '/a': page('/b'), '/b': page() }

/** Waits until the receiver was sent the report of the job's end. */
const untilEndReported = (): Promise<void> =>
  until(() => receiver.types.at(-1) ?? '').toMatch(/\.(completed|cancelled|failed)$/)

describe('the webhook of a job that stores no documents', () => {
  it.each([{ zeroDataRetention: true }, { retain: false }])(
    'gets documents that are stored nowhere else: %j',
    async (keeping) => {
      await on.open(site)
      const { job, status } = await on.crawl({ ...keeping, webhook: receiver.url })
      await untilEndReported()
      expect(status.data).toEqual([])
      const documents = receiver.received.flatMap(({ body }) => body.data)
      expect(documents.length).toBe(3)
      expect(documents.every(({ markdown }) => markdown?.includes('words that are the content'))).toBe(true)
      // The reports were the delivery: no document waits for a reader.
      const read = []
      for await (const document of job) read.push(document)
      expect(read).toEqual([])
    },
  )

  it('gets a document that was acknowledged and deleted before its report was sent', async () => {
    await on.open(site)
    let release = (): void => undefined
    receiver.answer = (response) => void (release = () => response.end())
    const request = { urls: [on.site.url('/a')], retain: false, webhook: receiver.url }
    const job = on.engine.batchScrape(request, { acknowledge: true })
    for await (const document of job) await job.acknowledge(document)
    expect((await job.status()).data).toEqual([])
    receiver.answer = answers.ok
    release()
    await untilEndReported()
    expect(receiver.received[1]?.body.data[0]?.markdown).toMatch(/content/)
  })
})

describe('an unreachable webhook', () => {
  it.each([
    ['silent', answers.silence, undefined],
    ['failing', answers.status(500), 'answered with 500'],
  ])('neither delays nor fails the job, and its missed reports are listed: %s', async (_, answer, error) => {
    await on.open(site, { retry: { maxRetries: 0 } })
    receiver.answer = answer
    const { job, status } = await on.crawl({ webhook: receiver.url })
    expect(status).toMatchObject({ status: 'completed', completed: 3 })
    expect(status).not.toHaveProperty('warning')
    await until(async () => (await job.undelivered())[0]?.error).toBe(error)
    const left = await job.undelivered()
    const types = ['crawl.started', 'crawl.page', 'crawl.page', 'crawl.page', 'crawl.completed']
    expect(left.map(({ type }) => type)).toEqual(types)
    const urls = ['/', '/a', '/b'].map((path) => on.site.url(path))
    expect(left.flatMap(({ url }) => url ?? []).toSorted()).toEqual(urls)
    expect(left[0]).toMatchObject({
      webhookId: receiver.received[0]?.body.webhookId,
      attempts: error === undefined ? 0 : 1,
      nextAttemptAt: expect.stringMatching(/Z$/),
    })
    expect(await job.undelivered({ skip: 1, limit: 1 })).toEqual([left[1]])
    await expect(job.undelivered({ limit: -1 })).rejects.toThrow(/limit: -1 is not allowed/)
    await on.engine.close({ drain: false })
  })

  it('is refused at the call when its address is not public', async () => {
    await on.open(site, { allowPrivateNetworks: false })
    const urls = ['https://example.com/']
    for (const url of ['http://127.0.0.1/hook?secret', 'http://[::1]/', 'https://10.1.2.3/', 'http://a.localhost/']) {
      const refused = expect.objectContaining({
        code: 'BAD_REQUEST',
        message: expect.stringMatching(/^Bad Request: webhook(\.url)?: not a public address \((loopback|private)\)/),
      })
      expect(() => on.engine.batchScrape({ urls, webhook: url })).toThrow(refused)
      expect(() => on.engine.crawl({ url: urls[0] ?? '', webhook: { url } })).toThrow(refused)
      expect(() => on.engine.v1.crawl({ url: urls[0] ?? '', webhook: { url } })).toThrow(refused)
    }
    expect(on.engine.jobs()).toEqual([])
  })
})

describe('closing an engine with webhooks', () => {
  it('sends due reports first, also those of cancelled jobs', async () => {
    await on.open(site, { maxConcurrency: 1 })
    on.engine.crawl({ url: on.site.url('/'), webhook: receiver.url })
    await until(() => receiver.types.length).toBeGreaterThan(0)
    await on.engine.close()
    expect(receiver.types.at(0)).toBe('crawl.started')
    expect(receiver.types.at(-1)).toBe('crawl.cancelled')
  })

  it('aborts reports being sent with `drain: false`, and leaves no socket and no timer', async () => {
    const resources = (): string[] =>
      process.getActiveResourcesInfo().filter((name) => /^(TCPSocketWrap|Timeout|Immediate)/.test(name))
    await on.open(site)
    receiver.answer = answers.silence
    const job = on.engine.crawl({ url: on.site.url('/'), webhook: receiver.url })
    await job.finished()
    await until(() => receiver.received.length).toBe(1)
    await on.engine.close({ drain: false })
    await until(() => receiver.openSockets).toBe(0)
    // The sockets of the receiver and of the site belong to this process as well.
    await until(() => resources().filter((name) => name === 'TCPSocketWrap')).toEqual([])
    expect(await job.undelivered()).toMatchObject([
      { attempts: 0, type: 'crawl.started' },
      { type: 'crawl.page' },
      { type: 'crawl.page' },
      { type: 'crawl.page' },
      { attempts: 0, type: 'crawl.completed' },
    ])
  })
})
