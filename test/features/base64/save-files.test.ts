import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../../cli/run-here.js'
import { createEngine, sqlite } from '../../../src/index.js'
import { makeFolder, readLines, startCli } from '../../cli/start-cli.js'
import { useEngineSite } from '../../site/engine-site.js'
import type { Handler } from '../../site/exchange.js'

const on = useEngineSite()

const file =
  (body: Uint8Array | string, type: string): Handler =>
  ({ response }) =>
    response.writeHead(200, { 'content-type': type }).end(body)

const zip = Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1')
const page = (links: readonly string[]): Handler =>
  file(
    `<main><h1>Page</h1>${links.map((path) => `<p>A file: <a href="${path}">${path}</a></p>`).join('')}</main>`,
    'text/html',
  )

it('saves files beside their pages, the same ones not again, and deletes those of pages that are gone', async () => {
  await using folder = await makeFolder()
  // More than a document can have.
  const large = Buffer.concat([zip, Buffer.alloc(9 * 1024 * 1024)])
  let links: readonly string[] = ['/a.csv', '/same.zip', '/equal.zip']
  await on.open({
    '/': (exchange) => page(links)(exchange),
    '/a.csv': file('a,b\n1,2\n', 'text/csv'),
    '/same.zip': file(large, 'application/zip'),
    '/equal.zip': file(large, 'application/zip'),
  })
  const start = on.site.url('/')
  const args = ['crawl', start, '--output', folder.path, '--save-files', '--max-concurrency', '1']
  const first = await runHere(args)
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Files: 3 beside the Markdown of their pages'),
  })
  const [at = ''] = (await readdir(folder.path)).filter((name) => name.startsWith('127'))
  const list = async () => (await readdir(folder.in(at))).toSorted()
  expect(await list()).toEqual([
    'a.csv',
    'a.csv.md',
    'equal.zip',
    'equal.zip.md',
    'index.md',
    'same.zip',
    'same.zip.md',
  ])
  expect((await readdir(folder.path)).toSorted()).toEqual([at, 'index.ndjson'])
  expect(Buffer.compare(await readFile(folder.in(at, 'same.zip')), large)).toBe(0)
  const [, listed] = readLines(await readFile(folder.in('index.ndjson'), 'utf8'))
  expect(listed).toMatchObject({
    file: `${at}/a.csv.md`,
    original: { path: `${at}/a.csv`, mediaType: 'text/csv', bytes: 8 },
  })

  const times = async () => Promise.all((await list()).map(async (name) => (await stat(folder.in(at, name))).mtimeMs))
  const before = await times()
  expect(await runHere(args)).toMatchObject({ code: 0 })
  expect(await times()).toEqual(before)

  links = ['/a.csv']
  expect(await runHere(args)).toMatchObject({ code: 0, stderr: expect.stringContaining('Deleted: 2 pages') })
  expect(await list()).toEqual(['a.csv', 'a.csv.md', 'index.md'])
  // Without the flag, the folder has what such a crawl gives.
  expect(await runHere(args.filter((one) => one !== '--save-files'))).toMatchObject({ code: 0 })
  expect(await list()).toEqual(['a.csv.md', 'index.md'])
})

it('leaves the waiting files of other runs, and none of its own or of killed ones', async () => {
  await using folder = await makeFolder()
  await on.open({ '/a.csv': file('a,b\n1,2\n', 'text/csv') })
  const waiting = folder.in('.trawl-files')
  const names = [process.pid, 999_999_999].map((pid) => `${pid}.00000000-0000-0000-0000-000000000000`)
  for (const name of [...names, '0123456789abcdef']) {
    await mkdir(join(waiting, name), { recursive: true })
    await writeFile(join(waiting, name, 'x.zip'), zip)
  }
  const args = ['crawl', on.site.url('/a.csv'), '--output', folder.path, '--save-files']
  expect(await runHere(args)).toMatchObject({ code: 0 })
  expect((await readdir(waiting)).toSorted()).toEqual(['0123456789abcdef', names[0]])
  await rm(waiting, { recursive: true })
  // The output is refused when the page has come.
  const refused = await runHere([...args.with(0, 'scrape'), '--formats', 'links'])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('a folder gets Markdown') })
  expect(await readdir(folder.path)).not.toContain('.trawl-files')
})

it('goes on with the files of a parked job by the command that is printed, and says where they would be lost', async () => {
  await using folder = await makeFolder()
  await on.open({
    '/': page(['/a.csv', '/slow']),
    '/a.csv': file('a,b\n1,2\n', 'text/csv'),
    '/b.csv': file('c,d\n3,4\n', 'text/csv'),
    // It answers from the second time on.
    '/slow': (exchange) => (exchange.visits === 1 ? undefined : page([])(exchange)),
  })
  const [database, out] = [folder.in('a.db'), folder.in('out')]
  const flags = ['--database', database, '--output', out, '--save-files', '--fetcher', 'http', '--timeout', '300000']
  const { child, ended, said } = startCli(['crawl', on.site.url('/'), ...flags])
  await said('Job ')
  await expect
    .poll(() => readdir(out, { recursive: true }), { timeout: 20_000 })
    .toContainEqual(expect.stringMatching(/a\.csv\.md$/))
  child.kill('SIGINT')
  const [, command = ''] = /`trawl (resume [^`]+)`/.exec((await ended).stderr) ?? []
  expect(command).toMatch(new RegExp(`^resume \\S+ --database ${database} --output ${out} --save-files$`))
  const [name = ''] = await readdir(join(out, '.trawl-files'))
  expect(name).toMatch(/^[\da-f]{16}$/)
  await runHere(['scrape', on.site.url('/a.csv'), '--output', out, '--save-files'])
  // Another job of the same database has files of its own.
  expect(await runHere(['crawl', on.site.url('/b.csv'), ...flags])).toMatchObject({ code: 0 })
  expect(await readdir(join(out, '.trawl-files'))).toEqual([name])
  expect(await readdir(join(out, '.trawl-files', name))).toHaveLength(1)
  expect(await runHere(command.split(' '))).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Files: 1 beside the Markdown of their pages'),
  })
  expect(await readdir(out)).not.toContain('.trawl-files')

  const other = folder.in('b.db')
  await using engine = createEngine({ ledger: sqlite(other), allowPrivateNetworks: true })
  const job = engine.batchScrape({ urls: [on.site.url('/a.csv')], formats: ['markdown', 'original'] })
  await job.pause()
  await engine.close({ drain: false })
  expect(await runHere(['resume', '--database', other])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Warning: the job keeps files as received, and there is no place for them'),
  })
}, 60_000)

it('saves the file of one page, and refuses to save where there is no place', async () => {
  await using folder = await makeFolder()
  await on.open({ '/a.csv': file('a,b\n1,2\n', 'text/csv'), '/page': page([]) })
  const url = on.site.url('/a.csv')
  const { stderr } = await runHere(['scrape', url, '--save-files', '--output', folder.path])
  expect(stderr).toContain('Files: 1 beside the Markdown of their pages')
  const [at = ''] = (await readdir(folder.path)).filter((name) => name.startsWith('127'))
  expect((await readdir(folder.in(at))).toSorted()).toEqual(['a.csv', 'a.csv.md'])
  // Files of earlier runs do not count.
  const other = await runHere(['scrape', on.site.url('/page'), '--save-files', '--output', folder.path])
  expect(other).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Files:') })
  const media = ['--media', folder.in('media'), '--json']
  const { stdout } = await runHere(['scrape', url, '--save-files', ...media])
  expect(JSON.parse(stdout)).toMatchObject({ markdown: expect.stringContaining('| a'), original: { name: 'a.csv' } })
  for (const output of [[], ['--output', folder.in('pages.ndjson')]])
    expect(await runHere(['crawl', url, '--save-files', ...output])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--save-files: needs a place for files: --output FOLDER, or --media FOLDER'),
    })
})
