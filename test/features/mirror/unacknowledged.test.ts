import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MirrorChange, mirrorWith } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-unacknowledged-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A store that ends its process after a change: it has the change, and the mirror does not know. */
function openStore() {
  const items = new Map<string, string>()
  const store = {
    items,
    changes: [] as string[],
    diesAfter: Infinity,
    put(change: MirrorChange): void {
      store.changes.push(`${change.op} ${change.key}`)
      if (change.op !== 'put') items.delete(change.previous.key)
      if (change.op !== 'delete')
        items.set(change.key, JSON.stringify('page' in change ? change.page.markdown : change.chunk.markdown))
      if ((store.diesAfter -= 1) < 0) throw new Error('dies')
    },
  }
  return store
}

const SITE = { '/': ['/a', '/b'] }

it.each(['page', 'chunk'] as const)(
  'what a %s store was given and did not acknowledge is taken back when it is gone',
  async (unit) => {
    const { engine, start, pages } = await openChangingSite(on, SITE, {}, { snapshots: join(folder, 'snapshots') })
    const [store, fresh] = [openStore(), openStore()]
    const mirror = engine.mirror(
      { url: start },
      mirrorWith((change) => store.put(change), { name: 'one', unit }),
      { maxRemoved: 1 },
    )
    for (const [round, path] of ['/b', '/c', '/d', '/e'].entries()) {
      pages.set('/', { links: ['/a', path] })
      pages.set(path, { links: [], text: `The text of ${path}, which is there for a night.` })
      // The death comes at another change each time, and at the last ones none is left.
      store.diesAfter = round
      await mirror.sync().catch((error: unknown) => expect(error).toMatchObject({ message: 'dies' }))
      store.diesAfter = Infinity
      pages.delete(path)
    }
    pages.set('/', { links: ['/a'] })
    await mirror.sync()
    await mirror.sync()
    await engine
      .mirror(
        { url: start },
        mirrorWith((change) => fresh.put(change), { name: 'fresh', unit }),
      )
      .sync()
    expect(store.items).toEqual(fresh.items)
    store.changes.length = 0
    expect(await mirror.sync()).toMatchObject({ unchanged: 2 })
    expect(store.changes).toEqual([])
  },
)

it.each(['page', 'chunk'] as const)(
  'what a loop over changes (%s) took and did not acknowledge is deleted when it is gone',
  async (unit) => {
    const { engine, start, pages } = await openChangingSite(on, SITE, {}, { snapshots: join(folder, 'snapshots') })
    const crawl = () =>
      engine.crawl({
        url: start,
        mirror: 'loop',
        scrapeOptions: { maxAge: 0, formats: [unit === 'page' ? 'markdown' : 'chunks'] },
      })
    const had = new Set<string>()
    const take = ({ op, key, previous }: MirrorChange): void => {
      if (op !== 'put' && previous) had.delete(previous.key)
      if (op !== 'delete') had.add(key)
    }
    let left = 2
    for await (const change of crawl().changes({ unit })) {
      take(change)
      if ((left -= 1) === 0) break
    }
    expect(had.size).toBe(2)
    pages.set('/', { links: [] })
    pages.delete('/a')
    pages.delete('/b')
    for await (const change of crawl().changes({ unit, maxRemoved: 1 })) take(change)
    expect(had.size).toBe(1)
  },
)

it.each(['page', 'chunk'] as const)(
  'the status of a mirror counts the pages that a %s store has acknowledged',
  async (unit) => {
    const { engine, start } = await openChangingSite(on, SITE, {}, { snapshots: join(folder, 'snapshots') })
    const store = openStore()
    const mirror = engine.mirror(
      { url: start },
      mirrorWith((change) => store.put(change), { name: 'one', unit }),
    )
    for (const pages of [0, 1]) {
      store.diesAfter = pages
      await expect(mirror.sync()).rejects.toThrow('dies')
      expect(await mirror.status()).toMatchObject({ pages })
    }
    store.diesAfter = Infinity
    await mirror.sync()
    expect(await mirror.status()).toMatchObject({ pages: 3 })
  },
)
