import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type MirrorTarget,
  mirrorWith,
  sqliteTable,
  type VectorItem,
  vectors,
  type VectorStore,
} from '../../../src/index.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-put-back-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A target whose items a test can take away. */
interface Losing {
  readonly target: MirrorTarget
  /** Takes the items of a page away. @returns how many there were */
  lose(page: string): number
  count(): number
}

const embed = async (texts: readonly string[]): Promise<number[][]> => texts.map((text) => [text.length])

function losingStore(readers: (items: Map<string, VectorItem>) => Pick<VectorStore, 'read' | 'readMany'>): Losing {
  const items = new Map<string, VectorItem>()
  const store: VectorStore = {
    upsert: async (given) => given.forEach((item) => items.set(item.key, item)),
    delete: async (keys) => keys.forEach((key) => items.delete(key)),
    ...readers(items),
  }
  return {
    target: vectors({ name: 'vectors', store, embed }),
    count: () => items.size,
    lose(page) {
      const lost = [...items.values()].filter(({ url }) => url === page)
      for (const { key } of lost) items.delete(key)
      return lost.length
    },
  }
}

function losingTable(unit: 'page' | 'chunk'): Losing {
  const file = join(folder, 'out.db')
  const ask = (sql: string, ...values: string[]): readonly unknown[] => {
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
    try {
      return database.prepare(sql).all(...values)
    } finally {
      database.close()
    }
  }
  return {
    target: sqliteTable(file, { unit }),
    count: () => ask(`SELECT key FROM ${unit}s`).length,
    lose: (page) => ask(`DELETE FROM ${unit}s WHERE ${unit === 'page' ? 'key' : 'url'} = ? RETURNING key`, page).length,
  }
}

it.each<[string, () => Losing]>([
  ['a store with `read`', () => losingStore((items) => ({ read: async (key) => items.get(key)?.vector }))],
  [
    'a store with `readMany`',
    () => losingStore((items) => ({ readMany: async (keys) => keys.map((key) => items.get(key)?.vector) })),
  ],
  ['a table of pages', () => losingTable('page')],
  ['a table of chunks', () => losingTable('chunk')],
])('what `verify()` finds missing in %s is put back by the next `sync()`', async (_, open) => {
  const snapshots = join(folder, 'snapshots')
  const { engine, start } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, { snapshots })
  const { target, lose, count } = open()
  const mirror = engine.mirror({ url: start }, target)
  expect(await mirror.sync()).toMatchObject({ new: 3 })
  const had = count()
  const lost = lose(new URL('/a', start).href)
  expect(lost).toBeGreaterThan(0)
  // Without it, an unchanged page is not read again.
  expect(await mirror.sync()).toMatchObject({ unchanged: 3 })
  const { ok, faults } = await mirror.verify()
  expect([ok, faults.map(({ kind }) => kind)]).toEqual([false, Array.from({ length: lost }, () => 'missing')])
  expect(await mirror.sync()).toMatchObject({ unchanged: 2, failed: 0, gaps: [] })
  expect(count()).toBe(had)
  expect(await mirror.verify()).toMatchObject({ ok: true })
  expect(await mirror.sync()).toMatchObject({ unchanged: 3 })
})

it('a store is read in batches of 100 keys by `verify()`, which ends when its signal is aborted', async () => {
  const { engine, start } = await openChangingSite(on, { '/': ['/a', '/b'] })
  const calls: number[] = []
  const control = new AbortController()
  let act: () => void = () => undefined
  const count = async (keys: readonly string[]): Promise<number[][]> => {
    calls.push(keys.length)
    act()
    return keys.map(() => [1])
  }
  const store = { upsert: async () => undefined, delete: async () => undefined }
  const many = { ...store, readMany: count }
  const one = { ...store, read: async (key: string) => (await count([key]))[0] }
  const mirror = engine.mirror({ url: start }, vectors({ name: 'many', store: many, embed }))
  await mirror.sync()
  expect(await mirror.verify()).toMatchObject({ ok: true, compared: 3 })
  expect(calls).toEqual([3])
  const single = engine.mirror({ url: start }, vectors({ name: 'one', store: one, embed }))
  await single.sync()
  calls.length = 0
  act = () => control.abort(new Error('enough'))
  await expect(single.verify({ signal: control.signal })).rejects.toThrow('enough')
  expect(calls).toEqual([1])
})

it('a sample of pages ends when its signal is aborted, and is no fault of the site', async () => {
  const { engine, start, pages } = await openChangingSite(on, { '/': ['/a', '/b'] })
  const mirror = engine.mirror(
    { url: start },
    mirrorWith(() => undefined, { name: 'function' }),
  )
  await mirror.sync()
  const control = new AbortController()
  const get = pages.get.bind(pages)
  pages.get = (path) => {
    control.abort(new Error('enough'))
    return get(path)
  }
  await expect(mirror.verify({ fetch: 3, signal: control.signal })).rejects.toThrow('enough')
})
