import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSite, type Site } from '../site/site.js'
import { runHere } from './run-here.js'
import { makeFolder, readLines, runCli, startCli } from './start-cli.js'

const page = (title: string, links: readonly string[] = []): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${'Words. '.repeat(200)}</p>${links
    .map((href) => `<p><a href="${href}">more</a></p>`)
    .join('')}</main>`

const docs = [
  '/docs/install.html',
  '/docs/a%20b',
  '/docs/list?page=2',
  '/docs/Z%C3%BCrich/',
  '/docs/%2e%2e%2fup',
  '/docs/con',
]
const many = Array.from({ length: 200 }, (_, index) => `/many/${index}`)

let site: Site
beforeAll(async () => {
  site = await startSite({
    pages: {
      '/docs/': page('"Docs": a\ntitle', [...docs, '/elsewhere', 'https://example.com/', 'mailto:a@b.c']),
      ...Object.fromEntries(docs.map((path) => [path, page(path)])),
      '/many/': page('Many', many),
      ...Object.fromEntries(many.map((path) => [path, page(path)])),
    },
  })
})
afterAll(() => site.close())

describe('trawl crawl', () => {
  it('prints each page as a line of JSON, and a summary', async () => {
    const { code, stdout, stderr } = await runCli(['crawl', site.url('/docs/'), '--formats', 'markdown,links'])
    const documents = readLines(stdout)
    expect(documents).toHaveLength(docs.length + 1)
    expect(documents[0]).toMatchObject({ markdown: expect.stringContaining('# '), links: expect.any(Array) })
    expect(stderr).toMatch(/^Crawl completed: 7 pages, 0 failed, \d+ skipped in \d/)
    expect(stderr).toMatch(/Skipped: .*1 EXTERNAL_LINK/)
    expect(stderr).toContain('7 pages written to standard output')
    expect(code).toBe(0)
  })

  it('is incomplete with --strict where a sitemap could not be read, but not because of --limit', async () => {
    const own = { '/': page('Start', ['/a', '/b']), '/a': page('A'), '/b': page('B') }
    await using lacking = await startSite({
      pages: { ...own, '/sitemap.xml': ({ response }) => void response.writeHead(500).end() },
    })
    const { code, stderr } = await runHere(['crawl', lacking.url('/'), '--strict', '--sitemap', 'include'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('sitemap')])
    await using whole = await startSite({ pages: own })
    expect(await runHere(['crawl', whole.url('/'), '--strict', '--limit', '2'])).toMatchObject({ code: 0 })
  })

  it('starts from further URLs: of a flag, and of the lines of a file', async () => {
    await using folder = await makeFolder()
    await writeFile(join(folder.path, 'starts.txt'), `${site.url('/docs/con')} # one\n\n${site.url('/many/2')}\n`)
    const args = ['crawl', site.url('/many/1'), '--urls', site.url('/many/3'), '--starts', 'starts.txt']
    const { stdout } = await runCli(args, { cwd: folder.path })
    const paths = readLines(stdout).map(
      (line) => new URL((line as { metadata: { url: string } }).metadata.url).pathname,
    )
    expect(paths.toSorted()).toEqual(['/docs/con', '/many/1', '/many/2', '/many/3'])
    await writeFile(join(folder.path, 'wrong.txt'), `${site.url('/a')}\nno url at all\n`)
    const wrong = await runCli(['crawl', site.url('/many/1'), '--starts', 'wrong.txt'], { cwd: folder.path })
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('wrong.txt:2: ')])
  })

  it('applies the options of the crawl and of its pages', async () => {
    const args = ['--limit', '3', '--exclude-paths', 'install', '--include-tags', 'h1', '--quiet']
    const { stdout, stderr } = await runCli(['crawl', site.url('/docs/'), ...args])
    const documents = readLines(stdout)
    expect(documents).toHaveLength(3)
    expect(JSON.stringify(documents)).not.toContain('install')
    expect(JSON.stringify(documents)).not.toContain('Words. Words')
    expect(stderr).toBe('')
  })

  it('writes a file for each page, and an index of them', async () => {
    await using folder = await makeFolder()
    const { code, stdout } = await runCli(['crawl', site.url('/docs/'), '--output', 'out'], { cwd: folder.path })
    expect([code, stdout]).toEqual([0, ''])
    const index = readLines(await readFile(folder.in('out', 'index.ndjson'), 'utf8'))
    expect(index.map(({ url }) => String(url)).sort()).toEqual(['/docs/', ...docs].map((path) => site.url(path)).sort())
    for (const { url, file, markdown } of index) {
      const text = await readFile(folder.in('out', ...String(file).split('/')), 'utf8')
      expect(text).toContain(`url: ${JSON.stringify(url)}\n`)
      expect(markdown).toBeUndefined()
    }
    const start = await readFile(folder.in('out', `127.0.0.1_${site.port}`, 'docs', 'index.md'), 'utf8')
    expect(start).toMatch(/^---\nurl: .*\ntitle: "\\"Docs\\": a title"\n---\n\n# "Docs": a title\n/)
    expect(await readdir(folder.path)).toEqual(['out'])
  })

  it('writes to an existing folder, and keeps its other files', async () => {
    await using folder = await makeFolder()
    const run = () => runCli(['crawl', site.url('/docs/'), '--output', folder.in('out')])
    await run()
    const files = (await readdir(folder.in('out'), { recursive: true })).sort()
    await run()
    expect((await readdir(folder.in('out'), { recursive: true })).sort()).toEqual(files)
    expect(files.filter((name) => name.endsWith('.partial'))).toEqual([])
    expect(readLines(await readFile(folder.in('out', 'index.ndjson'), 'utf8'))).toHaveLength(docs.length + 1)
  })

  it('keeps the files of pages that are unchanged since the last crawl', async () => {
    await using folder = await makeFolder()
    const flags = ['--snapshots', folder.in('snapshots'), '--since', 'last', '--output', folder.in('out')]
    const run = () => runHere(['crawl', site.url('/docs/'), '--formats', 'markdown', ...flags])
    await run()
    const file = folder.in('out', `127.0.0.1_${site.port}`, 'docs', 'install.md')
    const text = await readFile(file, 'utf8')
    expect(text).toContain('Words. Words.')

    await run()
    const index = readLines(await readFile(folder.in('out', 'index.ndjson'), 'utf8'))
    const unchanged = index.map(({ changeTracking }) => changeTracking)
    expect(unchanged).toEqual(index.map(() => expect.objectContaining({ changeStatus: 'same' })))
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('deletes the file of a page that is gone since the last crawl, which is no failure', async () => {
    await using folder = await makeFolder()
    let isGone = false
    await using own = await startSite({
      pages: {
        '/': '<h1>Start</h1><a href="/a">a</a> <a href="/b">b</a>',
        '/a': '<h1>A</h1>',
        '/b': ({ response }) => void response.writeHead(isGone ? 404 : 200).end('<h1>B</h1>'),
      },
    })
    const flags = ['--snapshots', folder.in('s'), '--since', 'last', '--output', folder.in('out'), '--strict']
    const run = () => runHere(['crawl', own.url('/'), '--formats', 'markdown,changeTracking', ...flags])
    expect((await run()).code).toBe(0)
    isGone = true
    const { code, stderr } = await run()
    expect(stderr).toMatch(/0 new, 0 changed, 2 same, 1 removed/)
    expect(stderr).toMatch(
      /\n0 pages written to \S+, listed in its index\.ndjson; 2 pages there in the same text\nDeleted: 1 page of an earlier run, 1 /,
    )
    expect(code).toBe(0)
    const files = await readdir(folder.in('out', `127.0.0.1_${own.port}`))
    expect(files.toSorted()).toEqual(['a.md', 'index.md'])
  })

  it('exits with 1 when there is no page at all', async () => {
    const { code, stderr } = await runCli(['crawl', site.url('/reset'), '--max-retries', '0'])
    expect(stderr).toContain('SCRAPE_SITE_ERROR')
    expect(code).toBe(1)
  })

  it('exits without an error when its reader closes the pipe', async () => {
    const { child, ended } = startCli(['crawl', site.url('/many/'), '--max-concurrency', '2'])
    child.stdout.once('data', () => child.stdout.destroy())
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([0, ''])
    expect(site.requests.filter(({ path }) => path.startsWith('/many/')).length).toBeLessThan(many.length)
  })
})
