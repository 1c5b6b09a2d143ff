import { readdir, readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, sqlite } from '../../src/index.js'
import { findSqlite } from '../../src/base/sqlite/driver.js'
import { htmlPage, sendPage } from '../site/exchange.js'
import { type Site, startSite } from '../site/site.js'
import { runHere } from './run-here.js'
import { makeFolder, readLines, runCli, startCli } from './start-cli.js'

let site: Site
let folder: Awaited<ReturnType<typeof makeFolder>>
let ledger: string

beforeEach(async () => {
  folder = await makeFolder()
  ledger = folder.in('crawl.db')
  site = await startSite({
    pages: {
      '/': htmlPage('Start', '<a href="/one">one</a> <a href="/two">two</a>'),
      '/one': htmlPage('One'),
      '/mixed': htmlPage(
        'Mixed',
        '<a href="/gone">gone</a> <a href="/two">two</a> <a href="http://other.example/">away</a>',
      ),
      // It answers the second process only.
      '/two': (exchange) => (exchange.visits === 1 ? undefined : sendPage(exchange, htmlPage('Two'))),
    },
  })
})
afterEach(async () => {
  await site.close()
  await folder[Symbol.asyncDispose]()
})

const NOTHING_LEFT = 'No job of the ledger is left unfinished: there is nothing to continue\n'
const SCRAPING = ['--fetcher', 'http', '--sitemap', 'skip', '--timeout', '300000']

/** Starts a crawl of which one page hangs, and waits until the others are in the ledger. */
async function startCrawl(...more: readonly string[]) {
  const run = startCli(['crawl', site.url('/'), '--database', ledger, ...SCRAPING, ...more])
  await run.said('Job ')
  await expect.poll(async () => (await listJobs())[0]?.['completed'], { timeout: 20_000, interval: 50 }).toBe(2)
  return run
}

/** Lists the jobs of the ledger, as the command prints them. */
const listJobs = async () => readLines((await runHere(['jobs', '--database', ledger, '--json'])).stdout)
const pathsOf = (ndjson: string): string[] =>
  readLines(ndjson)
    .map(({ metadata }) => new URL((metadata as { url: string }).url).pathname)
    .toSorted()
const asked = (path: string): number => site.requests.filter((request) => request.path === path).length

describe('trawl jobs and trawl resume, with an SQLite ledger', () => {
  it('continue a crawl whose process was killed, without a second request for its finished pages', async () => {
    const out = folder.in('pages.ndjson')
    const { child, ended } = await startCrawl('--output', out)
    expect(await listJobs()).toMatchObject([{ kind: 'crawl', status: 'scraping', completed: 2 }])
    expect((await listJobs())[0]).not.toHaveProperty('interrupted')
    const held = await runHere(['resume', '--database', ledger])
    expect(held).toMatchObject({ code: 0, stdout: '', stderr: NOTHING_LEFT })
    child.kill('SIGKILL')
    await ended

    const [job] = await listJobs()
    const { id } = job as { id: string }
    expect(job).toMatchObject({ interrupted: true, failed: 0, creditsUsed: 2 })
    const table = (await runHere(['jobs', '--database', ledger])).stdout.split('\n')
    expect(table[1]).toMatch(new RegExp(`^${id} +crawl +scraping +none +2 +0 +`))

    const { code, stdout, stderr } = await runCli([
      'resume',
      '--database',
      ledger,
      '--output',
      out,
      '--fetcher',
      'http',
    ])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`Job ${id}\nCrawl completed: 3 pages, 0 failed`)
    expect(stderr).toContain(`3 pages written to ${out}\n`)
    expect(pathsOf(await readFile(out, 'utf8'))).toEqual(['/', '/one', '/two'])
    expect(['/', '/one', '/two'].map(asked)).toEqual([1, 1, 2])
    expect(await listJobs()).toMatchObject([{ id, status: 'completed', completed: 3, queued: 0, active: 0 }])

    expect(await runHere(['resume', '--database', ledger])).toEqual({ code: 0, stdout: '', stderr: NOTHING_LEFT })
    expect(await runHere(['resume', id, '--database', ledger])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `trawl: JOB_FINISHED: job ${id} has ended (completed): with --output, its pages are written there\n`,
    })
    const pages = folder.in('ended')
    const written = await runHere(['resume', id, '--database', ledger, '--output', pages])
    expect(written).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(`3 pages written to ${pages}`),
    })
    expect((await readdir(pages, { recursive: true })).filter((name) => name.endsWith('.md'))).toHaveLength(3)
    expect(['/', '/one', '/two'].map(asked)).toEqual([1, 1, 2])
    const json = await runHere(['resume', 'x', '--database', ledger, '--json'])
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'JOB_NOT_FOUND' } })
  }, 60_000)

  it('continue a crawl that Ctrl-C has parked, as JSON on standard output', async () => {
    const { child, ended } = await startCrawl()
    child.kill('SIGINT')
    const parked = await ended
    const [job] = await listJobs()
    const { id } = job as { id: string }
    expect(job).toMatchObject({ status: 'scraping', interrupted: true, completed: 2 })
    expect(parked.code).toBe(130)
    expect(parked.stderr).toContain(
      `Parked. 2 pages written to standard output; \`trawl resume ${id} --database ${ledger}\` continues the job\n`,
    )
    expect(pathsOf(parked.stdout)).toEqual(['/', '/one'])

    const { code, stdout, stderr } = await runCli(['resume', id, '--database', ledger, '--fetcher', 'http', '--json'])
    expect(code).toBe(0)
    expect(pathsOf(stdout)).toEqual(['/', '/one', '/two'])
    expect(readLines(stderr)).toMatchObject([
      { note: expect.stringContaining('--output is missing: all pages of the job go to standard output') },
      { job: { id, kind: 'crawl' } },
      { summary: { id, status: 'completed', completed: 3, written: 3, destination: 'standard output' } },
    ])
  }, 60_000)

  it('name the unfinished jobs if there are several', async () => {
    const engine = createEngine({ ledger: sqlite(ledger), allowPrivateNetworks: true })
    const jobs = [engine.batchScrape({ urls: [site.url('/one')] }), engine.batchScrape({ urls: [site.url('/')] })]
    await Promise.all(jobs.map((job) => job.pause()))
    expect(await engine.listJobs()).toMatchObject([{ id: jobs[1]?.id }, { id: jobs[0]?.id }])
    expect(await engine.listJobs({ skip: 1, limit: 1 })).toMatchObject([{ id: jobs[0]?.id, kind: 'batch-scrape' }])
    await engine.close({ drain: false })
    const { code, stderr } = await runHere(['resume', '--database', ledger])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^trawl: JOB is missing: the ledger has 2 unfinished jobs: name one of /),
    ])
    for (const { id } of jobs) expect(stderr).toContain(id)
    const run = await runHere(['resume', jobs[0]?.id ?? '', '--database', ledger, '--output', folder.in('pages'), '-q'])
    expect(run).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await readdir(folder.in('pages'))).toContain('index.ndjson')
  }, 60_000)
})

describe('trawl resume', () => {
  const open = () => createEngine({ ledger: sqlite(ledger), allowPrivateNetworks: true, cache: false })

  it('sums up what the earlier process skipped and got, too', async () => {
    const engine = open()
    const job = engine.crawl({
      url: site.url('/mixed'),
      sitemap: 'skip',
      crawlEntireDomain: true,
      scrapeOptions: { timeout: 300_000 },
    })
    await expect.poll(async () => (await job.status()).completed, { timeout: 20_000 }).toBe(2)
    await engine.close({ drain: false })
    const out = folder.in('pages.ndjson')
    const { code, stderr } = await runHere(['resume', '--database', ledger, '--output', out])
    expect([code, stderr]).toEqual([0, expect.stringContaining('Skipped: 1 EXTERNAL_LINK\n')])
    expect(stderr).toContain(`3 pages written to ${out}\n`)
    expect(stderr).toContain('3 pages, 1 with an error status, 0 failed')
  }, 60_000)

  it('takes no documents that the service of the job must get', async () => {
    const engine = open()
    const kept = engine.batchScrape({ urls: [site.url('/one')], retain: false }, { acknowledge: true })
    await kept.pause()
    await engine.close({ drain: false })
    for (const argument of [[], [kept.id]]) {
      const { code, stdout, stderr } = await runHere(['resume', ...argument, '--database', ledger])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^trawl: BAD_REQUEST: job .* was started with `acknowledge`: what is read here is not/)
    }
    expect(await listJobs()).toMatchObject([{ id: kept.id, status: 'scraping', interrupted: true }])
  })

  it('alone brings the file of an older version up to date, and says so', async () => {
    const engine = open()
    const job = engine.batchScrape({ urls: [site.url('/one')] })
    await job.pause()
    await engine.close({ drain: false })
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(ledger)
    database.exec('DROP TABLE feature_tables; PRAGMA user_version = 5')
    database.close()
    const before = await readFile(ledger)
    const refused = await runHere(['jobs', '--database', ledger])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /not a ledger of version \d+, .* but of version 5: an engine that opens it brings it up/,
    )
    expect(await readFile(ledger)).toEqual(before)
    const { code, stderr } = await runHere(['resume', '--database', ledger, '--output', folder.in('p.ndjson')])
    expect([code, stderr.split('\n').slice(0, 2)]).toEqual([
      0,
      [
        expect.stringMatching(/ is brought up to date, from version 5 to \d+: an older trawl then refuses it$/),
        `Job ${job.id}`,
      ],
    ])
    expect(await listJobs()).toMatchObject([{ status: 'completed' }])
  }, 60_000)
})

/** Tables of other programs, which have a table of jobs as well. */
const FOREIGN_TABLES: Readonly<Record<string, string>> = {
  foreign: 'CREATE TABLE notes (text TEXT)',
  'a job queue': 'CREATE TABLE jobs (id TEXT, name TEXT, payload TEXT)',
  'a job queue of version 1': 'CREATE TABLE jobs (id TEXT, name TEXT, payload TEXT); PRAGMA user_version = 1',
  'a job queue with the columns of a ledger, of version 0':
    'CREATE TABLE jobs (number INTEGER, id TEXT, kind TEXT, request TEXT, missing TEXT, state TEXT)',
}

describe('a file that is no ledger', () => {
  /** Makes a file of another program, an empty one, and none. */
  async function makeFile(kind: string): Promise<string> {
    const file = folder.in('other.db')
    if (kind === 'empty') await writeFile(file, '')
    if (kind === 'a text') await writeFile(file, 'a text of more than a few bytes\n'.repeat(100))
    const tables = FOREIGN_TABLES[kind]
    if (tables !== undefined) {
      const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
      database.exec(tables)
      database.close()
    }
    return file
  }

  it.each(['missing', 'empty', 'a text', ...Object.keys(FOREIGN_TABLES)])(
    'is left alone by jobs and resume, if it is %s',
    async (kind) => {
      const file = await makeFile(kind)
      const before = kind === 'missing' ? undefined : await readFile(file)
      for (const command of ['jobs', 'resume']) {
        const { code, stdout, stderr } = await runHere([command, '--database', file])
        expect([code, stdout]).toEqual([kind === 'missing' ? 2 : 1, ''])
        expect(stderr).toMatch(
          kind === 'missing' ? /^trawl: --database: .* does not exist/ : /^trawl: LEDGER_ERROR: .*other\.db /,
        )
      }
      expect(await readdir(folder.path)).toEqual(kind === 'missing' ? [] : ['other.db'])
      if (before) expect(await readFile(file)).toEqual(before)
    },
  )

  it.each(['a text', ...Object.keys(FOREIGN_TABLES)])('is left alone by crawl, if it is %s', async (kind) => {
    const file = await makeFile(kind)
    const before = await readFile(file)
    const { code, stdout, stderr } = await runHere(['crawl', site.url('/one'), '--database', file])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^trawl: LEDGER_ERROR: .*other\.db /)
    expect(await readFile(file)).toEqual(before)
    expect(site.requests).toEqual([])
  })

  it.each([
    [['jobs', '--workers'], '--workers needs the address of a PostgreSQL database'],
    [['work'], '--database needs the address of a PostgreSQL database'],
    [['jobs', '--schema', 'mine'], '--schema needs the address of a PostgreSQL database'],
    [['resume', 'a', 'b'], 'only one JOB is allowed'],
  ])('%j refuses the path of a file', async ([command = '', ...more], message) => {
    await using engine = createEngine({ ledger: sqlite(ledger), allowPrivateNetworks: true })
    await engine.batchScrape({ urls: [site.url('/one')] }).finished()
    const { code, stderr } = await runHere([command, '--database', ledger, ...more])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
