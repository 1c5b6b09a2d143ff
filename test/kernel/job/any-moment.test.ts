import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, TrawlError, type Document, type Job } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { page, type Pages } from './crawl-site.js'

/** Random numbers from 0 up to 1, the same for the same seed. */
function drawFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32
  }
}

const PAGES = 40
/** Links of pages beside those to other pages. */
const troubles = [
  '/status/500',
  '/status/404',
  '/flaky?times=1&status=503',
  '/retry-after?times=1&seconds=1&status=429',
  '/reset',
  '/redirect/2',
  '/redirect-loop',
  '/slow-headers?ms=300',
  '/truncated',
  '/private/1',
  '/picture.png',
]

/** A site whose robots.txt and sitemaps are late, broken or restrictive at random. */
function makePages(draw: () => number, origin: () => string): Pages {
  const any = (): string => `/p/${Math.floor(draw() * PAGES)}`
  const some = (most: number): string[] => Array.from({ length: Math.floor(draw() * most) }, any)
  const trouble = (): string => troubles[Math.floor(draw() * troubles.length)] ?? '/'
  const wait = Math.floor(draw() * 400)
  const crawlDelay = draw() < 0.3 ? '\nCrawl-delay: 0.02' : ''
  const entries = Array.from({ length: 450 }, (_, at) => (draw() < 0.9 ? `/skipped/${at}.png` : any()))
  const inTime =
    (status: number, body: () => string): Pages[string] =>
    async ({ response }) => {
      await sleep(wait)
      response.writeHead(status).end(body())
    }
  const pages: Record<string, NonNullable<Pages[string]>> = { '/': page(...some(8), trouble(), any()) }
  for (let at = 0; at < PAGES; at += 1) pages[`/p/${at}`] = page(...some(6), trouble())
  if (draw() < 0.8)
    pages['/robots.txt'] = inTime(draw() < 0.1 ? 503 : 200, () => `User-agent: *\nDisallow: /private/${crawlDelay}`)
  if (draw() < 0.8)
    pages['/sitemap.xml'] = inTime(
      draw() < 0.1 ? 500 : 200,
      () => `<urlset>${entries.map((path) => `<url><loc>${origin()}${path}</loc></url>`).join('')}</urlset>`,
    )
  return pages
}

let closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.map((close) => close()))
  closing = []
})

/** Outcomes of each URL, from the job's events. */
function listen(job: Job<Document>): Map<string, string[]> {
  const told = new Map<string, string[]>()
  const note = (url: string, what: string): void => void told.set(url, [...(told.get(url) ?? []), what])
  job.on('document', ({ metadata }) => note(metadata.sourceURL, 'done'))
  job.on('failed', ({ url }) => note(url, 'failed'))
  job.on('skipped', ({ url, reason }) => note(url, reason))
  return told
}

const expectCode =
  (code: string) =>
  (error: unknown): void => {
    if (!(error instanceof TrawlError && error.code === code)) throw error
  }

/** Runs jobs at the same time on shared sites. Each is paused, cancelled or left alone, and the engine is closed at the end. */
async function runJobs(seed: number): Promise<void> {
  const draw = drawFrom(seed)
  const sites: Site[] = []
  for (let nth = 0; nth < 2; nth += 1) {
    const site: Site = await startSite({ pages: makePages(draw, () => site.origin) })
    closing.push(() => site.close())
    sites.push(site)
  }
  const engine = createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    maxConcurrency: 1 + Math.floor(draw() * 6),
    retry: { maxRetries: 1, backoffMs: 20 },
  })
  closing.push(() => engine.close())

  const startOne = async (): Promise<void> => {
    const site = sites[draw() < 0.5 ? 0 : 1]
    const limit = 1 + Math.floor(draw() * 40)
    const job = engine.crawl({
      url: site?.url('/') ?? '',
      limit,
      ...(draw() < 0.3 ? { maxDiscoveryDepth: Math.floor(draw() * 4) } : {}),
      ...(draw() < 0.3 ? { delay: 0.005 } : {}),
      ...(draw() < 0.2 ? { sitemap: 'only' } : {}),
      ...(draw() < 0.3 ? { includePaths: ['[0-4]$'], discoverThrough: 5 } : {}),
      ...(draw() < 0.3 ? { maxConcurrency: 1 } : {}),
      scrapeOptions: { timeout: 1000 },
    })
    const told = listen(job)
    const fate = draw()
    const momentMs = draw() * 600
    if (fate < 0.5) {
      await Promise.race([sleep(momentMs), job.finished()])
      if (fate < 0.25) await job.cancel()
      else {
        void job.pause()
        await sleep(20)
        void job.resume()
      }
    }
    const status = await job.finished()
    expect(status.completed).toBeLessThanOrEqual(limit)
    for (const [url, what] of told) {
      // A refused URL may be admitted when it is found again. After that it has exactly one outcome.
      const before = what.slice(0, -1).filter((each) => each !== 'INCLUDE_PATTERN' && each !== 'DISCOVERY_DEPTH')
      expect(before, url).toEqual([])
      const row = await job.explain(url)
      expect(row?.outcome === 'skipped' ? row.refusal?.reason : row?.outcome, url).toBe(what.at(-1))
    }
    expect(told.size).toBeGreaterThanOrEqual(status.completed + status.failed)
    expect(status.total).toBe(status.completed)
  }

  const jobs = Array.from({ length: 4 }, async () => {
    await sleep(draw() * 200)
    await startOne().catch(expectCode('ENGINE_CLOSED'))
  })
  if (draw() < 0.3) {
    await sleep(draw() * 800)
    await engine.close()
  }
  await Promise.all(jobs)
}

describe('a job', () => {
  it.each([1, 2, 3, 4, 261_340])(
    'ends with one outcome for every URL, whatever is done to it at any moment (seed %i)',
    (seed) => runJobs(seed),
  )
})
