import { describe, expect, it } from 'vitest'
import {
  type CrawlJob,
  createEngine,
  type Document,
  type EngineConfig,
  type MirrorChange,
  memoryStore,
  sqlite,
} from '../../../src/index.js'
import { useSqliteFiles } from '../../kernel/ledger/use-sqlite-files.js'
import type { Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { openChangingSite, pathOf, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
const { newFile } = useSqliteFiles()

const LINKS = { '/': ['/a', '/b'] }

async function open(links: Readonly<Record<string, readonly string[]>> = LINKS, config: EngineConfig = {}) {
  const opened = await openChangingSite(on, links, {}, { snapshots: memoryStore(), cache: false, ...config })
  const crawl = () => opened.engine.crawl({ url: opened.start, since: 'last', mirror: 'docs' })
  /** Takes all changes of a crawl, as `op path`. */
  const take = async (): Promise<string[]> => {
    const changes: string[] = []
    for await (const { op, key } of crawl().changes()) changes.push(`${op} ${pathOf(key)}`)
    return changes.toSorted()
  }
  return { ...opened, crawl, take }
}

/** Opens a site of these answers: a page, `to /path` for a redirect, or a status. */
async function openAnswers(answers: Readonly<Record<string, string>>) {
  const answer: Handler = ({ response, url: { pathname } }) => {
    const text = answers[pathname]
    const [, target] = /^to (.*)/.exec(text ?? '') ?? []
    const status = target === undefined ? (text === undefined ? 404 : Number(text) || 200) : 301
    const type = pathname.endsWith('.xml') ? 'application/xml' : 'text/html'
    response.writeHead(status, { 'content-type': type, ...(target !== undefined && { location: target }) }).end(text)
  }
  on.site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  on.engine = createEngine({ allowPrivateNetworks: true, threads: 0, cache: false, snapshots: memoryStore() })
  const { engine, site } = on
  return {
    engine,
    origin: site.origin,
    crawl: () => engine.crawl({ url: `${site.origin}/`, since: 'last', mirror: 'docs' }),
  }
}

/** Takes all changes of a crawl. */
async function drain(job: CrawlJob<Document>): Promise<MirrorChange[]> {
  const taken: MirrorChange[] = []
  for await (const change of job.changes()) taken.push(change)
  return taken
}

describe('`job.changes()`', () => {
  it('gives what differs from what was acknowledged, and nothing twice', async () => {
    const { pages, take } = await open()
    expect(await take()).toEqual(['put /', 'put /a', 'put /b'])
    expect(await take()).toEqual([])
    pages.set('/a', { links: [], text: 'New.' })
    pages.delete('/b')
    expect(await take()).toEqual(['delete /b', 'put /a'])
    expect(await take()).toEqual([])
  })

  it('gives a change again that was not acknowledged, also when the site says that its page is unchanged', async () => {
    const { crawl, take, pages } = await open()
    await take()
    pages.set('/a', { links: [], text: 'New.' })
    const job = crawl()
    for await (const { op, key } of job.changes()) {
      expect(`${op} ${pathOf(key)}`).toBe('put /a')
      break
    }
    await job.finished()
    expect(await take()).toEqual(['put /a'])
    expect(await take()).toEqual([])
  })

  it('says where a page has moved to, with a redirect and without one', async () => {
    const page = (words: string): string =>
      `<title>Page</title><main><h1>Page</h1><p>${`${words} `.repeat(30)}</p></main>`
    const start = (links: readonly string[]): string =>
      `<title>Start</title><main><p>The start page.</p>${links.map((link) => `<a href="${link}">link</a>`).join(' ')}</main>`
    const answers: Record<string, string> = { '/': start(['/a', '/b']), '/a': page('apples'), '/b': page('pears') }
    const { crawl, origin } = await openAnswers(answers)
    await drain(crawl())
    const changed = { '/': start(['/a', '/d']), '/a': 'to /c', '/c': page('apples'), '/d': page('pears') }
    for (const path of Object.keys(answers)) delete answers[path]
    Object.assign(answers, changed)
    const moves = (await drain(crawl())).filter(({ op }) => op === 'move')
    expect(moves.map(({ key, previous }) => `${previous?.key} ${key}`).toSorted()).toEqual([
      `${origin}/a ${origin}/c`,
      `${origin}/b ${origin}/d`,
    ])
  })

  it('says why it deletes nothing, and what the site itself says is gone is deleted all the same', async () => {
    const { pages, take, failures, crawl } = await open({ '/': ['/a', '/b', '/c'] })
    await take()
    pages.set('/', { links: ['/a', '/b'] })
    pages.delete('/b')
    failures.set('/a', [403])
    const changes = crawl().changes()
    const found: string[] = []
    for await (const { op, key } of changes) found.push(`${op} ${pathOf(key)}`)
    expect(found.toSorted()).toEqual(['delete /b', 'put /'])
    expect(changes.summary).toMatchObject({ removed: 1, kept: 1, failed: 1 })
    expect(changes.summary.gaps).toEqual(['1 page could not be read, whose links may lead to others.'])
  })

  it('deletes nothing after a crawl that reached its `limit`', async () => {
    const { engine, start, pages, take } = await open()
    await take()
    pages.set('/', { links: ['/c', '/d', '/e'] })
    const changes = engine.crawl({ url: start, since: 'last', mirror: 'docs', limit: 2 }).changes()
    for await (const { op } of changes) expect(op).toBe('put')
    expect(changes.summary.gaps).toEqual(['`limit` left 2 pages out.'])
  })

  it('deletes nothing while a sitemap cannot be read', async () => {
    const answers: Record<string, string> = { '/': '<p>The start page.</p>', '/s': '<p>Another page.</p>' }
    const { crawl, origin } = await openAnswers(answers)
    answers['/sitemap.xml'] = `<urlset><url><loc>${origin}/s</loc></url></urlset>`
    expect(await drain(crawl())).toHaveLength(2)
    answers['/sitemap.xml'] = '503'
    const changes = crawl().changes()
    for await (const { op } of changes) expect(op).toBe('none')
    expect(changes.summary).toMatchObject({ kept: 1, removed: 0 })
    expect(changes.summary.gaps.join()).toMatch(/Nothing is removed from the mirror: The sitemap .*503/)
  })

  it('doubts a site of which most pages are gone', async () => {
    const links = Array.from({ length: 20 }, (_, at) => `/p${at}`)
    const { engine, start, pages, take } = await open({ '/': links })
    await take()
    pages.set('/', { links: [], text: 'Back soon.' })
    const doubted = engine.crawl({ url: start, since: 'last', mirror: 'docs' }).changes()
    for await (const { op } of doubted) expect(op).toBe('put')
    expect(doubted.summary).toMatchObject({ kept: 20, removed: 0 })
    const changes = engine.crawl({ url: start, since: 'last', mirror: 'docs' }).changes({ maxRemoved: 1 })
    for await (const { op } of changes) expect(op).toBe('delete')
    expect(changes.summary).toMatchObject({ kept: 0, removed: 20 })
  })

  it('is refused for a crawl without `mirror`, and for one that keeps no documents', async () => {
    const { engine, start } = await open()
    const plain = engine.crawl({ url: start })
    await expect(plain.changes().next()).rejects.toThrow('has no mirror: name one in its request')
    const job = engine.crawl({ url: start, mirror: 'docs', retain: false })
    await expect(job.changes().next()).rejects.toThrow('keeps no documents (`retain: false`)')
    for (const one of [plain, job]) await one.cancel()
  })
})

describe('`job.changes({ unit: "chunk" })`', () => {
  const sections = (texts: readonly string[]): string =>
    `<!doctype html><title>Page</title><header><nav><a href="/">Menu</a></nav></header><main><h1>Page</h1>${texts
      .map((text) => `<h2>Section ${text}</h2><p>${text} ${'and more words of it '.repeat(20)}.</p>`)
      .join('')}</main><footer>Footer</footer>`

  it('gives chunks with links, under keys that survive edits elsewhere on the page', async () => {
    const answers: Record<string, string> = { '/': sections(['One', 'Two', 'Three']) }
    const { engine, origin } = await openAnswers(answers)
    const take = async () => {
      const changes = []
      const scrapeOptions = { formats: ['chunks'] } as const
      const job = engine.crawl({ url: `${origin}/`, since: 'last', mirror: 'chunks', scrapeOptions })
      for await (const change of job.changes({ unit: 'chunk' })) changes.push(change)
      return changes
    }
    const first = await take()
    expect(first.map(({ op }) => op)).toEqual(['put', 'put', 'put'])
    expect(first[1]).toMatchObject({
      chunk: { path: ['Page', 'Section Two'], link: expect.stringContaining('#:~:text=Two') as string },
    })
    // A section before the others, one with another text, and another template.
    answers['/'] = sections(['Zero', 'One', 'Two', 'Three']).replace('Two and', 'Two or')
    answers['/'] = answers['/'].replace('Menu', 'Another menu').replace('Footer', 'Another footer')
    const second = await take()
    expect(second.map(({ op }) => op)).toEqual(['put', 'put', 'put', 'delete', 'delete'])
    const moved = second
      .filter(({ op }) => op === 'put')
      .map((change) => ('chunk' in change ? change.chunk.path.at(-1) : ''))
    // The first one has the heading of the page as well.
    expect(moved).toEqual(['Section Zero', 'Section One', 'Section Two'])
    answers['/'] = answers['/'].replace('Another menu', 'A third menu').replace('Another footer', 'A third footer')
    expect(await take()).toEqual([])
  })
})

describe('`job.each()`', () => {
  it('commits what the function writes together with the acknowledgement', async () => {
    const file = newFile()
    const { engine, start, pages } = await open(LINKS, { ledger: sqlite(file) })
    const crawl = () => engine.crawl({ url: start, since: 'last', mirror: 'docs' })
    await crawl().each(async (_, tx) => {
      await tx?.run('CREATE TABLE IF NOT EXISTS log (op TEXT, key TEXT)')
    })
    pages.set('/a', { links: [], text: 'New.' })
    const failing = crawl().each(async ({ op, key }, tx) => {
      await tx?.run('INSERT INTO log VALUES (?, ?)', op, key)
      throw new Error('the function fails')
    })
    await expect(failing).rejects.toThrow('the function fails')
    const wrong = crawl().each(async ({ op, key }, tx) => {
      await tx?.run('INSERT INTO log VALUES (?, ?)', op, key)
      await tx?.run('INSERT INTO nothing VALUES (1)')
    })
    await expect(wrong).rejects.toThrow('nothing')
    const rows: unknown[] = []
    const summary = await crawl().each(async ({ op, key }, tx) => {
      rows.push(...((await tx?.all('SELECT * FROM log')) ?? []))
      await tx?.run('INSERT INTO log VALUES (?, ?)', op, key)
    })
    expect(summary).toMatchObject({ changed: 1 })
    expect(rows).toEqual([])
    pages.set('/b', { links: [], text: 'New.' })
    await crawl().each(async (_, tx) => void rows.push(...((await tx?.all('SELECT * FROM log')) ?? [])))
    expect(rows).toEqual([{ op: 'put', key: `${start}a` }])
  })
})
