import { createRequire } from 'node:module'
import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEngine, sqlite } from '../../src/index.js'
import { useEngineSite } from '../site/engine-site.js'
import { newFile } from './sqlite-files.js'

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

/** Limits the pages of a file, so that writes fail as on a full disk. */
function fillDiskAt(pages: number): void {
  const { prototype } = findClass()
  const { exec } = prototype
  vi.spyOn(prototype, 'exec').mockImplementation(function (this: unknown, sql: string) {
    Reflect.apply(exec, this, [sql])
    if (sql === 'COMMIT') Reflect.apply(exec, this, [`PRAGMA max_page_count = ${pages}`])
  })
}

const on = useEngineSite()
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
    const again = second.job(job.id)
    expect(await again?.status()).toEqual(before)
    expect(before).toMatchObject({ status: 'failed', code: 'SCRAPE_SITE_ERROR' })
    await second.close()
  })
})
