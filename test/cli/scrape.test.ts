import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSite, type Site } from '../site/site.js'
import { runHere } from './run-here.js'
import { makeFolder, readLines, runCli } from './start-cli.js'

let site: Site
beforeAll(async () => {
  const page = '<title>A page</title><main><h1>Hello</h1><p>Some text and a <a href="/other">link</a>.</p></main>'
  const loading = '<div id="root">Loading…</div><script src="app.js"></script>'
  site = await startSite({ pages: { '/': page, '/loading': loading } })
})
afterAll(() => site.close())

describe('trawl scrape', () => {
  it('prints the Markdown', async () => {
    const { code, stdout, stderr } = await runCli(['scrape', site.url('/')])
    expect(stdout).toBe(`# Hello\n\nSome text and a [link](${site.url('/other')}).\n`)
    expect([code, stderr]).toEqual([0, ''])
  })

  it('prints the document with --json, and with formats other than Markdown', async () => {
    const json = await runCli(['scrape', site.url('/'), '--json'])
    expect(readLines(json.stdout)).toEqual([
      {
        markdown: expect.stringContaining('# Hello'),
        fidelity: { visibleWords: 7, words: 1, links: 1 },
        metadata: expect.objectContaining({ title: 'A page' }),
      },
    ])
    const links = await runCli(['scrape', site.url('/'), '--formats', 'markdown,links'])
    expect(readLines(links.stdout)).toMatchObject([{ links: [site.url('/other')] }])
  })

  it('writes Markdown that has its own front matter unchanged', async () => {
    await using folder = await makeFolder()
    const formats = JSON.stringify([{ type: 'markdown', frontMatter: true, links: 'reference' }])
    await runCli(['scrape', site.url('/'), '--formats', formats, '--output', folder.in('out')])
    const [{ file } = {}] = readLines(await readFile(folder.in('out', 'index.ndjson'), 'utf8'))
    expect(await readFile(folder.in('out', ...String(file).split('/')), 'utf8')).toBe(
      `---\ntitle: "A page"\nurl: "${site.url('/')}"\n---\n\n# Hello\n\nSome text and a [link][1].\n\n[1]: ${site.url('/other')}\n`,
    )
  })

  it('passes the flags to the engine', async () => {
    const args = ['--headers', 'X-One: 1', '--headers', 'X-Two: 2: 3', '--user-agent', 'tester/1']
    await runCli(['scrape', site.url('/'), ...args])
    expect(site.requests.at(-1)?.headers).toMatchObject({ 'x-one': '1', 'x-two': '2: 3', 'user-agent': 'tester/1' })
  })

  it('prints an error page like any other, with a warning', async () => {
    const { code, stdout, stderr } = await runCli(['scrape', site.url('/status/404')])
    expect(stdout).not.toBe('')
    expect(stderr).toBe('Warning: the page answered 404 Not Found\n')
    expect(code).toBe(0)
  })

  it('exits with 3 for an error page with --strict, as curl -f does, and so do the other commands', async () => {
    const missing = site.url('/status/404')
    expect((await runHere(['scrape', missing, '--strict'])).code).toBe(3)
    expect((await runHere(['scrape', site.url('/'), '--strict'])).code).toBe(0)
    await using folder = await makeFolder()
    expect((await runHere(['show', missing, '-o', folder.in('page.html'), '--strict'])).code).toBe(3)
    expect((await runHere(['crawl', missing, '-o', folder.in('out.ndjson'), '--limit', '1'])).code).toBe(0)
    expect((await runHere(['crawl', missing, '-o', folder.in('out.ndjson'), '--limit', '1', '--strict'])).code).toBe(3)
  })

  it.each(['scrape', 'crawl', 'show'])('exits with 3 with `%s --strict` for a page without text', async (command) => {
    await using folder = await makeFolder()
    await using other = await startSite({
      pages: {
        '/empty': '<html><body></body></html>',
        '/members':
          '<html><body><form action="/in"><input name="user"><input type="password" name="word"></form></body></html>',
      },
    })
    for (const path of ['/empty', '/members']) {
      const out = command === 'show' ? ['-o', folder.in('page.html')] : []
      expect((await runHere([command, other.url(path), ...out])).code).toBe(0)
      expect((await runHere([command, other.url(path), ...out, '--strict'])).code).toBe(3)
    }
  })

  it('writes one page to FILE.md and FILE.json, and makes no folder of the name of a file', async () => {
    await using folder = await makeFolder()
    expect(await runHere(['scrape', site.url('/'), '-o', folder.in('page.md')])).toMatchObject({ code: 0 })
    expect(await readFile(folder.in('page.md'), 'utf8')).toMatch(/^# Hello\n/)
    await runHere(['scrape', site.url('/'), '--formats', 'links', '-o', folder.in('page.json')])
    expect(readLines(await readFile(folder.in('page.json'), 'utf8'))).toMatchObject([{ links: [site.url('/other')] }])
    for (const name of ['page.txt', 'page.html', 'page.yaml']) {
      const { code, stderr } = await runHere(['scrape', site.url('/'), '-o', folder.in(name)])
      expect(stderr).toContain('is neither FILE.md, FILE.json, FILE.ndjson, FILE.csv nor a folder')
      expect(code).toBe(2)
    }
    expect((await readdir(folder.path)).sort()).toEqual(['page.json', 'page.md'])
    expect((await runHere(['scrape', site.url('/'), '-o', folder.in('example.com')])).code).toBe(0)
    const { code, stderr } = await runHere(['scrape', site.url('/'), '-o', '/dev/null/x'])
    expect(stderr).toContain(': --output /dev/null/x cannot be written')
    expect(code).toBe(1)
  })

  it('names flags in place of options in its warnings', async () => {
    const { stderr } = await runCli(['scrape', site.url('/loading'), '--fetcher', 'http'])
    expect(stderr).toMatch(/^Warning: .*; --wait-for gives it more time in a browser\.$/m)
  })

  it('exits with 1 when no page came', async () => {
    const { code, stdout, stderr } = await runCli(['scrape', site.url('/reset'), '--max-retries', '0'])
    expect(stderr).toMatch(/^trawl: SCRAPE_SITE_ERROR: /)
    expect([code, stdout]).toEqual([1, ''])
  })

  it('refuses private networks with --no-private-networks', async () => {
    const { code, stderr } = await runCli(['scrape', site.url('/'), '--no-private-networks'])
    expect(stderr).toContain('SCRAPE_ADDRESS_REFUSED')
    expect(stderr).toContain('; --private-networks lets it be reached')
    expect(code).toBe(1)
  })

  it('writes to a folder', async () => {
    await using folder = await makeFolder()
    const { code, stdout } = await runCli(['scrape', site.url('/'), '--output', folder.in('out')])
    expect([code, stdout]).toEqual([0, ''])
    expect(await readFile(folder.in('out', `127.0.0.1_${site.port}`, 'index.md'), 'utf8')).toContain('# Hello')
  })
})
