import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, InvalidRequestError, type LedgerRow, type RowQuery, sqlite } from '../../../src/index.js'
import { page, pathOf, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

const pages = {
  '/': page('/a', '/b', '/private', '/x.zip', 'https://elsewhere.test/'),
  '/a': page('/c', '/private/2'),
  '/b': page(),
  '/c': page(),
  '/robots.txt': 'User-agent: *\nDisallow: /private',
}

const tell = ({ url, outcome, refusal }: LedgerRow): string =>
  `${url.includes('elsewhere') ? url : pathOf(url)} ${refusal?.reason ?? outcome}`

async function collect(rows: AsyncIterable<LedgerRow>): Promise<LedgerRow[]> {
  const found: LedgerRow[] = []
  for await (const row of rows) found.push(row)
  return found
}

const list = async (rows: AsyncIterable<LedgerRow>): Promise<string[]> => (await collect(rows)).map(tell)

describe.each(['memory', 'SQLite'] as const)('the rows of a job, on the %s ledger', (kind) => {
  let files = 0
  const open = async () => {
    const file = join(folder, `${kind}${files++}.db`)
    await on.open(pages, kind === 'SQLite' ? { ledger: sqlite(file) } : {})
    return file
  }

  it('are all its URLs in order of discovery, skipped ones included, each with its attempts and reasons', async () => {
    await open()
    const { job } = await on.crawl({ sitemap: 'skip' })
    expect(await list(job.rows())).toEqual(await list(job.urls()))
    expect(await list(job.urls())).toEqual([
      '/ done',
      '/a done',
      '/b done',
      '/private ROBOTS_TXT',
      '/x.zip FILE_TYPE',
      'https://elsewhere.test/ EXTERNAL_LINK',
      '/c done',
      '/private/2 ROBOTS_TXT',
    ])
    const c = new URL('/c', on.site.url('/'))
    expect(await list(job.urls({ after: c }))).toEqual(['/private/2 ROBOTS_TXT'])
    expect(await job.explain(c)).toEqual(await job.explain(c.href))
    expect(await job.explain(c)).toMatchObject({ outcome: 'done', url: c.href })
    expect(await job.explain(new URL('/d', c))).toEqual({ outcome: 'unseen', url: new URL('/d', c).href })
    const [first] = await collect(job.urls({ reason: 'ROBOTS_TXT', limit: 1 }))
    expect(first).toMatchObject({
      outcome: 'skipped',
      via: 'link',
      depth: 1,
      foundOn: on.site.url('/'),
      anchor: 'to /private',
      refusal: { message: expect.stringContaining('Disallow: /private') },
    })
  })

  it('are filtered by outcome and reason, start after a row, and end at a limit', async () => {
    await open()
    const { job } = await on.crawl({ sitemap: 'skip' })
    const url = (path: string) => on.site.url(path)
    expect(await list(job.urls({ outcome: 'done', limit: 2 }))).toEqual(['/ done', '/a done'])
    expect(await list(job.urls({ outcome: 'done', after: url('/a') }))).toEqual(['/b done', '/c done'])
    expect(await list(job.urls({ outcome: 'skipped', after: url('/x.zip') }))).toHaveLength(2)
    expect(await list(job.urls({ outcome: 'failed' }))).toEqual([])
    expect(await list(job.urls({ limit: 0 }))).toEqual([])
    const [{ key } = { key: '' }] = await collect(job.urls({ outcome: 'done', limit: 1 }))
    expect(await list(job.urls({ after: key, limit: 1 }))).toEqual(['/a done'])
  })

  it('can be read while the job runs, and by a later process', async () => {
    const file = await open()
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', maxConcurrency: 1 })
    for await (const _ of job) break
    const early = await list(job.urls())
    expect(early[0]).toBe('/ done')
    expect(early.length).toBeGreaterThan(4)
    await job.finished()
    if (kind === 'memory') return
    const whole = await list(job.urls())
    await on.engine.close()
    await using later = createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(file) })
    const found = await later.job(job.id)
    expect(found && (await list(found.urls()))).toEqual(whole)
  })
})

it('an invalid filter of rows is refused with the allowed values', async () => {
  await on.open(pages)
  const { job } = await on.crawl({ sitemap: 'skip' })
  const issuesOf = (query: unknown): string[] => {
    try {
      job.urls(query as RowQuery)
      return []
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error
      return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    }
  }
  expect(issuesOf({ outcome: 'skiped', reason: 'ROBOTS', limit: -1, after: 5, before: 'x' })).toEqual([
    'before: unknown option: allowed are outcome, reason, after, limit',
    'outcome: "skiped" is not known, did you mean `skipped`?: one of queued, active, done, failed, skipped',
    expect.stringMatching(/^reason: "ROBOTS" is not known.*: one of NON_WEB_PROTOCOL, FILE_TYPE, .*ROBOTS_TXT/),
    "after: 5 is not a string: a row's `url`",
    'limit: -1 is not allowed: a whole number from 0, or Infinity',
  ])
  expect(issuesOf({ outcome: 'done', reason: 'TRAP' })).toEqual([
    'reason: only rows with `outcome: \'skipped\'` have one, and `outcome` is "done"',
  ])
  expect(issuesOf('done')).toEqual([': "done" is not an object of the options outcome, reason, after, limit'])
  expect(issuesOf({ limit: Infinity, outcome: undefined })).toEqual([])
  await expect(list(job.urls({ after: on.site.url('/nowhere') }))).rejects.toThrow(/after: .*is no row of this job/)
})

it('URLs beyond the ledger’s capacity are not listed, but counted and explained, with a warning', async () => {
  const long = (n: number): string => `/long/${n}/${'x'.repeat(7800)}`
  const many = (from: number): string[] => Array.from({ length: 1000 }, (_, n) => long(from + n))
  const listing = (from: number): string =>
    `<!doctype html><title>t</title><main><h1>${from}</h1><p>Some words of ${from}.</p></main><nav>${many(from)
      .map((href) => `<a href="${href}">x</a>`)
      .join('')}</nav>`
  const parts = Array.from({ length: 11 }, (_, n) => `/part/${n}`)
  await on.open(
    {
      '/': page(...parts),
      ...Object.fromEntries(parts.map((path, n) => [path, listing(n * 1000)])),
      '/long/10999/extra': page(),
    },
    { threads: 1 },
  )
  const { job, status } = await on.crawl({ sitemap: 'skip', limit: 12, scrapeOptions: { timeout: 200_000 } })
  expect(status).toMatchObject({ completed: 12, skippedByReason: { LIMIT: 11_000 } })
  expect(status.warning).toMatch(/More URLs were found than the job keeps: of \d{4} URLs only the reason/)
  const found = await collect(job.urls({ outcome: 'skipped' }))
  expect(found.length).toBeGreaterThan(4000)
  expect(found.length).toBeLessThan(4500)
  const last = await on.rowOf(job, long(10_999))
  expect(last).toMatchObject({ outcome: 'skipped', refusal: { reason: 'LIMIT' }, abridged: true, depth: 2 })
  expect(last?.url).toBe(on.site.url(long(10_999)))
  await expect(collect(job.urls({ after: last?.url }))).rejects.toThrow(/is no row of this job/)
}, 240_000)
