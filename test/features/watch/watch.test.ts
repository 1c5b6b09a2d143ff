import { cpSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Engine,
  type EngineConfig,
  memoryLedger,
  sqlite,
  type Watch,
  type WatchCheck,
  type WatchRequest,
} from '../../../src/index.js'
import { htmlPage, sendPage } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 5)

/** Texts of the pages, by path; null is a page that is gone. */
const pages = new Map<string, string | null>()
let site: Site
let folder: string
let nowMs = START
const engines: Engine[] = []

beforeEach(async () => {
  pages.clear()
  nowMs = START
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  const serve = (path: string) => (exchange: Parameters<typeof sendPage>[0]) => {
    const text = pages.get(path)
    if (text === null || text === undefined) return sendPage(exchange, htmlPage('gone'), 404)
    if (text.startsWith('-> ')) {
      exchange.response.writeHead(301, { location: text.slice(3) }).end()
      return undefined
    }
    return text === '500' ? sendPage(exchange, htmlPage('broken'), 500) : sendPage(exchange, text)
  }
  site = await startSite({ pages: Object.fromEntries(['/', '/a', '/b', '/c'].map((path) => [path, serve(path)])) })
})

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close({ drain: false })))
  await site.close()
  await rm(folder, { recursive: true })
})

const page = (text: string): string =>
  `<title>Page</title><main><h1>Page</h1><p>${text}</p><p>This paragraph is the same in each version of the page.</p></main>`

function open(config: EngineConfig = {}): Engine {
  const engine = createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    cache: false,
    now: () => nowMs,
    retry: { maxRetries: 0 },
    ...config,
  })
  engines.push(engine)
  return engine
}

const nextCheck = (watch: Watch): Promise<WatchCheck> =>
  new Promise((resolve) => {
    const listen = (check: WatchCheck): void => {
      watch.off('check', listen)
      resolve(check)
    }
    watch.on('check', listen)
  })

/** Lets time pass, and waits for the check that becomes due. */
async function pass(watch: Watch, ms: number): Promise<WatchCheck> {
  const checked = nextCheck(watch)
  nowMs += ms
  return await checked
}

const request = (paths: readonly string[]): WatchRequest => ({
  name: 'pages',
  targets: [{ urls: paths.map((path) => site.url(path)) }],
  every: '1d',
  scrapeOptions: { onlyMainContent: false },
})

const statuses = async (watch: Watch, check: number): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await watch.results({ limit: 1000 }))
      .filter((result) => result.check === check)
      .map(({ url, status }) => [new URL(url).pathname, status]),
  )

describe('a watch', () => {
  it('tells new, same, changed, moved, removed and broken pages apart', async () => {
    for (const path of ['/a', '/b', '/c']) pages.set(path, page(`about ${path}`))
    const watch = await open().watch(request(['/a', '/b', '/c']))
    await nextCheck(watch)
    expect(await statuses(watch, 1)).toEqual({ '/a': 'new', '/b': 'new', '/c': 'new' })
    pages.set('/b', page('about something else'))
    expect((await pass(watch, 24 * HOUR)).summary).toMatchObject({ totalPages: 3, same: 2, changed: 1 })
    expect(await statuses(watch, 2)).toEqual({ '/a': 'same', '/b': 'changed', '/c': 'same' })
    pages.set('/a', null)
    pages.set('/b', `-> ${site.url('/')}`)
    pages.set('/', page('about something else'))
    pages.set('/c', '500')
    await pass(watch, 24 * HOUR)
    expect(await statuses(watch, 3)).toEqual({ '/a': 'removed', '/b': 'moved', '/c': 'error' })
    pages.set('/a', page('about /a'))
    pages.set('/c', page('about /c'))
    await pass(watch, 24 * HOUR)
    expect(await statuses(watch, 4)).toEqual({ '/a': 'new', '/b': 'same', '/c': 'same' })
    const back = (await watch.results({ limit: 1000 })).find(({ check, url }) => check === 4 && url.endsWith('/a'))
    expect(back).toMatchObject({ meaningful: true, reasons: [{ field: 'page', message: 'the page is back' }] })
  })

  it('gives the difference block by block, with the document', async () => {
    pages.set('/a', page('It costs $10.'))
    const watch = await open().watch({ ...request(['/a']), formats: ['links'] })
    await nextCheck(watch)
    pages.set('/a', page('It costs $12.'))
    await pass(watch, 24 * HOUR)
    const [, changed] = await watch.results()
    expect(changed).toMatchObject({ status: 'changed', meaningful: true, previousAt: '2026-01-05T00:00:00.000Z' })
    expect(changed?.diff?.blocks).toMatchObject([
      { change: 'edited', kind: 'text', text: 'It costs $12.', previous: 'It costs $10.' },
    ])
    expect(changed?.document).toMatchObject({ links: [], markdown: expect.stringContaining('$12') as string })
  })

  it('finds new and removed pages of a crawl', async () => {
    const links = (...paths: string[]): string => page(paths.map((path) => `<a href="${path}">${path}</a>`).join(' '))
    pages.set('/', links('/a', '/b'))
    for (const path of ['/a', '/b', '/c']) pages.set(path, page(`about ${path}`))
    const watch = await open().watch({
      name: 'crawl',
      targets: [{ crawl: { url: site.url('/'), sitemap: 'skip' } }],
      every: '1d',
      scrapeOptions: { onlyMainContent: false },
    })
    await nextCheck(watch)
    expect(await statuses(watch, 1)).toEqual({ '/': 'new', '/a': 'new', '/b': 'new' })
    pages.set('/', links('/c'))
    pages.set('/a', null)
    await pass(watch, 24 * HOUR)
    expect(await statuses(watch, 2)).toEqual({ '/': 'changed', '/a': 'removed', '/b': 'changed', '/c': 'new' })
    const found = (await watch.results()).find(({ check, url }) => check === 2 && url.endsWith('/c'))
    expect(found).toMatchObject({ meaningful: true, reasons: [{ message: 'the page was found' }] })
  })

  it('is paused and resumed, checked at once, changed, listed and removed', async () => {
    pages.set('/a', page('one'))
    pages.set('/b', page('two'))
    const engine = open()
    const watch = await engine.watch(request(['/a']))
    await nextCheck(watch)
    await watch.pause()
    nowMs += 48 * HOUR
    expect(await watch.status()).toMatchObject({ paused: true, running: true, checks: 1, pages: 1 })
    expect(await watch.check()).toMatchObject({ number: 2, trigger: 'call', summary: { same: 1 } })
    await watch.change({ targets: [{ urls: [site.url('/a'), site.url('/b')] }] })
    expect(await watch.check()).toMatchObject({ number: 3, summary: { same: 1, new: 1 } })
    nowMs += 24 * HOUR
    const resumed = nextCheck(watch)
    await watch.resume()
    expect(await resumed).toMatchObject({ number: 4, trigger: 'schedule' })
    expect((await engine.watches()).map(({ name }) => name)).toEqual(['pages'])
    await expect(watch.change({ every: 'sometimes' })).rejects.toThrow('`every`'.slice(1, -1))
    await expect(watch.change({ name: 'other' })).rejects.toThrow('a watch keeps its name')
    await watch.remove()
    expect(await engine.watches()).toEqual([])
    await expect(watch.status()).rejects.toMatchObject({ code: 'WATCH_NOT_FOUND' })
  })

  it('iterates over the results of both engines of a ledger, and ends with the engine', async () => {
    pages.set('/a', page('one'))
    const file = join(folder, 'shared.db')
    const [first, second] = [open({ ledger: sqlite(file) }), open({ ledger: sqlite(file) })]
    const watch = await first.watch(request(['/a']))
    await nextCheck(watch)
    const [other] = await second.watches()
    const seen: string[] = []
    const reading = (async () => {
      for await (const { status } of other ?? []) seen.push(status)
    })()
    // The iterator reads the position of the newest result first.
    await other?.status()
    pages.set('/a', page('two'))
    await pass(watch, 24 * HOUR)
    await expect.poll(() => seen).toEqual(['changed'])
    await second.close()
    await reading
  })

  it('refuses what it cannot run, by name', async () => {
    const engine = open()
    const refused = (wrong: object) => expect(engine.watch({ ...request(['/a']), ...wrong })).rejects
    await refused({ every: undefined }).toThrow('one of `every` and `cron` is needed')
    await refused({ every: undefined, cron: '99 * * * *' }).toThrow(/cron/)
    await refused({ every: undefined, cron: '0 0 30 2 *' }).toThrow('no time of the future matches it')
    await refused({ every: undefined, cron: '@daily' }).toThrow(/cron.*five fields, or six with seconds/)
    await refused({ every: undefined, cron: '0 0 9 * * 1 2030' }).toThrow(/cron.*five fields/)
    await refused({ every: '999999w' }).toThrow(/every.*at most 366 days/)
    await refused({ every: 1000.5 }).toThrow(/every.*whole milliseconds/)
    await refused({ every: undefined, cron: '0 9 * * *', spread: Number.MAX_SAFE_INTEGER }).toThrow(/spread/)
    await refused({ every: '5 minutes' }).toThrow(/every.*such as '15m'/)
    await refused({ cron: '0 9 * * *' }).toThrow('cron: not together with `every`: leave one of them out')
    await refused({ timeZone: 'Europe/Berlin' }).toThrow('only with `cron`')
    await refused({ every: undefined, cron: '0 9 * * *', timeZone: 'Mars' }).toThrow('not a time zone')
    await refused({ targets: [{ url: 'nonsense' }] }).toThrow(/targets/)
    await refused({ targets: [{ crawl: { url: 'http://example.com', limit: 0 } }] }).toThrow('targets[0].crawl.limit')
    await refused({ targets: [{ crawl: { url: 'http://example.com', webhook: 'http://x.example' } }] }).toThrow(
      'targets[0].crawl.webhook: decided by the watch',
    )
    await refused({ scrapeOptions: { maxAge: 5 } }).toThrow('scrapeOptions.maxAge')
    await refused({ webhook: { url: 'https://example.com', events: ['started'] } }).toThrow(/webhook/)
  })
})

/** Copies a ledger as a process that is killed now leaves it. */
function copyLedger(from: string, to: string): string {
  for (const end of ['', '-wal']) if (existsSync(`${from}${end}`)) cpSync(`${from}${end}`, `${to}${end}`)
  return to
}

describe('a watch on SQLite', () => {
  it('continues in the next process, and makes checks that were due meanwhile once', async () => {
    pages.set('/a', page('one'))
    const file = join(folder, 'watch.db')
    const engine = open({ ledger: sqlite(file) })
    await nextCheck(await engine.watch(request(['/a'])))
    await engine.close()
    nowMs += 10 * 24 * HOUR
    pages.set('/a', page('two'))
    const next = open({ ledger: sqlite(file), resume: true })
    const [watch] = await next.watches({ run: true })
    if (!watch) throw new Error('no watch')
    await expect.poll(async () => (await watch.status()).checks).toBe(2)
    expect(await statuses(watch, 2)).toEqual({ '/a': 'changed' })
    const { nextCheckAt = '' } = await watch.status()
    expect(Date.parse(nextCheckAt)).toBeGreaterThan(nowMs)
    expect(Date.parse(nextCheckAt)).toBeLessThanOrEqual(nowMs + 24 * HOUR)
    expect(site.requests.filter(({ path }) => path === '/a')).toHaveLength(2)
  })

  it('is run by one process at a time, and by the next one when that has ended', async () => {
    pages.set('/a', page('one'))
    const file = join(folder, 'held.db')
    const first = open({ ledger: sqlite(file) })
    const second = open({ ledger: sqlite(file) })
    const watch = await first.watch(request(['/a']))
    await nextCheck(watch)
    const same = await second.watch(request(['/a']))
    await pass(watch, 24 * HOUR)
    expect((await same.status()).checks).toBe(2)
    const taken = nextCheck(same)
    await first.close()
    nowMs += 24 * HOUR
    expect((await taken).number).toBe(3)
    expect(site.requests.filter(({ path }) => path === '/a')).toHaveLength(3)
  })

  it('finishes a check that was killed in its midst, with each result once', async () => {
    const paths = ['/a', '/b', '/c']
    for (const path of paths) pages.set(path, page(`one ${path}`))
    const file = join(folder, 'killed.db')
    const engine = open({ ledger: sqlite(file), maxConcurrency: 1 })
    const watch = await engine.watch(request(paths))
    await nextCheck(watch)
    for (const path of paths) pages.set(path, page(`two ${path}`))
    let copy: string | undefined
    watch.on('page', ({ check }) => {
      if (check === 2) copy ??= copyLedger(file, join(folder, 'copy.db'))
    })
    await pass(watch, 24 * HOUR)
    await engine.close()
    const next = open({ ledger: sqlite(copy ?? '') })
    const [left] = await next.watches({ run: true })
    if (!left) throw new Error('no watch')
    await expect.poll(async () => (await left.status()).checks).toBe(2)
    const results = (await left.results()).filter(({ check }) => check === 2)
    expect(results.map(({ status }) => status)).toEqual(['changed', 'changed', 'changed'])
    expect(results.map(({ sequence }) => sequence)).toEqual([4, 5, 6])
  })
})

describe('the memory ledger', () => {
  it('keeps watches as long as the engine', async () => {
    pages.set('/a', page('one'))
    const engine = open({ ledger: memoryLedger() })
    const watch = await engine.watch(request(['/a']))
    await nextCheck(watch)
    await engine.close()
    await expect(engine.watches()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })
})
