import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EngineConfig, type Mirror, mirrorTo } from '../../../src/index.js'
import { type ChangingSiteOptions, openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-mirror-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Reads the files of a folder, without the record of the mirror. */
async function readFiles(path = folder): Promise<Record<string, string>> {
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile() && !entry.parentPath.includes('.trawl-mirror'))
  const names = files.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name.slice(path.length + 1), await readFile(name, 'utf8')] as const)),
  )
}

async function openMirror(
  links: Readonly<Record<string, readonly string[]>>,
  config: EngineConfig = {},
  options: ChangingSiteOptions = {},
): Promise<Awaited<ReturnType<typeof openChangingSite>> & { mirror: Mirror; at: string }> {
  const opened = await openChangingSite(on, links, options, config)
  const { host } = new URL(opened.start)
  return {
    ...opened,
    mirror: opened.engine.mirror({ url: opened.start }, mirrorTo(folder)),
    at: host.replace(':', '_'),
  }
}

const NONE = { new: 0, changed: 0, moved: 0, removed: 0, unchanged: 0, failed: 0, kept: 0, gaps: [] }

describe('a mirror in a folder', () => {
  it('has a file for each page, with front matter, and lists of them', async () => {
    const { mirror, at, start } = await openMirror({ '/': ['/a'] })
    expect(await mirror.sync()).toEqual({ ...NONE, new: 2, pages: { new: [start, `${start}a`] } })
    expect(await mirror.status()).toMatchObject({ pages: 2, summary: { new: 2 }, completeAt: expect.any(String) })
    expect(await mirror.verify({ fetch: 2 })).toEqual({ ok: true, compared: 2, fetched: 2, faults: [] })
    const files = await readFiles()
    expect(Object.keys(files)).toEqual([`${at}/a.md`, `${at}/index.md`, 'llms-full.txt', 'llms.txt'])
    expect(files[`${at}/a.md`]).toMatch(/^---\nurl: "http:\/\/.*\/a"\ntitle: "\/a"\n---\n\n# Page \/a\n/)
    expect(files['llms.txt']).toContain(`- [/a](${at}/a.md)`)
    expect(files['llms-full.txt']).toContain(`# /a\n\nSource: ${start}a\n\n# Page /a\n`)
  })

  it('writes what has changed, deletes what is gone, and leaves the other files as they are', async () => {
    const { mirror, at, pages, start } = await openMirror({ '/': ['/a', '/b', '/c'] })
    await mirror.sync()
    const before = (await stat(join(folder, at, 'a.md'))).mtimeMs
    pages.set('/b', { links: [], text: 'Another text.' })
    pages.delete('/c')
    pages.set('/', { links: ['/a', '/b', '/d'] })
    pages.set('/d', { links: [] })
    expect(await mirror.sync()).toEqual({
      ...NONE,
      new: 1,
      changed: 2,
      removed: 1,
      unchanged: 1,
      pages: { new: [`${start}d`], changed: [start, `${start}b`], removed: [`${start}c`] },
    })
    const files = await readFiles()
    expect(Object.keys(files)).toEqual(
      ['a', 'b', 'd', 'index'].map((name) => `${at}/${name}.md`).concat('llms-full.txt', 'llms.txt'),
    )
    expect(files[`${at}/b.md`]).toContain('Another text.')
    expect((await stat(join(folder, at, 'a.md'))).mtimeMs).toBe(before)
  })

  it('writes nothing when nothing has changed', async () => {
    const { mirror } = await openMirror({ '/': ['/a', '/b'] })
    await mirror.sync()
    const timesOf = async (): Promise<number[]> =>
      Promise.all(Object.keys(await readFiles()).map(async (name) => (await stat(join(folder, name))).mtimeMs))
    const before = await timesOf()
    expect(await mirror.sync()).toEqual({ ...NONE, unchanged: 3 })
    expect(await timesOf()).toEqual(before)
  })

  it('deletes nothing after a crawl with a page that failed', async () => {
    const { mirror, at, pages, failures } = await openMirror({ '/': ['/a', '/b'], '/a': ['/c'] })
    await mirror.sync()
    pages.set('/', { links: ['/a'] })
    failures.set('/a', [403])
    const { gaps, ...summary } = await mirror.sync()
    expect(summary).toMatchObject({ removed: 0, kept: 2, failed: 1, changed: 1 })
    expect(gaps).toEqual(['1 page could not be read, whose links may lead to others.'])
    expect(Object.keys(await readFiles())).toContain(`${at}/b.md`)
    failures.clear()
    expect(await mirror.sync()).toMatchObject({ removed: 1, unchanged: 3, gaps: [] })
  })

  it('never touches a file that is not of the mirror', async () => {
    const { mirror, at, pages } = await openMirror({ '/': ['/a'] })
    pages.set('/', { links: ['/a', '/own'] })
    await writeFile(join(folder, 'llms.txt'), 'mine')
    const { mkdir } = await import('node:fs/promises')
    await mkdir(join(folder, at))
    await writeFile(join(folder, at, 'own.md'), 'mine')
    pages.set('/own', { links: [] })
    const { warnings } = await mirror.sync()
    expect(warnings).toEqual([`llms.txt in ${folder} is not of the mirror, and stays as it is.`])
    pages.set('/', { links: ['/a'] })
    await mirror.sync()
    const files = await readFiles()
    expect(files['llms.txt']).toBe('mine')
    expect(files[`${at}/own.md`]).toBe('mine')
    expect(Object.keys(files)).toHaveLength(5)
  })

  it('writes a file again that was changed or deleted', async () => {
    const { mirror, at } = await openMirror({ '/': ['/a', '/b'] })
    await mirror.sync()
    const before = await readFiles()
    await writeFile(join(folder, at, 'a.md'), 'edited')
    await rm(join(folder, at, 'b.md'))
    const { ok, faults } = await mirror.verify()
    expect(ok).toBe(false)
    expect(faults.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'missing'])
    await mirror.sync()
    expect(await readFiles()).toEqual(before)
    expect(await mirror.verify({ fetch: 3 })).toEqual({ ok: true, compared: 3, fetched: 3, faults: [] })
  })

  it('leaves a file alone that has the name of one which the mirror had deleted', async () => {
    const { mirror, at, pages } = await openMirror({ '/': ['/a', '/b', '/A'] })
    await mirror.sync()
    pages.set('/', { links: ['/b'] })
    const gone = Object.keys(await readFiles()).filter((name) => /\/a/i.test(name))
    expect(gone).toHaveLength(2)
    await mirror.sync()
    for (const name of gone) await writeFile(join(folder, name), 'mine')
    pages.set('/b', { links: [], text: 'New.' })
    await mirror.sync()
    await mirror.sync()
    const files = await readFiles()
    for (const name of gone) expect(files[name]).toBe('mine')
    expect(Object.keys(files)).toContain(`${at}/b.md`)
  })

  it('leaves lists alone that are written when it has taken its own away', async () => {
    const { mirror, engine, start } = await openMirror({ '/': [] })
    await mirror.sync()
    const without = engine.mirror({ url: start }, mirrorTo(folder, { llms: false }))
    await without.sync()
    expect(Object.keys(await readFiles())).toHaveLength(1)
    await writeFile(join(folder, 'llms.txt'), 'mine')
    await without.sync()
    expect((await readFiles())['llms.txt']).toBe('mine')
  })

  it('touches no file outside of the folder, whatever its record says', async () => {
    const { mirror, start } = await openMirror({ '/': ['/a'] })
    await mirror.sync()
    const outside = await mkdtemp(join(tmpdir(), 'trawl-test-outside-'))
    const file = `../${basename(outside)}/mine.md`
    await writeFile(join(folder, file), 'mine')
    const stored = { file, bytes: 4, sum: '', mtimeMs: 0 }
    const lines = [
      { reserve: [file, join(folder, file), '.trawl-mirror/record.ndjson'] },
      { put: [{ key: `${start}x`, digest: 'x', run: 1, stored }] },
      { put: [{ key: `${start}a`, digest: 'x', run: 1, stored }] },
    ]
    await appendFile(
      join(folder, '.trawl-mirror', 'record.ndjson'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    expect(await mirror.sync()).toMatchObject({ removed: 1 })
    expect((await readdir(outside)).length).toBe(1)
    expect(await readFile(join(outside, 'mine.md'), 'utf8')).toBe('mine')
    await rm(outside, { recursive: true })
  })

  it('lists the other pages while a file is missing that the site does not give again', async () => {
    const { mirror, at, pages, failures } = await openMirror({ '/': ['/a', '/b'] })
    await mirror.sync()
    const before = await readFiles()
    await rm(join(folder, at, 'a.md'))
    failures.set('/a', [403])
    pages.set('/b', { links: [], text: 'New.' })
    expect(await mirror.sync()).toMatchObject({ failed: 1, changed: 1 })
    expect((await readFiles())['llms-full.txt']).not.toContain('# Page /a\n')
    pages.set('/b', { links: [] })
    await mirror.sync()
    expect(await readFiles()).toEqual(before)
  })

  it('has nothing in its lists that was written into a file by hand, once the site gives its page again', async () => {
    const { mirror, at, pages, failures } = await openMirror({ '/': ['/a', '/b'] })
    await mirror.sync()
    const before = await readFiles()
    await writeFile(join(folder, at, 'a.md'), 'edited')
    failures.set('/a', [403])
    pages.set('/b', { links: [], text: 'New.' })
    await mirror.sync()
    pages.set('/b', { links: [] })
    failures.set('/a', [403])
    await mirror.sync()
    expect((await readFiles())['llms-full.txt']).toContain('edited')
    await mirror.sync()
    expect(await readFiles()).toEqual(before)
    await writeFile(join(folder, 'llms-full.txt'), 'edited')
    await rm(join(folder, 'llms.txt'))
    expect(await mirror.verify()).toMatchObject({ ok: false })
    await mirror.sync()
    expect(await readFiles()).toEqual(before)
  })

  it('can be asked while it is synchronized, and is synchronized once at a time', async () => {
    const links = Array.from({ length: 12 }, (_, at) => `/p${at}`)
    const { mirror, engine, start } = await openMirror({ '/': links })
    const other = engine.mirror({ url: start }, mirrorTo(folder))
    const first = mirror.sync()
    await expect(other.sync()).rejects.toThrow('are being taken: await that first')
    const checks: Promise<unknown>[] = []
    for (let ended = false; !ended;) {
      checks.push(other.status(), other.verify())
      ended = await Promise.race([first.then(() => true), new Promise<false>((done) => setTimeout(done, 2, false))])
    }
    expect(await first).toEqual({ ...NONE, new: 13, pages: { new: expect.any(Array) as unknown } })
    await Promise.all(checks)
    expect(await other.status()).toMatchObject({ pages: 13 })
    expect(await other.verify()).toMatchObject({ ok: true, compared: 13 })
    expect(Object.keys(await readFiles())).toHaveLength(15)
  })

  it('warns where another site has the folder', async () => {
    const { mirror, engine, start } = await openMirror({ '/': ['/a'], '/x/': ['/x/a', '/x/b', '/x/c'] })
    const other = engine.mirror({ url: `${start}x/` }, mirrorTo(folder))
    expect((await other.sync()).warnings).toBeUndefined()
    expect((await other.sync()).warnings).toBeUndefined()
    expect((await mirror.sync()).warnings).toEqual([expect.stringContaining(`was a mirror of ${start}x/. `)])
    expect((await other.sync()).warnings).toEqual([expect.stringContaining(`was a mirror of ${start}. `)])
  })

  it('deletes nothing while the start page is gone', async () => {
    const { mirror, at, pages } = await openMirror({ '/': ['/a', '/b'] }, {}, { sitemap: ['/b'] })
    await mirror.sync()
    pages.delete('/')
    expect(await mirror.sync()).toMatchObject({
      removed: 0,
      kept: 2,
      gaps: ['A start page gave no page.', expect.stringContaining('1 of 3 pages answered 404 or 410')],
    })
    expect(Object.keys(await readFiles())).toContain(`${at}/a.md`)
  })
})
