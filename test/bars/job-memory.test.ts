import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { htmlPage } from '../site/exchange.js'
import { type Site, startSite } from '../site/site.js'

/**
 * Memory of jobs that have ended. `BARS=whole` measures 1000 jobs of each kind, 10,000 crawls with 10,000 batches, and an hour of small
 * jobs; `BARS_MINUTES` sets the minutes, `BARS_JOBS` the jobs of each kind.
 */
const isWhole = process.env['BARS'] === 'whole'
const JOBS = Number(process.env['BARS_JOBS'] ?? (isWhole ? 1000 : 60))
const MINUTES = Number(process.env['BARS_MINUTES'] ?? (isWhole ? 60 : 0))
/** Most that an ended job of one page may keep. Bytes; of few jobs, code that is compiled meanwhile is a part. */
const BYTES_EACH = isWhole ? 10_000 : 15_000
/** What the request of a job with a list of 1,200 URLs keeps beside it: the list, and that of the invalid ones. Bytes. */
const BYTES_OF_LIST = 2 * 1200 * 8
/** Most that all jobs of a kind may leave when their engine is closed, the least of three: code that is compiled meanwhile. Bytes. */
const BYTES_CLOSED = 250_000
/** Most that 10,000 crawls and 10,000 batches may keep. Bytes of resident memory. */
const BYTES_OF_ALL = 100_000_000
/** Most that each of them may keep of the heap, with its share of 8 MB of documents. Bytes. */
const HEAP_EACH = 3000

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
let site: Site
beforeAll(async () => {
  const article = htmlPage('A page', `<p>${'Some words that are the content of this page. '.repeat(20)}</p>`)
  site = await startSite({
    pages: { '/': article, '/a': article },
  })
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

/** Begins a process that runs jobs, as the library is built: `--expose-gc` is for what nothing refers to. */
const prelude = `
  import { join } from 'node:path'
  import { createEngine, memoryLedger, sqlite } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
  const { origin, folder, ...given } = JSON.parse(process.argv[1])
  let files = 0
  const ledgers = { memory: () => memoryLedger(), sqlite: () => sqlite(join(folder, process.pid + '-' + files++ + '.db')) }
  const open = (ledger, config) => createEngine({
    ledger, allowPrivateNetworks: true, threads: 1, fetcher: 'http', retry: { maxRetries: 0 },
    model: async () => ({ text: '{"limit":1}' }), ...config,
  })
  const collect = async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      gc()
    }
  }
  const heldBytes = async () => {
    await collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const read = async (job) => { for await (const document of job) void document }
  const unread = (job) => job.finished()
  const cancelled = (job) => job.cancel()
  const ends = { read, unread, cancelled }
  const crawl = (engine, url) => engine.crawl({ url, limit: 1, sitemap: 'skip', ignoreRobotsTxt: true })
  const batch = (engine, url) => engine.batchScrape({ urls: [url] })
  // Each is a site of its own, at which nobody listens: requests to a site that fails are delayed.
  let hosts = 0
  const failing = () => origin.replace(/127[.0-9]+/, '127.1.' + ((hosts >> 8) % 256) + '.' + (hosts++ % 256))
  const jobKinds = { crawl, batch }
  const kinds = {}
  for (const [name, start] of Object.entries(jobKinds)) {
    for (const [end, finish] of Object.entries(ends)) kinds[name + ', ' + end] = (engine) => finish(start(engine, origin + '/'))
    kinds[name + ', failed'] = async (engine) => void (await start(engine, failing()).finished())
  }
  kinds['crawl, goal'] = (engine) =>
    engine.crawl({ url: origin + '/', limit: 2, sitemap: 'skip', ignoreRobotsTxt: true, goal: 'content of the page' }).finished()
  kinds['crawl, prompt'] = (engine) =>
    engine.crawl({ url: origin + '/', sitemap: 'skip', ignoreRobotsTxt: true, prompt: 'the first page' }).finished()
  const list = [...Array.from({ length: 1199 }, () => 'no url:'), origin + '/']
  kinds['batch, 1,200 URLs'] = (engine) => engine.batchScrape({ urls: list }).finished()
  kinds['batch, appended to after its end'] = async (engine) => {
    const job = batch(engine, origin + '/')
    await job.finished()
    try {
      await engine.batchScrape({ urls: [origin + '/a'], appendToId: job.id })
    } catch (error) {
      if (error.code !== 'JOB_FINISHED') throw error
    }
  }
  kinds.scrape = (engine) => engine.scrape(origin + '/a')
  kinds.map = (engine) => engine.map({ url: origin + '/' })
  const watches = new WeakMap()
  kinds['watch check'] = async (engine) => {
    const watching = () => engine.watch({ name: 'pages', targets: [{ url: origin + '/' }], every: '6h' })
    if (!watches.has(engine)) watches.set(engine, watching())
    await (await watches.get(engine)).check()
  }
  const indexed = new WeakMap()
  kinds.search = async (engine) => {
    const indexing = () => engine.batchScrape({ urls: [origin + '/a'], index: true }).finished()
    if (!indexed.has(engine)) indexed.set(engine, indexing())
    await indexed.get(engine)
    await engine.search('words of the page')
  }
`

/** Measures what a job of each kind keeps in the heap and outside of it, and what is left of it when its engine is closed. */
const table = `${prelude}
  const rows = []
  for (let count = 0; count < 300; count += 60) {
    const first = open(memoryLedger())
    for (const run of Object.values(kinds)) for (let one = 0; one < 5; one += 1) await run(first)
    await first.close()
  }
  for (const [ledger, make] of Object.entries(ledgers)) for (const [kind, run] of Object.entries(kinds)) {
    // Code is loaded and compiled, and what an engine has of its own is there.
    const warm = open(make())
    for (let count = 0; count < given.jobs; count += 1) await run(warm)
    await warm.close()
    let row
    // What an engine leaves is left by each: V8 compiles code at any time, 100 to 500 KB, and less each time.
    for (let engines = 0; engines < 3 && !(row?.closedBytes < given.closedBytes); engines += 1) {
      const before = await heldBytes()
      const engine = open(make())
      for (let count = 0; count < given.jobs / 4; count += 1) await run(engine)
      const first = await heldBytes()
      for (let count = 0; count < given.jobs; count += 1) await run(engine)
      const kept = (await heldBytes()) - first
      await engine.close()
      const left = (await heldBytes()) - before
      row = { ledger, kind, bytesEach: Math.round(kept / given.jobs), closedBytes: Math.round(left) }
      engine.jobs()
    }
    rows.push(row)
  }
  console.log(JSON.stringify(rows))
`

/** Measures the resident memory of many ended jobs of one engine. */
const many = `${prelude}
  const engine = open(memoryLedger(given.bounds))
  const run = async (jobs) => {
    for (let count = 0; count < jobs; count += 10)
      await Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? crawl : batch)(engine, origin + '/').finished()))
  }
  // A thread for pages ends after a minute without one: what it holds is not what jobs leave.
  const atRest = async () => {
    await new Promise((resolve) => setTimeout(resolve, 65_000))
    await collect()
    return process.memoryUsage()
  }
  await run(1000)
  const before = await atRest()
  await run(given.jobs)
  await collect()
  const busy = process.memoryUsage()
  const after = await atRest()
  const last = engine.jobs().length
  await engine.close()
  await collect()
  console.log(JSON.stringify({ resident: after.rss - before.rss, beforeRest: busy.rss - before.rss, heap: after.heapUsed - before.heapUsed, running: last,
    closedHeap: process.memoryUsage().heapUsed - before.heapUsed }))
`

/** Measures the resident memory of an engine that runs small jobs of all kinds, in a hundred parts of the time. */
const soak = `${prelude}
  const engine = open(memoryLedger({ maxJobs: 1000 }))
  const all = Object.values(kinds)
  const samples = []
  const startedMs = performance.now()
  const totalMs = given.minutes * 60_000
  let jobs = 0
  let failed = 0
  const work = async (lane) => {
    for (let at = lane; performance.now() - startedMs < totalMs; at += 1, jobs += 1)
      // A page may time out where the machine has other work for minutes.
      await Promise.resolve(all[at % all.length](engine)).catch(() => (failed += 1))
  }
  const timer = setInterval(() => samples.push(process.memoryUsage().rss), totalMs / 200)
  await Promise.all([0, 3, 6, 9].map(work))
  clearInterval(timer)
  await engine.close()
  console.log(JSON.stringify({ jobs, failed, samples }))
`

async function run<Figures>(script: string, given: object): Promise<Figures> {
  const options = JSON.stringify({ origin: site.origin, folder, ...given })
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script, options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<readonly unknown[]>((resolve) => child.once('close', (...how) => resolve(how)))
  let printed = ''
  for await (const chunk of child.stdout) printed += String(chunk)
  expect(await ended).toEqual([0, null])
  return JSON.parse(printed) as Figures
}

const mean = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

describe('a job that has ended', () => {
  it(`keeps less than ${BYTES_EACH} bytes, and nothing when its engine is closed`, async () => {
    type Row = Record<'ledger' | 'kind', string> & Record<'bytesEach' | 'closedBytes', number>
    const rows = await run<Row[]>(table, { jobs: JOBS, closedBytes: BYTES_CLOSED })
    console.table(rows)
    expect(rows).toHaveLength(32)
    const boundOf = ({ kind }: Row): number => BYTES_EACH + (kind.includes('1,200') ? BYTES_OF_LIST : 0)
    expect(rows.filter((row) => row.bytesEach >= boundOf(row))).toEqual([])
    expect(rows.filter(({ closedBytes }) => closedBytes >= BYTES_CLOSED)).toEqual([])
  }, 1_800_000)

  it.runIf(isWhole).each([
    { ledger: 'as it comes', bounds: {} },
    { ledger: 'that forgets none', bounds: { maxJobs: 1_000_000 } },
  ])(
    'leaves less than 100 MB of resident memory, with 20,000 of its kind, in a ledger $ledger',
    async ({ bounds }) => {
      const jobs = 20_000
      const figures = await run<Record<'resident' | 'beforeRest' | 'heap' | 'closedHeap', number>>(many, {
        jobs,
        bounds,
      })
      console.log(
        Object.entries(figures)
          .map(([name, bytes]) => `${name} ${megabytes(bytes)}`)
          .join(', '),
      )
      expect(figures.heap / jobs).toBeLessThan(HEAP_EACH)
      expect(figures.resident).toBeLessThan(BYTES_OF_ALL)
    },
    3_600_000,
  )

  it.runIf(MINUTES > 0)(
    `takes no more memory at the end of ${MINUTES} minutes than at their third tenth`,
    async () => {
      const { jobs, failed, samples } = await run<{ jobs: number; failed: number; samples: number[] }>(soak, {
        minutes: MINUTES,
      })
      const tenths = Array.from({ length: 10 }, (_, at) =>
        mean(samples.slice((at * samples.length) / 10, ((at + 1) * samples.length) / 10)),
      )
      console.log(`${jobs} jobs, ${failed} failed: ${tenths.map(megabytes).join(', ')}`)
      expect(failed).toBeLessThan(jobs / 100)
      expect(tenths[9]).toBeLessThan((tenths[2] ?? 0) * 1.05)
    },
    MINUTES * 60_000 + 600_000,
  )
})
