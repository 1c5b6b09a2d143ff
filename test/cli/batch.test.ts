import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSite, type Site } from '../site/site.js'
import { makeFolder, readLines, runCli } from './start-cli.js'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const sources = (stdout: string) =>
  readLines(stdout).map(({ metadata }) => (metadata as { sourceURL: string }).sourceURL)

describe('trawl batch', () => {
  it('prints a document for each URL of a file, and names the invalid ones', async () => {
    await using folder = await makeFolder()
    const [one, two] = [site.url('/page/one'), site.url('/page/two')]
    await writeFile(folder.in('list.txt'), `# pages\n${one}\n\nnot a url\n${two}\n${one}\n`)
    const { code, stdout, stderr } = await runCli(['batch', 'list.txt'], { cwd: folder.path })
    expect(sources(stdout).sort()).toEqual([one, one, two])
    expect(stderr).toContain('Batch completed: 3 pages, 0 failed, 0 skipped')
    expect(stderr).toContain('Not valid, left out:\n  not a url\n')
    expect(code).toBe(0)
  })

  it('reads URLs from standard input, as lines and as JSON', async () => {
    const url = site.url('/page/one')
    const lines = await runCli(['batch', '-', '--quiet'], { input: `${url}\n` })
    const json = await runCli(['batch', '-', '--quiet'], { input: JSON.stringify([url]) })
    for (const { code, stdout, stderr } of [lines, json]) {
      expect(sources(stdout)).toEqual([url])
      expect([code, stderr]).toEqual([0, ''])
    }
  })

  it('refuses the whole list with --no-ignore-invalid-urls, naming the line', async () => {
    const input = `${site.url('/page/one')}\nnot a url\nftp://x.com\n`
    const before = site.requests.length
    const { code, stdout, stderr } = await runCli(['batch', '-', '--no-ignore-invalid-urls'], { input })
    expect(stderr).toContain('trawl: standard input:2: "not a url" is not a URL')
    expect(stderr).toContain('trawl: standard input:3: "ftp://x.com" has the protocol ftp:')
    expect([code, stdout, site.requests.length]).toEqual([2, '', before])
  })

  it('lists failed pages, and exits with an error only with --strict or without any page', async () => {
    const input = `${site.url('/page/one')}\n${site.url('/reset')}\n`
    const args = ['batch', '-', '--max-retries', '0']
    const lenient = await runCli(args, { input })
    expect(lenient.stderr).toContain('1 page, 1 failed')
    expect(lenient.stderr).toContain(`Failed:\n  ${site.url('/reset')}  SCRAPE_SITE_ERROR: `)
    expect(lenient.code).toBe(0)
    expect((await runCli([...args, '--strict'], { input })).code).toBe(3)
    expect((await runCli([...args, '--strict'], { input: `${site.url('/page/one')}\nnot a url\n` })).code).toBe(3)
    expect((await runCli([...args, '--strict'], { input: site.url('/page/one') })).code).toBe(0)
    expect((await runCli(args, { input: site.url('/reset') })).code).toBe(1)
  })

  it('writes NDJSON to a file that gets its name when it is complete', async () => {
    await using folder = await makeFolder()
    const input = ['one', 'two', 'three'].map((name) => site.url(`/page/${name}`)).join('\n')
    const output = folder.in('new', 'pages.ndjson')
    const { code, stdout, stderr } = await runCli(['batch', '-', '-o', output, '--formats', 'html'], { input })
    expect(sources(await readFile(output, 'utf8')).sort()).toEqual(input.split('\n').sort())
    expect(stderr).toContain(`3 pages written to ${output}`)
    expect([code, stdout]).toEqual([0, ''])
  })

  it('reports a file that cannot be written, and starts nothing', async () => {
    await using folder = await makeFolder()
    await writeFile(folder.in('file'), '')
    await mkdir(folder.in('folder.ndjson'))
    const before = site.requests.length
    const { code, stderr } = await runCli(['batch', '-', '-o', folder.in('file', 'x.ndjson')], {
      input: site.url('/page/one'),
    })
    expect(stderr).toMatch(/^trawl: E\w+: .*file/)
    expect(code).toBe(1)
    const onFolder = await runCli(['batch', '-', '-o', folder.in('folder.ndjson')], { input: site.url('/page/one') })
    expect(onFolder.stderr).toContain('is a folder')
    expect(onFolder.code).toBe(2)
    const onFile = await runCli(['batch', '-', '-o', folder.in('file')], { input: site.url('/page/one') })
    expect(onFile.stderr).toContain('file is not a folder: pages are written to FILE.ndjson or to a folder')
    expect(onFile.code).toBe(2)
    expect(site.requests.length).toBe(before)
  })
})
