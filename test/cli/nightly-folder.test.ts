import { readdir, readFile, rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Site, startSite } from '../site/site.js'
import { runHere } from './run-here.js'
import { makeFolder } from './start-cli.js'

/** Answers of the site in place of its pages, by path. */
const answers = new Map<string, { status: number; location?: string }>()
const pages: Readonly<Record<string, readonly string[]>> = {
  '/': ['/a/', '/b', '/c'],
  '/a/': ['/a/1', '/a/2'],
  '/a/1': [],
  '/a/2': [],
  '/b': [],
  '/c': [],
  '/moved': [],
  '/listed': [],
}
let site: Site

const all = ['a/1.md', 'a/2.md', 'a/index.md', 'b.md', 'c.md', 'index.md', 'listed.md']

beforeAll(async () => {
  const html = (path: string, links: readonly string[]): string =>
    `<title>${path}</title><h1>Page ${path}</h1>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}`
  const serve = Object.entries(pages).map(([path, links]) => [path, html(path, links)] as const)
  site = await startSite({
    pages: {
      ...Object.fromEntries(
        serve.map(([path, text]) => [
          path,
          ({ response }) => {
            const { status, location } = answers.get(path) ?? { status: 200 }
            response.writeHead(status, { 'content-type': 'text/html', ...(location && { location }) })
            response.end(status === 200 ? text : `<h1>Error ${status}</h1>`)
          },
        ]),
      ),
      '/robots.txt': ({ response }) => void response.end(`Sitemap: ${site.url('/map.xml')}`),
      '/map.xml': ({ response }) => {
        const { status } = answers.get('/map.xml') ?? { status: 200 }
        response.writeHead(status, { 'content-type': 'application/xml' })
        response.end(`<urlset><url><loc>${site.url('/listed')}</loc></url></urlset>`)
      },
    },
  })
})
afterAll(() => site.close())
beforeEach(() => answers.clear())

/** A folder that follows the site night after night. */
async function openNights(isSince: boolean) {
  const folder = await makeFolder()
  const since = ['--snapshots', folder.in('s'), '--since', 'last', '--formats', 'markdown,changeTracking']
  const flags = ['--output', folder.in('out'), '--max-retries', '0', ...(isSince ? since : [])]
  const crawl = (...more: readonly string[]) => runHere(['crawl', site.url('/'), ...flags, ...more])
  const root = folder.in('out', `127.0.0.1_${site.port}`)
  /** Reads all files of pages. */
  const read = async (): Promise<Record<string, string>> => {
    const found = await readdir(root, { recursive: true })
    const files = found.filter((name) => name.endsWith('.md')).toSorted()
    return Object.fromEntries(
      await Promise.all(files.map(async (name) => [name, await readFile(`${root}/${name}`, 'utf8')])),
    )
  }
  await crawl()
  const first = await read()
  expect(Object.keys(first)).toEqual(all)
  return { crawl, read, first, root, folder, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

describe.each([true, false])('a folder that a crawl keeps (with --since: %s)', (isSince) => {
  const outages: readonly (readonly [path: string, status: number])[] = [
    ['/', 500],
    ['/', 404],
    ['/a/', 429],
    ['/a/', 403],
    ['/a/', 500],
    ['/a/', 503],
    ['/b', 500],
    ['/map.xml', 503],
  ]

  it.each(outages)(
    'loses and overwrites nothing while %s answers %i, and is whole afterwards',
    async (path, status) => {
      await using nights = await openNights(isSince)
      answers.set(path, { status })
      const { stderr } = await nights.crawl()
      const { 'index.md': start, ...others } = await nights.read()
      const { 'index.md': before, ...first } = nights.first
      expect(others).toEqual(first)
      if (status !== 404 && path !== '/map.xml') {
        expect(stderr).toMatch(/, 1 with an error status, 0 failed/)
        expect(stderr).toContain(`${site.url(path)}  ${status}`)
        expect(start).toBe(before)
      }
      answers.clear()
      await nights.crawl()
      expect(await nights.read()).toEqual(nights.first)
    },
  )

  it.each([
    ['--limit', '2'],
    ['--max-discovery-depth', '1'],
    ['--budget', '{"pages":2}'],
  ])('keeps pages that a crawl with %s %s did not look at', async (...flags) => {
    await using nights = await openNights(isSince)
    await nights.crawl(...flags)
    expect(await nights.read()).toEqual(nights.first)
  })

  it('loses pages that are gone or moved, and those that a whole crawl did not find', async () => {
    await using nights = await openNights(isSince)
    answers.set('/b', { status: 410 }).set('/c', { status: 301, location: '/moved' }).set('/a/1', { status: 500 })
    const { stderr } = await nights.crawl()
    const present = all.filter((file) => file !== 'b.md' && file !== 'c.md')
    expect(Object.keys(await nights.read())).toEqual([...present, 'moved.md'])
    expect(stderr).toContain('Deleted: 2 pages of an earlier run, 2 gone or moved')
    const narrow = await nights.crawl('--exclude-paths', '/a/')
    expect(narrow.stderr).toContain('Deleted: ')
    expect(Object.keys(await nights.read())).toEqual(['index.md', 'listed.md', 'moved.md'])
  })

  it('says that a page which leaves the crawl by a redirect was skipped, and counts what it wrote', async () => {
    await using nights = await openNights(isSince)
    answers.set('/c', { status: 301, location: `http://localhost:${site.port}/moved` })
    const { stderr } = await nights.crawl()
    expect(stderr).toContain(`Skipped after a request:\n  ${site.url('/c')}  redirects to`)
    expect(stderr).not.toContain('Failed:')
    expect(stderr).toContain('0 pages written to')
    expect(stderr).toContain('; 6 pages there in the same text')
    expect(stderr).toContain('Deleted: 1 page of an earlier run, 1 gone or moved')
  })
})

it('reads pages again that are unchanged since the last crawl, and that the folder does not have', async () => {
  await using nights = await openNights(true)
  await rm(`${nights.root}/a/1.md`)
  expect((await nights.crawl()).stderr).toContain('1 page written to')
  expect(await nights.read()).toEqual(nights.first)
  await rm(nights.folder.in('out'), { recursive: true })
  expect((await nights.crawl()).stderr).toContain('7 pages written to')
  expect(await nights.read()).toEqual(nights.first)
})

it('refuses a folder whose index.ndjson has something else, and leaves it alone', async () => {
  await using folder = await makeFolder()
  expect((await runHere(['crawl', site.url('/b'), '--output', folder.in('index.ndjson')])).code).toBe(0)
  const before = await readFile(folder.in('index.ndjson'), 'utf8')
  const { code, stderr } = await runHere(['crawl', site.url('/b'), '--output', folder.path])
  expect(code).toBe(2)
  expect(stderr).toMatch(/--output: .*index\.ndjson is no list of the pages of a folder/)
  expect(await readFile(folder.in('index.ndjson'), 'utf8')).toBe(before)
  expect(await readdir(folder.path)).toEqual(['index.ndjson'])
})

it('refuses --since without a place for its records, and says what it does not count without changeTracking', async () => {
  await using folder = await makeFolder()
  const refused = await runHere(['crawl', site.url('/'), '--since', 'last'])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--since: needs --snapshots FOLDER')])
  const args = ['--since', 'last', '--snapshots', folder.in('s'), '--output', folder.in('out')]
  expect((await runHere(['crawl', site.url('/b'), ...args])).stderr).toContain(
    'that needs --formats with changeTracking',
  )
})
