import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createEngine,
  type MirrorTarget,
  mirrorTo,
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
  /** Takes the items of a page away, or changes them. @returns how many there were */
  lose(page: string): number | Promise<number>
  /** Counts the items that are as they were written. */
  count(): number | Promise<number>
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

function losingTable(unit: 'page' | 'chunk', how = `DELETE FROM ${unit}s`): Losing {
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
    count: () => ask(`SELECT key FROM ${unit}s WHERE markdown <> 'edited'`).length,
    lose: (page) => ask(`${how} WHERE ${unit === 'page' ? 'key' : 'url'} = ? RETURNING key`, page).length,
  }
}

/** A folder in which a file gets another text, and keeps its size and its time. */
function editedFolder(): Losing {
  const out = join(folder, 'out')
  const listPages = async (): Promise<string[]> =>
    (await readdir(out, { recursive: true })).filter((file) => file.endsWith('.md')).map((file) => join(out, file))
  return {
    target: mirrorTo(out),
    async count() {
      const texts = await Promise.all((await listPages()).map((file) => readFile(file, 'utf8')))
      return texts.filter((text) => text.includes('Page')).length
    },
    async lose(page) {
      const file = (await listPages()).find((one) => one.endsWith(`${new URL(page).pathname}.md`)) ?? ''
      const like = join(folder, 'like')
      execFileSync('touch', ['-r', file, like])
      await writeFile(file, (await readFile(file, 'utf8')).replace('Page', 'Edit'))
      execFileSync('touch', ['-r', like, file])
      return 1
    },
  }
}

/** A target that fails where it is written by a call that reads. */
const readOnly = (target: MirrorTarget): MirrorTarget => ({
  ...target,
  async open(parts) {
    const opened = await target.open(parts)
    if (parts.isRead === true)
      opened.record.save = opened.record.saveHead = () => Promise.reject(new Error('the record is read-only'))
    return opened
  },
})

it.each<[string, () => Losing]>([
  ['a store with `read`', () => losingStore((items) => ({ read: async (key) => items.get(key)?.vector }))],
  [
    'a store with `readMany`',
    () => losingStore((items) => ({ readMany: async (keys) => keys.map((key) => items.get(key)?.vector) })),
  ],
  ['a table of pages', () => losingTable('page')],
  ['a table of chunks', () => losingTable('chunk')],
  ['a table of pages with other rows', () => losingTable('page', "UPDATE pages SET markdown = 'edited'")],
  ['a table of chunks with other rows', () => losingTable('chunk', "UPDATE chunks SET markdown = 'edited'")],
  ['a folder', editedFolder],
])('what `verify()` finds in %s is put back by the next `sync()`, and it writes nothing itself', async (_, open) => {
  const snapshots = join(folder, 'snapshots')
  const { engine, start } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, { snapshots })
  const { target, lose, count } = open()
  const mirror = engine.mirror({ url: start }, readOnly(target))
  expect(await mirror.sync()).toMatchObject({ new: 3 })
  const had = await count()
  const before = await mirror.status()
  const lost = await lose(new URL('/a', start).href)
  expect(lost).toBeGreaterThan(0)
  // Without it, an unchanged page is not read again.
  expect(await mirror.sync()).toMatchObject({ unchanged: 3 })
  const { ok, faults } = await mirror.verify()
  expect([ok, faults.length]).toEqual([false, lost])
  expect(await mirror.status()).toMatchObject({ pages: 3, ...('chunks' in before && { chunks: before.chunks }) })
  expect(await mirror.sync()).toMatchObject({ new: 0, changed: 1, unchanged: 2, failed: 0, gaps: [] })
  expect(await count()).toBe(had)
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

it.each<[string, (known: readonly (number[] | undefined)[]) => unknown]>([
  ['2 vectors', (known) => known.filter((vector) => vector)],
  ['no list', (known) => ({ rows: known })],
  ['no list', () => undefined],
])('an answer of `readMany` that tells nothing by its order is refused: %s', async (what, answer) => {
  const { engine, start } = await openChangingSite(on, { '/': ['/a', '/b'] })
  const { target, lose } = losingStore((items) => ({
    readMany: async (keys) => answer(keys.map((key) => items.get(key)?.vector.slice())) as never,
  }))
  const mirror = engine.mirror({ url: start }, target)
  await mirror.sync()
  await lose(new URL('/a', start).href)
  await expect(mirror.verify()).rejects.toThrow(`\`readMany\` of the store gave ${what} for 3 keys`)
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

it('`verify()` and a `sync()` of another engine at one time leave a mirror whole, and neither fails', async () => {
  const config = { snapshots: join(folder, 'snapshots') }
  const { engine, start, pages } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, config)
  const other = createEngine({ allowPrivateNetworks: true, threads: 0, ...config })
  let act: (() => Promise<unknown>) | undefined
  const { target, lose, count } = losingStore((items) => ({
    async readMany(keys) {
      await act?.()
      return keys.map((key) => items.get(key)?.vector)
    },
  }))
  const mirror = engine.mirror({ url: start }, target)
  await mirror.sync()
  const had = await count()
  await lose(new URL('/a', start).href)
  pages.set('/', { links: ['/a', '/b', '/c'] })
  pages.set('/c', { links: [] })
  act = async () => {
    act = undefined
    expect(await other.mirror({ url: start }, target).sync()).toMatchObject({ new: 1, changed: 1 })
  }
  const { ok, faults } = await mirror.verify()
  expect([ok, faults.every(({ kind }) => kind === 'missing')]).toEqual([false, true])
  expect(await mirror.status()).toMatchObject({ pages: 4 })
  pages.set('/', { links: ['/a', '/b'] })
  pages.delete('/c')
  expect(await mirror.sync()).toMatchObject({ new: 0, removed: 1 })
  expect([await count(), await mirror.verify()]).toMatchObject([had, { ok: true, compared: 3 }])
  await other.close()
})

it('a store that was emptied is put back as what has changed, also after a process that died on the way', async () => {
  const { engine, start } = await openChangingSite(
    on,
    { '/': ['/a', '/b'] },
    {},
    { snapshots: join(folder, 'snapshots') },
  )
  const { target, lose, count } = losingStore((items) => ({ read: async (key) => items.get(key)?.vector }))
  let isDown = false
  const mirror = engine.mirror(
    { url: start },
    {
      ...target,
      async open(parts) {
        const opened = await target.open(parts)
        const write = opened.write.bind(opened)
        return { ...opened, write: (step) => (isDown ? Promise.reject(new Error('it is down')) : write(step)) }
      },
    },
  )
  await mirror.sync()
  const had = await count()
  for (const path of ['/', '/a', '/b']) await lose(new URL(path, start).href)
  expect(await count()).toBe(0)
  expect(await mirror.verify()).toMatchObject({ ok: false })
  expect(await mirror.status()).toMatchObject({ pages: 3, chunks: had })
  isDown = true
  await expect(mirror.sync()).rejects.toThrow('it is down')
  expect(await mirror.status()).toMatchObject({ pages: 3 })
  isDown = false
  // The crawl of the run that failed may have ended: its changes are taken first.
  expect(await mirror.sync()).toMatchObject({ new: 0, failed: 0, gaps: [] })
  expect([await count(), await mirror.verify()]).toMatchObject([had, { ok: true }])
})
