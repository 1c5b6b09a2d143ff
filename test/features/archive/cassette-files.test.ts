import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, type EngineConfig, replay } from '../../../src/index.js'
import { sortCassette } from '../../../src/features/archive/write/sort-cassette.js'
import { startSite } from '../../site/site.js'
import { eachGzipped, infoRecord, pageRecord } from './make-warc.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-cassette-'))
})
afterEach(() => rm(folder, { recursive: true }))

const base: EngineConfig = { allowPrivateNetworks: true, cache: false, threads: 0, retry: { maxRetries: 0 } }
const names = ['z', 'm', 'a', 'q', 'c']

/** Pages of sizes of their own, in no order. */
const records = (): Buffer[] => [
  infoRecord(),
  ...names.map((name, at) =>
    pageRecord(`http://a.test/${name}`, `<title>${name}</title><p>${'text '.repeat(40 * at)}`),
  ),
]

test.each(['x.warc', 'x.warc.gz'])(
  'a replay that is open goes on while another process sorts the cassette: %s',
  async (name) => {
    const path = join(folder, name)
    await writeFile(path, name.endsWith('.gz') ? eachGzipped(...records()) : Buffer.concat(records()))
    await using engine = createEngine({ ...base, fetcher: replay(path) })
    const titleOf = async (page: string) => (await engine.scrape(`http://a.test/${page}`)).metadata.title
    expect(await titleOf('m')).toBe('m')
    await sortCassette(path)
    expect(await Promise.all(names.map(titleOf))).toEqual(names)
    // It is replaced by one in which each page stands elsewhere, and that has further ones.
    await rm(`${path}.cdxj`)
    const more = [...records().toReversed(), pageRecord('http://a.test/new', '<title>new</title><p>text')]
    await writeFile(path, name.endsWith('.gz') ? eachGzipped(...more) : Buffer.concat(more))
    expect(await Promise.all(names.map(titleOf))).toEqual(names)
    expect(await titleOf('new')).toBe('new')
  },
)

test('a page that is not in the files says so, however often these are read again', async () => {
  const path = join(folder, 'x.warc')
  await writeFile(path, Buffer.concat(records()))
  await using engine = createEngine({ ...base, fetcher: replay(path) })
  await expect(engine.scrape('http://a.test/none')).rejects.toThrow('has no response for')
  await engine.scrape('http://a.test/z')
  await writeFile(path, infoRecord())
  await expect(engine.scrape('http://a.test/z')).rejects.toMatchObject({ code: 'FEATURE_FAILED' })
})

test.each(['x.warc', 'x.warc.gz', 'x.wacz'])('the mode of a file that is written anew stays: %s', async (name) => {
  await using site = await startSite({ pages: { '/b': '<p>b', '/a': '<p>a', '/c': '<p>c' } })
  const path = join(folder, name)
  const isCassette = name !== 'x.wacz'
  const scrape = async (page: string): Promise<void> => {
    await using engine = createEngine({
      ...base,
      ...(isCassette ? { fetcher: replay(path, { record: 'missing' }) } : { fetcher: 'http', archive: path }),
    })
    await engine.scrape(site.url(page))
  }
  await scrape('/b')
  const files = isCassette ? [path, `${path}.cdxj`] : [path]
  for (const mode of [0o600, 0o664]) {
    for (const file of files) await chmod(file, mode)
    await scrape(mode === 0o600 ? '/a' : '/c')
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(mode)
  }
})
