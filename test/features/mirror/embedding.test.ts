import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createEngine,
  type MirrorTarget,
  sqliteTable,
  type VectorItem,
  vectors,
  type VectorStore,
} from '../../../src/index.js'
import { htmlPage } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { MadeSite } from './made-site.js'
import { SETTINGS } from './mirror-histories.js'

/** Largest number of texts that are embedded, for each text that the site did not have before. */
const MAX_EMBEDDED = 1.2
const SEEDS = [1, 2]
const NIGHTS = 3

type Embed = (texts: readonly string[]) => Promise<number[][]>

/** Returns a store that cannot be read. */
const storeIn = (items: Map<string, VectorItem>): VectorStore => ({
  upsert: async (given) => given.forEach((item) => items.set(item.key, item)),
  delete: async (keys) => keys.forEach((key) => items.delete(key)),
})

/** Targets with vectors. */
const targets: Readonly<Record<string, (folder: string, embed: Embed) => MirrorTarget>> = {
  'vector store': (_, embed) => {
    const items = new Map<string, VectorItem>()
    const store = { ...storeIn(items), read: async (key: string) => items.get(key)?.vector }
    return vectors({ name: 'vectors', store, embed })
  },
  table: (folder, embed) => sqliteTable(join(folder, 'out.db'), { unit: 'chunk', embed }),
}

/** Counts what a history of a site changes and embeds: after changes of pages, and after one of the menu and footer of all pages. */
async function countEmbedded(seed: number, open: (folder: string, embed: Embed) => MirrorTarget) {
  const made = await MadeSite.start(seed)
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-embedding-'))
  let embedded = 0
  const target = open(folder, async (texts) => {
    embedded += texts.length
    return texts.map((text) => [text.length])
  })
  const counts = { changed: 0, embedded: 0, ofTemplate: 0 }
  try {
    await using engine = createEngine({ ...SETTINGS, snapshots: join(folder, 'snapshots') })
    const request = { url: made.start, sitemap: 'skip' } as const
    const readTexts = async (): Promise<string[]> => {
      const texts: string[] = []
      for await (const { chunks } of engine.crawl({ ...request, scrapeOptions: { formats: ['chunks'] } }))
        texts.push(...chunks.map(({ path, markdown }) => `${path.join(' > ')}\n${markdown}`))
      return texts
    }
    const mirror = engine.mirror(request, target, { maxRemoved: 1 })
    const sync = async (): Promise<number> => {
      embedded = 0
      await mirror.sync()
      return embedded
    }
    let texts = await readTexts()
    expect(await sync()).toBe(texts.length)
    for (let night = 0; night < NIGHTS; night += 1) {
      const before = new Set(texts)
      made.change()
      texts = await readTexts()
      counts.changed += texts.filter((text) => !before.has(text)).length
      counts.embedded += await sync()
      made.retouch()
      counts.ofTemplate += await sync()
    }
  } finally {
    await made.site.close()
    await rm(folder, { recursive: true, force: true })
  }
  return counts
}

it.each(Object.entries(targets))(
  'a mirror in a %s embeds few more texts than are new on the site, and none for a new menu and footer',
  async (_, open) => {
    const sum = { changed: 0, embedded: 0, ofTemplate: 0 }
    for (const seed of SEEDS) {
      const counts = await countEmbedded(seed, open)
      for (const name of ['changed', 'embedded', 'ofTemplate'] as const) sum[name] += counts[name]
    }
    expect(sum.changed).toBeGreaterThan(SEEDS.length * NIGHTS)
    expect(sum.embedded).toBeLessThanOrEqual(MAX_EMBEDDED * sum.changed)
    expect(sum.ofTemplate).toBe(0)
  },
)

it.each([true, false])(
  '`verify()` finds what a vector store has lost, where it can be read: %s',
  async (isReadable) => {
    const made = await MadeSite.start(1)
    try {
      await using engine = createEngine(SETTINGS)
      const items = new Map<string, VectorItem>()
      const store = {
        ...storeIn(items),
        ...(isReadable && { read: async (key: string) => items.get(key)?.vector }),
      }
      const embed = async (texts: readonly string[]) => texts.map((text) => [text.length])
      const mirror = engine.mirror({ url: made.start, sitemap: 'skip' }, vectors({ name: 'vectors', store, embed }))
      const { new: pages } = await mirror.sync()
      const compared = isReadable ? pages : 0
      const warning = expect.stringContaining('nothing was compared')
      const unread = isReadable ? {} : { warning }
      expect(await mirror.verify()).toEqual({ ok: isReadable, compared, fetched: 0, faults: [], ...unread })
      const lost = [...items.keys()].toSorted()
      items.clear()
      const { ok, faults } = await mirror.verify()
      expect(ok).toBe(false)
      expect(faults.map(({ key, kind }) => `${kind} ${key}`).toSorted()).toEqual(
        isReadable ? lost.map((key) => `missing ${key}`) : [],
      )
    } finally {
      await made.site.close()
    }
  },
)

it.each<[string, (count: number) => number[], string]>([
  ['no numbers', () => [], 'without numbers'],
  ['what is no number', () => [1, NaN], 'with NaN'],
  ['another length', (count) => Array.from({ length: count }, () => 1), 'of 1 and of 2 numbers'],
])('a vector with %s is not acknowledged', async (_, vectorOf, said) => {
  const made = await MadeSite.start(1)
  try {
    await using engine = createEngine(SETTINGS)
    const items = new Map<string, VectorItem>()
    const store = storeIn(items)
    let count = 0
    const bad = vectors({ name: 'vectors', store, embed: async (texts) => texts.map(() => vectorOf(++count)) })
    await expect(engine.mirror({ url: made.start, sitemap: 'skip' }, bad).sync()).rejects.toThrow(said)
    const good = vectors({ name: 'vectors', store, embed: async (texts) => texts.map(() => [1]) })
    await engine.mirror({ url: made.start, sitemap: 'skip' }, good).sync()
    expect(items.size).toBeGreaterThan(5)
    for (const { vector } of items.values()) expect(vector).toEqual([1])
  } finally {
    await made.site.close()
  }
})

/** A site whose only page has sections, and its chunks a text each. */
const openLong = (sections: number) =>
  startSite({
    pages: {
      '/': htmlPage(
        'Long',
        Array.from(
          { length: sections },
          (_, at) => `<h2>Part ${at}</h2><p>${`Words of part ${at}. `.repeat(90)}</p>`,
        ).join(''),
      ),
    },
  })

it.each(Object.entries(targets))(
  'a %s embeds the chunks of a page together, at most 64 a call, each once',
  async (_, open) => {
    await using site = await openLong(100)
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-batches-'))
    try {
      await using engine = createEngine(SETTINGS)
      const calls: (readonly string[])[] = []
      const target = open(folder, async (texts) => {
        calls.push(texts)
        return texts.map((text) => [text.length])
      })
      await engine.mirror({ url: site.url('/'), sitemap: 'skip' }, target).sync()
      const all = calls.flat()
      expect(all.length).toBeGreaterThan(64)
      expect(new Set(all).size).toBe(all.length)
      expect(calls.map(({ length }) => length)).toEqual([64, all.length - 64])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

it('fails when `embed` gives another number of vectors than of texts, and stores none of them', async () => {
  await using site = await openLong(5)
  await using engine = createEngine(SETTINGS)
  const items = new Map<string, VectorItem>()
  const target = vectors({ name: 'vectors', store: storeIn(items), embed: async () => [[1]] })
  await expect(engine.mirror({ url: site.url('/'), sitemap: 'skip' }, target).sync()).rejects.toThrow(
    /`embed` gave 1 vectors for \d+ texts: it gives one for each/,
  )
  expect(items.size).toBe(0)
})
