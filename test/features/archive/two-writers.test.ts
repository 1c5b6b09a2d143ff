import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine, replay, warc } from '../../../src/index.js'
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
    expect.arrayContaining(['rolled.warc', 'rolled-00001.warc', 'rolled-00001.cdxj']),
  )
  await using offline = createEngine({ ...base, fetcher: replay(path) })
  for (let at = 0; at < 6; at += 1) expect((await offline.scrape(bulky.url(`/p${at}`))).metadata.title).toBe(`l${at}`)
})
