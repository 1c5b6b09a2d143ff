import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writePages } from '../../../src/index.js'
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
