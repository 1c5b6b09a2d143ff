import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, mirrorTo } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-pictures-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A picture that no other text gives. */
const png = (text: string): Buffer => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)])

const nameOf = (bytes: string | Buffer, type = 'png'): string =>
  `assets/${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${type}`

const img = (src: string): string => `<img src="${src}" alt="A picture of what is meant" width="400" height="300">`

async function readAll(path = folder): Promise<Record<string, string>> {
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  const names = found
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.trawl-mirror'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name.slice(path.length + 1), await readFile(name, 'latin1')] as const),
    ),
  )
}

const listPictures = async (): Promise<string[]> =>
  Object.keys(await readAll()).filter((name) => name.startsWith('assets/'))

/** Opens a site with pages that show pictures, and its mirror. */
async function open(shown: Readonly<Record<string, readonly string[]>>, options: Parameters<typeof mirrorTo>[1] = {}) {
  const links = Object.fromEntries(Object.keys(shown).map((path) => [path, []]))
  const opened = await openChangingSite(
    on,
    { ...links, '/': Object.keys(shown) },
    {},
    { snapshots: join(folder, '..', `${folder}-snapshots`) },
  )
  const { pages, engine, start, site } = opened
  const show = (path: string, pictures: readonly string[], text = ''): void => {
    pages.set(path, { links: [], text: `${text}${pictures.map(img).join(' ')}` })
  }
  for (const [path, pictures] of Object.entries(shown)) show(path, pictures)
  const mirrorIn = (to: string, own: Engine = engine, more = options) =>
    own.mirror({ url: start, sitemap: 'skip' }, mirrorTo(to, { assets: true, ...more }))
  return {
    ...opened,
    show,
    at: `127.0.0.1_${site.port}`,
    mirror: mirrorIn(folder),
    mirrorIn,
    /** What a new mirror has. */
    async readFresh(): Promise<Record<string, string>> {
      const fresh = await mkdtemp(join(tmpdir(), 'trawl-test-fresh-'))
      const own = createEngine({ allowPrivateNetworks: true, threads: 0, cache: false })
      try {
        await mirrorIn(fresh, own).sync()
        return await readAll(fresh)
      } finally {
        await own.close()
        await rm(fresh, { recursive: true })
      }
    },
  }
}

afterEach(() => rm(`${folder}-snapshots`, { recursive: true, force: true }))

describe('the pictures of a mirror', () => {
  it('are saved once each, and the links of pages and lists lead to them', async () => {
    const { mirror, files, at, asked } = await open({ '/a': ['/one.png', '/two'], '/d/e/b': ['/one.png', '/copy.png'] })
    files.set('/one.png', png('one')).set('/copy.png', png('one')).set('/two', 'GIF89a two')
    expect((await mirror.sync()).warnings).toBeUndefined()
    const all = await readAll()
    const [one, two] = [nameOf(png('one')), nameOf('GIF89a two', 'gif')]
    expect(await listPictures()).toEqual([one, two].toSorted())
    expect(Buffer.from(all[one] ?? '', 'latin1')).toEqual(png('one'))
    expect(all[`${at}/a.md`]).toContain(
      `![A picture of what is meant](../${one}) ![A picture of what is meant](../${two})`,
    )
    expect(all[`${at}/d/e/b.md`]?.match(/\]\(\.\.\/\.\.\/\.\.\/assets/g)).toHaveLength(2)
    expect(all['llms-full.txt']).toContain(`![A picture of what is meant](${two})`)
    expect(all['llms-full.txt']).not.toContain('../assets')
    expect(asked.filter((path) => path === '/one.png')).toHaveLength(1)
    expect(await mirror.status()).toMatchObject({ pages: 3, assets: 2 })
    expect(await mirror.verify()).toMatchObject({ ok: true, compared: 3 })
  })

  it('are not asked for, and nothing is written, when nothing has changed', async () => {
    const { mirror, files, asked } = await open({ '/a': ['/one.png'], '/b': ['/one.png', '/missing.png'] })
    files.set('/one.png', png('one'))
    await mirror.sync()
    const timesOf = async (): Promise<number[]> =>
      Promise.all(Object.keys(await readAll()).map(async (name) => (await stat(join(folder, name))).mtimeMs))
    const before = await timesOf()
    asked.length = 0
    expect(await mirror.sync()).toMatchObject({ unchanged: 3, new: 0, changed: 0 })
    expect(asked.filter((path) => path.endsWith('.png'))).toEqual([])
    expect(await timesOf()).toEqual(before)
  })

  it('stay links where they cannot be had, with the reasons', async () => {
    const svg = (body: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`
    const bad = {
      '/page.png': '<html>No picture</html>',
      '/big.png': png('x'.repeat(5000)),
      '/script.svg': svg('<script>alert(1)</script>'),
      '/photo.bmp.png': Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]),
    }
    const { mirror, files, site, at } = await open(
      { '/a': ['/gone.png', ...Object.keys(bad), '/fine.svg'] },
      {
        assets: { maxBytes: 4000, types: ['png', 'svg'] },
      },
    )
    for (const [path, body] of Object.entries(bad)) files.set(path, body)
    files.set('/fine.svg', svg('<circle r="4"/>'))
    const { warnings, failed } = await mirror.sync()
    expect(failed).toBe(0)
    expect(warnings).toHaveLength(1)
    for (const reason of [
      `1 picture answered 404, such as ${site.url('/gone.png')}`,
      `1 picture had more than 4000 bytes, such as ${site.url('/big.png')}`,
      `1 picture had bytes that are no picture, such as ${site.url('/page.png')}`,
      `1 picture had scripts, such as ${site.url('/script.svg')}`,
      `1 picture had a type that is not wanted (bmp), such as ${site.url('/photo.bmp.png')}`,
    ])
      expect(warnings?.[0]).toContain(reason)
    expect(await listPictures()).toEqual([nameOf(svg('<circle r="4"/>'), 'svg')])
    const text = (await readAll())[`${at}/a.md`]
    for (const path of ['/gone.png', ...Object.keys(bad)]) expect(text).toContain(`](${site.url(path)})`)
  })

  it('are deleted with the last page that shows them, and not before', async () => {
    const { mirror, files, show, pages, readFresh } = await open({
      '/a': ['/one.png'],
      '/b': ['/one.png'],
      '/c': ['/two.png'],
    })
    files.set('/one.png', png('one')).set('/two.png', png('two'))
    await mirror.sync()
    await writeFile(join(folder, 'assets', 'mine.png'), 'mine')
    show('/a', [])
    await mirror.sync()
    expect(await listPictures()).toContain(nameOf(png('one')))
    pages.delete('/b')
    pages.set('/', { links: ['/a', '/c'] })
    await mirror.sync()
    expect(await listPictures()).toEqual([nameOf(png('two')), 'assets/mine.png'].toSorted())
    show('/c', [])
    await mirror.sync()
    await rm(join(folder, 'assets', 'mine.png'))
    expect(await listPictures()).toEqual([])
    await rm(join(folder, 'assets'), { recursive: true })
    expect(await readAll()).toEqual(await readFresh())
  })

  it('that change are seen when a page that shows them changes, and all pages have the new ones', async () => {
    const { mirror, files, show, asked, readFresh } = await open({ '/a': ['/one.png', '/two.png'], '/b': ['/one.png'] })
    files.set('/one.png', png('one')).set('/two.png', png('two'))
    await mirror.sync()
    files.set('/one.png', png('new'))
    await mirror.sync()
    expect(await listPictures()).toContain(nameOf(png('one')))
    show('/a', ['/one.png', '/two.png'], 'Another text. ')
    asked.length = 0
    expect(await mirror.sync()).toMatchObject({ changed: 1, unchanged: 2 })
    expect(asked.filter((path) => path.endsWith('.png')).toSorted()).toEqual(['/one.png', '/two.png'])
    expect(await readAll()).toEqual(await readFresh())
    expect(await mirror.verify({ fetch: 3 })).toMatchObject({ ok: true })
    expect(await mirror.sync()).toMatchObject({ unchanged: 3 })
  })

  it('that were alike, and of which one changes, are told from each other', async () => {
    const twice = ['/copy.png', '/one.png', '/copy.png#at', '/one.png#at']
    const { mirror, files, show, readFresh } = await open({ '/a': twice, '/b': ['/one.png'] })
    files.set('/one.png', png('one')).set('/copy.png', png('one'))
    await mirror.sync()
    files.set('/one.png', png('new'))
    show('/b', ['/one.png'], 'Another text. ')
    expect(await mirror.sync()).toMatchObject({ changed: 1, unchanged: 2 })
    expect(await listPictures()).toEqual([nameOf(png('one')), nameOf(png('new'))].toSorted())
    expect(await readAll()).toEqual(await readFresh())
    expect(await mirror.verify()).toMatchObject({ ok: true })
    expect(await mirror.sync()).toMatchObject({ unchanged: 3 })
    // Alike once more, and again not.
    for (const body of [png('one'), png('last')]) {
      files.set('/one.png', body)
      show('/b', ['/one.png'], `Text ${body.length}. `)
      await mirror.sync()
      expect(await readAll()).toEqual(await readFresh())
    }
  })

  it('that were alike, on a page whose file somebody has edited, are told when the page is read again', async () => {
    const { mirror, files, show, at, readFresh } = await open({ '/a': ['/copy.png', '/one.png'], '/b': ['/one.png'] })
    files.set('/one.png', png('one')).set('/copy.png', png('one'))
    await mirror.sync()
    const path = join(folder, at, 'a.md')
    await writeFile(path, (await readFile(path, 'utf8')).replace(/!\[.*\)/, ''))
    files.set('/one.png', png('new'))
    show('/b', ['/one.png'], 'Another text. ')
    await mirror.sync()
    await mirror.sync()
    expect(await readAll()).toEqual(await readFresh())
  })

  it('keep the parts of their URLs after the file, which end no link', async () => {
    const { mirror, files, at } = await open({ '/a': ['/one.png#a)b', '/one.png#a|b'], '/b': ['/one.png'] })
    files.set('/one.png', png('one'))
    await mirror.sync()
    const own = nameOf(png('one'))
    const all = await readAll()
    expect(all[`${at}/a.md`]).toContain(`](../${own}#a\\)b) ![`)
    expect(all[`${at}/a.md`]).toContain(`](../${own}#a\\|b)`)
    expect(all['llms-full.txt']).toContain(`](${own}#a\\)b) ![`)
  })

  it('stay links on a page that is too long to be searched, and so does an SVG', async () => {
    const { mirror, files, show, at, site } = await open({ '/a': [], '/b': ['/long.svg', '/one.png'] })
    show('/a', ['/one.png'], 'word '.repeat(200_001))
    files.set('/one.png', png('one'))
    files.set('/long.svg', `<svg xmlns="http://www.w3.org/2000/svg"><desc>${'word '.repeat(900_000)}</desc></svg>`)
    const { warnings } = await mirror.sync()
    expect(warnings?.[0]).toContain('1 picture was an SVG of more than 4194304 bytes')
    expect(warnings?.[0]).toContain('those of pages with more than 1000000 characters (1)')
    expect(await listPictures()).toEqual([nameOf(png('one'))])
    expect((await readAll())[`${at}/a.md`]).toContain(site.url('/one.png'))
  })

  it('are put back when they were changed or deleted', async () => {
    const { mirror, files } = await open({ '/a': ['/one.png', '/two.png'], '/b': ['/one.png'] })
    files.set('/one.png', png('one')).set('/two.png', png('two'))
    await mirror.sync()
    const before = await readAll()
    await rm(join(folder, nameOf(png('one'))))
    await writeFile(join(folder, nameOf(png('two'))), 'edited')
    const { ok, faults } = await mirror.verify()
    expect(ok).toBe(false)
    expect(faults.map(({ kind, message }) => `${kind} ${message}`).toSorted()).toEqual([
      `changed ${nameOf(png('two'))} is not as it was written`,
      `missing ${nameOf(png('one'))} is missing`,
      `missing ${nameOf(png('one'))} is missing`,
    ])
    await mirror.sync()
    expect(await readAll()).toEqual(before)
    expect(await mirror.verify()).toMatchObject({ ok: true })
  })

  it('come and go with the option, and all pages are written again', async () => {
    const { mirror, files, mirrorIn, engine, site } = await open({ '/a': ['/one.png'], '/b': ['/one.png'] })
    files.set('/one.png', png('one'))
    await mirror.sync()
    const withPictures = await readAll()
    await mirrorIn(folder, engine, { assets: false }).sync()
    expect(await listPictures()).toEqual([])
    expect(JSON.stringify(await readAll())).toContain(site.url('/one.png'))
    expect(await mirrorIn(folder, engine, { assets: false }).sync()).toMatchObject({ unchanged: 3 })
    await mirror.sync()
    expect(await readAll()).toEqual(withPictures)
    await mirrorIn(folder, engine, { assets: { types: ['gif'] } }).sync()
    expect(await listPictures()).toEqual([])
  })

  it('that a site does not give for now are asked for again, three nights long', async () => {
    const { mirror, files, failures, asked, readFresh } = await open({ '/a': ['/one.png'], '/b': ['/two.png'] })
    files.set('/one.png', png('one')).set('/two.png', png('two'))
    const fails = (): void => {
      failures.set('/one.png', Array<number>(9).fill(500)).set('/two.png', Array<number>(9).fill(500))
    }
    fails()
    expect((await mirror.sync()).warnings?.[0]).toContain('2 pictures answered 500')
    failures.delete('/one.png')
    await mirror.sync()
    expect(await listPictures()).toEqual([nameOf(png('one'))])
    fails()
    await mirror.sync()
    asked.length = 0
    expect(await mirror.sync()).toMatchObject({ unchanged: 3 })
    expect(asked).not.toContain('/two.png')
    failures.clear()
    const fresh = await readFresh()
    await rm(join(folder, '.trawl-mirror'), { recursive: true })
    await rm(join(folder, 'assets'), { recursive: true })
    for (const name of Object.keys(await readAll())) await rm(join(folder, name))
    await mirror.sync()
    expect(await readAll()).toEqual(fresh)
  })

  it('are asked for again when their page has changed after that', async () => {
    const { mirror, files, failures, show } = await open({ '/a': ['/one.png'] })
    files.set('/one.png', png('one'))
    failures.set('/one.png', Array<number>(99).fill(500))
    for (let night = 0; night < 4; night += 1) await mirror.sync()
    show('/a', ['/one.png'], 'Another text. ')
    await mirror.sync()
    failures.clear()
    await mirror.sync()
    expect(await listPictures()).toEqual([nameOf(png('one'))])
  })

  it('keep what was had while their site does not give them', async () => {
    const { mirror, files, failures, show } = await open({ '/a': ['/one.png'] })
    files.set('/one.png', png('one'))
    await mirror.sync()
    show('/a', ['/one.png'], 'Another text. ')
    failures.set('/one.png', Array<number>(9).fill(500))
    await mirror.sync()
    expect(await listPictures()).toEqual([nameOf(png('one'))])
    failures.clear()
    files.set('/one.png', png('new'))
    await mirror.sync()
    expect(await listPictures()).toEqual([nameOf(png('new'))])
  })

  it('have another name where somebody else has theirs, and stay links where their folder is no place', async () => {
    const { mirror, files, mirrorIn, at, site } = await open({ '/a': ['/one.png'] })
    files.set('/one.png', png('one'))
    const own = nameOf(png('one'))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, own), 'mine')
    await mirror.sync()
    expect(await readFile(join(folder, own), 'utf8')).toBe('mine')
    expect((await readAll())[`${at}/a.md`]).toContain(`(../${own.replace('.png', '-2.png')})`)
    const [other, elsewhere] = [join(folder, 'other'), join(folder, 'elsewhere')]
    await mkdir(other)
    await mkdir(elsewhere)
    await symlink(elsewhere, join(other, 'assets'))
    expect((await mirrorIn(other).sync()).warnings?.[0]).toContain('something else has that of the folder `assets`')
    expect(await readdir(elsewhere)).toEqual([])
    expect((await readAll(other))[`${at}/a.md`]).toContain(site.url('/one.png'))
    expect(await mirrorIn(other).sync()).toMatchObject({ unchanged: 2 })
  })

  it('are files of the mirror only under its own names, whatever its record says', async () => {
    const { mirror, files, start } = await open({ '/a': ['/one.png'] })
    files.set('/one.png', png('one'))
    await mirror.sync()
    await writeFile(join(folder, 'mine.png'), 'mine')
    const asset = { url: `${start}x.png`, file: 'mine.png', bytes: 4, sum: '', mtimeMs: 0 }
    const record = join(folder, '.trawl-mirror', 'record.ndjson')
    const note = async (assets: unknown): Promise<void> => {
      const entry = { key: `${start}x`, digest: 'x', run: 1, assets }
      await writeFile(record, `${await readFile(record, 'utf8')}${JSON.stringify({ put: [entry] })}\n`)
    }
    await note([asset])
    expect(await mirror.sync()).toMatchObject({ removed: 1 })
    for (const damaged of [{}, null, [null], [{ ...asset, file: nameOf(png('one')), url: 'x' }]]) {
      await note(damaged)
      expect(await mirror.sync()).toMatchObject({ removed: 1 })
    }
    expect(await readFile(join(folder, 'mine.png'), 'utf8')).toBe('mine')
  })

  it('are not asked for where robots.txt forbids them, if the crawl obeys it', async () => {
    const { files, mirrorIn, site, start } = await open({ '/a': ['/one.png', '/private/two.png'] })
    files.set('/one.png', png('one')).set('/private/two.png', png('two'))
    files.set('/robots.txt', 'User-agent: *\nDisallow: /private/\n')
    const own = createEngine({ allowPrivateNetworks: true, threads: 0, cache: false })
    try {
      const { warnings } = await mirrorIn(folder, own).sync()
      expect(warnings?.[0]).toContain(`such as ${site.url('/private/two.png')}`)
      expect(await listPictures()).toEqual([nameOf(png('one'))])
      const free = own.mirror({ url: start, ignoreRobotsTxt: true }, mirrorTo(join(folder, 'free'), { assets: true }))
      await free.sync()
      expect(
        Object.keys(await readAll(join(folder, 'free'))).filter((name) => name.startsWith('assets/')),
      ).toHaveLength(2)
    } finally {
      await own.close()
    }
  })

  it('that never come end with the signal, and the next run goes on', async () => {
    let visits = 0
    const answer = (_: unknown, response: ServerResponse): void => {
      if ((visits += 1) > 1) response.end(png('there'))
    }
    const silent = createServer(answer).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const there = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/one.png`
    try {
      const { mirror, show, files, readFresh } = await open({ '/a': ['/one.png'] })
      files.set('/one.png', png('one'))
      show('/a', ['/one.png', there])
      const control = new AbortController()
      const asked = once(silent, 'request').then(() => control.abort(new Error('enough')))
      await expect(mirror.sync({ signal: control.signal })).rejects.toThrow()
      await asked
      await mirror.sync()
      expect(await listPictures()).toEqual([nameOf(png('one')), nameOf(png('there'))].toSorted())
      expect(await readAll()).toEqual(await readFresh())
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  })

  it('are refused with wrong options', () => {
    expect(() => mirrorTo(folder, { assets: { types: ['exe'] } as never })).toThrow('types')
    expect(() => mirrorTo(folder, { assets: { maxBytes: 0 } })).toThrow('maxBytes')
    expect(() => mirrorTo(folder, { assets: { size: 1 } as never })).toThrow('unknown option')
    expect(() => mirrorTo(folder, { assets: 'yes' as never })).toThrow('assets')
  })
})
