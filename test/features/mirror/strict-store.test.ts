import { expect, it } from 'vitest'
import { memoryStore, mirrorWith } from '../../../src/index.js'
import type { Store, StoredEntry } from '../../../src/base/store/store.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()

/** A store that takes only what JSON represents without loss. */
function strictStore(): Store & { readonly keys: Set<string> } {
  const store = memoryStore()
  const keys = new Set<string>()
  const check = (key: string, entry: StoredEntry): StoredEntry => {
    keys.add(key)
    if (entry.facts !== undefined) expect(entry.facts).toStrictEqual(JSON.parse(JSON.stringify(entry.facts)))
    return entry
  }
  return {
    keys,
    get: (key) => store.get(key),
    set: (key, entry) => store.set(key, check(key, entry)),
    delete: (key) => store.delete(key),
    close: () => store.close(),
  }
}

it.each(['page', 'chunk'] as const)('a store is given the record of a mirror as JSON has it (%s)', async (unit) => {
  const snapshots = strictStore()
  const { engine, start, pages } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, { snapshots })
  const mirror = engine.mirror(
    { url: start },
    mirrorWith(() => undefined, { name: 'one', unit }),
  )
  expect(await mirror.sync()).toMatchObject({ new: 3 })
  pages.set('/', { links: ['/a'] })
  pages.delete('/b')
  expect(await mirror.sync()).toMatchObject({ changed: 1, removed: 1 })
  expect([...snapshots.keys].some((key) => key.startsWith('mirror '))).toBe(true)
})
