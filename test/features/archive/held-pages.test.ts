import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, replay, wacz, warc } from '../../../src/index.js'
import { startSite } from '../../site/site.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-held-pages-'))
})
afterEach(() => rm(folder, { recursive: true }))

const base = { allowPrivateNetworks: true, threads: 0, fetcher: 'http', retry: { maxRetries: 0 } } as const
const pages = { '/a': '<title>a</title><p>page a', '/b': '<title>b</title><p>page b' }

async function readTitles(path: string): Promise<(string | undefined)[]> {
  await using engine = createEngine(base)
  const read: (string | undefined)[] = []
  for await (const { metadata } of engine.archive(path)) read.push(metadata.title)
  return read
}

test('a page is in the archive when its call returns, also one that comes from the cache', async () => {
  await using site = await startSite({ pages })
  const path = join(folder, 'x.warc.gz')
  await using engine = createEngine(base)
  await engine.scrape(site.url('/a'), { maxAge: 60_000 })
  const shared = join(folder, 'second.warc.gz')
  await engine.batchScrape({ urls: [site.url('/b')], archive: shared }).finished()
  expect(await readTitles(shared)).toEqual(['b'])
  await using archived = createEngine({ ...base, archive: path })
  for (let round = 0; round < 2; round += 1) {
    const { metadata } = await archived.scrape(site.url('/a'), { maxAge: 60_000 })
    expect(metadata.cacheState).toBe(round === 0 ? 'miss' : 'hit')
    expect(await readTitles(path)).toEqual(['a'])
  }
})

test('pages that a fetcher gives in the place of the network are in the archive of the engine', async () => {
  await using site = await startSite({ pages })
  const [first, second] = [join(folder, 'first.warc.gz'), join(folder, 'second.warc.gz')]
  const recorder = createEngine({ ...base, archive: first })
  await recorder.batchScrape({ urls: [site.url('/a'), site.url('/b')] }).finished()
  await recorder.close()
  const offline = createEngine({ ...base, fetcher: replay(first), archive: second })
  const { warning } = await offline.batchScrape({ urls: [site.url('/a'), site.url('/b')] }).finished()
  expect(warning).toBeUndefined()
  await offline.scrape(site.url('/a'))
  await offline.close()
  expect((await readTitles(second)).map(String).toSorted()).toEqual(['a', 'b'])
})

test('a single page says that it could not be written, as a job does', async () => {
  await using site = await startSite({ pages })
  await writeFile(join(folder, 'file'), '')
  await mkdir(join(folder, 'full.warc'))
  // A place below a file, a folder that is none, a folder in the place of the file, a file system that takes no files.
  for (const [target, path] of [
    [warc, 'file/x.warc.gz'],
    [wacz, 'file/x.wacz'],
    [warc, 'full.warc'],
    [warc, '/proc/none/x.warc.gz'],
    [wacz, '/proc/none/x.wacz'],
  ] as const) {
    const named = path.startsWith('/') ? path : join(folder, path)
    await using engine = createEngine({ ...base, archive: target(named) })
    const { warning } = await engine.scrape(site.url('/a'))
    expect(warning).toContain('could not be written')
    expect((await engine.batchScrape({ urls: [site.url('/b')] }).finished()).warning).toContain('could not be written')
  }
})

test('a disk that is full is said of single pages and of cassettes', async () => {
  await using site = await startSite({ pages })
  await symlink('/dev/full', join(folder, 'x.warc'))
  await using engine = createEngine({ ...base, archive: join(folder, 'x.warc') })
  expect((await engine.scrape(site.url('/a'))).warning).toContain('ENOSPC')
  await using cassette = createEngine({
    ...base,
    fetcher: replay('/proc/none/cassette.warc', { record: 'missing' }),
  })
  expect((await cassette.scrape(site.url('/a'))).warning).toContain('could not be written')
})
