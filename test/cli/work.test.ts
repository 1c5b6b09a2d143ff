import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, postgres } from '../../src/index.js'
import { ownerSettings } from '../features/machines/use-workers.js'
import { hasPgBouncer, startPgBouncer } from '../base/store/pg-bouncer.js'
import { missing, type PostgresServer, startPostgres } from '../base/store/postgres-server.js'
import { page } from '../kernel/job/crawl-site.js'
import { findFreePort } from '../site/find-free-port.js'
import { type Site, startSite } from '../site/site.js'
import { type Run, readLines, runCli, startCli } from './start-cli.js'

const PAGES = 12
/** The site gives this many answers and holds the others back; each takes this time. */
const answers = { left: Infinity, ms: 0 }
const paths = Array.from({ length: PAGES }, (_, at) => `/${at}`)
const pages = Object.fromEntries(
  ['/', ...paths].map((path) => [
    path,
    async ({ response }: { response: { end(body: string): void } }) => {
      await sleep(answers.ms)
      while (answers.left === 0) await sleep(5)
      answers.left--
      response.end(path === '/' ? page(...paths) : page(`/${path}`))
    },
  ]),
)

describe.skipIf(missing !== undefined)(`trawl work${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let site: Site
  let engines: Engine[] = []
  let runs: Run[] = []
  const crawlOf = () => ({ url: site.url('/'), ignoreRobotsTxt: true, sitemap: 'skip' as const })
  const scraping = ['--fetcher', 'http', '--threads', '0']
  const open = (): Engine => {
    const engine = createEngine({ ...ownerSettings, ledger: postgres({ connectionString: server.url() }) })
    engines.push(engine)
    return engine
  }
  const work = async (...more: string[]): Promise<Run> => {
    const [last] = await server.query('SELECT coalesce(max(owner), 0)::integer AS owner FROM trawl.workers')
    const run = startCli(['work', '--database', server.url(), ...scraping, '--concurrency', '4', ...more])
    runs.push(run)
    await until(`SELECT 1 FROM trawl.workers WHERE owner > ${Number(last?.['owner'])}`)
    return run
  }
  const until = async (sql: string): Promise<void> => {
    while ((await server.query(sql)).length === 0) await sleep(20)
  }

  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages })
    // Makes the tables, as the first call of any engine does.
    await open().listJobs()
  }, 60_000)
  afterEach(async () => {
    Object.assign(answers, { left: Infinity, ms: 0 })
    for (const { child } of runs) if (child.exitCode === null) child.kill('SIGKILL')
    await Promise.all(engines.map((engine) => engine.close({ drain: false })))
    engines = []
    runs = []
  })
  afterAll(async () => {
    await site.close()
    await server.close()
  }, 30_000)

  it('finishes its pages at SIGTERM, gives the others back, and exits with 0: no page is asked for twice', async () => {
    const { child, ended, said } = await work('--json', '--private-networks')
    // The start page, whoever scrapes it.
    answers.left = 1
    const before = site.requests.length
    const job = open().crawl(crawlOf())
    await until('SELECT 1 FROM trawl.tasks WHERE worker IS NOT NULL')
    child.kill('SIGTERM')
    await said('Stopping: ')
    await until('SELECT 1 FROM trawl.workers HAVING count(*) = 0')
    expect(child.exitCode).toBeNull()
    answers.left = Infinity
    const { code, stdout } = await ended
    const last = readLines(stdout).at(-1)
    expect([code, last]).toEqual([0, { places: 4, active: 0, done: expect.any(Number), failed: 0, jobs: 0 }])
    expect(last?.['done']).toBeGreaterThan(0)
    expect((await job.finished()).completed).toBe(PAGES + 1)
    const asked = site.requests.slice(before).map(({ path }) => path)
    expect(asked.toSorted()).toEqual(['/', ...paths].toSorted())
  }, 30_000)

  it('ends at once at a second signal', async () => {
    const { child, ended, said } = await work('--private-networks')
    answers.left = 1
    const job = open().crawl(crawlOf())
    await until('SELECT 1 FROM trawl.tasks WHERE worker IS NOT NULL')
    child.kill('SIGINT')
    await said('Stopping: ')
    // A signal that a parent forwards counts as the same one for a moment.
    await sleep(300)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    answers.left = Infinity
    expect((await job.finished()).completed).toBe(PAGES + 1)
  }, 30_000)

  it('continues with --resume the jobs whose engines have ended, but for one that needs its own program', async () => {
    const owner = open()
    answers.left = 0
    const [job, other] = [owner.crawl(crawlOf()), owner.crawl(crawlOf())]
    await owner.close({ drain: false })
    await server.query(`UPDATE trawl.jobs SET missing = '["scrapeOptions.formats[0].schema"]' WHERE id = '${other.id}'`)
    answers.left = Infinity
    const { child, ended, said } = await work('--private-networks', '--resume')
    await said(`Job ${job.id} is continued`)
    await said(`Job ${job.id} completed: ${PAGES + 1} done, 0 failed`)
    await said('BAD_REQUEST: functions and schemas of libraries cannot be stored')
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([0, expect.stringContaining(other.id)])
    const reader = open()
    expect((await (await reader.job(job.id))?.status())?.completed).toBe(PAGES + 1)
    expect(await reader.listJobs({ limit: 2 })).toMatchObject([{ id: other.id, interrupted: true }, { id: job.id }])
    await server.query(`UPDATE trawl.jobs SET state = 'cancelled' WHERE id = '${other.id}'`)
  }, 30_000)

  it('parks at Ctrl-C the job that resume continues, for other engines, and names no password', async () => {
    const owner = open()
    answers.left = 0
    const job = owner.crawl(crawlOf())
    await owner.close({ drain: false })
    const asked = site.requests.length
    const resume = ['resume', job.id, '--database', server.url(), ...scraping]
    const run = startCli(resume)
    runs.push(run)
    await run.said(`Job ${job.id}`)
    while (site.requests.length === asked) await sleep(5)
    const second = await runCli(resume)
    expect([second.code, second.stderr]).toEqual([1, `trawl: JOB_HELD: job ${job.id} is run by another process\n`])
    run.child.kill('SIGINT')
    const { code, stderr } = await run.ended
    expect([code, stderr]).toEqual([
      130,
      expect.stringContaining(
        `Parked. 0 pages written to standard output; \`trawl resume ${job.id}\` with the same --database`,
      ),
    ])
    expect(stderr).not.toContain('the password')
    expect(stderr).not.toContain(encodeURIComponent('the password'))
    answers.left = Infinity
    expect(await open().listJobs({ limit: 1 })).toMatchObject([{ id: job.id, status: 'scraping', interrupted: true }])
    const { code: last, stdout } = await runCli(resume)
    expect([last, readLines(stdout).length]).toEqual([0, PAGES + 1])
    const none = await runCli(['resume', '--database', server.url()])
    expect([none.code, none.stderr]).toEqual([0, expect.stringContaining('nothing to continue')])
  }, 60_000)

  it('fails with the reason when the database cannot be used', async () => {
    const { stderr, code } = await runCli(['work', '--database', server.url({ password: 'wrong' })])
    expect([code, stderr]).toEqual([1, expect.stringContaining('password authentication failed')])
    const nobody = await runCli(['work', '--database', server.url({ port: await findFreePort() })])
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')])
  }, 30_000)

  it.skipIf(!hasPgBouncer)(
    'refuses a PgBouncer in transaction mode',
    async () => {
      const { port, close } = await startPgBouncer(server.port, 'transaction')
      const { stderr, code } = await runCli(['work', '--database', server.url({ port })])
      await close()
      expect([code, stderr]).toEqual([1, expect.stringContaining('pool_mode = session')])
    },
    30_000,
  )

  it('reads a password from PGPASSWORD', async () => {
    const address = server.url().replace(/:[^:@]*@/, '@')
    const run = startCli(['work', '--database', address, '--schema', 'mine', ...scraping], {
      env: { PGPASSWORD: 'the password' },
    })
    runs.push(run)
    await run.said('Working, 10 pages at once')
    run.child.kill('SIGTERM')
    const last = expect.stringContaining('10 places  0 active  0 done  0 failed')
    expect(await run.ended).toMatchObject({ code: 0, stdout: '', stderr: last })
    expect(await server.query('SELECT version FROM mine.schema_version')).toHaveLength(1)
  }, 30_000)

  it.each([
    ['refuses private networks: the engine that runs the job fetches these pages', []],
    ['scrapes pages of private networks with their flag', ['--private-networks']],
  ])(
    '%s',
    async (_, more) => {
      // Time enough for the engine to find the worker.
      answers.ms = 300
      const { child, ended } = await work('--json', ...more)
      const before = site.requests.length
      expect((await open().crawl(crawlOf()).finished()).completed).toBe(PAGES + 1)
      expect(site.requests.length - before).toBe(PAGES + 1)
      child.kill('SIGTERM')
      const done = Number(readLines((await ended).stdout).at(-1)?.['done'])
      expect(done > 0).toBe(more.length > 0)
    },
    30_000,
  )

  it('scrapes for a crawl of the command line, which is in the database', async () => {
    const { child, ended } = await work('--quiet', '--private-networks')
    const request = ['--max-concurrency', '2', '--ignore-robots-txt', '--sitemap', 'skip']
    const crawl = startCli(['crawl', site.url('/'), '--database', server.url(), ...scraping, ...request])
    const { code, stdout, stderr } = await crawl.ended
    expect([code, readLines(stdout).length]).toEqual([0, PAGES + 1])
    const [, id = ''] = /^Job (\S+)$/m.exec(stderr) ?? []
    expect((await (await open().job(id))?.status({ limit: 0 }))?.completed).toBe(PAGES + 1)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' })
  }, 30_000)
})
