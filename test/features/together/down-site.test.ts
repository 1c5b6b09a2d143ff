import { afterEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  defineFeature,
  type Engine,
  type EngineConfig,
  type FetcherResponse,
  mirrorWith,
} from '../../../src/index.js'
import { page } from '../../kernel/job/crawl-site.js'

const FROZEN_MS = Date.parse('2030-01-01T00:00:00Z')
const URL_OF_SITE = 'https://down.test/'

let engine: Engine | undefined
const asked: string[] = []

afterEach(async () => {
  await engine?.close()
  asked.length = 0
})

/** Opens an engine whose clock stands still, and whose waits are short ones of real time. */
function open(answer: (path: string) => FetcherResponse, settings: EngineConfig = {}): Engine {
  const site = defineFeature({
    name: 'down-site',
    fetcher: {
      handles: () => true,
      fetch: ({ url }) => {
        const { pathname } = new URL(url)
        asked.push(pathname)
        return answer(pathname)
      },
    },
  })
  const retry = { backoffMs: 10, maxBackoffMs: 20 }
  engine = createEngine({ features: [site], cache: false, now: () => FROZEN_MS, retry, ...settings })
  return engine
}

const UNREAD = 'robots.txt could not be read: 503 Service Unavailable (https://down.test/robots.txt)'
const down = (): FetcherResponse => ({ status: 503 })
/** A site without robots.txt whose pages are down. */
const withoutRobots =
  (answer: FetcherResponse) =>
  (path: string): FetcherResponse =>
    path === '/robots.txt' ? { status: 404 } : answer

describe('a site that answers 503 to everything, while the clock of the engine stands still', () => {
  it('fails a crawl with the cause, and only its robots.txt was requested', async () => {
    const status = await open(down).crawl({ url: URL_OF_SITE }).finished()
    expect(status).toMatchObject({ status: 'failed', completed: 0, failed: 1, error: UNREAD })
    expect(status.warning).toContain(`No sitemap of https://down.test was looked for: ${UNREAD}`)
    expect(asked).toEqual(['/robots.txt', '/robots.txt', '/robots.txt'])
  })

  it('fails a crawl with `since`, and one of several starts', async () => {
    open(down)
    expect(await engine?.crawl({ url: URL_OF_SITE, since: 'last' }).finished()).toMatchObject({ error: UNREAD })
    const urls = ['https://down.test/a', 'https://other.test/']
    const status = await engine?.crawl({ url: URL_OF_SITE, urls }).finished()
    expect(status).toMatchObject({ status: 'failed', completed: 0, failed: 3 })
  })

  it('fails a mirror, which keeps what it has', async () => {
    let isDown = false
    const kept = new Set<string>()
    const target = mirrorWith(({ op, key }) => void (op === 'delete' ? kept.delete(key) : kept.add(key)), { name: 'm' })
    const site = (path: string): FetcherResponse => (path === '/' ? { body: page() } : { status: 404 })
    open((path) => (isDown ? down() : site(path)))
    const mirror = engine?.mirror({ url: URL_OF_SITE }, target)
    expect(await mirror?.sync()).toMatchObject({ new: 1 })
    isDown = true
    expect(await mirror?.sync()).toMatchObject({
      removed: 0,
      failed: 1,
      gaps: expect.arrayContaining(['A start page gave no page.']),
    })
    expect([...kept]).toEqual([URL_OF_SITE])
    // Another process does not know the robots.txt of the first night.
    await engine?.close()
    const unread = open(down).mirror(
      { url: URL_OF_SITE },
      mirrorWith(() => undefined, { name: 'm' }),
    )
    await expect(unread.sync()).rejects.toThrow(UNREAD)
  })

  it('gives a map and a plan that say so', async () => {
    open(down)
    const map = await engine?.map({ url: URL_OF_SITE })
    expect(map?.warning).toContain(UNREAD)
    expect(asked.filter((path) => path !== '/robots.txt')).toEqual(['/'])
    expect((await engine?.plan({ url: URL_OF_SITE }))?.robots).toMatchObject({ allowed: false, message: UNREAD })
  })

  it('ends a check of a watch', async () => {
    const watch = await open(down).watch({ name: 'w', targets: [{ crawl: { url: URL_OF_SITE } }], every: '1d' })
    expect((await watch.check()).summary).toMatchObject({ totalPages: 1, error: 1, removed: 0 })
  })
})

describe('pages that wait, while the clock of the engine stands still', () => {
  const urls = Array.from({ length: 12 }, (_, index) => `https://down.test/${index}`)

  it.each<[string, FetcherResponse]>([
    ['503', { status: 503 }],
    ['429', { status: 429 }],
    ['429 with `Retry-After`', { status: 429, headers: { 'retry-after': '1' } }],
    ['500', { status: 500 }],
  ])('end after the pauses of a site that answers %s', async (_, answer) => {
    open(withoutRobots(answer))
    const batch = await engine?.batchScrape({ urls }).finished()
    expect(batch).toMatchObject({ status: 'completed', completed: 12 })
    const crawl = await engine?.crawl({ url: URL_OF_SITE }).finished()
    expect(crawl).toMatchObject({ completed: 1, data: [{ metadata: { statusCode: answer.status } }] })
    // Its other usual names are not tried: the pages would wait for the pauses in between.
    const sitemaps = asked.filter((path) => path.includes('sitemap'))
    expect(sitemaps).toHaveLength(answer.status === 500 ? 6 : 1)
  })

  it('end after the `delay` of their job, and after a `Crawl-delay`', async () => {
    const robots = 'User-agent: *\nCrawl-delay: 0.02'
    open((path) => ({ body: path === '/robots.txt' ? robots : page('/1', '/2') }))
    const request = { url: URL_OF_SITE, sitemap: 'skip' } as const
    expect(await engine?.crawl({ ...request, delay: 0.02, ignoreRobotsTxt: true }).finished()).toMatchObject({
      completed: 3,
    })
    expect(await engine?.crawl(request).finished()).toMatchObject({ completed: 3 })
  })
})
