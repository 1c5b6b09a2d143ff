import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writePages } from '../../../src/index.js'
import { runHere } from '../../cli/run-here.js'
import { useEngineSite } from '../../site/engine-site.js'
import type { Handler } from '../../site/exchange.js'

const on = useEngineSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-saved-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const file =
  (body: string, type: string): Handler =>
  ({ response }) =>
    response.writeHead(200, { 'content-type': type }).end(body)

it('writePages() saves the files that pages are, from a folder of `media`, and leaves those elsewhere', async () => {
  const pages = {
    '/': file('<main><h1>Page</h1><p>A table: <a href="/a.csv">a</a>.</p></main>', 'text/html'),
    '/a.csv': file('a,b\n1,2\n', 'text/csv'),
  }
  const crawl = () =>
    on.engine.crawl({ url: on.site.url('/'), scrapeOptions: { formats: ['markdown', 'original'], maxAge: 0 } })
  await on.open(pages, { media: join(folder, 'media') })
  const written = await writePages(crawl(), join(folder, 'copy'))
  const [saved] = written.pages.flatMap(({ original }) => original ?? [])
  expect(saved).toMatch(/\/a\.csv$/)
  expect(await readFile(join(folder, 'copy', saved ?? ''), 'utf8')).toBe('a,b\n1,2\n')
  expect(written).toMatchObject({ warnings: [] })
  await rm(join(folder, 'media'), { recursive: true })
  await on.open(pages, { media: () => 'https://files.example.com/a' })
  const elsewhere = await writePages(crawl(), join(folder, 'other'))
  expect(elsewhere.pages.map(({ original }) => original)).toEqual([undefined, undefined])
  const names = await readdir(join(folder, 'other'), { recursive: true })
  expect(names.filter((name) => name.endsWith('.csv'))).toEqual([])
  expect(await readFile(join(folder, 'other', 'index.ndjson'), 'utf8')).toContain('"url":"https://files.example.com/a"')
})

it('--save-files, added to a folder that --since keeps, saves the files of unchanged pages as well', async () => {
  await on.open({
    '/': file('<main><h1>Page</h1><p>A table: <a href="/a.csv">a</a>.</p></main>', 'text/html'),
    '/a.csv': file('a,b\n1,2\n', 'text/csv'),
  })
  const out = join(folder, 'out')
  const since = ['--snapshots', join(folder, 's'), '--since', 'last', '--formats', 'markdown,changeTracking']
  const crawl = (...more: string[]) => runHere(['crawl', on.site.url('/'), '--output', out, ...since, ...more])
  const list = async () => (await readdir(out, { recursive: true })).filter((name) => name.endsWith('.csv'))
  await crawl()
  expect(await list()).toEqual([])
  const saved = 'Files: 1 beside the Markdown of their pages'
  expect(await crawl('--save-files')).toMatchObject({ code: 0, stderr: expect.stringContaining(saved) })
  expect(await list()).toHaveLength(1)
  const asked = on.site.requests.length
  expect(await crawl('--save-files')).toMatchObject({ code: 0, stderr: expect.stringContaining(saved) })
  // Nothing is read twice.
  expect(on.site.requests.slice(asked).filter(({ path }) => path === '/a.csv')).toHaveLength(1)
  // What is unchanged keeps its file also without the flag.
  await crawl()
  expect(await list()).toHaveLength(1)
})
