import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, sqlite } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { answer, page } from './crawl-site.js'

const SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>'
const NO_BROWSER = /^1 of 1 pages seem to need a browser \(.*\/no\/such/
const FORM = '<form method="post"><input name="user"><input name="pass" type="password"><button>Go</button></form>'
const LOGIN = `<!doctype html><title>Sign in</title><main><h1>Sign in</h1>${FORM}</main>`
const pages = {
  '/spa/': SHELL,
  '/docs/': page('/docs/a', '/docs/b', '/docs/c'),
  '/docs/a': SHELL,
  '/docs/b': SHELL,
  '/docs/c': page(),
  '/bare/': '<!doctype html><title>T</title><body></body>',
  '/members/': answer({ location: '/login' }, '', 302),
  '/login': LOGIN,
  '/wall/': LOGIN,
  '/forum/': page().replace('<body>', `<body>${FORM}${'<p>Words of a page that has its own text.</p>'.repeat(9)}`),
}

async function open(config: EngineConfig = {}) {
  const site = await startSite({ pages })
  const browser = { executablePath: '/no/such/browser' }
  const engine = createEngine({ allowPrivateNetworks: true, threads: 0, cache: false, browser, ...config })
  const dispose = async (): Promise<void> => {
    await engine.close()
    await site.close()
  }
  return { site, engine, [Symbol.asyncDispose]: dispose }
}

describe('the status of a job', () => {
  it('says that its only page seems to need a browser, in place of advice about its path', async () => {
    await using on = await open()
    const status = await on.engine.crawl({ url: on.site.url('/spa/') }).finished()
    expect(status.warning).toMatch(NO_BROWSER)
    expect(status.warning).not.toContain('higher path')
    expect(status.warnings).toMatchObject([
      { pages: 1, url: on.site.url('/spa/') },
      { message: 'The page has no text.' },
    ])
  })

  it('counts warnings of pages by kind, beside what explains each page', async () => {
    await using on = await open()
    const job = on.engine.crawl({ url: on.site.url('/docs/') })
    const status = await job.finished()
    expect(status.warning).toMatch(/^2 of 4 pages seem to need a browser/)
    expect(status.warning).toContain('2 of 4 pages have no text.')
    expect(status.warnings?.map(({ pages: count }) => count)).toEqual([2, 2])
    expect(await job.explain(on.site.url('/docs/a'))).toMatchObject({
      warning: status.data.find(({ metadata }) => metadata.url.endsWith('/a'))?.warning,
    })
    expect(await job.explain(on.site.url('/docs/c'))).not.toHaveProperty('warning')
  })

  it.each<[path: string, config: EngineConfig]>([
    ['/spa/', { fetcher: 'http' }],
    ['/bare/', { fetcher: 'http' }],
    ['/bare/', {}],
    ['/empty', {}],
  ])('is not silent about %s, a page without text, with %j', async (path, config) => {
    await using on = await open(config)
    const status = await on.engine.crawl({ url: on.site.url(path) }).finished()
    expect(status.warning).toMatch(/^1 of 1 pages /)
    expect(status.warning).not.toContain('higher path')
  })

  it.each([
    ['/members/', '(it leads to /login, which has a form'],
    ['/wall/', '(it has a form'],
  ])('says that %s asks for a login, in place of advice about its path', async (path, place) => {
    await using on = await open()
    const status = await on.engine.crawl({ url: on.site.url(path) }).finished()
    expect(status.warning).toContain(`1 of 1 pages seem to ask for a login ${place} with a password and little else)`)
    expect(status.warning).not.toContain('higher path')
  })

  it.each(['/login', '/forum/'])('does not say so of %s, which shows what was asked for', async (path) => {
    await using on = await open()
    const status = await on.engine.crawl({ url: on.site.url(path) }).finished()
    expect(status.completed).toBe(1)
    expect(status.warning ?? '').not.toContain('ask for a login')
  })

  it.each(['links', 'rawHtml', 'images', 'chunks'] as const)(
    'is not silent about a shell of which only %s is asked',
    async (format) => {
      await using on = await open({ fetcher: 'http' })
      const scrapeOptions = { formats: [format] }
      const status = await on.engine.crawl({ url: on.site.url('/spa/'), scrapeOptions }).finished()
      expect(status.warning).toMatch(/^1 of 1 pages seem to need a browser/)
    },
  )

  it('counts a page once for each time that a batch lists it', async () => {
    await using on = await open()
    const [shell, other] = [on.site.url('/spa/'), on.site.url('/docs/c')]
    const status = await on.engine.batchScrape({ urls: [shell, other, shell] }).finished()
    expect(status.warnings?.[0]).toMatchObject({ pages: 2 })
    expect(status.warning).toMatch(/^2 of 3 pages seem/)
  })

  it('has no warning of pages that are not kept, but their number', async () => {
    await using on = await open()
    const status = await on.engine.crawl({ url: on.site.url('/spa/'), zeroDataRetention: true }).finished()
    expect(status.warning).toBe('1 of 1 pages have a warning, which is not kept.')
  })

  it('keeps the counts for the engine that opens the ledger next', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    try {
      const file = join(folder, 'jobs.db')
      let id = ''
      {
        await using on = await open({ ledger: sqlite(file) })
        const job = on.engine.crawl({ url: on.site.url('/docs/') })
        id = job.id
        await job.finished()
      }
      await using on = await open({ ledger: sqlite(file) })
      const status = await (await on.engine.job(id))?.status()
      expect(status?.warning).toMatch(/^2 of 4 pages seem to need a browser/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
