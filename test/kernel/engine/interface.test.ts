import { describe, expect, it } from 'vitest'
import { createEngine, TrawlError } from '../../../src/index.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { planEngine } from '../../../src/kernel/plan/plan-engine.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()
const page = article('<h1>Berths</h1><p>A berth is 12 euros a night.</p>')

describe('a status', () => {
  it('has counters alone with `limit: 0`', async () => {
    await on.open({ '/': page }, () => ({}))
    const job = on.engine.batchScrape({ urls: new Set([new URL(on.site.url('/'))]) })
    await job.finished()
    const status = await job.status({ limit: 0 })
    expect(status).toMatchObject({ status: 'completed', completed: 1, data: [] })
    expect(status).not.toHaveProperty('next')
  })
})

describe('fastMode', () => {
  it('leaves the browser out, and nothing of it in the cache', () => {
    const settings = planEngine({})
    expect(planScrape({ fastMode: true }, settings).fetch.fetcher).toBe('http')
    expect(planScrape({}, settings).fetch.fetcher).toBe('auto')
    expect(planScrape({ fastMode: true }, settings).cache).not.toEqual(planScrape({}, settings).cache)
  })
})

describe('an error', () => {
  it('has its message and its code as JSON', () => {
    const error = new TrawlError('SCRAPE_TIMEOUT', 'it took too long', {
      url: 'https://example.com/',
      cause: new Error('x'),
    })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'TrawlError',
      code: 'SCRAPE_TIMEOUT',
      message: 'it took too long',
      retry: error.retry,
      url: 'https://example.com/',
      ...(error.status !== undefined && { status: error.status }),
    })
  })

  it('is a TrawlError whatever `parse` is given', async () => {
    await using engine = createEngine({ threads: 0 })
    const body = {
      toString: () => {
        throw new RangeError('made to break it')
      },
    }
    for (const input of [body, null, 5, Buffer.from('x'), { body: 'x', url: 'https://example.com', contentType: {} }])
      await expect(engine.parse(input as never)).rejects.toBeInstanceOf(TrawlError)
  })
})
