import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mirrorTo, writePages } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-write-pages-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('writePages()', () => {
  it('writes the files of a mirror, and leaves error pages out', async () => {
    const { engine, start, failures, site } = await openChangingSite(on, { '/': ['/a', '/A', '/b', '/gone'] })
    failures.set('/gone', [404, 404])
    const { pages: written } = await writePages(engine.crawl({ url: start }), join(folder, 'once'))
    expect(written.map(({ url }) => url).toSorted()).toEqual(['', 'A', 'a', 'b'].map((path) => start + path))
    await engine.mirror({ url: start }, mirrorTo(join(folder, 'mirror'), { llms: false })).sync()
    const at = `127.0.0.1_${site.port}`
    const names = await readdir(join(folder, 'once', at))
    expect(names.toSorted()).toHaveLength(4)
    for (const { url, file } of written) {
      const text = await readFile(join(folder, 'once', file), 'utf8')
      expect(text).toContain(`url: ${JSON.stringify(url)}\n`)
      const mirrored = await readdir(join(folder, 'mirror', at))
      const same = await Promise.all(mirrored.map((name) => readFile(join(folder, 'mirror', at, name), 'utf8')))
      expect(same).toContain(text)
    }
  })

  it('says which pages have no Markdown, and writes none of them', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a'] })
    const out = join(folder, 'links')
    const links = await writePages(engine.crawl({ url: start, scrapeOptions: { formats: ['links'] } }), out)
    expect(links).toMatchObject({ pages: [], warnings: [expect.stringContaining('2 pages were not written')] })
    expect(await writePages(engine.crawl({ url: start }), out)).toMatchObject({ warnings: [] })
  })

  it('writes the front matter that a format asks for, and no further one', async () => {
    const { engine, start } = await openChangingSite(on, { '/': [] })
    const formats = [{ type: 'markdown', frontMatter: true }] as const
    const { pages } = await writePages(engine.crawl({ url: start, scrapeOptions: { formats } }), folder)
    const text = await readFile(join(folder, pages[0]?.file ?? ''), 'utf8')
    expect(text.match(/^url: /gm)).toHaveLength(1)
    expect(text.match(/^---$/gm)).toHaveLength(2)
  })

  it('leaves files alone that are there, also a link, whose target is not written', async () => {
    const { engine, start, site } = await openChangingSite(on, { '/': ['/a', '/b'] })
    const at = join(folder, 'once', `127.0.0.1_${site.port}`)
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'a.md'), 'mine')
    await writeFile(join(folder, 'target.md'), 'mine')
    await symlink(join(folder, 'target.md'), join(at, 'b.md'))
    const { pages: written } = await writePages(engine.crawl({ url: start }), join(folder, 'once'))
    expect(written).toHaveLength(3)
    expect(written.map(({ file }) => file)).not.toContain(`127.0.0.1_${site.port}/a.md`)
    expect(await readFile(join(at, 'a.md'), 'utf8')).toBe('mine')
    expect(await readFile(join(folder, 'target.md'), 'utf8')).toBe('mine')
    const texts = await Promise.all(written.map(({ file }) => readFile(join(folder, 'once', file), 'utf8')))
    expect(texts.filter((text) => text.includes('# Page /a'))).toHaveLength(1)
    expect((await readdir(at)).some((name) => name.endsWith('.partial'))).toBe(false)
  })

  it('replaces what an earlier run has written, where it is another text, and removes what is gone', async () => {
    const { engine, start, pages, site } = await openChangingSite(on, { '/': ['/a', '/A', '/b', '/c'] })
    const out = join(folder, 'out')
    const at = `127.0.0.1_${site.port}`
    const crawl = () => engine.crawl({ url: start, scrapeOptions: { formats: ['markdown'], maxAge: 0 } })
    const first = await writePages(crawl(), out)
    expect(first).toMatchObject({ removed: [], kept: [], missing: [], gaps: [] })
    const { mtimeMs } = await stat(join(out, at, 'b.md'))
    pages.set('/c', { links: [], text: 'New.' })
    pages.delete('/a')
    const second = await writePages(crawl(), out)
    expect(second).toMatchObject({ removed: [`${start}a`], kept: [] })
    expect((await stat(join(out, at, 'b.md'))).mtimeMs).toBe(mtimeMs)
    expect(await readFile(join(out, at, 'c.md'), 'utf8')).toContain('New.')
    const fresh = await writePages(crawl(), join(folder, 'fresh'))
    const order = (all: typeof fresh) => all.pages.map(({ url, file }) => `${url} ${file}`).toSorted()
    expect(order(second)).toEqual(order(fresh))
    expect((await readdir(join(out, at))).toSorted()).toEqual((await readdir(join(folder, 'fresh', at))).toSorted())
  })

  it('keeps pages that a job did not find, and removes them with `prune` if the job has seen its whole site', async () => {
    const { engine, start, pages, failures } = await openChangingSite(on, { '/': ['/a', '/b'] })
    const out = join(folder, 'out')
    const crawl = () => engine.crawl({ url: start, scrapeOptions: { formats: ['markdown'], maxAge: 0 } })
    await writePages(crawl(), out)
    pages.set('/', { links: ['/b'] })
    expect(await writePages(crawl(), out)).toMatchObject({ removed: [], kept: [`${start}a`], gaps: [] })
    failures.set('/b', [403])
    const cut = await writePages(crawl(), out, { prune: true })
    expect(cut).toMatchObject({ removed: [], kept: [`${start}a`, `${start}b`] })
    expect(cut.gaps).toEqual([expect.stringContaining('1 page could not be read')])
    async function* documents() {
      yield await engine.scrape(start)
    }
    const loose = await writePages(documents(), out, { prune: true })
    expect(loose).toMatchObject({ removed: [], gaps: ['the documents are not those of a job'] })
    expect(await writePages(crawl(), out, { prune: true })).toMatchObject({
      removed: [`${start}a`],
      kept: [],
      gaps: [],
    })
    expect((await readdir(out, { recursive: true })).filter((name) => name.endsWith('.md'))).toHaveLength(2)
  })

  it('keeps the files of unchanged pages that come without text, and names those whose file is missing', async () => {
    const config = { snapshots: join(folder, 'snapshots') }
    const { engine, start, site } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, config)
    const out = join(folder, 'out')
    const crawl = () => engine.crawl({ url: start, since: 'last' })
    await writePages(crawl(), out)
    await rm(join(out, `127.0.0.1_${site.port}`, 'a.md'))
    const { pages, missing } = await writePages(crawl(), out)
    expect(missing).toEqual([`${start}a`])
    expect(pages.map(({ url }) => url).toSorted()).toEqual([start, `${start}b`])
  })

  it('lists the pages of two runs that go on at once', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a'], '/x/': ['/x/b'] })
    const out = join(folder, 'out')
    const urls = [start, `${start}x/`]
    const both = await Promise.all(urls.map((url) => writePages(engine.crawl({ url }), out)))
    const files = both.flatMap(({ pages }) => pages.map(({ file }) => file)).toSorted()
    const index = (await readFile(join(out, 'index.ndjson'), 'utf8')).trim().split('\n')
    expect(index.map((line) => (JSON.parse(line) as { file: string }).file).toSorted()).toEqual(files)
    expect(await readdir(out)).toHaveLength(2)
  })

  it('has one file of a page that two runs write at once, under the name that it has after one', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a', '/b/', '/b?c'] })
    const crawl = () => engine.crawl({ url: start })
    const ends = new EventEmitter()
    const [firstWrites, secondWrites] = [once(ends, 'first'), once(ends, 'second')]
    async function* first() {
      yield* crawl()
      ends.emit('first')
      await secondWrites
    }
    async function* second() {
      await firstWrites
      yield* crawl()
      ends.emit('second')
      await isListed
    }
    const out = join(folder, 'out')
    const isListed = writePages(first(), out)
    const { pages: last } = await writePages(second(), out)
    const alone = await writePages(crawl(), join(folder, 'alone'))
    const order = (all: typeof last) => all.map(({ url, file }) => `${url} ${file}`).toSorted()
    expect(order(last)).toEqual(order(alone.pages))
    const names = (await readdir(out, { recursive: true })).filter((name) => /\.md$|partial/.test(name))
    expect(names.toSorted()).toEqual(last.map(({ file }) => file).toSorted())
  })

  it('names no page as removed where none came, and the folder stays as it is', async () => {
    const { engine, start, failures } = await openChangingSite(on, { '/': ['/a'] })
    async function* page() {
      yield await engine.scrape(`${start}a`, { maxAge: 0 })
    }
    const { pages } = await writePages(page(), folder)
    failures.set('/a', [404])
    expect(await writePages(page(), folder)).toMatchObject({ pages: [], removed: [], kept: [`${start}a`] })
    expect(await readdir(folder, { recursive: true })).toContain(pages[0]?.file)
  })

  it('leaves the list of its pages to the next run where it cannot be written', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a', '/A'] })
    const out = join(folder, 'out')
    const index = join(out, 'index.ndjson')
    async function* hindered() {
      for await (const page of engine.crawl({ url: start })) {
        await mkdir(index, { recursive: true })
        yield page
      }
    }
    await expect(writePages(hindered(), out)).rejects.toThrow('EISDIR')
    expect((await readdir(out)).filter((name) => /^index\.ndjson\.[\da-f-]{36}\.partial$/.test(name))).toHaveLength(1)
    await rm(index, { recursive: true })
    const { pages } = await writePages(engine.crawl({ url: start }), out)
    const names = (await readdir(out, { recursive: true })).filter((name) => /\.md$|partial/.test(name))
    expect(names.toSorted()).toEqual(pages.map(({ file }) => file).toSorted())
  })

  it('refuses a folder whose index.ndjson has something else', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a'] })
    await writeFile(join(folder, 'index.ndjson'), '{"metadata":{}}\n')
    await expect(writePages(engine.crawl({ url: start }), folder)).rejects.toThrow('name another folder')
    expect(await readFile(join(folder, 'index.ndjson'), 'utf8')).toBe('{"metadata":{}}\n')
    expect(await readdir(folder)).toEqual(['index.ndjson'])
  })

  it('gives the error of the loop, and of the file system, and keeps what it has written whole', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a'] })
    async function* cut() {
      for await (const page of engine.crawl({ url: start })) {
        yield page
        throw new Error('the loop ends')
      }
    }
    await expect(writePages(cut(), join(folder, 'once'))).rejects.toThrow('the loop ends')
    const names = await readdir(join(folder, 'once'), { recursive: true })
    expect(names.filter((name) => name.endsWith('.md'))).toHaveLength(1)
    await writeFile(join(folder, 'file'), '')
    await expect(writePages(engine.crawl({ url: start }), join(folder, 'file'))).rejects.toThrow(/EEXIST|ENOTDIR/)
  })
})
