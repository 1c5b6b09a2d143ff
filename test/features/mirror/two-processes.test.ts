import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type ChunkChange,
  type EngineConfig,
  createEngine,
  type MirrorTarget,
  mirrorTo,
  mirrorWith,
  sqlite,
  sqliteTable,
  vectors,
  type VectorItem,
} from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'
import { expectOneAtATime } from './two-processes.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-two-processes-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['folder', () => mirrorTo(join(folder, 'out'))],
  ['table of pages', () => sqliteTable(join(folder, 'out.db'))],
  ['table of chunks', () => sqliteTable(join(folder, 'out.db'), { unit: 'chunk' })],
])('a %s is filled by one process at a time: the one that began first stops', (_, make) => expectOneAtATime(on, make))

it('a store and a function are filled by one process at a time, by their record in `snapshots`', async () => {
  const config = (): EngineConfig => ({ snapshots: join(folder, 'snapshots') })
  const stored = new Map<string, VectorItem>()
  const store = {
    upsert: async (items: readonly VectorItem[]) => items.forEach((item) => stored.set(item.key, item)),
    delete: async (keys: readonly string[]) => keys.forEach((key) => stored.delete(key)),
  }
  const embed = async (texts: readonly string[]): Promise<number[][]> => texts.map((text) => [text.length])
  await expectOneAtATime(on, () => vectors({ name: 'vectors', store, embed }), config)
  expect([...stored.values()].filter(({ markdown }) => markdown.includes('Newer.'))).toHaveLength(2)
  await on.close()
  const chunks = new Map<string, string>()
  const put = (change: ChunkChange): void =>
    change.op === 'delete' ? void chunks.delete(change.key) : void chunks.set(change.key, change.chunk.markdown)
  await expectOneAtATime(on, () => mirrorWith(put, { name: 'function', unit: 'chunk' }), config)
  expect([...chunks.values()].filter((markdown) => markdown.includes('Newer.'))).toHaveLength(2)
})

it('a function is filled by one process at a time, by the job in the ledger, and the next call is a whole crawl', async () => {
  const ledger = (): EngineConfig => ({ ledger: sqlite(join(folder, 'ledger.db')) })
  const { engine, start, pages } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, ledger())
  const other = createEngine({ allowPrivateNetworks: true, threads: 0, ...ledger() })
  let act: () => unknown = () => undefined
  const make = (): MirrorTarget => mirrorWith(async () => void (await act()), { name: 'function' })
  const mirror = engine.mirror({ url: start }, make())
  await mirror.sync()
  pages.set('/a', { links: [], text: 'New.' })
  act = () => other.mirror({ url: start }, make()).sync()
  await expect(mirror.sync()).rejects.toMatchObject({ code: 'JOB_HELD' })
  act = () => undefined
  expect(await mirror.sync()).toMatchObject({ changed: 1, unchanged: 2, gaps: [] })
  await other.close()
})
