import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineConfig, sqlite } from '../../../src/index.js'
import { answers, startReceiver, type Received, type Receiver } from '../../site/receiver.js'
import { startSite, type Site } from '../../site/site.js'
import { page, type Pages } from '../../kernel/job/crawl-site.js'

const until = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 20_000 })

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** A tree of slow pages, one of which always fails. */
const PAGES = 24
const FAILING = 5
const tree: Pages = Object.fromEntries(
  Array.from({ length: PAGES }, (_, at) => {
    const links = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
    const answer: Pages[string] = async ({ response }) => {
      await sleep(10)
      if (at === FAILING) response.destroy()
      else response.end(page(...links))
    }
    return [at === 0 ? '/' : `/${at}`, answer]
  }),
)
/** The pages below the failing one are not found. */
const DOCUMENTS = PAGES - [5, 11, 12, 23].length

let site: Site
let receiver: Receiver
let file: string
let files = 0
let engines: Engine[] = []

beforeEach(async () => {
  site = await startSite({ pages: tree })
  receiver = await startReceiver()
  file = join(folder, `${files++}.db`)
})
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close({ drain: false })))
  engines = []
  await site.close()
  await receiver.close()
})

const common = {
  allowPrivateNetworks: true,
  threads: 0,
  fetcher: 'http',
  cache: false,
  maxConcurrency: 3,
  retry: { maxRetries: 0 },
} satisfies EngineConfig

function start(config: EngineConfig = {}): Engine {
  const engine = createEngine({ ...common, ledger: sqlite(file), ...config })
  engines.push(engine)
  return engine
}

const crawl = () => ({
  url: site.url('/'),
  limit: 100,
  ignoreRobotsTxt: true,
  sitemap: 'skip' as const,
  webhook: receiver.url,
})
const minutes = (count: number) => () => Date.now() + count * 60_000

/** Accepted reports without repetitions, in the order of their first arrival. */
function taken(isTaken: (received: Received) => boolean = () => true): Received[] {
  const seen = new Set<string>()
  return receiver.received.filter((received) => {
    const { webhookId } = received.body
    return isTaken(received) && !seen.has(webhookId) && seen.add(webhookId)
  })
}

/** Expects all reports of a job: the start first, each page once, the end last. */
function expectWhole(told: readonly Received[]): void {
  const types = told.map(({ body }) => body.type)
  const pages = told.filter(({ body }) => body.type === 'crawl.page')
  expect(types[0]).toBe('crawl.started')
  expect(types.at(-1)).toBe('crawl.completed')
  expect(types.length).toBe(pages.length + 2)
  expect(pages.filter(({ body }) => body.success).length).toBe(DOCUMENTS)
  expect(pages.filter(({ body }) => !body.success).length).toBe(1)
  const urls = pages.map(({ body }) => body.data[0]?.metadata.sourceURL)
  expect(new Set(urls).size).toBe(DOCUMENTS + 1)
}

const untilCompleted = (): Promise<void> => until(() => receiver.types.at(-1)).toBe('crawl.completed')

describe('a webhook on an SQLite ledger', () => {
  it.each([true, false])('gets all reports of a job over several engines, drained: %s', async (drain) => {
    const first = start()
    const { id } = first.crawl(crawl())
    await until(() => receiver.received.length).toBeGreaterThan(4)
    await first.close({ drain })
    const [job] = await start().resume()
    expect(job?.id).toBe(id)
    await untilCompleted()
    expectWhole(taken())
    // Reports being sent when the first engine was closed may arrive twice, with the same `webhookId`.
    expect(receiver.received.length).toBeLessThanOrEqual(taken().length + (drain ? 0 : 4))
    await until(() => job?.undelivered()).toEqual([])
  })

  it('gets all reports of a job whose process is killed repeatedly', async () => {
    const module = new URL('../../../dist/index.js', import.meta.url).href
    const script = `
      import { createEngine, sqlite } from ${JSON.stringify(module)}
      const engine = createEngine({ ...${JSON.stringify(common)}, ledger: sqlite(process.argv[1]) })
      await engine.crawl(${JSON.stringify(crawl())}, { idempotencyKey: 'the crawl' })
      setInterval(() => engine, 1000)`
    // Some reports are rejected, so that they are pending when the process is killed.
    let count = 0
    const refused = new Set<Received>()
    receiver.answer = (response, received) => {
      count += 1
      if (count % 5 === 2) refused.add(received)
      response.writeHead(count % 5 === 2 ? 500 : 200).end()
    }
    for (const least of [3, 10]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], { stdio: 'inherit' })
      const ended = once(child, 'exit')
      await until(() => receiver.received.length).toBeGreaterThanOrEqual(least)
      child.kill('SIGKILL')
      await ended
    }
    receiver.answer = answers.ok
    const [job] = await start({ now: minutes(60) }).resume()
    await untilCompleted()
    expectWhole(taken((received) => !refused.has(received)))
    await until(() => job?.undelivered()).toEqual([])
  })

  it('gets the remaining reports of an ended job when they are due, and none twice', async () => {
    receiver.answer = (response, { body }) => response.writeHead(body.type === 'crawl.started' ? 200 : 500).end()
    const first = start()
    const job = first.crawl(crawl())
    const status = await job.finished()
    await expect
      .poll(async () => (await job.undelivered()).filter(({ attempts }) => attempts === 1).length)
      .toBe(DOCUMENTS + 1)
    const left = await job.undelivered()
    await first.close()
    const sent = receiver.received.length

    receiver.answer = answers.ok
    const early = start()
    expect(await early.resume()).toEqual([])
    expect(await (await early.job(job.id))?.undelivered()).toEqual(left)
    await sleep(30)
    expect(receiver.received.length).toBe(sent)
    await early.close()

    const late = start({ now: minutes(2) })
    expect(await late.resume()).toEqual([])
    await untilCompleted()
    const again = receiver.received.slice(sent)
    expect(again.map(({ body }) => body.webhookId).toSorted()).toEqual(
      left.map(({ webhookId }) => webhookId).toSorted(),
    )
    const told = again.flatMap(({ body }) => (body.success ? body.data.map(({ metadata }) => metadata.sourceURL) : []))
    expect(new Set(told)).toEqual(new Set(status.data.map(({ metadata }) => metadata.sourceURL)))
    await until(async () => (await late.job(job.id))?.undelivered()).toEqual([])
    await late.close()

    const last = start({ now: minutes(3) })
    expect(await last.resume()).toEqual([])
    await (await last.job(job.id))?.status()
    await last.close()
    expect(receiver.received.length).toBe(sent + left.length)
  })

  it('has ended as cancelled when it was cancelled while its closing engine sent the last reports', async () => {
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    receiver.answer = async (response) => {
      await held
      response.end()
    }
    const engine = start()
    const urls = Array.from({ length: 20 }, (_, at) => site.url(`/${at}`))
    const job = engine.batchScrape({ urls, webhook: receiver.url })
    await until(async () => (await job.status()).completed).toBeGreaterThan(0)
    await job.pause()
    await until(async () => (await job.activity()).length).toBe(0)
    const closing = engine.close()
    await sleep(50)
    const cancelled = job.cancel()
    answer()
    expect(await cancelled).toMatchObject({ status: 'cancelled' })
    for await (const { outcome } of job.urls()) expect(outcome).not.toBe('queued')
    await closing
    const next = start()
    expect(await next.resume()).toEqual([])
    expect(await (await next.job(job.id))?.status()).toMatchObject({ status: 'cancelled' })
    await until(() => receiver.types.at(-1)).toBe('batch_scrape.cancelled')
  })

  it('gets reports from one engine at a time', async () => {
    receiver.answer = answers.status(500)
    const one = start()
    const job = one.crawl(crawl())
    await job.finished()
    await until(async () => (await job.undelivered())[0]?.attempts).toBe(1)
    const sent = receiver.received.length
    receiver.answer = answers.ok
    const other = start({ now: minutes(2) })
    expect(await other.resume()).toEqual([])
    expect(await (await other.job(job.id))?.status()).toMatchObject({ status: 'completed' })
    await sleep(30)
    expect(receiver.received.length).toBe(sent)
    await one.close()
    await other.resume()
    await untilCompleted()
    expectWhole(receiver.received.slice(sent))
  })

  it('gets the report of a cancellation although the process died before the end of the job', async () => {
    const module = new URL('../../../dist/index.js', import.meta.url).href
    const script = `
      import { createEngine, sqlite } from ${JSON.stringify(module)}
      const engine = createEngine({ ...${JSON.stringify(common)}, ledger: sqlite(process.argv[1]) })
      const job = engine.crawl(${JSON.stringify(crawl())})
      job.on('document', () => {
        job.cancel()
        process.kill(process.pid, 'SIGKILL')
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], { stdio: 'inherit' })
    await once(child, 'exit')
    expect(receiver.types).not.toContain('crawl.cancelled')
    expect(await start().resume()).toEqual([])
    await until(() => receiver.types.at(-1)).toBe('crawl.cancelled')
    const told = taken().map(({ body }) => body.type)
    expect(told[0]).toBe('crawl.started')
    expect(told.slice(1, -1).every((type) => type === 'crawl.page')).toBe(true)
  })

  it.each([{ zeroDataRetention: true }, { retain: false }])(
    'writes no document to the file for a job that stores none: %j',
    async (keeping) => {
      receiver.answer = (response, { body }) => response.writeHead(body.type === 'crawl.page' ? 500 : 200).end()
      const engine = start()
      const job = engine.crawl({ ...crawl(), ...keeping })
      await job.finished()
      await expect
        .poll(async () => (await job.undelivered()).filter(({ attempts }) => attempts > 0).length)
        .toBe(DOCUMENTS + 1)
      const written = async (): Promise<string> => {
        const names = (await readdir(folder)).filter((name) => join(folder, name).startsWith(file))
        return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('')
      }
      expect(await written()).not.toContain('words that are the content')
      await engine.close()
      expect(await written()).not.toContain('words that are the content')
      const kept = start({ now: minutes(2) })
      const before = receiver.received.length
      receiver.answer = answers.ok
      expect(await kept.resume()).toEqual([])
      if ('zeroDataRetention' in keeping) {
        expect(await kept.job(job.id)).toBeUndefined()
        return
      }
      await untilCompleted()
      // The documents held in memory died with the process, and the reports say so.
      const again = receiver.received.slice(before, -1).map(({ body }) => [body.success, body.data[0]?.markdown])
      expect(again).toEqual(Array.from({ length: DOCUMENTS + 1 }, () => [false, undefined]))
    },
  )
})
