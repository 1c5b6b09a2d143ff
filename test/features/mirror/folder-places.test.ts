import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Mirror, mirrorTo, writePages } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-places-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Reads all files and links below a folder, links as where they lead to. */
async function readAll(path: string): Promise<Record<string, string>> {
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => !entry.isDirectory())
  const texts = files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name)
    return [file.slice(path.length + 1), entry.isSymbolicLink() ? 'a link' : await readFile(file, 'utf8')] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}

interface Attacked {
  readonly out: string
  /** Folder of the pages of the site. */
  readonly at: string
  /** Folder outside of the mirror. */
  readonly elsewhere: string
}

/** Things of somebody else in the place of a file or a folder of the mirror. */
const ATTACKS: Readonly<Record<string, (paths: Attacked) => Promise<void>>> = {
  'a folder in the place of a file': async ({ at }) => {
    await mkdir(join(at, 'd', 'a.md'), { recursive: true })
    await writeFile(join(at, 'd', 'a.md', 'mine'), 'mine')
  },
  'a file in the place of a folder': async ({ at }) => {
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'd'), 'mine')
  },
  'a file in the place of the folder of the host': async ({ out, at }) => {
    await mkdir(out, { recursive: true })
    await writeFile(at, 'mine')
  },
  'a link in the place of a folder': async ({ at, elsewhere }) => {
    await mkdir(at, { recursive: true })
    await writeFile(join(elsewhere, 'a.md'), 'mine')
    await symlink(elsewhere, join(at, 'd'))
  },
  'a link that leads nowhere in the place of a folder': async ({ at, elsewhere }) => {
    await mkdir(at, { recursive: true })
    await symlink(join(elsewhere, 'missing'), join(at, 'd'))
  },
}

describe('a mirror in a folder with things of others', () => {
  async function open(): Promise<Attacked & Awaited<ReturnType<typeof openChangingSite>> & { mirror: Mirror }> {
    const opened = await openChangingSite(on, { '/': ['/d/a', '/d/b'] })
    const out = join(folder, 'out')
    const elsewhere = join(folder, 'elsewhere')
    await mkdir(elsewhere)
    const at = join(out, `127.0.0.1_${opened.site.port}`)
    // Most pages go at once in some of these tests.
    const mirror = opened.engine.mirror({ url: opened.start }, mirrorTo(out), { maxRemoved: 1 })
    return { ...opened, out, at, elsewhere, mirror }
  }

  async function expectBoth({ out, elsewhere, mirror, pages }: Awaited<ReturnType<typeof open>>): Promise<void> {
    const [outside, before] = [await readAll(elsewhere), await readAll(out)]
    const foreign = Object.entries(before).filter(([, text]) => text === 'mine' || text === 'a link')
    const expectForeign = async (): Promise<void> => {
      expect(await readAll(out)).toMatchObject(Object.fromEntries(foreign))
      expect(await readAll(elsewhere)).toEqual(outside)
    }
    await mirror.sync()
    await expectForeign()
    const texts = Object.entries(await readAll(out)).filter(([name]) => name.endsWith('.md'))
    for (const path of ['/', '/d/a', '/d/b'])
      expect(
        texts.filter(([, text]) => text.includes(`# Page ${path}\n`)),
        path,
      ).toHaveLength(1)
    expect(await mirror.verify()).toMatchObject({ ok: true })
    expect(await mirror.sync()).toMatchObject({ new: 0, changed: 0, unchanged: 3 })
    pages.set('/', { links: ['/d/b'] })
    pages.delete('/d/a')
    expect(await mirror.sync()).toMatchObject({ removed: 1 })
    await expectForeign()
    expect(Object.values(await readAll(out)).filter((text) => text.includes('# Page /d/a\n'))).toHaveLength(0)
  }

  it.each(Object.keys(ATTACKS))('has each page beside %s, which stays', async (name) => {
    const opened = await open()
    await ATTACKS[name]?.(opened)
    await expectBoth(opened)
  })

  it.each(Object.keys(ATTACKS))('has each page when its own is replaced by %s', async (name) => {
    const opened = await open()
    await opened.mirror.sync()
    await rm(opened.at, { recursive: true })
    await ATTACKS[name]?.(opened)
    await expectBoth(opened)
  })

  it('removes nothing behind a link that was put in the place of a folder', async () => {
    const { mirror, at, elsewhere, pages } = await open()
    await mirror.sync()
    await rm(join(at, 'd'), { recursive: true })
    await writeFile(join(elsewhere, 'a.md'), 'mine')
    await symlink(elsewhere, join(at, 'd'))
    pages.set('/', { links: [] })
    expect(await mirror.sync()).toMatchObject({ removed: 2 })
    expect(await readAll(elsewhere)).toEqual({ 'a.md': 'mine' })
  })

  it('replaces a link in the place of its own file, and leaves a dangling one that was there before', async () => {
    const { mirror, out, at, elsewhere } = await open()
    await mkdir(join(at, 'd'), { recursive: true })
    await symlink(join(elsewhere, 'missing'), join(at, 'd', 'a.md'))
    await mirror.sync()
    expect((await lstat(join(at, 'd', 'a.md'))).isSymbolicLink()).toBe(true)
    const text = await readFile(join(at, 'd', 'b.md'), 'utf8')
    await writeFile(join(elsewhere, 'b.md'), text)
    await rm(join(at, 'd', 'b.md'))
    await symlink(join(elsewhere, 'b.md'), join(at, 'd', 'b.md'))
    await rm(join(out, 'llms.txt'))
    await mkdir(join(out, 'llms.txt'))
    expect((await mirror.sync()).warnings).toHaveLength(1)
    expect((await lstat(join(at, 'd', 'b.md'))).isFile()).toBe(true)
    expect(await readAll(elsewhere)).toEqual({ 'b.md': text })
  })

  it('turns a page into a folder, and a folder into a page', async () => {
    const { mirror, pages, out } = await open()
    await mirror.sync()
    pages.set('/', { links: ['/d', '/d/b/c', '/d/b.md/c'] })
    for (const path of ['/d', '/d/b/c', '/d/b.md/c']) pages.set(path, { links: [] })
    await mirror.sync()
    expect(await mirror.verify()).toMatchObject({ ok: true, compared: 4 })
    pages.set('/', { links: ['/d/b.md'] })
    pages.set('/d/b.md', { links: [] })
    expect(await mirror.sync()).toMatchObject({ removed: 3, new: 1 })
    expect(Object.keys(await readAll(out)).filter((name) => /\/d/.test(name))).toHaveLength(1)
  })
})

it('`status()` and `verify()` change nothing of what another process has begun', async () => {
  const { engine, start } = await openChangingSite(on, { '/': ['/a'] })
  const out = join(folder, 'out')
  const mirror = engine.mirror({ url: start }, mirrorTo(out))
  expect(await mirror.status()).toMatchObject({ pages: 0 })
  expect(await mirror.verify()).toMatchObject({ compared: 0 })
  expect(await readdir(folder)).toEqual([])
  await mirror.sync()
  const record = join(out, '.trawl-mirror', 'record.ndjson')
  await writeFile(join(out, '.trawl-mirror', 'parts', 'x.partial'), 'half a f')
  await writeFile(join(out, 'begun.md'), 'a page')
  await writeFile(record, `${await readFile(record, 'utf8')}{"reserve":["begun.md"]}\n{"put":[{"key":"ht`)
  const before = await readAll(out)
  expect(await mirror.status()).toMatchObject({ pages: 2 })
  expect(await mirror.verify()).toMatchObject({ ok: true, compared: 2 })
  expect(await readAll(out)).toEqual(before)
  await mirror.sync()
  expect(Object.keys(await readAll(out))).not.toContain('begun.md')
})

it('`writePages()` writes beside what is there, and nothing behind links', async () => {
  const { engine, start, site } = await openChangingSite(on, { '/': ['/d/a'] })
  const at = join(folder, 'out', `127.0.0.1_${site.port}`)
  await mkdir(at, { recursive: true })
  await mkdir(join(folder, 'elsewhere'))
  await symlink(join(folder, 'elsewhere'), join(at, 'd'))
  await symlink(join(folder, 'missing'), join(at, 'index.md'))
  expect((await writePages(engine.crawl({ url: start }), join(folder, 'out'))).pages).toHaveLength(2)
  expect(await readAll(join(folder, 'elsewhere'))).toEqual({})
  expect((await lstat(join(at, 'index.md'))).isSymbolicLink()).toBe(true)
})
