import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, memoryLedger, postgres } from '../../src/index.js'
import { createSlowTree, LONG_MS, settings } from '../features/machines/postgres-crawls.js'
import { missing, type PostgresServer, startPostgres } from '../base/store/postgres-server.js'
import { type Site, startSite } from '../site/site.js'
import { runCli } from './start-cli.js'

describe.skipIf(missing !== undefined)(`trawl jobs${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let site: Site
  const start = (): Engine => createEngine({ ...settings, ledger: postgres({ connectionString: server.url() }) })

  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages: createSlowTree() })
  }, 2 * LONG_MS)
  afterAll(async () => {
    await site.close()
    await server.close()
  }, LONG_MS)

  it(
    'lists the jobs of all engines, with their counts, and whether an engine runs each',
    async () => {
      const [one, two] = [start(), start()]
      const ended = one.crawl({ url: site.url('/'), limit: 3, ignoreRobotsTxt: true, sitemap: 'skip' })
      await ended.finished()
      const parked = one.batchScrape({ urls: [site.url('/1')] })
      await parked.pause()
      await one.close({ drain: false })
      const running = two.batchScrape({ urls: [site.url('/1'), site.url('/2')] })
      await running.pause()
      await expect
        .poll(async () => (await two.listJobs({ limit: 1 }))[0]?.queued, { timeout: LONG_MS })
        .toBeGreaterThan(0)

      const listed = await two.listJobs()
      expect(listed).toMatchObject([
        { id: running.id, kind: 'batch-scrape', status: 'scraping' },
        { id: parked.id, kind: 'batch-scrape', status: 'scraping', interrupted: true },
        { id: ended.id, kind: 'crawl', status: 'completed', completed: 3, creditsUsed: 3, queued: 0, active: 0 },
      ])
      expect(listed[0]).not.toHaveProperty('interrupted')
      expect(await two.listJobs({ skip: 1, limit: 1 })).toEqual([listed[1]])
      await expect(two.listJobs({ limit: -1 })).rejects.toMatchObject({ code: 'BAD_REQUEST' })

      const { stdout, stderr, code } = await runCli(['jobs', '--database', server.url()])
      const rows = stdout.trimEnd().split('\n')
      expect([code, stderr, rows.length]).toEqual([0, '', 4])
      expect(rows[0]).toMatch(/^ID +KIND +STATUS +ENGINE +DONE +FAILED +SKIPPED +QUEUED +CREATED$/)
      expect(rows[1]).toMatch(new RegExp(`^${running.id} +batch-scrape +scraping +alive +0 `))
      expect(rows[2]).toMatch(new RegExp(`^${parked.id} +batch-scrape +scraping +none `))
      expect(rows[3]).toMatch(new RegExp(`^${ended.id} +crawl +completed +- +3 +0 `))
      const json = await runCli(['jobs', '--database', server.url(), '--json'])
      const lines = json.stdout.trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await two.listJobs())
      await two.close()
    },
    LONG_MS,
  )

  it('lists no jobs of a schema that has no tables yet', async () => {
    const { stdout, stderr, code } = await runCli(['jobs', '--database', server.url(), '--schema', 'new'])
    expect([code, stderr, stdout.split('\n').length]).toEqual([0, '', 2])
  }, 20_000)

  it('fails with the error of the server', async () => {
    const { stdout, stderr, code } = await runCli(['jobs', '--database', server.url({ password: 'wrong' })])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('password authentication failed')
    const engine = createEngine({ ledger: memoryLedger() })
    await expect(engine.listJobs()).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await engine.close()
  }, 20_000)
})
