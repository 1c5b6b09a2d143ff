import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEngine, memoryLedger, readStoredJob, sqlite } from '../../../src/index.js'
import { hashKey, packRow } from '../../../src/kernel/ledger/rows/abridged-rows.js'
import { skipReasons } from '../../../src/kernel/ledger/skip-reason.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { htmlPage } from '../../site/exchange.js'
import { storedJob } from '../../kernel/ledger/stored-job.js'
import { startSite } from '../../site/site.js'

it('reads a job that was left unfinished, and leaves it so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const file = join(folder, 'crawl.db')
  try {
    const links = Array.from({ length: 20 }, (_, index) => `<a href="/page/${index}">page ${index}</a>`).join(' ')
    await using site = await startSite({ pages: { '/': htmlPage('Start', `<p>${links}</p>`) } })
    const engine = createEngine({
      ledger: sqlite(file),
      allowPrivateNetworks: true,
      maxConcurrency: 1,
      fetcher: 'http',
    })
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip', delay: 0.05 })
    for await (const document of job) if (document.metadata.url.includes('/page/')) break
    const beside = sqlite(file)
    expect((await (await readStoredJob(beside)).status()).interrupted).toBeUndefined()
    await beside.close()
    await engine.close()
    const ledger = sqlite(file)
    const before = site.requests.length
    const stored = await readStoredJob(ledger)
    expect([stored.id, stored.kind]).toEqual([job.id, 'crawl'])
    const { status, interrupted, completed, total, data } = await stored.status()
    expect([status, interrupted, total]).toEqual(['scraping', true, 21])
    expect(data).toHaveLength(completed)
    let rows = 0
    for await (const { url } of stored.urls()) rows += Number(url.startsWith(site.origin))
    expect(rows).toBe(21)
    expect(site.requests).toHaveLength(before)
    expect((await ledger.jobStore?.listInterrupted())?.map(({ id }) => id)).toEqual([job.id])
    await expect(readStoredJob(ledger, 'other')).rejects.toThrow(`no job other: it has ${job.id}`)
    await ledger.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

it.each([{}, { ignoreQueryParameters: true }, { deduplicateSimilarURLs: false }])(
  'explains URLs as the job does, with the options %j',
  async (options) => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
    const file = join(folder, 'crawl.db')
    await using site = await startSite({
      pages: {
        '/': htmlPage('Start', '<a href="/next?a=1#top">next</a> <a href="/index.html">index</a> <a href="/x">x</a>'),
        '/next': htmlPage('Next'),
        '/index.html': htmlPage('Index'),
      },
    })
    const engine = createEngine({ ledger: sqlite(file), allowPrivateNetworks: true, fetcher: 'http' })
    const crawl = engine.crawl({ url: site.url('/'), sitemap: 'skip', excludePaths: ['^/x$'], ...options })
    await crawl.finished()
    const batch = engine.batchScrape({ urls: [site.url('/next?b=1#part')] })
    await batch.finished()
    const ledger = sqlite(file)
    const paths = [
      '/',
      '',
      '/next?a=1',
      '/next?a=2#other',
      '/next',
      '/next?b=1',
      '/index.html',
      '/x',
      '/x?utm_source=a',
    ]
    const spellings = paths.flatMap((path) => [site.url(path), site.url(path).slice('http://'.length)])
    for (const job of [crawl, batch]) {
      const stored = await readStoredJob(ledger, job.id)
      for (const url of spellings) {
        const told = await job.explain(url)
        const known = told?.outcome === 'unseen' ? { outcome: 'unseen', url } : told
        expect(await stored.explain(url)).toEqual(known)
      }
      expect(await stored.explain('no url')).toBeUndefined()
    }
    await ledger.close()
    await engine.close()
    await rm(folder, { recursive: true })
  },
)

it('explains a row of which only the reason is stored, as the job does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const file = join(folder, 'crawl.db')
  await using site = await startSite({ pages: { '/': htmlPage('Start') } })
  const open = () => createEngine({ ledger: sqlite(file), allowPrivateNetworks: true, fetcher: 'http' })
  const first = open()
  const { id } = first.crawl({ url: site.url('/'), sitemap: 'skip' })
  await (await first.job(id))?.finished()
  await first.close()
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
  const key = `127.0.0.1:${site.port}/refused`
  const facts = packRow({ reason: skipReasons.indexOf('EXCLUDE_PATTERN'), via: 'link', depth: 2, foundAtMs: 5000 })
  database.prepare('INSERT INTO abridged (job, hash, facts) VALUES (1, ?, ?)').run(hashKey(key), facts)
  database.close()
  await using second = open()
  const ledger = sqlite(file)
  const stored = await readStoredJob(ledger)
  const url = site.url('/refused?utm_source=a')
  const row = await stored.explain(url)
  expect(row).toMatchObject({ url, abridged: true, depth: 2, refusal: { reason: 'EXCLUDE_PATTERN' } })
  expect(row).toEqual(await (await second.job(id))?.explain(url))
  for await (const { url: listed } of stored.urls()) expect(listed).not.toBe(url)
  await ledger.close()
  await rm(folder, { recursive: true })
})

it('refuses a ledger that is no file, and one without jobs', async () => {
  await expect(readStoredJob(memoryLedger())).rejects.toThrow('only the ledger `sqlite(file)`')
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const ledger = sqlite(join(folder, 'empty.db'))
  await ledger.jobStore?.listInterrupted()
  await expect(readStoredJob(ledger)).rejects.toThrow('the ledger has no jobs')
  await ledger.close()
  await rm(folder, { recursive: true })
})

it.each([
  ['request', `{"url":`],
  ['request', '7'],
  ['generated', '{'],
])('gives a `LEDGER_ERROR` for a job whose %s is damaged', async (column, value) => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const file = join(folder, 'jobs.db')
  const written = sqlite(file)
  await written.jobStore?.add(storedJob('bad', { kind: 'crawl', request: '{"url":"https://a.example/"}' }))
  await written.close()
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
  database.prepare(`UPDATE jobs SET ${column} = ?`).run(value)
  database.close()
  const ledger = sqlite(file)
  const message = expect.stringMatching(new RegExp(`^job bad cannot be read: .*\`${column}\``)) as unknown
  await expect(readStoredJob(ledger)).rejects.toMatchObject({ code: 'LEDGER_ERROR', message })
  await ledger.close()
  await rm(folder, { recursive: true })
})

/** The columns of the table of jobs that tell a ledger from the queues of other programs. */
const JOBS = 'CREATE TABLE jobs (number, id, kind, request, missing, state)'

it.each([
  ['a missing file', undefined, 'does not exist'],
  ['an empty file', '', 'is not a ledger: it has no table of jobs'],
  ['a database of something else', 'CREATE TABLE notes (text); PRAGMA user_version = 1', 'is not a ledger'],
  [
    'a job queue of another program',
    'CREATE TABLE jobs (id, name, payload); PRAGMA user_version = 2',
    'is not a ledger',
  ],
  ['an older ledger', `${JOBS}; PRAGMA user_version = 2`, 'but of version 2: an engine that opens it'],
  ['a later ledger', `${JOBS}; PRAGMA user_version = 99`, 'but of version 99'],
])('leaves %s as it is', async (_name, sql, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const file = join(folder, 'other.db')
  if (sql === '') await writeFile(file, '')
  else if (sql !== undefined) {
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
    database.exec(sql)
    database.close()
  }
  const readAll = async () =>
    Promise.all((await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'hex')]))
  const before = await readAll()
  const ledger = sqlite(file)
  await expect(readStoredJob(ledger)).rejects.toMatchObject({
    code: 'LEDGER_ERROR',
    message: expect.stringContaining(message) as unknown,
  })
  await ledger.close()
  expect(await readAll()).toEqual(before)
  await rm(folder, { recursive: true })
})
