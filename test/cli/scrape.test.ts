import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSite, type Site } from '../site/site.js'
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
    expect(code).toBe(1)
  })

  it('writes to a folder', async () => {
    await using folder = await makeFolder()
    const { code, stdout } = await runCli(['scrape', site.url('/'), '--output', folder.in('out')])
    expect([code, stdout]).toEqual([0, ''])
    expect(await readFile(folder.in('out', `127.0.0.1_${site.port}`, 'index.md'), 'utf8')).toContain('# Hello')
  })
})
