import { describe, expect, it } from 'vitest'
import { openEngine } from '../../src/kernel/engine/create-engine.js'
import { FeatureSet } from '../../src/kernel/engine/feature-set.js'
import { defineFeature, type Feature, type FeatureSteps } from '../../src/kernel/engine/feature.js'
import type { SkipReason } from '../../src/index.js'
import { useEngineSite } from '../site/engine-site.js'

const on = useEngineSite()
const config = {
  threads: 0,
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  retry: { maxRetries: 2, backoffMs: 1 },
} as const

/** A feature of each page with these steps. */
const make = (name: string, steps: FeatureSteps<true>, more: Partial<Feature> = {}): Feature =>
  defineFeature<true, unknown, unknown>({ name, plan: () => true, open: () => steps, ...(more as object) })

const refusal = {
  reason: 'TEST_REASON' as SkipReason,
  means: 'For a test.',
  code: 'TEST_CODE' as 'UNKNOWN_ERROR',
  error: { means: 'for a test', retry: false, status: 451 },
}

const fail = async (): Promise<never> => {
  throw new Error('not today')
}

describe('a feature that fails', () => {
  it.each(['beforeDigest', 'afterDigest', 'enrich'] as const)(
    'in `%s` ends its page, once, by its name',
    async (step) => {
      await on.open({ '/': '<p>One', '/other': '<p>Two' })
      const url = on.site.url('/')
      const failing = make('broken', {
        [step]: ({ url: at }: { url: string }) => (at === url ? fail() : Promise.resolve(undefined)),
      })
      await using engine = openEngine(config, new FeatureSet([failing]))
      await expect(engine.scrape(url)).rejects.toMatchObject({
        code: 'FEATURE_FAILED',
        message: 'feature `broken` failed: not today',
        retry: false,
        url,
      })
      expect(on.site.requests).toHaveLength(1)
      const job = engine.batchScrape({ urls: [url, on.site.url('/other')] })
      await job.finished()
      expect(await job.status()).toMatchObject({ status: 'completed', completed: 1, failed: 1 })
      expect((await job.explain(url))?.outcome).toBe('failed')
    },
  )

  it('is a warning if the page can do without it', async () => {
    await on.open({ '/': '<p>One' })
    const optional = make('broken', { beforeDigest: fail, afterDigest: fail, enrich: fail }, { optional: true })
    await using engine = openEngine(config, new FeatureSet([optional]))
    const { markdown, warning } = await engine.scrape(on.site.url('/'))
    expect(markdown).toBe('One')
    expect(warning?.split('Feature `broken` failed: not today.')).toHaveLength(4)
  })

  it.each([true, false])('by a hang ends its page with its time and its name, optional: %s', async (optional) => {
    await on.open({ '/': '<p>One' })
    const hanging = make('stuck', { afterDigest: () => new Promise(() => undefined) }, { optional })
    await using engine = openEngine(config, new FeatureSet([hanging]))
    await expect(engine.scrape(on.site.url('/'), { timeout: 1000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      message: 'The page took longer than its `timeout` of 1000 ms: feature `stuck` had not ended',
    })
  })
})

describe('a feature that refuses', () => {
  it.each(['beforeDigest', 'afterDigest'] as const)(
    'in `%s` ends the page, and later features do not run',
    async (step) => {
      await on.open({ '/': '<p>One' })
      const ran: string[] = []
      const first = make('first', { [step]: async () => ({ refused: 'it is one' }) }, { refusal })
      const second = make('second', { enrich: async () => void ran.push('enrich') })
      await using engine = openEngine(config, new FeatureSet([first, second]))
      await expect(engine.scrape(on.site.url('/'))).rejects.toMatchObject({
        code: 'TEST_CODE',
        message: 'it is one',
        status: 451,
      })
      const job = engine.batchScrape({ urls: [on.site.url('/')] })
      await job.finished()
      expect(await job.explain(on.site.url('/'))).toMatchObject({
        outcome: 'skipped',
        refusal: { reason: 'TEST_REASON', message: 'it is one' },
      })
      expect(ran).toEqual([])
    },
  )

  it('refuses a URL before it is requested', async () => {
    await on.open({ '/': '<p>One<a href="/two">Two</a>', '/two': '<p>Two' })
    const judge = make(
      'judge',
      { refuse: async ({ url }) => (url.endsWith('/two') ? 'it is the second' : undefined) },
      { refusal, judges: () => 'all' },
    )
    await using engine = openEngine(config, new FeatureSet([judge]))
    const job = engine.crawl({ url: on.site.url('/'), sitemap: 'skip' })
    await job.finished()
    expect(await job.explain(on.site.url('/two'))).toMatchObject({
      outcome: 'skipped',
      refusal: { reason: 'TEST_REASON', message: 'it is the second' },
    })
    expect(on.site.requests.map(({ path }) => path)).not.toContain('/two')
  })

  it('and declares no reason has failed', async () => {
    await on.open({ '/': '<p>One' })
    const rude = make('rude', { afterDigest: async () => ({ refused: 'no' }) })
    await using engine = openEngine(config, new FeatureSet([rude]))
    await expect(engine.scrape(on.site.url('/'))).rejects.toMatchObject({
      code: 'FEATURE_FAILED',
      message: 'feature `rude` refused a page, and declares no `refusal`',
    })
  })
})

it('sees the page, and the results of features that it needs', async () => {
  await on.open({ '/': '<title>T</title><p>One <a href="/b">b</a>', '/b': 'two' })
  const seen: unknown[] = []
  const first = make('first', {
    beforeDigest: async () => ({ found: 1 }),
    afterDigest: async ({ early }) => ({ found: early }),
  })
  const second = make(
    'second',
    {
      async enrich(page) {
        const { url, finalUrl, statusCode, markdown, metadata, links } = page
        seen.push({
          url,
          finalUrl,
          statusCode,
          markdown,
          title: metadata['title'],
          links: links.map((link) => link.url),
        })
        seen.push(page.resultOf('first'), await page.fetch(on.site.url('/b')))
        page.warn('look twice')
        return 2
      },
    },
    { needs: ['first'], asksSite: true },
  )
  const rude = make('rude', { enrich: async (page) => page.resultOf('first') })
  const shy = make('shy', { enrich: async (page) => page.fetch(page.url) })
  await using engine = openEngine(config, new FeatureSet([first, second]))
  const url = on.site.url('/')
  const { warning } = await engine.scrape(url)
  expect(warning).toBe('Look twice.')
  expect(seen).toMatchObject([
    {
      url,
      finalUrl: url,
      statusCode: 200,
      markdown: `One [b](${on.site.url('/b')})`,
      title: 'T',
      links: [on.site.url('/b')],
    },
    1,
    { file: { statusCode: 200, url: on.site.url('/b') } },
  ])
  for (const bad of [rude, shy]) {
    await using other = openEngine(config, new FeatureSet([first, bad]))
    await expect(other.scrape(url)).rejects.toMatchObject({ code: 'FEATURE_FAILED' })
  }
})
