import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { TrawlError, type Document } from '../../../src/index.js'
import { type Pages, useEngineSite } from '../../site/engine-site.js'

const page = (...links: string[]): string =>
  `<!doctype html><title>t</title><main><h1>Page</h1><p>Some words that are the content.</p>${links
    .map((href) => `<a href="${href}">${href}</a>`)
    .join('')}</main>`

const star = (count: number): Record<string, string> => {
  const paths = Array.from({ length: count - 1 }, (_, i) => `/p${i}`)
  return { '/': page(...paths), ...Object.fromEntries(paths.map((path) => [path, page()])) }
}

const on = useEngineSite()

describe('a batch', () => {
  it('returns one document for each URL, in the order of the list, and fetches each page once', async () => {
    await on.open({ '/a': page(), '/b': page() })
    const urls = [on.site.url('/b'), on.site.url('/a'), on.site.url('/b'), on.site.url('/b#part')]
    const status = await on.engine.batchScrape({ urls }).finished()
    expect(status.data.map(({ metadata }) => metadata.sourceURL)).toEqual(urls)
    expect(status).toMatchObject({ completed: 4, total: 4 })
    expect(on.site.requests.map(({ path }) => path).toSorted()).toEqual(['/a', '/b'])
  })

  it('returns the start response of the interface, and drops invalid URLs', async () => {
    await on.open({ '/a': page() })
    const job = on.engine.batchScrape({ urls: ['http://', on.site.url('/a'), 'http://http://x.test'] })
    expect(JSON.parse(JSON.stringify(job))).toEqual({
      success: true,
      id: job.id,
      url: `trawl://engine/v2/batch/scrape/${job.id}`,
      invalidURLs: ['http://', 'http://http://x.test'],
    })
    expect(job.invalidURLs).toEqual(['http://', 'http://http://x.test'])
    expect((await job.finished()).completed).toBe(1)
    const strict = on.engine.batchScrape({ urls: [on.site.url('/a')], ignoreInvalidURLs: false })
    expect(strict.toJSON()).not.toHaveProperty('invalidURLs')
    expect(strict.invalidURLs).toBeUndefined()
  })

  it('is printed without its request, which has secrets', async () => {
    await on.open({ '/a': page() })
    const job = on.engine.batchScrape({
      urls: [on.site.url('/a')],
      headers: { authorization: 'secret' },
    })
    expect(inspect(job, { depth: 9 })).toContain(job.id)
    expect(inspect(job, { depth: 9 })).not.toContain('secret')
    await job.finished()
  })

  it('lists each page that failed, under every spelling that the caller gave', async () => {
    await on.open({ '/broken': ({ response }) => response.destroy() }, { retry: { maxRetries: 0 } })
    const url = on.site.url('/broken')
    const job = on.engine.batchScrape({ urls: [url, `${url}#x`] })
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: 0, total: 0, failed: 2 })
    expect(await job.errors()).toMatchObject({
      errors: [
        { url, code: 'SCRAPE_SITE_ERROR', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
        { url: `${url}#x`, code: 'SCRAPE_SITE_ERROR' },
      ],
      robotsBlocked: [],
    })
  })
})

describe('the status of a job', () => {
  it('is paged by `skip` and `limit`', async () => {
    await on.open(star(5))
    const job = on.engine.crawl({ url: on.site.url('/') })
    await job.finished()
    const urls: string[] = []
    let hops = 0
    for (let skip = 0; ; hops++) {
      const status = await job.status({ skip, limit: 2 })
      urls.push(...status.data.map(({ metadata }) => metadata.url))
      if (status.next === undefined) break
      expect(status.next).toBe(`${job.url}?skip=${skip + 2}&limit=2`)
      skip = Number(new URL(status.next).searchParams.get('skip'))
    }
    expect(hops).toBe(2)
    expect(urls).toEqual(['/', '/p0', '/p1', '/p2', '/p3'].map((path) => on.site.url(path)))
    expect(await job.status({ skip: 9 })).toMatchObject({ data: [], completed: 5 })
    expect((await job.status({ skip: 9 })).next).toBeUndefined()
  })

  it('ends a page of results at 10 MiB, but returns a single larger document', async () => {
    const big = page().replace('words', 'w'.repeat(6 * 1024 * 1024))
    await on.open({ '/a': big, '/b': big, '/c': big.replace('words', 'x'.repeat(9e6)) })
    const job = on.engine.batchScrape({
      urls: ['/a', '/b', '/c'].map((path) => on.site.url(path)),
      formats: ['rawHtml'],
    })
    const first = await job.finished()
    expect(first.data).toHaveLength(1)
    expect(first.next).toContain('skip=1')
  })

  it('refuses an invalid `skip` or `limit`', async () => {
    await on.open({})
    const job = on.engine.batchScrape({ urls: [on.site.url('/a')] })
    await expect(job.status({ skip: -1, limit: 1001 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: ['skip'] }, { path: ['limit'] }],
    })
  })

  it('includes the times of the start, the end and the expiry', async () => {
    let nowMs = Date.UTC(2030, 0, 1)
    await on.open({ '/': page() }, { now: () => nowMs, retentionMs: 60_000 })
    const job = on.engine.crawl({ url: on.site.url('/') })
    expect(on.engine.jobs()).toEqual([job])
    expect(await job.finished()).toMatchObject({
      createdAt: '2030-01-01T00:00:00.000Z',
      completedAt: '2030-01-01T00:00:00.000Z',
      expiresAt: '2030-01-01T00:01:00.000Z',
      duration: 0,
      creditsUsed: 1,
    })
    expect(on.engine.jobs()).toEqual([])
    expect(await on.engine.job(job.id)).toBe(job)
    nowMs += 60_000
    expect(await on.engine.job(job.id)).toBeUndefined()
  })

  it('is an error once the job has expired, as its rows and errors are', async () => {
    let nowMs = Date.UTC(2030, 0, 1)
    await on.open({ '/': page() }, { now: () => nowMs, retentionMs: 60_000 })
    const job = on.engine.crawl({ url: on.site.url('/') })
    await job.finished()
    nowMs += 60_000
    expect(await job.status()).toMatchObject({ completed: 1, data: [{}] })
    const [rows, documents] = [job.urls(), job[Symbol.asyncIterator]()]
    expect(await on.engine.job(job.id)).toBeUndefined()
    const expired = { code: 'JOB_NOT_FOUND', message: `job ${job.id} has expired` }
    await expect(job.status()).rejects.toMatchObject(expired)
    await expect(job.errors()).rejects.toMatchObject(expired)
    await expect(job.explain(on.site.url('/'))).rejects.toMatchObject(expired)
    await expect(rows.next()).rejects.toMatchObject(expired)
    await expect(documents.next()).rejects.toMatchObject(expired)
    expect(await job.finished()).toMatchObject({
      status: 'completed',
      completed: 1,
      warning: expect.stringContaining('has expired'),
    })
  })
})

describe('the events of a job', () => {
  it('include a document only after the status has it, and the end once, as the last event', async () => {
    await on.open(
      {
        ...star(4),
        '/': page('/p0', '/p1', '/p2', 'http://other.test/', '/bad'),
        '/bad': ({ response }) => response.destroy(),
      },
      { retry: { maxRetries: 0 } },
    )
    const told: string[] = []
    const late: Promise<void>[] = []
    const job = on.engine.crawl({ url: on.site.url('/') })
    job.on('document', (document: Document) => {
      told.push('document')
      late.push(
        job
          .status()
          .then(({ data }) => expect(data.some(({ metadata }) => metadata.url === document.metadata.url)).toBe(true)),
      )
    })
    job.on('failed', (failure) => told.push(`failed ${failure.code} ${failure.attempts}`))
    job.on('skipped', (skip) => told.push(`skipped ${skip.reason}`))
    job.on('progress', ({ completed, failed }) => told.push(`progress ${completed + failed}`))
    job.on('finished', ({ status }) => told.push(`finished ${status}`))
    await job.finished()
    await Promise.all(late)
    expect(told.filter((what) => what === 'document')).toHaveLength(4)
    expect(told).toContain('failed SCRAPE_SITE_ERROR 1')
    expect(told).toContain('skipped EXTERNAL_LINK')
    expect(told.filter((what) => what.startsWith('progress')).at(-1)).toBe('progress 5')
    expect(told.filter((what) => what.startsWith('finished'))).toEqual(['finished completed'])
    expect(told.at(-1)).toBe('finished completed')
  })
})

describe('cancelling a job', () => {
  it('stops pages in flight at once, drops the queue and keeps what was scraped', async () => {
    await on.open({ ...star(30), '/p0': ({ response }) => void response.write('<p>slow') }, { maxConcurrency: 2 })
    const job = on.engine.crawl({ url: on.site.url('/') })
    for await (const document of job) if (document.metadata.url !== on.site.url('/')) break
    const status = await job.cancel()
    expect(status.status).toBe('cancelled')
    expect(status.completed).toBeGreaterThanOrEqual(2)
    expect(status.completed + status.failed + status.skipped).toBe(30)
    expect(status.data).toHaveLength(status.completed)
    expect(await job.explain(on.site.url('/p0'))).toMatchObject({
      outcome: 'failed',
      failure: { code: 'SCRAPE_JOB_CANCELLED' },
    })
    expect(await job.explain(on.site.url('/p28'))).toMatchObject({
      outcome: 'skipped',
      refusal: { reason: 'CANCELLED' },
    })
    expect((await job.cancel()).status).toBe('cancelled')
  })

  it('follows an AbortSignal, and removes its listener afterwards', async () => {
    await on.open({ '/': ({ response }) => void response.write('never ends') })
    const controller = new AbortController()
    const job = on.engine.crawl({ url: on.site.url('/') }, { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    expect((await job.finished()).status).toBe('cancelled')
    expect(() => on.engine.crawl({ url: on.site.url('/') }, { signal: controller.signal })).toThrow('aborted')
  })

  it('does not follow the signal of `finished()`', async () => {
    await on.open({ '/': ({ response }) => void setTimeout(() => response.end(page()), 100) })
    const job = on.engine.crawl({ url: on.site.url('/') })
    await expect(job.finished({ signal: AbortSignal.timeout(10) })).rejects.toThrow(/timeout/)
    expect((await job.finished()).completed).toBe(1)
  })
})

describe('the speed of a job', () => {
  it('starts no page while paused', async () => {
    await on.open(star(20), { maxConcurrency: 1 })
    // Sitemaps are no pages: they are read on.
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip' })
    expect(job.startUrl).toBe(on.site.url('/'))
    await new Promise((resolve) => job.once('document', resolve))
    expect(await job.pause()).toMatchObject({ success: true, status: 'scraping', data: [] })
    // A page that was under way is finished.
    await expect.poll(() => job.activity()).toEqual([])
    const before = on.site.requests.length
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(on.site.requests).toHaveLength(before)
    expect(before).toBeLessThan(20)
    const { status, completed, data } = await job.resume()
    expect({ status, data }).toEqual({ status: 'scraping', data: [] })
    expect(completed).toBeGreaterThan(0)
    expect((await job.finished()).completed).toBe(20)
  })

  it('is slowed down by a slow reader once enough bytes wait, and continues with the reader', async () => {
    await on.open(star(40), { maxConcurrency: 2, maxWaitingBytes: 2000 })
    const job = on.engine.crawl({ url: on.site.url('/') })
    const documents = job[Symbol.asyncIterator]()
    await documents.next()
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(on.site.requests.length).toBeLessThan(20)
    let read = 1
    while (!(await documents.next()).done) read += 1
    expect(read).toBe(40)
    expect((await job.status()).completed).toBe(40)
  })

  it('does not depend on a closed reader', async () => {
    await on.open(star(40), { maxConcurrency: 2, maxWaitingBytes: 500 })
    const job = on.engine.crawl({ url: on.site.url('/') })
    for await (const document of job) if (document) break
    expect((await job.finished()).completed).toBe(40)
  })

  it('never exceeds the job’s concurrency, nor the engine’s over all its jobs', async () => {
    let underWay = 0
    let most = 0
    const slow: Pages[string] = ({ response }) => {
      most = Math.max(most, ++underWay)
      setTimeout(() => {
        underWay -= 1
        response.end(page())
      }, 5)
    }
    const paths = Array.from({ length: 30 }, (_, i) => `/p${i}`)
    await on.open(Object.fromEntries(paths.map((path) => [path, slow])), { maxConcurrency: 6 })
    const urls = paths.map((path) => on.site.url(path))
    await on.engine.batchScrape({ urls, maxConcurrency: 3, maxAge: 0 }).finished()
    expect(most).toBe(3)
    most = 0
    const jobs = [1, 2, 3].map(() => on.engine.batchScrape({ urls, maxAge: 0 }))
    const statuses = await Promise.all(jobs.map((job) => job.finished()))
    expect(statuses.map(({ completed }) => completed)).toEqual([30, 30, 30])
    expect(most).toBe(6)
  })
})

describe('errors of a call', () => {
  it('are thrown before a job exists', async () => {
    await on.open({})
    expect(() => on.engine.crawl({ url: 'ftp://x.test', limit: -1 })).toThrow(TrawlError)
    expect(() => on.engine.batchScrape({ urls: [] })).toThrow(TrawlError)
    expect(on.engine.jobs()).toEqual([])
  })
})
