import { createRequire } from 'node:module'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEngine, type Document, type Engine, type Job, sqlite } from '../../../src/index.js'
import { useEngineSite } from '../../site/engine-site.js'
import { useSqliteFiles } from './use-sqlite-files.js'

const { newFile } = useSqliteFiles()

interface SqliteClass {
  new (file: string): { exec(sql: string): unknown; close(): void }
  readonly prototype: { exec(sql: string): unknown }
}

/** The class with which ledgers open their files. */
function findClass(): SqliteClass {
  const require = createRequire(import.meta.url)
  try {
    return (require('node:sqlite') as { DatabaseSync: SqliteClass }).DatabaseSync
  } catch {
    // Node before 22.5.
    return require('libsql') as SqliteClass
  }
}

/** Limits the pages of a file, so that writes fail as on a full disk. @returns a function that makes room again */
function fillDiskAt(pages: number): () => void {
  const { prototype } = findClass()
  const { exec } = prototype
  let limit = pages
  vi.spyOn(prototype, 'exec').mockImplementation(function (this: unknown, sql: string) {
    if (sql === 'BEGIN IMMEDIATE') Reflect.apply(exec, this, [`PRAGMA max_page_count = ${limit}`])
    Reflect.apply(exec, this, [sql])
  })
  return () => void (limit = 1_000_000)
}

/** Lets no transaction begin, as on a disk that fails. @returns a function that repairs it */
function breakDisk(): () => void {
  const { prototype } = findClass()
  const { exec } = prototype
  const spy = vi.spyOn(prototype, 'exec').mockImplementation(function (this: unknown, sql: string) {
    if (sql === 'BEGIN IMMEDIATE') throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })
    Reflect.apply(exec, this, [sql])
  })
  return () => spy.mockRestore()
}

const on = useEngineSite()

/** Starts a job of one page whose end cannot be written. */
function startUnwritten(engine: Engine): { readonly job: Job<Document>; repair(): void } {
  const job = engine.batchScrape({ urls: [on.site.url('/0')] })
  let repair: () => void = () => undefined
  job.on('document', () => (repair = breakDisk()))
  return { job, repair: () => repair() }
}

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

afterEach(() => {
  vi.restoreAllMocks()
  process.off('unhandledRejection', note)
})

const words = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
const pages = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`/${index}`, `<main><p>${index} ${words}</p></main>`]),
)

describe('a job on an SQLite ledger', () => {
  it('fails with SQLITE_FULL when the disk is full, for `finished` and for readers', async () => {
    process.on('unhandledRejection', note)
    await on.open(pages)
    fillDiskAt(40)
    const engine = createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(newFile()) })
    const job = engine.batchScrape({ urls: Object.keys(pages).map((path) => on.site.url(path)) })
    const loop = (async () => {
      for await (const document of job) expect(document.markdown).toContain('word1')
    })()
    await expect(loop).rejects.toMatchObject({ code: 'LEDGER_ERROR', message: expect.stringContaining('SQLITE_FULL') })
    const status = await job.finished()
    expect(status).toMatchObject({ success: false, status: 'failed', code: 'LEDGER_ERROR' })
    expect(status.error).toMatch(/^the ledger .* cannot be used: database or disk is full \(SQLITE_FULL\)$/)
    expect((await job.cancel()).status).toBe('failed')
    await engine.close().catch((error: unknown) => expect(error).toMatchObject({ code: 'LEDGER_ERROR' }))
    expect(unhandled).toEqual([])
  })

  it('is interrupted by a full disk, and loses no page when it is resumed', async () => {
    await on.open(pages)
    const makeRoom = fillDiskAt(40)
    const file = newFile()
    const config = { allowPrivateNetworks: true, threads: 0, maxConcurrency: 3 }
    await using engine = createEngine({ ...config, ledger: sqlite(file) })
    await using other = createEngine({ ...config, ledger: sqlite(file) })
    const urls = Object.keys(pages).map((path) => on.site.url(path))
    const job = engine.batchScrape({ urls })
    expect(await job.finished()).toMatchObject({ status: 'failed', code: 'LEDGER_ERROR' })
    expect(await engine.listJobs()).toMatchObject([{ status: 'scraping', interrupted: true, failed: 0, skipped: 0 }])
    makeRoom()
    const [resumed] = await engine.resume()
    await expect(other.job(job.id)).rejects.toThrow(expect.objectContaining({ code: 'JOB_HELD' }))
    expect(await resumed?.finished()).toMatchObject({ status: 'completed', completed: 20, failed: 0, skipped: 0 })
    expect(await (await other.job(job.id))?.status({ limit: 0 })).toMatchObject({ status: 'completed', completed: 20 })
  })

  it('that could not be written is cancelled in the file by `engine.cancel()`, once the file can be written', async () => {
    await on.open(pages)
    await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(newFile()) })
    const { job, repair } = startUnwritten(engine)
    await job.finished()
    await expect(engine.cancel(job.id)).rejects.toMatchObject({ code: 'LEDGER_ERROR' })
    repair()
    await engine.cancel(job.id)
    expect(await engine.listJobs()).toMatchObject([{ status: 'cancelled' }])
    expect(await engine.resume()).toEqual([])
  })

  it('that could not be written is cancelled once, also when the engine resumes it meanwhile', async () => {
    await on.open(pages)
    await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(newFile()) })
    const { job, repair } = startUnwritten(engine)
    await job.finished()
    repair()
    const cancelled = engine.cancel(job.id)
    const [resumed] = await engine.resume()
    await cancelled
    expect(await engine.job(job.id)).toBe(resumed)
    expect(await resumed?.finished()).toMatchObject({ status: 'cancelled' })
  })

  it('is free for other engines as soon as the file can be written again, also when its end could not be', async () => {
    await on.open(pages)
    const file = newFile()
    const config = { allowPrivateNetworks: true, threads: 0 }
    await using engine = createEngine({ ...config, ledger: sqlite(file) })
    const { job, repair } = startUnwritten(engine)
    expect(await job.finished()).toMatchObject({ status: 'failed', code: 'LEDGER_ERROR', completed: 1 })
    expect(await engine.listJobs()).toMatchObject([{ status: 'scraping', interrupted: true, completed: 1 }])
    // Nobody can take the job before the file can be written.
    expect(await engine.resume()).toEqual([])
    repair()
    await using other = createEngine({ ...config, ledger: sqlite(file) })
    const resumed = await vi.waitUntil(async () => (await other.resume())[0], { timeout: 20_000 })
    expect(resumed.id).toBe(job.id)
    expect(await resumed.finished()).toMatchObject({ status: 'completed', completed: 1 })
    expect(await (await engine.job(job.id))?.status()).toMatchObject({ status: 'completed', completed: 1 })
    expect(on.site.requests.filter(({ path }) => path === '/0')).toHaveLength(1)
  })

  it('waits for another writer of the file without blocking the thread', async () => {
    await on.open(pages)
    const file = newFile()
    await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(file) })
    const urls = Object.keys(pages).map((path) => on.site.url(path))
    const job = engine.batchScrape({ urls }, { acknowledge: true })
    const reader = job[Symbol.asyncIterator]()
    const first = await reader.next()
    const Database = findClass()
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    // Only a thread that is not blocked comes to this.
    setTimeout(() => other.exec('ROLLBACK'), 300)
    await job.acknowledge(first.value)
    other.close()
    const rest = []
    for await (const document of { [Symbol.asyncIterator]: () => reader }) {
      rest.push(document)
      await job.acknowledge(document)
    }
    expect(rest).toHaveLength(19)
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: 20, failed: 0 })
  })

  it('is refused in a file that is no SQLite database, with the name of the SQLite result', async () => {
    await on.open({})
    const foreign = newFile()
    writeFileSync(foreign, 'no database at all, '.repeat(500))
    const engine = createEngine({ ledger: sqlite(foreign) })
    expect(() => engine.batchScrape({ urls: ['http://example.test/'] })).toThrow(
      /^the ledger .* cannot be used: .*SQLITE_NOTADB/,
    )
    await engine.close()
  })

  it('runs to its end when the working directory of the process changes', async () => {
    await on.open({ '/0': '<p>words</p>', '/1': '<p>words</p>' })
    const file = newFile()
    const before = process.cwd()
    process.chdir(dirname(file))
    try {
      const ledger = sqlite(basename(file))
      await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, maxConcurrency: 1, ledger })
      const job = engine.batchScrape({ urls: [on.site.url('/0'), on.site.url('/1')] })
      job.once('document', () => process.chdir(before))
      expect(await job.finished()).toMatchObject({ status: 'completed', completed: 2 })
    } finally {
      process.chdir(before)
    }
  })

  it.each(['deleted', 'replaced'])(
    'fails when its file is %s while it runs: nothing would be left of it',
    async (how) => {
      await on.open({ '/0': '<p>words</p>', '/1': '<p>words</p>' })
      const file = newFile()
      const engine = createEngine({ allowPrivateNetworks: true, threads: 0, maxConcurrency: 1, ledger: sqlite(file) })
      const job = engine.batchScrape({ urls: [on.site.url('/0'), on.site.url('/1')] })
      job.once('document', () => {
        rmSync(file)
        if (how === 'replaced') writeFileSync(file, '')
      })
      const error = expect.stringMatching(/was deleted or replaced while it was open/) as string
      expect(await job.finished()).toMatchObject({ status: 'failed', code: 'LEDGER_ERROR', error })
      expect(() => engine.batchScrape({ urls: [on.site.url('/0')] })).toThrow('deleted or replaced')
      await engine.close()
    },
  )

  it('keeps the code and message of its failure for the next process', async () => {
    await on.open({})
    const file = newFile()
    const first = createEngine({
      allowPrivateNetworks: true,
      threads: 0,
      retry: { maxRetries: 0 },
      ledger: sqlite(file),
    })
    const job = first.crawl({ url: 'http://127.0.0.1:1/' })
    const before = await job.finished()
    await first.close()
    const second = createEngine({ ledger: sqlite(file) })
    const again = await second.job(job.id)
    expect(await again?.status()).toEqual(before)
    expect(before).toMatchObject({ status: 'failed', code: 'SCRAPE_SITE_ERROR' })
    await second.close()
  })
})
