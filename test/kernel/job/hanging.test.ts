import { describe, expect, it } from 'vitest'
import { type Pages, useEngineSite } from '../../site/engine-site.js'
import { page, pathOf } from './crawl-site.js'

const on = useEngineSite()

/** A site of which some pages do not answer until they are released. */
function keepWaiting(hanging: number, good: number) {
  const held: (() => void)[] = []
  let [underWay, most] = [0, 0]
  let isReleased = false
  const paths = [
    ...Array.from({ length: hanging }, (_, index) => `/hanging/${index}`),
    ...Array.from({ length: good }, (_, index) => `/good/${index}`),
  ]
  const answer: Pages[string] = ({ url, response }) => {
    most = Math.max(most, ++underWay)
    response.on('close', () => (underWay -= 1))
    const end = (): void => void response.end(page())
    if (url.pathname.startsWith('/hanging') && !isReleased) held.push(end)
    else end()
  }
  return {
    pages: Object.fromEntries(paths.map((path) => [path, answer])),
    paths,
    most: () => most,
    release() {
      isReleased = true
      for (const end of held) end()
    },
  }
}

describe('pages that hang', () => {
  it('lend their slots, so that no other page is blocked, and are fetched once', async () => {
    const { pages, paths, release } = keepWaiting(25, 5)
    await on.open(pages)
    const job = on.engine.batchScrape({ urls: paths.map((path) => on.site.url(path)) })
    const read: string[] = []
    for await (const { metadata } of job) {
      // The hanging pages are released after all others were read.
      if (read.push(pathOf(metadata.url)) === 5) release()
    }
    expect(read.slice(0, 5).toSorted()).toEqual(paths.slice(25))
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'completed', completed: 30, failed: 0 })
    expect(status.data.map(({ metadata }) => pathOf(metadata.url))).toEqual(paths)
    expect(on.site.requests).toHaveLength(30)
  }, 60_000)

  it('block neither another job nor a single page', async () => {
    const { pages, paths, release } = keepWaiting(10, 2)
    await on.open(pages)
    const hanging = paths.slice(0, 10).map((path) => on.site.url(path))
    const slow = on.engine.batchScrape({ urls: hanging, maxConcurrency: 10 })
    await expect.poll(() => on.site.requests.length, { timeout: 20_000 }).toBe(10)
    expect((await on.engine.scrape(on.site.url('/good/0'))).metadata.statusCode).toBe(200)
    const quick = await on.engine.batchScrape({ urls: [on.site.url('/good/1')] }).finished()
    expect(quick.completed).toBe(1)
    release()
    expect((await slow.finished()).completed).toBe(10)
  }, 60_000)

  it.each([
    ['`maxConcurrencyPerSite`', { maxConcurrencyPerSite: 3 }, {}],
    ['`maxConcurrency` of the job', {}, { maxConcurrency: 3 }],
  ])(
    'are never more than an explicit %s allows',
    async (_name, config, request) => {
      const { pages, paths, most } = keepWaiting(3, 3)
      await on.open(pages, { retry: { maxRetries: 0 }, ...config })
      const urls = paths.map((path) => on.site.url(path))
      const status = await on.engine.batchScrape({ urls, timeout: 5000, ...request }).finished()
      expect(status).toMatchObject({ completed: 3, failed: 3 })
      expect(most()).toBe(3)
    },
    60_000,
  )

  it('never exceed an explicit `maxConcurrency` of the engine, and are not retried: their `timeout` is used up', async () => {
    const { pages, paths, most } = keepWaiting(3, 3)
    await on.open(pages, { retry: { maxRetries: 1, backoffMs: 1 }, maxConcurrency: 3 })
    const urls = paths.map((path) => on.site.url(path))
    const status = await on.engine.batchScrape({ urls, timeout: 5000 }).finished()
    expect(status).toMatchObject({ completed: 3, failed: 3 })
    expect(most()).toBe(3)
    const asked = on.site.requests.map(({ path }) => path.split('/')[1])
    const hanging = ['hanging', 'hanging', 'hanging']
    expect(asked).toEqual([...hanging, 'good', 'good', 'good'])
  }, 60_000)
})
