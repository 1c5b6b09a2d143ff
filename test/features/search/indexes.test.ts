import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { file as index, temporary } from '../../../src/features/search/indexes/index.js'
import { IndexDatabase } from '../../../src/features/search/thread/index-database.js'
import { type Database, findSqlite } from '../../../src/base/sqlite/driver.js'
import { searchIndexContract } from './search-index.contract.js'
import { vectorIndexContract } from './vector-index.contract.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))
let files = 0
const nextFile = (): string => join(folder, `${(files += 1)}.db`)

describe('an index in a temporary file', () => {
  searchIndexContract(temporary)
  vectorIndexContract(temporary)
})

describe('an index in a file', () => {
  searchIndexContract(() => index(nextFile()))
  vectorIndexContract(() => index(nextFile()))

  it('has its pages after it was opened again, in a file that only its user can read', async () => {
    const file = nextFile()
    const first = index(file)
    await first.put('job', { key: 'a', url: 'https://site.test/a', state: 'read', markdown: 'apples' })
    await first.close()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const second = index(file)
    expect(await second.search({ query: 'apples', limit: 1, filter: {}, nowMs: 0 })).toHaveLength(1)
    await second.close()
  })

  it.each([
    ['another program', 'CREATE TABLE customers (name TEXT)'],
    ['a job queue', 'CREATE TABLE jobs (id TEXT, number INTEGER); PRAGMA user_version = 1'],
  ])('refuses the tables of %s, and leaves the file as it is', async (_whose, sql) => {
    const file = nextFile()
    const database = findSqlite({ code: 'SEARCH_ERROR', name: 'a test' })(file)
    database.exec(sql)
    database.close()
    const before = await readFile(file)
    const foreign = index(file)
    await expect(foreign.search({ query: 'apples', limit: 1, filter: {}, nowMs: 0 })).rejects.toMatchObject({
      code: 'SEARCH_ERROR',
      message: expect.stringMatching(/cannot be used: it has tables of a ledger or of another program/),
    })
    await foreign.close()
    expect(await readFile(file)).toEqual(before)
  })

  it('is shared by two objects', async () => {
    const file = nextFile()
    const [one, two] = [index(file), index(file)]
    const put = (at: number): Promise<void> =>
      (at % 2 === 0 ? one : two).put('job', {
        key: `${at}`,
        url: `https://site.test/${at}`,
        state: 'read',
        markdown: 'apples',
      })
    await Promise.all(Array.from({ length: 60 }, (_, at) => put(at)))
    expect(await one.keys('job')).toHaveLength(60)
    await Promise.all([one.close(), two.close()])
  })

  it('is opened when another process prepares it at the same time, which SQLite does not wait for', async () => {
    const database = findSqlite({ code: 'SEARCH_ERROR', name: 'a test' })(nextFile())
    let refusals = 0
    const refusing: Database = {
      exec(sql) {
        if (!sql.includes('journal_mode') || ++refusals > 2) return database.exec(sql)
        throw Object.assign(new Error('database is locked'), { errcode: 5 })
      },
      prepare: (sql) => database.prepare(sql),
      close: () => database.close(),
    }
    const opened = new IndexDatabase(refusing)
    expect(refusals).toBe(3)
    expect(opened.listKeys('job')).toBeUndefined()
    opened.close()
  })

  it('says what is wrong with a file that is no index, and with a folder that does not exist', async () => {
    const file = nextFile()
    await writeFile(file, 'no database '.repeat(1000))
    for (const wrong of [file, join(folder, 'none', 'x.db')]) {
      const broken = index(wrong)
      await expect(broken.keys('job')).rejects.toMatchObject({
        code: 'SEARCH_ERROR',
        message: expect.stringContaining(wrong),
      })
      await broken.close()
    }
    expect(() => index('')).toThrow(TypeError)
  })
})
