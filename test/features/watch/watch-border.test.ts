import { expect, expectTypeOf, it } from 'vitest'
import { openEngine } from '../../../src/kernel/engine/create-engine.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import { features } from '../../../src/features/index.js'
import type { Watch } from '../../../src/features/watch/watch.js'
import { createEngine, type Engine, InvalidRequestError, memoryLedger, sqlite } from '../../../src/index.js'
import { useSqliteFiles } from '../../kernel/ledger/use-sqlite-files.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'

const { newFile } = useSqliteFiles()
const withoutWatch = new FeatureSet(features.filter(({ name }) => name !== 'watch'))
const request = { name: 'prices', targets: [{ url: 'https://a.test/' }], every: '6h' }

/** Calls a method as JavaScript may. */
const call = async (engine: Engine, name: string, ...values: readonly unknown[]): Promise<unknown> =>
  Reflect.apply(Reflect.get(engine, name) as (...given: readonly unknown[]) => unknown, engine, values)

/** Names of the tables in a file. */
function tablesOf(file: string): unknown[] {
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
  database.close()
  return rows.map(({ name }) => name)
}

/** Runs SQL in a file. */
function change(file: string, sql: string): void {
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
  database.exec(sql)
  database.close()
}

/** Opens the file, and lists its watches. */
async function listNames(file: string): Promise<string[]> {
  await using engine = createEngine({ threads: 0, ledger: sqlite(file), resume: false })
  return (await engine.watches()).map(({ name }) => name)
}

/** Makes a file with a paused watch. */
async function makeFile(): Promise<string> {
  const file = newFile()
  await using engine = createEngine({ threads: 0, ledger: sqlite(file), resume: false, now: () => 0 })
  const watch = await engine.watch({ ...request, every: undefined, cron: '0 9 1 1 *' })
  await watch.pause()
  return file
}

it('is no part of an engine without it, and leaves no table in its file', async () => {
  const file = newFile()
  await using without = openEngine({ threads: 0, ledger: sqlite(file) }, withoutWatch)
  expect(Object.keys(without)).not.toContain('watch')
  expect(await without.listJobs()).toEqual([])
  await without.close()
  expect(tablesOf(file).filter((name) => String(name).startsWith('watch'))).toEqual([])
  expect(tablesOf(file)).toContain('feature_tables')
  expect(await listNames(file)).toEqual([])
})

it('keeps its watches in memory for an engine alone', async () => {
  await using engine = createEngine({ threads: 0, ledger: memoryLedger() })
  await using other = createEngine({ threads: 0 })
  await engine.watch({ ...request, every: undefined, cron: '0 9 1 1 *' })
  expect((await engine.watches()).map(({ name }) => name)).toEqual(['prices'])
  expect(await other.watches()).toEqual([])
})

it.each([
  ['of version 7', 'PRAGMA user_version = 7'],
  [
    'of version 6',
    `ALTER TABLE watches DROP COLUMN identity; ALTER TABLE watches DROP COLUMN lost;
     ALTER TABLE watch_results DROP COLUMN same; PRAGMA user_version = 6`,
  ],
])('keeps the watches of a file %s of the ledger, which made their tables', async (_, sql) => {
  const file = await makeFile()
  change(file, `DROP TABLE feature_tables; ${sql}`)
  await using engine = createEngine({ threads: 0, ledger: sqlite(file), resume: false })
  const [watch, ...others] = await engine.watches()
  expect(others).toEqual([])
  expect(await watch?.status()).toMatchObject({ name: 'prices', paused: true, lastSequence: 0 })
  await watch?.resume()
  expect(await watch?.status()).toMatchObject({ paused: false })
})

it('makes its tables in a file of version 5, which had none', async () => {
  const file = await makeFile()
  const drop = ['feature_tables', 'watches', 'watch_pages', 'watch_results', 'watch_reports']
  change(file, `${drop.map((table) => `DROP TABLE ${table};`).join('')} PRAGMA user_version = 5`)
  expect(await listNames(file)).toEqual([])
  expect(tablesOf(file)).toEqual(expect.arrayContaining(drop))
})

it('refuses tables that a later version of trawl has written', async () => {
  const file = await makeFile()
  change(file, 'UPDATE feature_tables SET version = 99')
  await expect(listNames(file)).rejects.toMatchObject({
    code: 'LEDGER_ERROR',
    message: expect.stringMatching(/later version of trawl: its schema has version 99/),
  })
})

it('refuses an unknown option of watches(), and the engine stays open', async () => {
  await using engine = createEngine({ threads: 0, ledger: sqlite(newFile()) })
  await expect(call(engine, 'watches', { runs: true })).rejects.toThrow('unknown option "runs"')
  await expect(call(engine, 'watches', null)).rejects.toBeInstanceOf(InvalidRequestError)
  expect(await engine.watches()).toEqual([])
})

it('lets the options of its calls be undefined, as those of requests may', () => {
  type Range = { skip: number | undefined; limit: number | undefined }
  expectTypeOf<Range & { after: number | undefined }>().toExtend<Parameters<Watch['results']>[0]>()
  expectTypeOf<{ signal: AbortSignal | undefined }>().toExtend<Parameters<Watch['check']>[0]>()
  expectTypeOf<{ run: boolean | undefined }>().toExtend<Parameters<Engine['watches']>[0]>()
})
