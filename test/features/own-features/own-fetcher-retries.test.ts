import { expect, it } from 'vitest'
import { createEngine, type FetcherRequest, type FetcherResponse } from '../../../src/index.js'

const busy = { headers: { 'retry-after': '20' } }
it.each([
  ['429', { status: 429 }, {}],
  ['503', { status: 503 }, {}],
  ['429 with `Retry-After`', { status: 429, ...busy }, {}],
  ['503 with `Retry-After`', { status: 503, ...busy }, {}],
  ['403 of `statusCodes`', { status: 403 }, { statusCodes: [403] }],
  ['404 of `statusCodes`', { status: 404 }, { statusCodes: [404] }],
])(
  'a fetcher of a feature is asked again after %s without a wait, with `maxBackoffMs: 0`',
  async (_, answer, retry) => {
    const asked = new Map<string, number>()
    const fetch = ({ url }: FetcherRequest): FetcherResponse => {
      if (url.endsWith('/robots.txt')) return { status: 404 }
      asked.set(url, (asked.get(url) ?? 0) + 1)
      return asked.get(url) === 3 ? { body: '<main><h1>At last</h1></main>' } : answer
    }
    const features = [{ name: 'shop', fetcher: { handles: () => true, fetch } }]
    await using engine = createEngine({ threads: 0, cache: false, features, retry: { maxBackoffMs: 0, ...retry } })
    const urls = ['a', 'b', 'c'].map((path) => `https://shop.test/${path}`)
    const job = engine.batchScrape({ urls })
    for await (const { metadata } of job) expect(metadata.statusCode).toBe(200)
    expect([...asked.values()]).toEqual([3, 3, 3])
    for await (const { attempts } of job.urls())
      for (const { endedAtMs, retryAtMs = endedAtMs } of attempts) expect(retryAtMs).toBe(endedAtMs)
  },
)
