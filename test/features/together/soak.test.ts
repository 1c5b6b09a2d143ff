import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { missing, startPostgres } from '../../base/store/postgres-server.js'
import { htmlPage } from '../../site/exchange.js'
import { answers, type Receiver, startReceiver } from '../../site/receiver.js'
import { type Site, startSite } from '../../site/site.js'

/**
 * An engine that lives for 30 days of its clock, by jobs of every kind. `BARS=whole` gives each ledger `SOAK_MINUTES` (60) of real time
 * and at least 200,000 jobs, else some hundred jobs.
 */
const isWhole = process.env['BARS'] === 'whole'
const MINUTES = isWhole ? Number(process.env['SOAK_MINUTES'] ?? 60) : 0
const JOBS = isWhole ? Number(process.env['SOAK_JOBS'] ?? 200_000) : 160
/** Most that the last tenth of the time may have of resident memory, as a share of the second tenth. Of few jobs, code is compiled meanwhile. */
const MOST_OF_SECOND_TENTH = isWhole ? 1.1 : 1.3

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
let site: Site
let receiver: Receiver
beforeAll(async () => {
  const text = `<p>${'Some words that are the content of this page. '.repeat(20)}</p>`
  const cards = ['Anchor', 'Bell', 'Compass'].map(
    (name, at) =>
      `<div class="card"><h3><a href="/${name}">${name} of brass</a></h3><span class="price">${at + 12}.50 €</span></div>`,
  )
  site = await startSite({
    pages: {
      '/': htmlPage('A site', `${text}<a href="/a">Further</a>`),
      '/a': htmlPage('A page', text),
      '/list': htmlPage('Goods', cards.join('\n')),
      '/hanging': () => undefined,
      '/slow': async (exchange) => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        exchange.response.end(htmlPage('A slow page', text))
      },
    },
  })
  receiver = await startReceiver(answers.ok)
})
afterAll(async () => {
  await receiver.close()
  await site.close()
  await rm(folder, { recursive: true })
})

/** What a process tells of its engine. Bytes and numbers of things. */
interface Figures {
  readonly jobs: number
  readonly byKind: Readonly<Record<string, number>>
  readonly unexpected: readonly string[]
  readonly samples: readonly number[]
  readonly days: number
  /** Ids of ended jobs that were looked for at the end, and of those that are kept beyond their retention. */
  readonly remembered: number
  readonly keptTooLong: readonly string[]
  /** Processor time in ten seconds without a job. */
  readonly idleSeconds: number
  readonly running: number
  readonly before: Things
  readonly after: Things
}

/** What an engine may hold beside memory. */
interface Things {
  readonly handles: Readonly<Record<string, number>>
  readonly files: readonly string[]
  readonly processes: number
  readonly temporary: readonly string[]
}

/** Runs jobs, as the library is built. */
const soak = `
  import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { join } from 'node:path'
  import { createEngine, memoryLedger, postgres, sqlite } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
  const { origin, receiver, folder, kind, connectionString, jobs: wanted, minutes } = JSON.parse(process.argv[1])
  const HOUR = 3_600_000
  const RETENTION = 24 * HOUR
  const HOURS = 30 * 24
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const ledgers = {
    memory: () => memoryLedger({ maxJobs: 1000 }),
    sqlite: () => sqlite(join(folder, 'jobs.db')),
    postgres: () => postgres({ connectionString }),
  }

  const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const parents = () => {
    const found = new Map()
    for (const pid of readdirSync('/proc')) {
      if (!/^[0-9]+$/.test(pid)) continue
      try {
        const [, state, parent] = /^.*\\) (\\S) (\\d+)/.exec(readFileSync('/proc/' + pid + '/stat', 'utf8'))
        if (state !== 'Z') found.set(Number(pid), Number(parent))
      } catch {}
    }
    return found
  }
  const below = () => {
    const of = parents()
    const isBelow = (pid) => pid !== undefined && (of.get(pid) === process.pid || isBelow(of.get(pid)))
    return [...of.keys()].filter(isBelow)
  }
  const things = () => ({
    handles: process.getActiveResourcesInfo().reduce((sum, name) => ({ ...sum, [name]: (sum[name] ?? 0) + 1 }), {}),
    files: readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync('/proc/self/fd/' + fd)]
      } catch {
        return []
      }
    }).filter((path) => path.startsWith('/') && !path.startsWith('/dev/') && !path.startsWith('/proc/')).toSorted(),
    processes: below().length,
    temporary: readdirSync(tmpdir()).filter((name) => name.includes('trawl') || name.includes('playwright')).toSorted(),
  })

  const config = {
    ledger: ledgers[kind](), now, retentionMs: RETENTION, allowPrivateNetworks: true, threads: 1,
    retry: { maxRetries: 0 }, index: true, snapshots: join(folder, 'snapshots'), cache: join(folder, 'cache'),
    model: async () => ({ text: '{"limit":1}' }),
  }
  // Node closes files of its start a moment later.
  await rest(500)
  const before = things()
  const engine = createEngine(config)
  const url = origin + '/'
  // A host of its own, at which nobody listens: requests to a site that fails are delayed.
  let hosts = 0
  const absent = () => origin.replace(/127[.0-9]+/, '127.1.' + ((hosts >> 8) % 256) + '.' + (hosts++ % 256))
  const crawl = (more) => engine.crawl({ url, limit: 2, sitemap: 'skip', ignoreRobotsTxt: true, ...more })
  const batch = (more) => engine.batchScrape({ urls: [url, origin + '/a'], ...more })
  const read = async (job) => {
    for await (const document of job) void document
  }
  const fails = (call, code) => call.then(
    () => { throw new Error('did not fail with ' + code) },
    (error) => { if (error.code !== code && error.name !== code) throw error },
  )
  const abort = async (start) => {
    const controller = new AbortController()
    const call = start(controller.signal)
    setTimeout(() => controller.abort(), 10)
    await call.then(() => undefined, (error) => { if (error.code !== 'CANCELLED' && error.name !== 'AbortError' && !controller.signal.aborted) throw error })
  }
  // One job of each hour of the clock: [id, the time at which it had ended].
  const hours = new Set()
  const ids = []
  const unread = async (job) => {
    await job.finished()
    const hour = Math.floor(aheadMs / HOUR)
    if (hours.has(hour)) return
    hours.add(hour)
    ids.push([job.id, now()])
  }
  // Threads and browsers that nobody uses end after a minute. Seconds of processor time, in ten.
  const measureIdle = async () => {
    if (minutes === 0) return 0
    await rest(90_000)
    const { user, system } = process.cpuUsage()
    await rest(10_000)
    const used = process.cpuUsage({ user, system })
    return (used.user + used.system) / 1e6
  }
  let watch
  const kinds = {
    'crawl, read': () => read(crawl()),
    'crawl, unread': () => unread(crawl()),
    'crawl, cancelled': () => crawl().cancel(),
    'crawl, failed': () => engine.crawl({ url: absent(), limit: 1, sitemap: 'skip', ignoreRobotsTxt: true }).finished(),
    'crawl, left by its reader': async () => {
      const job = crawl()
      for await (const document of job) { void document; break }
      await job.finished()
    },
    'crawl, goal': () => crawl({ goal: 'content of the page' }).finished(),
    'crawl, webhook': () => crawl({ webhook: { url: receiver, events: ['page', 'completed'] } }).finished(),
    'crawl, change tracking': () => crawl({ scrapeOptions: { formats: ['markdown', 'changeTracking'] } }).finished(),
    'batch, read': () => read(batch()),
    'batch, unread': () => unread(batch()),
    'batch, cancelled': () => batch({ urls: [url, origin + '/slow'] }).cancel(),
    'batch, failed': () => engine.batchScrape({ urls: [absent()] }).finished(),
    'batch, webhook': () => batch({ webhook: { url: receiver } }).finished(),
    'batch, rows': () => batch({ urls: [origin + '/list'], formats: ['list'] }).finished(),
    'batch, index': () => batch({ index: true }).finished(),
    scrape: () => engine.scrape(origin + '/a'),
    'scrape, from the cache': () => engine.scrape(origin + '/a', { maxAge: 1e12 }),
    'scrape, failed': () => fails(engine.scrape(absent()), 'SCRAPE_SITE_ERROR'),
    'scrape, aborted': () => abort((signal) => engine.scrape(origin + '/slow', {}, { signal })),
    'scrape, out of time': () => fails(engine.scrape(origin + '/hanging', { timeout: 1000 }), 'SCRAPE_TIMEOUT'),
    list: () => engine.scrape(origin + '/list', { formats: ['list'] }),
    map: () => engine.map({ url }),
    search: () => engine.search('words of the page'),
    'watch check': async () => {
      // No watches are kept there.
      if (kind === 'postgres') return
      watch ??= engine.watch({ name: 'pages', targets: [{ url }], every: '6h' })
      await (await watch).check()
    },
    parse: () => engine.parse({ url, body: '<h1>A title</h1><p>' + 'Words of a page. '.repeat(40) }),
  }
  // A browser takes a second a page: of the jobs, few.
  const browserKinds = {
    browser: () => engine.scrape(origin + '/a', { timeout: 120_000, actions: [{ type: 'wait', milliseconds: 1 }] }),
    'browser, killed': async () => {
      const call = engine.scrape(origin + '/slow', { timeout: 120_000, actions: [{ type: 'wait', milliseconds: 1 }] }).catch(() => undefined)
      await rest(150)
      for (const pid of below()) try { process.kill(pid, 'SIGKILL') } catch {}
      await call
    },
  }

  const entries = Object.entries(kinds)
  const browserEntries = Object.entries(browserKinds)
  const byKind = {}
  const unexpected = []
  const samples = []
  let jobs = 0
  let started = 0
  const startedMs = performance.now()
  const share = () => Math.min(jobs / wanted, minutes === 0 ? 1 : (performance.now() - startedMs) / (minutes * 60_000))
  const lane = async () => {
    while (share() < 1) {
      const at = started++
      const [name, run] = at % Math.min(wanted / 8, 500) === 7 ? browserEntries[(at >> 3) % 2] : entries[at % entries.length]
      byKind[name] = (byKind[name] ?? 0) + 1
      await Promise.resolve().then(run).catch((error) => {
        if (unexpected.length < 20) unexpected.push(name + ': ' + (error.code ?? '') + ' ' + error.message)
      })
      jobs += 1
      while (samples.length < Math.floor(200 * share())) samples.push(process.memoryUsage().rss)
      aheadMs = Math.max(aheadMs, Math.floor(HOURS * share()) * HOUR)
    }
  }
  await Promise.all([1, 2, 3, 4].map(lane))
  // What is over is forgotten when a job starts.
  await kinds['crawl, unread']()
  const keptTooLong = []
  for (const [id, endedMs] of ids) if (endedMs < now() - RETENTION && (await engine.job(id))) keptTooLong.push(id)
  const idleSeconds = await measureIdle()
  const running = engine.jobs().length
  await engine.close()
  for (let turn = 0; turn < 40; turn += 1) {
    await rest(50)
    gc()
  }
  console.log(JSON.stringify({ jobs, byKind, unexpected, samples, days: aheadMs / HOUR / 24, remembered: ids.length, keptTooLong, idleSeconds, running, before, after: things() }))
`

const mean = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length

async function run(kind: string, connectionString?: string): Promise<Figures> {
  const given = {
    origin: new URL(site.url('/')).origin,
    receiver: receiver.url,
    folder: await mkdtemp(join(folder, `${kind}-`)),
    kind,
    connectionString,
    jobs: JOBS,
    minutes: MINUTES,
  }
  const args = ['--expose-gc', '--input-type=module', '-e', soak, JSON.stringify(given)]
  // Temporary files of other tests are not its own.
  const own = await mkdtemp(join(folder, 'tmp-'))
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: own },
  })
  const exited = once(child, 'close')
  let printed = ''
  for await (const chunk of child.stdout) printed += String(chunk)
  expect(await exited).toEqual([0, null])
  return JSON.parse(printed) as Figures
}

describe.each(['memory', 'sqlite', 'postgres'])('an engine of 30 days with its jobs in %s', (kind) => {
  it.skipIf(kind === 'postgres' && missing !== undefined)(
    `holds no more at their end${kind === 'postgres' && missing !== undefined ? `: ${missing}` : ''}`,
    { timeout: MINUTES * 60_000 * 4 + 300_000 },
    async () => {
      const server = kind === 'postgres' ? await startPostgres() : undefined
      onTestFinished(() => server?.close())
      const { byKind, samples, before, after, ...told } = await run(kind, server?.url())
      const tenths = Array.from({ length: 10 }, (_, at) =>
        mean(samples.slice((at * samples.length) / 10, ((at + 1) * samples.length) / 10)),
      )
      console.log(
        `${kind}: ${told.jobs} jobs in ${told.days} days, MB: ${tenths.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')}`,
      )
      expect(told).toMatchObject({ unexpected: [], keptTooLong: [], running: 0 })
      expect(told.days).toBe(30)
      expect(told.remembered).toBeGreaterThan(5)
      expect(Object.keys(byKind)).toHaveLength(27)
      expect(Math.min(...Object.values(byKind))).toBeGreaterThan(0)
      expect(told.idleSeconds).toBeLessThan(0.5)
      expect(tenths[9]).toBeLessThan((tenths[1] ?? 0) * MOST_OF_SECOND_TENTH)
      expect(after).toEqual(before)
    },
  )
})
