import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine, replay, warc } from '../../../src/index.js'
import { listIndex } from '../../../src/features/archive/read/read-index.js'
import { startSite } from '../../site/site.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-two-writers-'))
})
afterAll(() => rm(folder, { recursive: true }))

const base = { allowPrivateNetworks: true, cache: false, threads: 0, retry: { maxRetries: 0 } } as const
const PAGES = 40

const pages = Object.fromEntries(
  Array.from({ length: PAGES }, (_, at) => [`/p${at}`, `<title>t${at}</title><p>text ${at} ${'x'.repeat(400)}`]),
)

// As two processes: nothing in memory belongs to both.
test('two engines that write one archive lose no page, and no index leads to a wrong place', async () => {
  await using site = await startSite({ pages })
  const path = join(folder, 'x.warc.gz')
  const engines = [0, 1].map(() => createEngine({ ...base, fetcher: 'http', archive: warc(path) }))
  const ended = engines.map(async (engine, half) => {
    const urls = Array.from({ length: PAGES / 2 }, (_, at) => site.url(`/p${at * 2 + half}`))
    const { warning } = await engine.batchScrape({ urls }).finished()
    expect(warning).toBeUndefined()
    await engine.close()
  })
  await Promise.all(ended)
  await using offline = createEngine({ ...base, fetcher: replay(path) })
  for (let at = 0; at < PAGES; at += 1)
    expect((await offline.scrape(site.url(`/p${at}`))).metadata.title).toBe(`t${at}`)
  expect((await readdir(folder)).length).toBeGreaterThan(2)
})

test('an archive is rolled when a file is full, and its parts are one archive for replay', async () => {
  const path = join(folder, 'rolled.warc')
  const engine = createEngine({ ...base, fetcher: 'http', archive: warc(path, { maxBytes: 1_000_000 }) })
  const large = '<!-- ' + 'y'.repeat(400_000) + ' -->'
  await using bulky = await startSite({
    pages: Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`/p${at}`, `<title>l${at}</title><p>${at}${large}`]),
    ),
  })
  await engine.batchScrape({ urls: Array.from({ length: 6 }, (_, at) => bulky.url(`/p${at}`)) }).finished()
  await engine.close()
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining(['rolled.warc', 'rolled-00001.warc', 'rolled-00001.warc.cdxj']),
  )
  await using offline = createEngine({ ...base, fetcher: replay(path) })
  for (let at = 0; at < 6; at += 1) expect((await offline.scrape(bulky.url(`/p${at}`))).metadata.title).toBe(`l${at}`)
})

test('a WARC and a compressed one of the same name have an index each', async () => {
  await using site = await startSite({ pages })
  const paths = ['same.warc', 'same.warc.gz'].map((name) => join(folder, name))
  for (const half of [0, 1]) {
    // At once, and then one after the other.
    const write = async (path: string): Promise<void> => {
      await using engine = createEngine({ ...base, fetcher: 'http', archive: warc(path) })
      for (const at of [0, 1, 2]) await engine.scrape(site.url(`/p${3 * half + at}`))
    }
    if (half === 0) await Promise.all(paths.map(write))
    else for (const path of paths) await write(path)
  }
  const names = (await readdir(folder)).filter((name) => name.startsWith('same')).toSorted()
  expect(names).toEqual(['same.warc', 'same.warc.cdxj', 'same.warc.gz', 'same.warc.gz.cdxj'])
  for (const path of paths) {
    const found = await listIndex(path)
    expect(found.map(({ filename }) => join(folder, filename))).toEqual(found.map(() => path))
    expect(found.filter(({ url }) => !url.endsWith('/robots.txt')).map(({ url }) => new URL(url).pathname)).toEqual([
      '/p0',
      '/p1',
      '/p2',
      '/p3',
      '/p4',
      '/p5',
    ])
  }
})
