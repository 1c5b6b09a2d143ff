import { afterEach, expect, it } from 'vitest'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { BoilerplateLearner } from '../../../src/features/boilerplate/boilerplate-learner.js'
import { packBlocks, unpackBlocks } from '../../../src/features/boilerplate/repeated-block.js'
import { createEngine, type Engine, sqlite } from '../../../src/index.js'
import { page, pathOf } from '../../kernel/job/crawl-site.js'
import { noteObjects } from '../../kernel/job/left-of-jobs.js'
import { useSqliteFiles } from '../../kernel/ledger/use-sqlite-files.js'
import type { Pages } from '../../site/engine-site.js'
import { startSite } from '../../site/site.js'

const { newFile } = useSqliteFiles()
const soon = { timeout: 20_000 }

let engines: Engine[] = []
const start = (file: string): Engine => {
  const engine = createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    cache: false,
    ledger: sqlite(file),
  })
  engines.push(engine)
  return engine
}

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close({ drain: false })))
  engines = []
})

/** A page that answers only once it is released. */
function gate(html: string): { readonly handler: Pages[string]; release(): void } {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const handler: Pages[string] = async ({ response }) => {
    await released
    response.end(html)
  }
  return { handler, release: () => release() }
}

it('the blocks of a page survive a round trip', () => {
  const hashes = Float64Array.from([1, -(2 ** 52 - 1), 3.5])
  const blocks = { whole: 2 ** 51 + 1, hashes, droppable: Uint8Array.of(0, 1, 1) }
  expect(unpackBlocks(JSON.parse(JSON.stringify(packBlocks(blocks))))).toEqual(blocks)
  expect(unpackBlocks(packBlocks({ whole: 1, hashes }))).toEqual({ whole: 1, hashes })
})

it('a resumed crawl keeps a redirected page that was deferred when its process ended', async () => {
  const { handler, release } = gate(page())
  await using site = await startSite({
    pages: {
      '/': page('/old', '/gate'),
      '/old': ({ response }) => response.writeHead(302, { location: '/new' }).end(),
      '/new': page('/'),
      '/gate': handler,
    },
  })
  const file = newFile()
  const first = start(file)
  const { id } = first.crawl({ url: site.url('/'), sitemap: 'skip', ignoreRobotsTxt: true, learnBoilerplate: true })
  // The page has arrived and its final URL is claimed; it waits for the sample of `/gate`.
  await expect.poll(async () => (await (await first.job(id))?.explain(site.url('/new')))?.outcome, soon).toBe('skipped')
  expect(await (await first.job(id))?.explain(site.url('/old'))).toMatchObject({ outcome: 'active' })
  await first.close({ drain: false })
  release()
  const job = await start(file).job(id)
  const urls = (await job?.finished())?.data.map(({ metadata }) => pathOf(metadata.url))
  expect(urls).toContain('/new')
  expect(await job?.explain(site.url('/old'))).toMatchObject({ outcome: 'done', finalUrl: site.url('/new') })
})

const imprint =
  'Printed by the friends of good pages, a society under the law of associations, in the town of its members.'
const article = (seed: number): string => {
  const words = Array.from({ length: 120 }, (_, at) => `w${(seed * 7919 + at * 104_729) % 9973}`).join(' ')
  return `<!doctype html><title>${seed}</title><main><h1>Heading ${seed}</h1><p>${words}.</p><p>${imprint}</p></main>`
}

/** Reads and changes the notes of a file. @returns the number of those with this text */
function countNotes(file: string, text: string, change?: string): number {
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
  try {
    if (change !== undefined) database.exec(change)
    return database.prepare('SELECT note FROM notes WHERE instr(note, ?) > 0').all(text).length
  } finally {
    database.close()
  }
}

const OLDER = `UPDATE notes SET note = replace(note, '"boilerplate":{', '"blocks":{')`

it.each([
  ['', '"boilerplate":{"whole":', undefined],
  [' by an earlier version', '"blocks":{"whole":', OLDER],
])('a resumed crawl knows the blocks of pages that were stored%s', async (_, noted, change) => {
  const { handler, release } = gate(article(6))
  const paths = [1, 2, 3, 4, 5, 6, 7].map((number) => `/docs/${number}.html`)
  await using site = await startSite({
    pages: {
      '/': page(...paths),
      ...Object.fromEntries(paths.map((path, index) => [path, article(index + 1)])),
      '/docs/6.html': handler,
    },
  })
  const file = newFile()
  const first = start(file)
  const { id } = first.crawl({
    url: site.url('/'),
    sitemap: 'skip',
    ignoreRobotsTxt: true,
    learnBoilerplate: true,
    maxConcurrency: 1,
  })
  const outcomeOf = async (path: string) => (await (await first.job(id))?.explain(site.url(path)))?.outcome
  await expect.poll(() => outcomeOf('/docs/5.html'), soon).toBe('done')
  await expect.poll(() => outcomeOf('/docs/6.html'), soon).toBe('active')
  await first.close({ drain: false })
  expect(countNotes(file, noted, change)).toBeGreaterThanOrEqual(5)
  release()
  const { data = [] } = (await (await start(file).job(id))?.finished()) ?? {}
  const pages = data.filter(({ metadata }) => metadata.url.includes('/docs/'))
  expect(pages).toHaveLength(7)
  for (const { markdown } of pages) expect(markdown).not.toContain(imprint)
})

it('an ended job keeps nothing of what it has learnt', async () => {
  const learners = noteObjects(BoilerplateLearner.prototype, 'endPage')
  await using site = await startSite({ pages: { '/': page('/a'), '/a': page() } })
  const job = start(newFile()).crawl({ url: site.url('/'), sitemap: 'skip', learnBoilerplate: true })
  expect(await job.finished()).toMatchObject({ status: 'completed', completed: 2 })
  await learners.letGo()
})
