import { readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, sqlite } from '../../src/index.js'
import { htmlPage } from '../site/exchange.js'
import { type Site, startSite } from '../site/site.js'
import { runHere } from './run-here.js'
import { makeFolder, runCli } from './start-cli.js'

describe('trawl report and trawl show', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>
  let site: Site
  let jobs: readonly string[]

  beforeAll(async () => {
    folder = await makeFolder()
    site = await startSite({
      pages: {
        '/': htmlPage('Start', '<p>Read <a href="/next">the next page</a>.</p>'),
        '/next': htmlPage('Next'),
        '/empty': '<!doctype html><title>App</title><div id="root"></div><script>/* fills it */</script>',
      },
    })
    await using engine = createEngine({ ledger: sqlite(folder.in('crawl.db')), allowPrivateNetworks: true })
    const first = engine.crawl({ url: site.url('/') })
    await first.finished()
    const second = engine.crawl({ url: site.url('/next') })
    await second.finished()
    jobs = [first.id, second.id]
  })
  afterAll(async () => {
    await site.close()
    await folder[Symbol.asyncDispose]()
  })

  /** Reads the facts of a report. */
  async function readFacts(file: string): Promise<Record<string, unknown>> {
    const [, json = ''] =
      /<script type="application\/json" id="facts">([^<]*)<\/script>/.exec(await readFile(file, 'utf8')) ?? []
    return JSON.parse(json) as Record<string, unknown>
  }

  it('writes the report of the newest job of a ledger, or of the one that is named', async () => {
    const file = folder.in('report.html')
    expect(await runCli(['report', folder.in('crawl.db'), '-o', file])).toEqual({
      code: 0,
      stdout: '',
      stderr: `1 URL written to ${file}\n`,
    })
    expect(await readFacts(file)).toMatchObject({ id: jobs[1], state: 'completed', completed: 1 })
    const { code } = await runHere(['report', folder.in('crawl.db'), jobs[0] ?? '', '--output', file, '--quiet'])
    expect(code).toBe(0)
    expect(await readFacts(file)).toMatchObject({ id: jobs[0], subject: site.url('/'), completed: 2 })
  })

  it('writes a report of the folder of another command, with its Markdown', async () => {
    const [pages, file] = [folder.in('pages'), folder.in('pages.html')]
    await runHere(['crawl', site.url('/'), '--output', pages])
    const { code, stderr } = await runHere(['report', pages, '-o', file])
    expect([code, stderr]).toEqual([0, `2 URLs written to ${file}\n`])
    expect(await readFacts(file)).toMatchObject({ kind: 'pages', completed: 2, linksFrom: 'markdown' })
  })

  it('says which page of a folder is missing, and goes on without its Markdown', async () => {
    const [pages, file] = [folder.in('holes'), folder.in('holes.html')]
    await runHere(['crawl', site.url('/'), '--output', pages])
    const index = await readFile(`${pages}/index.ndjson`, 'utf8')
    const { file: name } = JSON.parse(index.split('\n')[0] ?? '') as { file: string }
    await rm(`${pages}/${name}`)
    const { code, stderr } = await runHere(['report', pages, '-o', file])
    expect([code, stderr]).toEqual([
      0,
      `2 URLs written to ${file}\n1 page without Markdown: ${name} is missing in ${pages}\n`,
    ])
    expect(await readFacts(file)).toMatchObject({ kind: 'pages', completed: 2 })
  })

  it('keeps the target of a link, and names as long as file systems take them', async () => {
    const link = folder.in('link.html')
    await symlink('target.html', link)
    await writeFile(folder.in('target.html'), 'before', { mode: 0o600 })
    expect((await runHere(['report', folder.in('crawl.db'), '-o', link])).code).toBe(0)
    expect(await readlink(link)).toBe('target.html')
    expect((await stat(link)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
    expect(await readFacts(link)).toMatchObject({ id: jobs[1] })
    const long = folder.in(`${'n'.repeat(250)}.html`)
    expect((await runHere(['report', folder.in('crawl.db'), '-o', long])).code).toBe(0)
    expect(await readFacts(long)).toMatchObject({ id: jobs[1] })
  })

  it('reads an index whose texts have line separators', async () => {
    const pages = folder.in('separators')
    await runHere(['crawl', site.url('/'), '--output', pages, '--quiet'])
    const index = `${pages}/index.ndjson`
    const text = await readFile(index, 'utf8')
    // JSON has both within texts, as they are.
    await writeFile(index, text.replaceAll('"statusCode"', '"description":"one\u2028two\u2029three","statusCode"'))
    const file = folder.in('separators.html')
    const { code, stderr } = await runHere(['report', pages, '-o', file])
    expect([code, stderr]).toEqual([0, `2 URLs written to ${file}\n`])
  })

  it('takes the ledger by --database', async () => {
    const file = folder.in('flag.html')
    const args = ['report', '--database', folder.in('crawl.db'), '-o', file, '--quiet']
    expect((await runHere([...args, jobs[0] ?? ''])).code).toBe(0)
    expect(await readFacts(file)).toMatchObject({ id: jobs[0], completed: 2 })
    expect(await runHere(['report', '-o', file])).toMatchObject({ code: 2 })
  })

  it('explains in terms of flags why a URL was refused', async () => {
    const args = ['--database', folder.in('limited.db')]
    await runHere(['crawl', site.url('/'), '--limit', '1', ...args])
    const { stdout } = await runHere(['explain', site.url('/next'), ...args])
    expect(stdout).toContain('skipped: LIMIT, --limit of 1 was reached\n')
  })

  it('explains the warning of a page, in terms of flags', async () => {
    const args = ['--database', folder.in('warned.db')]
    await runHere(['crawl', site.url('/empty'), '--fetcher', 'http', ...args])
    const { code, stdout } = await runHere(['explain', site.url('/empty'), ...args])
    expect(code).toBe(0)
    expect(stdout).toMatch(/\ndone\n[^]*\nwarning: .*seems to need a browser.*--fetcher http/)
  })

  it('explains a URL of a job as text and as JSON', async () => {
    const args = ['--database', folder.in('crawl.db')]
    const { code, stdout, stderr } = await runHere(['explain', site.url('/next'), ...args, '--job', jobs[0] ?? ''])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(
      `${site.url('/next')}\ndone\nfound at depth 1 by link on ${site.url('/')} ("the next page")\n`,
    )
    expect(stdout).toMatch(/\nattempt 1 at \S+Z, [\d.]+ s, by http.*, status 200\n$/)
    const json = await runHere(['explain', site.url('/next'), ...args, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ url: site.url('/next'), outcome: 'done', via: 'seed' })
    const unseen = await runHere(['explain', site.url('/other'), ...args, '--json'])
    expect(JSON.parse(unseen.stdout)).toEqual({ outcome: 'unseen', url: site.url('/other') })
    expect(unseen.code).toBe(1)
    const [, ...rest] = site.url('/next').split('//')
    expect((await runHere(['explain', rest.join('//'), ...args])).code).toBe(0)
    expect(await runHere(['explain', 'no url', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('URL: "no url" is no URL') as unknown,
    })
    expect((await runHere(['explain', 'example.com/?next=https://b.com', ...args])).stdout).toBe(
      'example.com/?next=https://b.com\nunseen: the job never met this URL\n',
    )
  })

  it.each([
    [['explain', 'https://a.com'], '--database is missing'],
    [['explain', 'https://a.com', '--database', 'no-such.db'], '--database: no-such.db does not exist'],
  ])('refuses %j', async (args, message) => {
    expect(await runHere(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as unknown })
  })

  it('writes the view of one page', async () => {
    const file = folder.in('page.html')
    const { code, stderr } = await runCli(['show', site.url('/'), '-o', file, '--fetcher', 'http'])
    expect([code, stderr]).toEqual([0, `1 URL written to ${file}\n`])
    expect(await readFacts(file)).toMatchObject({ kind: 'page', subject: site.url('/') })
  })

  it.each([
    [['report', 'no-such.db'], 2, 'FILE: no-such.db does not exist'],
    [['report', '.', '-o', 'report.pdf'], 2, '--output: a report needs FILE.html, not "report.pdf"'],
    [['report', '.'], 2, 'has no index.ndjson'],
    [['report', 'crawl.db', 'other'], 1, 'JOB_NOT_FOUND: the ledger has no job other: it has '],
  ])('explains what is wrong with %j', async (args, code, message) => {
    const run = await runHere(args.map((arg) => (arg === 'crawl.db' ? folder.in(arg) : arg)))
    expect(run.code).toBe(code)
    expect(run.stderr).toContain(message)
  })
})
