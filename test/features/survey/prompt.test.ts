import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type CrawlJob, type Document, sqlite } from '../../../src/index.js'
import { page, pathOf } from '../../kernel/job/crawl-site.js'
import type { Behaviour } from '../../site/model-server.js'
import { useModelSite } from '../../site/model-site.js'

const on = useModelSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

const pages = {
  '/': page('/blog/one', '/blog/two', '/shop/1', '/shop/2', '/about'),
  ...Object.fromEntries(['/blog/one', '/blog/two', '/shop/1', '/shop/2', '/about'].map((path) => [path, page('/')])),
}

const says =
  (options: unknown): Behaviour =>
  () => ({ says: options })

const pathsOf = (data: readonly Document[]): string[] => data.map(({ metadata }) => pathOf(metadata.url)).toSorted()

async function end(job: CrawlJob<Document>) {
  const status = await job.finished()
  return { status, paths: pathsOf(status.data) }
}

describe('a crawl that is described in words', () => {
  it('uses the options that the model derives from the prompt and from URLs of the site', async () => {
    await on.open(pages, says({ includePaths: ['^/blog/'], limit: null, excludePaths: [] }))
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'only the blog' })
    expect(job.finalCrawlerOptions).toBeUndefined()
    expect(job.toJSON()).toEqual({ success: true, id: job.id, url: job.url })
    expect(await job.status()).toMatchObject({ status: 'scraping', total: 0 })
    await job.prepared()
    expect(job.promptGeneratedOptions).toEqual({ includePaths: ['^/blog/'] })
    expect(job.finalCrawlerOptions).toEqual({ url: on.site.url('/'), includePaths: ['^/blog/'] })
    expect(job.toJSON()).toMatchObject({
      promptGeneratedOptions: { includePaths: ['^/blog/'] },
      finalCrawlerOptions: { url: on.site.url('/') },
    })
    const { status, paths } = await end(job)
    expect(paths).toEqual(['/blog/one', '/blog/two'])
    expect(status.warning).toBeUndefined()
    expect(on.server.calls.length).toBe(1)
    expect(on.server.calls[0]?.prompt).toContain('only the blog')
    expect(on.server.calls[0]?.prompt).toContain(on.site.url('/shop/1'))
  })

  it('keeps the options of the request, also those with their default value', async () => {
    await on.open(
      pages,
      says({ limit: 5, crawlEntireDomain: true, excludePaths: ['^/shop/'], url: 'http://other.test/' }),
    )
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'two pages', limit: 2, crawlEntireDomain: false })
    const { status } = await end(job)
    expect(job.finalCrawlerOptions).toEqual({
      url: on.site.url('/'),
      limit: 2,
      crawlEntireDomain: false,
      excludePaths: ['^/shop/'],
    })
    expect(status.completed).toBe(2)
    expect(on.server.calls[0]?.prompt).toContain('{"limit":2,"crawlEntireDomain":false}')
    expect(status.warning).toMatch(/used only in part: `url` is no option that a description may set/)
  })

  it('obeys a limit and a depth that the model set', async () => {
    await on.open(pages, says({ limit: 3, maxDiscoveryDepth: 1, delay: 0.001 }))
    const { status } = await end(on.engine.crawl({ url: on.site.url('/'), prompt: 'three pages, slowly' }))
    expect(status).toMatchObject({ status: 'completed', completed: 3, total: 3 })
  })

  it('reports errors to the model once, and drops options that are still invalid', async () => {
    await on.open(pages, ({ number }) => ({
      says:
        number === 1
          ? { includePaths: ['(?!a)b'], limit: -1, sitemap: 'all' }
          : { includePaths: ['^/shop/'], limit: 50_000, delay: 'slow' },
    }))
    const { status, paths } = await end(on.engine.crawl({ url: on.site.url('/'), prompt: 'the shop' }))
    expect(paths).toEqual(['/shop/1', '/shop/2'])
    expect(on.server.calls.length).toBe(2)
    expect(on.server.calls[1]?.prompt).toMatch(/look-around.*`limit`.*`sitemap`/s)
    expect(status.warning).toMatch(/`limit`: 50000 is more than 10000.*`delay`: "slow"/)
  })

  it('reports a pattern of the model that matches nothing', async () => {
    await on.open(pages, says({ excludePaths: ['^/shop/', '^/nowhere/'] }))
    const { status, paths } = await end(on.engine.crawl({ url: on.site.url('/'), prompt: 'no shop' }))
    expect(paths).toEqual(['/', '/about', '/blog/one', '/blog/two'])
    expect(status.warning).toBe(
      '`excludePaths` ^/nowhere/, which the model derived from `prompt`, matches no URL known so far.',
    )
  })

  it.each<[string, Behaviour, RegExp]>([
    ['says nothing of use', says({}), /`prompt` set no option/],
    ['writes prose', says('I would rather talk about boats.'), /`prompt` set no option.*no JSON object/],
    ['breaks off', () => ({ says: '{"includePaths": ["^/bl', finish: 'length' }), /`prompt` set no option/],
    ['will not answer', () => ({ refusal: 'No.' }), /`prompt` set no option.*would not answer/],
    ['fails', () => ({ status: 500 }), /`prompt` set no option.*500/],
    ['refuses the key', () => ({ status: 401 }), /`prompt` set no option.*401/],
    ['hangs up', () => ({ hangsUp: true }), /`prompt` set no option/],
    ['gives a list', says('[1, 2]'), /`prompt` set no option.*no JSON object/],
  ])('uses the options of the request only if the model %s', async (_, behaviour, warning) => {
    await on.open(pages, behaviour, { modelOptions: { maxRetries: 0 } })
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'qwerty asdf' })
    const { status, paths } = await end(job)
    expect(status).toMatchObject({ status: 'completed', success: true })
    expect(paths.length).toBe(6)
    expect(status.warning).toMatch(warning)
    expect(job.promptGeneratedOptions).toEqual({})
    expect(job.finalCrawlerOptions).toEqual({ url: on.site.url('/') })
    expect(JSON.stringify(status)).not.toContain('sk-secret-key')
  })

  it('stops if the budget cannot cover the question, and asks when it is resumed with a larger one', async () => {
    await on.open(pages, says({ limit: 1 }))
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'one page', budget: { modelTokens: 100 } })
    expect(await job.finished()).toMatchObject({ stoppedBy: 'modelTokens', completed: 0, used: { modelTokens: 0 } })
    expect(on.server.calls).toEqual([])
    expect(job.finalCrawlerOptions).toBeUndefined()
    void job.resume({ budget: { modelTokens: 100_000 } })
    const { status, paths } = await end(job)
    expect(status).toMatchObject({ status: 'completed', success: true })
    expect(status.stoppedBy).toBeUndefined()
    expect(paths).toEqual(['/'])
    expect(job.finalCrawlerOptions).toEqual({ url: on.site.url('/'), limit: 1 })
    expect(on.server.calls.length).toBe(1)
    expect(status.used.modelTokens).toBeGreaterThan(0)
  })

  it('can be cancelled while it is stopped before the question', async () => {
    await on.open(pages, says({ limit: 1 }))
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'one page', budget: { modelTokens: 100 } })
    await job.finished()
    expect(await job.cancel()).toMatchObject({ status: 'cancelled', completed: 0, total: 0 })
    expect(on.server.calls).toEqual([])
  })

  it('counts the cost of surveying the site, and does not ask again when it is resumed', async () => {
    await on.open(pages, says({ excludePaths: ['^/shop/'] }))
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'no shop', budget: { requests: 1 } })
    expect(await job.finished()).toMatchObject({ stoppedBy: 'requests', completed: 0 })
    expect(job.promptGeneratedOptions).toEqual({ excludePaths: ['^/shop/'] })
    void job.resume({ budget: { requests: 100 } })
    const { status, paths } = await end(job)
    expect(paths).toEqual(['/', '/about', '/blog/one', '/blog/two'])
    expect(status.used.requests).toBe(on.site.requests.filter(({ path }) => path !== '/robots.txt').length)
    expect(on.server.calls.length).toBe(1)
  })

  it('subtracts the tokens of the question from the model budget of the pages', async () => {
    await on.open(pages, () => ({ says: { limit: 1 }, usage: { prompt_tokens: 12_000, completion_tokens: 10 } }))
    const formats = ['summary'] as const
    const { status } = await end(
      on.engine.crawl({
        url: on.site.url('/'),
        prompt: 'one',
        budget: { modelTokens: 12_300 },
        scrapeOptions: { formats },
      }),
    )
    expect(on.server.calls.length).toBe(1)
    expect(status).toMatchObject({ completed: 1, used: { modelTokens: 12_010 } })
    expect(status.data[0]?.warning).toMatch(/budget/)
  })

  it('fetches nothing before the start if robots.txt refuses the site', async () => {
    await on.open({ ...pages, '/robots.txt': 'User-agent: *\nDisallow: /' }, says({}))
    const { status } = await end(on.engine.crawl({ url: on.site.url('/'), prompt: 'everything' }))
    expect(status.completed).toBe(0)
    expect(on.site.requests.filter(({ path }) => path === '/')).toEqual([])
  })

  it('can be cancelled or closed without waiting for the model', async () => {
    let isAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    await on.open(pages, () => {
      isAsked()
      return { delayMs: 60_000 }
    })
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: 'slow' })
    await asked
    expect(await job.cancel()).toMatchObject({ status: 'cancelled', completed: 0, total: 0 })
    await job.prepared()
    expect(job.finalCrawlerOptions).toBeUndefined()
  })
})

describe('checking a request with `prompt`', () => {
  it('refuses it without a model or with `lockdown`, and names the option', async () => {
    await on.open(pages, says({}))
    await using without = createEngine()
    const url = on.site.url('/')
    expect(() => without.crawl({ url, prompt: 'the docs' })).toThrow(/`prompt` needs a language model/)
    await expect(without.plan({ url, prompt: 'the docs' })).rejects.toThrow(/`prompt` needs a language model/)
    expect(() => on.engine.crawl({ url, prompt: 'x', scrapeOptions: { lockdown: true } })).toThrow(/`lockdown`/)
  })

  it('treats an empty prompt as absent, and refuses it in version 1', async () => {
    await on.open(pages, says({}))
    const job = on.engine.crawl({ url: on.site.url('/'), prompt: ' ', limit: 1 })
    await job.prepared()
    expect(await job.finished()).toMatchObject({ completed: 1 })
    expect(job.toJSON()).not.toHaveProperty('finalCrawlerOptions')
    expect(on.server.calls).toEqual([])
    const old = { url: on.site.url('/'), prompt: 'x' }
    expect(() => on.engine.v1.crawl(old)).toThrow(/unknown option/)
  })
})

it('a plan tells what a description comes to, before anything is crawled', async () => {
  await on.open(pages, says({ includePaths: ['^/blog/', '^/news/'] }))
  const forecast = await on.engine.plan({ url: on.site.url('/'), prompt: 'the blog', limit: 9 })
  expect(forecast.finalCrawlerOptions).toEqual({
    url: on.site.url('/'),
    limit: 9,
    includePaths: ['^/blog/', '^/news/'],
  })
  expect(forecast.promptGeneratedOptions).toEqual({ includePaths: ['^/blog/', '^/news/'] })
  expect(forecast.pages).toBe(2)
  expect(forecast.warnings.join(' ')).toContain('^/news/')
})

describe('a described crawl on an SQLite ledger', () => {
  const start = (file: string) =>
    createEngine({
      allowPrivateNetworks: true,
      threads: 0,
      cache: false,
      ledger: sqlite(join(folder, file)),
      model: async ({ prompt }) => ({
        text: prompt.includes('later') ? '{"limit":1}' : '{"excludePaths":["^/shop/"]}',
      }),
    })

  it('is resumed, and found after its end, with the options that were generated first', async () => {
    await on.open(pages, says({}))
    const first = start('a.db')
    const job = first.crawl({ url: on.site.url('/'), prompt: 'no shop', delay: 0.2 })
    await job.prepared()
    await first.close()
    expect(job.finalCrawlerOptions).toMatchObject({ excludePaths: ['^/shop/'] })
    let asked = 0
    await using second = createEngine({
      allowPrivateNetworks: true,
      threads: 0,
      ledger: sqlite(join(folder, 'a.db')),
      model: async () => ({ text: `{"limit":${++asked}}` }),
    })
    const [again] = await second.resume()
    expect(again).toMatchObject({ promptGeneratedOptions: { excludePaths: ['^/shop/'] } })
    const status = await again?.finished()
    expect(pathsOf(status?.data ?? [])).toEqual(['/', '/about', '/blog/one', '/blog/two'])
    expect(asked).toBe(0)
    await second.close()
    await using third = start('a.db')
    expect(await third.job(job.id)).toMatchObject({ finalCrawlerOptions: { excludePaths: ['^/shop/'], delay: 0.2 } })
  })

  it('generates the options after it is resumed if the budget could not cover the question before', async () => {
    await on.open(pages, says({}))
    const first = start('c.db')
    const job = first.crawl({ url: on.site.url('/'), prompt: 'later', budget: { modelTokens: 10 } })
    expect(await job.finished()).toMatchObject({ stoppedBy: 'modelTokens', total: 0 })
    await first.close()
    await using second = start('c.db')
    const again = await second.job(job.id)
    void again?.resume({ budget: { modelTokens: 100_000 } })
    expect(await again?.finished()).toMatchObject({ status: 'completed', completed: 1, total: 1 })
    expect(again).toMatchObject({ promptGeneratedOptions: { limit: 1 } })
  })

  it('generates the options after it is resumed if it was parked before', async () => {
    await on.open(pages, says({}))
    let isAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    const first = createEngine({
      allowPrivateNetworks: true,
      threads: 0,
      ledger: sqlite(join(folder, 'b.db')),
      model: () => {
        isAsked()
        return new Promise(() => undefined)
      },
    })
    const job = first.crawl({ url: on.site.url('/'), prompt: 'later' })
    await asked
    await first.close()
    await expect(job.finished()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
    await using second = start('b.db')
    const [again] = await second.resume()
    expect(again?.id).toBe(job.id)
    expect(await again?.finished()).toMatchObject({ completed: 1, total: 1 })
  })
})
