import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, type Engine, type EngineConfig, replay, wacz, warc } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { eachGzipped, infoRecord, pageRecord } from './make-warc.js'

let folder = ''
const engines: Engine[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-whole-archive-'))
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await rm(folder, { recursive: true })
})

function open(config: EngineConfig = {}): Engine {
  const engine = createEngine({ allowPrivateNetworks: true, cache: false, threads: 0, fetcher: 'http', ...config })
  engines.push(engine)
  return engine
}

const PAGES = 24
const pages = Object.fromEntries(
  Array.from({ length: PAGES }, (_, at) => [`/p${at}`, `<title>t${at}</title><p>text ${at} ${'x'.repeat(400)}`]),
)
const titles = Array.from({ length: PAGES }, (_, at) => `t${at}`).toSorted()

async function readTitles(source: string | readonly string[]): Promise<string[]> {
  const read: string[] = []
  for await (const outcome of open().archive(source).outcomes())
    read.push(outcome.outcome === 'done' ? (outcome.document.metadata.title ?? '') : outcome.message)
  return read.toSorted()
}

test('engines that write one WACZ one after the other have all of their pages in it, also in its list', async () => {
  await using site = await startSite({ pages })
  const path = join(folder, 'x.wacz')
  for (let at = 0; at < PAGES; at += 8) {
    const engine = open({ archive: wacz(path) })
    const urls = Array.from({ length: 8 }, (_, more) => site.url(`/p${at + more}`))
    await engine.batchScrape({ urls }).finished()
    await engine.close()
  }
  expect(await readdir(folder)).toEqual(['x.wacz'])
  expect(await readTitles(path)).toEqual(titles)
  expect((await readFile(path)).toString('latin1').match(/"title":"t\d+"/g)?.length).toBe(PAGES)
  await using offline = open({ fetcher: replay(path) })
  for (let at = 0; at < PAGES; at += 1)
    expect((await offline.scrape(site.url(`/p${at}`))).metadata.title).toBe(`t${at}`)
})

// As processes: nothing in memory belongs to two of them.
test('engines that write one WACZ at once, and close at any time, lose no page', async () => {
  await using site = await startSite({ pages })
  const path = join(folder, 'x.wacz')
  const writers = [0, 1, 2].map(() => open({ archive: wacz(path) }))
  const ended = writers.map(async (engine, third) => {
    for (let at = third; at < PAGES; at += 3) {
      const { warning } = await engine.batchScrape({ urls: [site.url(`/p${at}`)] }).finished()
      expect(warning).toBeUndefined()
      // One has packed while the others write.
      if (third === 0 && at > 8) break
    }
    await engine.close()
  })
  await Promise.all(ended)
  const rest = open({ archive: wacz(path) })
  await rest.batchScrape({ urls: Array.from({ length: PAGES / 3 }, (_, at) => site.url(`/p${at * 3}`)) }).finished()
  await rest.close()
  expect(await readdir(folder)).toEqual(['x.wacz'])
  expect([...new Set(await readTitles(path))]).toEqual(titles)
})

test('parts that a dead process has packed, and not removed, are not packed twice', async () => {
  await using site = await startSite({ pages })
  const path = join(folder, 'x.wacz')
  const engine = open({ archive: wacz(path) })
  await engine.batchScrape({ urls: [site.url('/p0'), site.url('/p1')] }).finished()
  await cp(`${path}.parts`, join(folder, 'kept'), { recursive: true })
  await engine.close()
  await rename(join(folder, 'kept'), `${path}.parts`)
  const later = open({ archive: wacz(path) })
  await later.close()
  const last = open({ archive: wacz(path, { dedupe: false }) })
  await last.batchScrape({ urls: [site.url('/p2')] }).finished()
  await last.close()
  expect([...new Set(await readTitles(path))]).toEqual(['t0', 't1', 't2'])
})

test('a file that is no WACZ is not overwritten by one: the job says so, or its parts stay beside it', async () => {
  await using site = await startSite({ pages })
  const path = join(folder, 'x.wacz')
  await writeFile(path, 'a letter')
  const base = { allowPrivateNetworks: true, cache: false, threads: 0, fetcher: 'http' } as const
  const engine = createEngine({ ...base, archive: path })
  const { warning } = await engine.batchScrape({ urls: [site.url('/p0')] }).finished()
  expect(warning).toContain('no zip that can be read')
  await engine.close()
  const blind = createEngine({ ...base, archive: wacz(path, { dedupe: false }) })
  await blind.batchScrape({ urls: [site.url('/p0')] }).finished()
  await expect(blind.close()).rejects.toThrow('no zip that can be read')
  expect(await readFile(path, 'utf8')).toBe('a letter')
  expect(await readdir(folder)).toEqual(['x.wacz', 'x.wacz.parts'])
})

async function writeFiles(names: readonly string[]): Promise<void> {
  for (const [at, name] of names.entries())
    await writeFile(
      join(folder, name),
      eachGzipped(infoRecord(), pageRecord(`http://a.test/p${at}`, `<title>t${at}</title><p>text`)),
    )
}

test('a rolled archive is read whole by the name of its first file, in a list, and as a folder', async () => {
  const names = ['x.warc.gz', 'x-00001.warc.gz', 'x-00003.warc.gz', 'x-late.warc.gz', 'y.warc.gz']
  await writeFiles(names)
  const paths = names.map((name) => join(folder, name))
  const [first = '', ...rest] = paths
  expect(await readTitles(first)).toEqual(['t0', 't1', 't2'])
  expect(await readTitles([...rest, first])).toEqual(['t0', 't1', 't2', 't3', 't4'])
  expect(await readTitles(paths.slice(1, 2))).toEqual(['t1'])
  expect(await readTitles(folder)).toEqual(['t0', 't1', 't2', 't3', 't4'])
  for (const archive of [folder, paths, [first, paths[3] ?? '', paths[4] ?? '']]) {
    await using offline = open({ fetcher: replay(archive) })
    for (let at = 0; at < names.length; at += 1)
      expect((await offline.scrape(`http://a.test/p${at}`)).metadata.title).toBe(`t${at}`)
  }
})

test('a folder is read with its WACZ, and a link in it is said and not followed', async () => {
  await using site = await startSite({ pages })
  const engine = open({ archive: join(folder, 'x.wacz') })
  await engine.batchScrape({ urls: [site.url('/p5')] }).finished()
  await engine.close()
  await writeFiles(['z.warc.gz'])
  expect(await readTitles(folder)).toEqual(['t0', 't5'])
  await mkdir(join(folder, 'outside'))
  await rename(join(folder, 'z.warc.gz'), join(folder, 'outside', 'secret.warc.gz'))
  await symlink(join(folder, 'outside', 'secret.warc.gz'), join(folder, 'z.warc.gz'))
  expect(await readTitles(folder)).toEqual([expect.stringContaining('could lead out of the folder'), 't5'])
  await using offline = open({ fetcher: replay(folder) })
  await expect(offline.scrape(site.url('/p5'))).rejects.toThrow('could lead out of the folder')
})

test('a folder without an archive is an error of a replay, and a crawl writes behind the last of rolled files', async () => {
  await mkdir(join(folder, 'none'))
  await using offline = open({ fetcher: replay(join(folder, 'none')) })
  await expect(offline.scrape('http://a.test/')).rejects.toThrow('has no archive')
  await writeFiles(['x.warc.gz', 'x-00003.warc.gz'])
  await using site = await startSite({ pages })
  const engine = open({ archive: warc(join(folder, 'x.warc.gz')) })
  await engine.batchScrape({ urls: [site.url('/p9')] }).finished()
  await engine.close()
  expect(await readTitles(join(folder, 'x-00003.warc.gz'))).toEqual(['t1', 't9'])
})
