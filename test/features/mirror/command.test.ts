import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { runHere } from '../../cli/run-here.js'
import { startCli } from '../../cli/start-cli.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-mirror-command-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const out = (): string => join(folder, 'out')
const listPages = async (): Promise<string[]> =>
  (await readdir(out(), { recursive: true })).filter((name) => name.endsWith('.md')).toSorted()

async function open() {
  const opened = await openChangingSite(on, { '/': ['/a', '/b', '/c'] })
  const flags = ['--threads', '0', '--fetcher', 'http']
  const args = (...more: readonly string[]): string[] => ['mirror', opened.start, ...more, ...flags]
  return { ...opened, args, run: (...more: readonly string[]) => runHere(args(...more)) }
}

const readTable = (file: string, table: string): readonly Record<string, unknown>[] => {
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
  try {
    return database.prepare(`SELECT * FROM "${table}" ORDER BY key`).all()
  } finally {
    database.close()
  }
}

describe('trawl mirror', () => {
  it('keeps a folder equal to a site, and counts what it did', async () => {
    const { run, pages, sent, site } = await open()
    const first = await run(out())
    expect(first).toMatchObject({ code: 0, stdout: '' })
    expect(first.stderr).toContain('Mirrored: 4 new, 0 changed, 0 moved, 0 removed, 0 unchanged, 0 failed\n')
    const at = `127.0.0.1_${site.port}`
    expect(await listPages()).toEqual([`${at}/a.md`, `${at}/b.md`, `${at}/c.md`, `${at}/index.md`])
    const times = await Promise.all((await listPages()).map(async (name) => (await stat(join(out(), name))).mtimeMs))
    const firstBytes = sent.bytes
    sent.bytes = 0
    expect((await run(out())).stderr).toContain('0 new, 0 changed, 0 moved, 0 removed, 4 unchanged, 0 failed\n')
    expect(sent.bytes).toBeLessThan(firstBytes * 0.8)
    expect(await Promise.all((await listPages()).map(async (name) => (await stat(join(out(), name))).mtimeMs))).toEqual(
      times,
    )
    pages.set('/a', { links: [], text: 'New.' })
    pages.delete('/b')
    const { stdout, stderr } = await run(out(), '--json')
    expect(stdout).toBe('')
    const lines = stderr.trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      summary: {
        changed: 1,
        removed: 1,
        unchanged: 2,
        gaps: [],
        pages: { changed: [site.url('/a')], removed: [site.url('/b')] },
      },
    })
    expect(await readFile(join(out(), at, 'a.md'), 'utf8')).toContain('New.')
    expect(await listPages()).not.toContain(`${at}/b.md`)
    expect((await run(out(), '--quiet')).stderr).toBe('')
  })

  it('says why nothing was removed, and `--strict` exits with an error', async () => {
    const { run, pages, failures, site } = await open()
    await run(out())
    pages.set('/', { links: ['/a', '/b'] })
    failures.set('/b', [403])
    const { code, stderr } = await run(out(), '--strict')
    expect(code).not.toBe(0)
    expect(stderr).toContain(`Failed:\n  ${site.url('/b')}  403\n`)
    expect(stderr).toContain(
      'Nothing was removed for not being found, and 1 page kept: 1 page could not be read, whose',
    )
    const after = await run(out(), '--strict')
    expect(after.stderr).toContain('1 removed')
    expect(after.code).toBe(0)
  })

  it('fills a table of pages, or of chunks, of an SQLite file', async () => {
    const { run, pages } = await open()
    const file = join(folder, 'site.db')
    expect((await run(file)).stderr).toContain('4 new')
    pages.delete('/c')
    expect((await run(file)).stderr).toContain('1 removed, 3 unchanged')
    expect(readTable(file, 'pages').map(({ title }) => title)).toEqual(['/', '/a', '/b'])
    expect((await run(file, '--unit', 'chunk', '--table', 'parts')).stderr).toContain('3 new')
    expect(readTable(file, 'parts')).toHaveLength(3)
  })

  it.each([
    [['--every', 'soon'], '--every: "soon" is no interval'],
    [['--max-removed', '2'], '--max-removed: 2 is out of range'],
    [['--unit', 'chunk'], '--unit: a folder has files of pages'],
    [['--table', 'x'], '--table: a folder has files of pages'],
    [['--limit', '0'], '--limit'],
    [['--asset'], '--asset is no flag: did you mean --assets?'],
  ])('refuses %j, and makes nothing', async (more, message) => {
    const { run } = await open()
    const { code, stderr } = await run(out(), ...more)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    await expect(readdir(out())).rejects.toThrow('ENOENT')
  })

  it('saves the pictures of pages with `--assets`, in a folder alone', async () => {
    const { run, pages, files, site } = await open()
    pages.set('/a', { links: [], text: '<img src="/one.png" alt="One" width="300">' })
    files.set('/one.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
    expect((await run(out(), '--assets')).stderr).toContain('4 new')
    const [name = ''] = await readdir(join(out(), 'assets'))
    expect(await readFile(join(out(), `127.0.0.1_${site.port}`, 'a.md'), 'utf8')).toContain(`![One](../assets/${name})`)
    expect((await run(out())).stderr).toContain('4 changed')
    await expect(readdir(join(out(), 'assets'))).rejects.toThrow('ENOENT')
    expect(await run(join(folder, 'site.db'), '--assets')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--assets: a database has the text of pages'),
    })
  })

  it('mirrors again and again with `--every`, also after a crawl that failed, until it is stopped', async () => {
    const { args, pages, site } = await open()
    const run = startCli(args(out(), '--every', '1s', '--max-retries', '0'))
    await run.said('4 new')
    pages.set('/a', { links: [], text: 'New.' })
    await run.said('1 changed')
    await rm(out(), { recursive: true })
    await expect.poll(() => listPages().catch(() => [])).toHaveLength(4)
    run.child.kill('SIGINT')
    const { code, stderr } = await run.ended
    expect(code).toBe(0)
    expect(stderr).toMatch(/Interrupted\.\s*$/)
    expect(await listPages()).toContain(`127.0.0.1_${site.port}/a.md`)
  })
})
