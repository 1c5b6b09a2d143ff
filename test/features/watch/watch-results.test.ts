import { expect, it } from 'vitest'
import { memoryLedger, sqlite, type WatchResult } from '../../../src/index.js'
import { MemoryWatchStore } from '../../../src/features/watch/memory-watch-store.js'
import { SqliteWatchStore } from '../../../src/features/watch/sqlite-watch-store.js'
import { MAX_READ_CHARS, type WatchStore } from '../../../src/features/watch/watch-store.js'
import { SqliteFile } from '../../../src/kernel/ledger/sqlite/sqlite-file.js'
import { DAY, nextCheck, paragraph, WatchSite } from './watch-site.js'

const plain = { name: 'pages', every: '1d', scrapeOptions: { onlyMainContent: false } }

it.each(['memory', 'sqlite'])('deletes results that are `same` first, and tells of a gap (%s)', async (kind) => {
  await using world = await WatchSite.start()
  for (const path of ['/a', '/b', '/c']) world.pages.set(path, paragraph('one'))
  const ledger = kind === 'memory' ? memoryLedger() : sqlite(world.file('results.db'))
  const watch = await world.open({ ledger }).watch({ ...plain, targets: world.urls('/a', '/b', '/c'), keepResults: 5 })
  await nextCheck(watch)
  const found = async (after = 0): Promise<Partial<WatchResult>[]> =>
    (await watch.results({ after })).map(({ status, missed }) => ({ status, ...(missed && { missed }) }))
  world.pages.set('/a', paragraph('It costs $12.'))
  await world.pass(watch, DAY)
  await world.pass(watch, DAY)
  const statuses = ['new', 'new', 'new', 'changed', 'same']
  expect((await found()).map(({ status }) => status)).toEqual(statuses)
  expect((await found()).some(({ missed }) => missed)).toBe(false)
  for (const path of ['/a', '/b', '/c']) world.pages.set(path, paragraph('It costs $9.'))
  await world.pass(watch, DAY)
  const changed = { status: 'changed' }
  expect(await found(1)).toEqual([{ status: 'new', missed: true }, changed, changed, changed, changed])
  expect(await found(2)).toEqual([{ status: 'new' }, changed, changed, changed, changed])
  expect(await watch.status()).toMatchObject({ lastSequence: 12 })
})

it.each(['memory', 'sqlite'])('reads a bounded amount of results at once (%s)', async (kind) => {
  await using world = await WatchSite.start()
  const file = new SqliteFile(world.file('large.db'))
  const store: WatchStore = kind === 'memory' ? new MemoryWatchStore() : new SqliteWatchStore(file)
  await store.define('large', '{}', 0)
  const watch = await store.read('large')
  if (!watch) throw new Error('no watch')
  await store.acquire(watch)
  for (const size of [MAX_READ_CHARS + 1, MAX_READ_CHARS / 2, MAX_READ_CHARS / 2, 10])
    await store.commit(watch, { result: 'x'.repeat(size) })
  const read = async (after: number): Promise<number[]> =>
    (await store.results('large', after, 100)).map(({ sequence }) => sequence)
  expect(await read(0)).toEqual([1])
  expect(await read(1)).toEqual([2, 3])
  expect(await read(3)).toEqual([4])
  await file.close()
})

it('refuses options that are not an object', async () => {
  await using world = await WatchSite.start()
  const watch = await world.open().watch({ ...plain, targets: world.urls('/a') })
  for (const wrong of [null, 5, 'soon', [5], () => 5] as unknown as object[]) {
    const refused = { code: 'BAD_REQUEST', message: expect.stringContaining('is not an object') }
    await expect(watch.check(wrong)).rejects.toMatchObject(refused)
    await expect(watch.results(wrong)).rejects.toMatchObject(refused)
    await expect(watch.change(wrong)).rejects.toMatchObject(refused)
  }
  await expect(watch.results({ limit: 0 })).rejects.toThrow('limit: 0 is out of range')
})
