import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, replay } from '../../../src/index.js'
import { eachGzipped, infoRecord, pageRecord } from './make-warc.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-places-'))
})
afterEach(() => rm(folder, { recursive: true }))

const base = { allowPrivateNetworks: true, cache: false, threads: 0 } as const
const makePipe = (path: string): unknown => execFileSync('mkfifo', [path])
const archive = eachGzipped(infoRecord(), pageRecord('http://a.test/', '<title>page</title><p>text'))

async function read(source: string): Promise<string[]> {
  await using engine = createEngine(base)
  const seen: string[] = []
  for await (const one of engine.archive(source).outcomes())
    seen.push(one.outcome === 'done' ? (one.document.metadata.title ?? '') : one.message)
  return seen
}

test('links, pipes and folders that cannot be read in a mirror are outcomes with a reason', async () => {
  const host = join(folder, 'a.test')
  await mkdir(join(host, 'deep'), { recursive: true })
  await writeFile(join(host, 'index.html'), '<title>page</title><p>text')
  await writeFile(join(folder, 'secret.html'), '<title>secret</title><p>text')
  await symlink(join(folder, 'secret.html'), join(host, 'link.html'))
  await symlink('/', join(host, 'root'))
  await symlink(host, join(host, 'deep', 'again'))
  await symlink('/dev/zero', join(host, 'zero.html'))
  makePipe(join(host, 'pipe.html'))
  const seen = await read(host)
  expect(seen.filter((one) => one === 'page')).toHaveLength(1)
  expect(seen.filter((one) => one.startsWith('The file is a link'))).toHaveLength(4)
  expect(seen.filter((one) => one.startsWith('What stands here'))).toHaveLength(1)
  expect(seen).toHaveLength(6)
})

test('a pipe or a device is refused as an archive, and is not waited for', async () => {
  const pipe = join(folder, 'x.warc.gz')
  makePipe(pipe)
  for (const path of [pipe, '/dev/zero', '/dev/null']) {
    await expect(read(path), path).rejects.toThrow('pipe or a device')
    await using engine = createEngine({ ...base, fetcher: replay(path) })
    await expect(engine.scrape('http://a.test/'), path).rejects.toThrow('pipe or a device')
  }
  expect(await read(folder)).toEqual([expect.stringContaining('What stands here')])
})

test.each([
  ['a pipe', (path: string) => Promise.resolve(makePipe(path))],
  ['a link to a device', (path: string) => symlink('/dev/zero', path)],
  ['a folder', (path: string) => mkdir(path)],
])('what stands beside an archive in the place of its index is not waited for: %s', async (_name, make) => {
  const path = join(folder, 'x.warc.gz')
  await writeFile(path, archive)
  await make(`${path}.cdxj`)
  await using engine = createEngine({ ...base, fetcher: replay(path) })
  expect((await engine.scrape('http://a.test/')).metadata.title).toBe('page')
})

test.each([
  ['a pipe', (path: string) => Promise.resolve(makePipe(path))],
  ['a link to a device', (path: string) => symlink('/dev/zero', path)],
])('what stands in the place of the next file of a rolled archive is said: %s', async (_name, make) => {
  const path = join(folder, 'x.warc.gz')
  await writeFile(path, archive)
  await make(join(folder, 'x-00001.warc.gz'))
  await expect(read(path)).rejects.toThrow('pipe or a device')
  await using engine = createEngine({ ...base, fetcher: replay(path) })
  await expect(engine.scrape('http://a.test/')).rejects.toThrow('pipe or a device')
})
