import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type SearchHit, sqlite } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { runCli } from '../../cli/start-cli.js'

const PAGES = {
  '/refunds':
    '<title>Refunds</title><main><h1>Refunds</h1><p>Annual plans are refunded within fourteen days.</p></main>',
  '/shipping': '<title>Shipping</title><main><h1>Shipping</h1><p>Parcels leave on Mondays, plans or not.</p></main>',
}

describe('trawl search', () => {
  let folder: string
  let ledger: string
  let origin: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    ledger = join(folder, 'crawl.db')
    await using site = await startSite({ pages: PAGES })
    origin = site.url('')
    await using engine = createEngine({
      ledger: sqlite(ledger),
      index: true,
      allowPrivateNetworks: true,
      fetcher: 'http',
    })
    await engine.batchScrape({ urls: [site.url('/refunds'), site.url('/shipping')] }).finished()
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('prints the hits of a ledger, and of the file of its index', async () => {
    for (const file of [ledger, `${ledger}-search`]) {
      const { stdout, stderr, code } = await runCli(['search', file, 'when are annual plans refunded?', '--limit', '1'])
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toBe(
        [
          'Refunds',
          'Refunds',
          `${origin}/refunds#:~:text=Annual%20plans%20are%20refunded%20within%20fourteen%20days.`,
          '  # Refunds',
          '',
          '  Annual plans are refunded within fourteen days.',
          '',
          '',
        ].join('\n'),
      )
    }
  })

  it('finds the pages of a crawl with `--index FILE`', async () => {
    await using site = await startSite({ pages: { ...PAGES, '/': '<a href="/refunds">Refunds</a>' } })
    const index = join(folder, 'pages.db')
    const crawl = ['crawl', site.url('/'), '--index', index, '--private-networks', '--fetcher', 'http']
    expect(await runCli([...crawl, '--output', join(folder, 'pages')])).toMatchObject({ code: 0 })
    const { stdout, code } = await runCli(['search', index, 'annual plans'])
    expect([code, stdout.split('\n', 1)]).toEqual([0, ['Refunds']])
    expect(await runCli([...crawl, '--index'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--index needs a value: --index=…'),
    })
  })

  it('prints JSON, one hit a line', async () => {
    const { stdout, code } = await runCli(['search', ledger, 'plans', '--json'])
    const hits = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SearchHit)
    expect(code).toBe(0)
    expect(hits.map(({ title }) => String(title)).toSorted()).toEqual(['Refunds', 'Shipping'])
  })

  it('exits with 2 without a query, for a limit out of range, and for a file that does not exist', async () => {
    const none = join(folder, 'none.db')
    const empty = join(folder, 'empty.db')
    await writeFile(empty, '')
    for (const [typed, message] of [
      [[ledger], 'QUERY is missing'],
      [[ledger, 'a', 'b'], 'only one QUERY is allowed'],
      [[ledger, 'a', '--limit', '101'], '--limit'],
      [[none, 'a'], `${none} does not exist`],
      [[empty, 'a'], `${empty} is empty`],
    ] as const) {
      const { code, stderr } = await runCli(['search', ...typed])
      expect(stderr).toContain(message)
      expect(code).toBe(2)
    }
    expect((await stat(empty)).size).toBe(0)
  })
})
