import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PageFolder, runNow } from '../../../src/base/folder/page-folder.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-original-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const within = (...names: string[]) => join(folder, ...names)
const read = (...names: string[]) => readFile(within(...names), 'utf8')

/** Field `original` of a document, with the bytes in it unless they are elsewhere. */
function original(text: string, name = 'report.pdf', url?: string) {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const inlined = `data:application/pdf;base64,${bytes.toString('base64')}`
  return { original: { url: url ?? inlined, name, mediaType: 'application/pdf', bytes: bytes.length, sha256 } }
}

type Pages = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/** Writes pages into the folder, as one run does. A page that is undefined has not changed. Pages that did not come are deleted. */
async function write(pages: Pages, deletesOthers = true, wantsOriginals = false) {
  const open = runNow(PageFolder.open(folder, { isFaulty: () => false, wantsOriginals }))
  for (const [path, document] of Object.entries(pages)) {
    const url = `https://example.com${path}`
    const isUnread = document === undefined
    const placed = open.place({ url, sourceURL: url, verdict: 'page', isUnread })
    if (!placed) continue
    await open.originals.save(placed, document ?? {}, isUnread)
    await mkdir(join(placed.path, '..'), { recursive: true })
    if (!isUnread) await writeFile(placed.path, `---\nurl: "${url}"\n---\n`)
    open.add(placed, document ?? {})
  }
  open.judgeEarlier(new Set(), deletesOthers)
  open.close()
  return { warnings: open.originals.warnings, lacking: open.lacking }
}

const list = async () => (await readdir(within('example.com'))).toSorted()

it('saves a file beside its page, under its name, with the extension of its type', async () => {
  await write({
    '/report.pdf': original('1'),
    '/REPORT.pdf': original('2'),
    '/get?id=5': original('3', 'get.pdf'),
    '/con.pdf': original('4'),
    '/odd': original('5', 'odd.md'),
    '/page': {},
  })
  const names = await list()
  expect(names.filter((name) => !name.endsWith('.md'))).toEqual([
    'REPORT.pdf',
    '_con.pdf',
    'get_id=5.pdf',
    'odd.bin',
    expect.stringMatching(/^report\.pdf-[\da-f]{8}\.pdf$/),
  ])
  const lines = (await read('index.ndjson')).trim().split('\n')
  for (const line of lines) {
    const { url, original: saved } = JSON.parse(line) as { url: string; original?: { path: string; sha256: string } }
    if (url.endsWith('/page')) expect(saved).toBeUndefined()
    else {
      const bytes = await readFile(within(...(saved?.path ?? '').split('/')))
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(saved?.sha256)
      expect(saved).not.toHaveProperty('url')
    }
  }
})

it('writes no file that is there with its bytes, and writes one again that was changed or deleted by hand', async () => {
  await write({ '/a.pdf': original('one'), '/b.pdf': original('two'), '/c.pdf': original('three') })
  const { mtimeMs } = await stat(within('example.com', 'a.pdf'))
  await writeFile(within('example.com', 'b.pdf'), 'TWO')
  await rm(within('example.com', 'c.pdf'))
  await write({ '/a.pdf': original('one'), '/b.pdf': original('two'), '/c.pdf': original('three') })
  expect((await stat(within('example.com', 'a.pdf'))).mtimeMs).toBe(mtimeMs)
  expect([await read('example.com', 'b.pdf'), await read('example.com', 'c.pdf')]).toEqual(['two', 'three'])
  await write({ '/a.pdf': original('new'), '/b.pdf': original('two'), '/c.pdf': original('three') })
  expect(await read('example.com', 'a.pdf')).toBe('new')
  expect(await list()).toEqual(['a.pdf', 'a.pdf.md', 'b.pdf', 'b.pdf.md', 'c.pdf', 'c.pdf.md'])
})

it('deletes a file with its page, or when the page is no file any more, and not before', async () => {
  await write({ '/a.pdf': original('one'), '/b.pdf': original('two'), '/c.pdf': original('three') })
  await write({ '/b.pdf': {} }, false)
  expect(await list()).toEqual(['a.pdf', 'a.pdf.md', 'b.pdf.md', 'c.pdf', 'c.pdf.md'])
  await write({ '/a.pdf': undefined, '/b.pdf': {} })
  expect(await list()).toEqual(['a.pdf', 'a.pdf.md', 'b.pdf.md'])
})

it('asks for an unchanged page whose file is missing', async () => {
  await write({ '/a.pdf': original('one'), '/b.pdf': original('two') })
  await rm(within('example.com', 'a.pdf'))
  expect(await write({ '/a.pdf': undefined, '/b.pdf': undefined })).toMatchObject({
    lacking: ['https://example.com/a.pdf'],
  })
})

it('asks for unchanged pages whose file no run has saved, where files are wanted', async () => {
  const typed = (contentType: string) => ({ metadata: { contentType } })
  const gone = pathToFileURL(within('gone.pdf')).href
  const pages = {
    '/a.pdf': typed('application/pdf'),
    '/b.pdf': { ...typed('application/pdf'), ...original('two') },
    '/c.pdf': { ...typed('application/pdf'), ...original('three', 'c.pdf', gone) },
    '/d.pdf': { ...typed('application/pdf'), ...original('four', 'd.pdf', 'https://files.example.com/d') },
    '/page': typed('text/html; charset=utf-8'),
    '/x': typed('application/xhtml+xml'),
    '/y': typed('text/markdown'),
    '/z.md': typed('text/plain'),
    '/none': {},
  }
  await write(pages)
  const unread = Object.fromEntries(Object.keys(pages).map((path) => [path, undefined]))
  const { lacking } = await write(unread, true, true)
  expect(lacking).toEqual(['https://example.com/a.pdf', 'https://example.com/c.pdf'])
  expect(await write(unread)).toMatchObject({ lacking: [] })
})

it('lists no bytes and no place that does not last for a file that was not saved', async () => {
  const broken = { original: { ...original('one').original, sha256: '00' } }
  const local = original('two', 'b.pdf', pathToFileURL(within('gone.pdf')).href)
  const elsewhere = original('three', 'c.pdf', 'https://files.example.com/c')
  await write({ '/a.pdf': broken, '/b.pdf': local, '/c.pdf': elsewhere })
  const lines = (await read('index.ndjson')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { original: object }).original)).toEqual([
    { name: 'report.pdf', mediaType: 'application/pdf', bytes: 3, sha256: '00' },
    { name: 'b.pdf', mediaType: 'application/pdf', bytes: 3, sha256: local.original.sha256 },
    elsewhere.original,
  ])
})

it.each([true, false])(
  'leaves a page the file that it took from another, whose own was deleted by hand (%s)',
  async (isFirst) => {
    await write({ '/report': original('A') })
    await rm(within('example.com', 'report.pdf'))
    const taker = { '/report.pdf': original('B') }
    await write(isFirst ? { ...taker, '/report': original('A') } : { '/report': {}, ...taker })
    expect(await read('example.com', 'report.pdf')).toBe('B')
    if (isFirst) expect(await read('example.com', 'report.md.pdf')).toBe('A')
  },
)

it('leaves alone what no run wrote: files, links, folders', async () => {
  await mkdir(within('example.com', 'c.pdf'), { recursive: true })
  await writeFile(within('example.com', 'a.pdf'), 'mine')
  await writeFile(within('mine.pdf'), 'mine')
  await symlink(within('mine.pdf'), within('example.com', 'b.pdf'))
  const pages = { '/a.pdf': original('one'), '/b.pdf': original('two'), '/c.pdf': original('three') }
  for (let run = 0; run < 2; run += 1) {
    await write(pages)
    expect([await read('example.com', 'a.pdf'), await read('mine.pdf')]).toEqual(['mine', 'mine'])
    for (const [name, text] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'three'],
    ] as const)
      expect(await read('example.com', `${name}.pdf.md.pdf`)).toBe(text)
  }
  await write({ '/page': {} })
  expect(await list()).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'page.md'])
})

it('touches no file that an index names and that cannot be one of its page', async () => {
  await write({ '/a.pdf': original('one'), '/page': {} })
  await writeFile(within('mine.txt'), 'mine')
  await writeFile(within('example.com', 'mine.txt'), 'mine')
  const index = await read('index.ndjson')
  for (const path of [
    'mine.txt',
    'example.com/mine.txt',
    '../mine.txt',
    'example.com/page.md',
    'example.com/a.pdf.md/x.pdf',
  ]) {
    await writeFile(within('index.ndjson'), index.replace('"example.com/a.pdf"', JSON.stringify(path)))
    await write({ '/page': {} })
  }
  expect([await read('mine.txt'), await read('example.com', 'mine.txt')]).toEqual(['mine', 'mine'])
  expect(await list()).toContain('page.md')
})

it('keeps the file of an earlier run with a warning where the bytes cannot be had', async () => {
  await write({ '/a.pdf': original('one') })
  const gone = pathToFileURL(within('gone.pdf')).href
  const { warnings } = await write({
    '/a.pdf': original('two', 'a.pdf', gone),
    '/b.pdf': original('two', 'b.pdf', gone),
  })
  expect(warnings).toEqual([
    expect.stringMatching(/^The file of https:\/\/example\.com\/a\.pdf was not saved: ENOENT/),
    expect.stringMatching(/^The file of https:\/\/example\.com\/b\.pdf was not saved: ENOENT/),
  ])
  await writeFile(within('gone.pdf'), 'other bytes')
  expect(await write({ '/a.pdf': original('two', 'a.pdf', gone) })).toMatchObject({
    warnings: [expect.stringContaining('its bytes are not those that were received')],
  })
  expect(await read('example.com', 'a.pdf')).toBe('one')
  expect(await list()).toEqual(['a.pdf', 'a.pdf.md'])
  await write({ '/page': {} })
  expect(await list()).toEqual(['page.md'])
})

it('takes over a file that a killed run has written and not listed', async () => {
  await mkdir(within('example.com'))
  await writeFile(within('example.com', 'c.pdf'), 'three')
  await utimes(within('example.com', 'c.pdf'), 1, 1)
  await writeFile(within('index.ndjson.1.00000000-0000-0000-0000-000000000000.partial'), '')
  const killed = within(`index.ndjson.999999999.00000000-0000-0000-0000-000000000000.partial`)
  await writeFile(killed, '')
  await writeFile(within('example.com', 'a.pdf'), 'one')
  await writeFile(within('example.com', 'b.pdf'), 'mine')
  await write({ '/a.pdf': original('one'), '/b.pdf': original('two'), '/c.pdf': original('three') })
  const b = ['b.pdf', 'b.pdf.md', 'b.pdf.md.pdf']
  // It was there before that run began, so that it is somebody else's.
  const c = ['c.pdf', 'c.pdf.md', 'c.pdf.md.pdf']
  expect(await list()).toEqual(['a.pdf', 'a.pdf.md', ...b, ...c])
  expect(await read('example.com', 'b.pdf')).toBe('mine')
})

it('asks again for an unchanged page whose last file could not be saved, until it is', async () => {
  await write({ '/a.pdf': original('one') })
  const gone = pathToFileURL(within('gone.pdf')).href
  await write({ '/a.pdf': original('two', 'a.pdf', gone) })
  for (let run = 0; run < 2; run += 1)
    expect(await write({ '/a.pdf': undefined, '/page': {} })).toMatchObject({ lacking: ['https://example.com/a.pdf'] })
  expect(await read('example.com', 'a.pdf')).toBe('one')
  expect(await write({ '/a.pdf': original('two') })).toMatchObject({ lacking: [], warnings: [] })
  expect(await write({ '/a.pdf': undefined })).toMatchObject({ lacking: [] })
  expect(await read('example.com', 'a.pdf')).toBe('two')
})

it('saves no file under an extension that runs, or that a browser shows as a page, and takes such a one over', async () => {
  const names = ['setup.exe', 'shell.PHP', 'run.sh', 'page.html', 'x.phtml', 'a.js', 'link.lnk', 'ok.svg', 'ok.tar.gz']
  await write(Object.fromEntries(names.map((name) => [`/${name}`, original(name, name)])))
  const saved = (await list()).filter((name) => !name.endsWith('.md'))
  expect(saved).toEqual(
    [
      'setup.exe.bin',
      'shell.bin',
      'run.sh.bin',
      'page.bin',
      'x.phtml.bin',
      'a.js.bin',
      'link.lnk.bin',
      'ok.svg',
      'ok.tar.gz',
    ].toSorted(),
  )
  // As a version before this rule has left it.
  await rm(within('example.com', 'run.sh.bin'))
  await writeFile(within('example.com', 'run.sh'), 'run.sh')
  const index = await read('index.ndjson')
  await writeFile(within('index.ndjson'), index.replace('example.com/run.sh.bin', 'example.com/run.sh'))
  await write({ '/run.sh': original('run.sh', 'run.sh') })
  expect(await list()).toEqual(['run.sh.bin', 'run.sh.md'])
})
