import { expect, it } from 'vitest'
import { createStrategies } from '../../../src/kernel/engine/create-strategies.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import { defineFeature } from '../../../src/kernel/engine/feature.js'
import { openEngine } from '../../../src/kernel/engine/create-engine.js'
import { features } from '../../../src/features/index.js'
import { createEngine } from '../../../src/index.js'
import { planEngine } from '../../../src/kernel/plan/plan-engine.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { defaults } from '../../kernel/plan/plans.js'
import { useEngineSite } from '../../site/engine-site.js'

const set = new FeatureSet(features)
const on = useEngineSite()

it('is in the plan of a page that asks for it, and of no other', () => {
  expect(planScrape({ markdownTwins: true }, { ...defaults, features: set })).toMatchObject({
    features: { twins: true },
    asksFurther: ['twins'],
  })
  const plain = planScrape({}, { ...defaults, features: set })
  const others = new FeatureSet(features.filter(({ name }) => name !== 'twins'))
  expect(plain).toEqual(planScrape({}, { ...defaults, features: others }))
})

it('warns that it has no effect where nothing is fetched', async () => {
  await using engine = createEngine({ threads: 0 })
  const input = { body: '<h1>Mine</h1><p>Some words.', url: 'https://a.test/' }
  const { warning } = await engine.parse(input, { markdownTwins: true })
  expect(warning).toBe('Nothing was fetched, so these options had no effect: `markdownTwins`.')
})

it('is unknown to an engine without it, and runs no code for a page that does not ask for it', async () => {
  let opened = 0
  const counting = new FeatureSet(
    features.map((one) => (one.name === 'twins' ? { ...one, open: () => ((opened += 1), {}) } : one)),
  )
  await using without = openEngine({ threads: 0 }, new FeatureSet([]))
  await expect(without.scrape('https://a.test/', { markdownTwins: true })).rejects.toThrow('markdownTwins')
  await using engine = openEngine({ threads: 0 }, counting)
  await engine.parse({ body: '<p>One', url: 'https://a.test/' })
  expect(opened).toBe(0)
})

it('learns for one engine alone, and tries again to open what has failed to', async () => {
  let opened = 0
  const step = defineFeature<true>({
    name: 'counted',
    plan: () => true,
    open: () => ((opened += 1) === 1 ? Promise.reject(new Error('not now')) : {}),
  })
  await on.open({ '/': '<p>One' })
  const counted = new FeatureSet([step])
  const config = {
    threads: 0,
    allowPrivateNetworks: true,
    fetcher: 'http',
    cache: false,
    retry: { maxRetries: 0 },
  } as const
  for (const expected of [2, 3]) {
    await using engine = openEngine(config, counted)
    if (expected === 2) await expect(engine.scrape(on.site.url('/'))).rejects.toThrow('`counted` failed: not now')
    for (let page = 0; page < 2; page += 1) await engine.scrape(on.site.url('/'))
    expect(opened).toBe(expected)
  }
})

it('refuses a list in a wrong order', () => {
  const [a, b] = [defineFeature<true>({ name: 'a' }), defineFeature<true>({ name: 'b', after: ['a'] })]
  expect(() => new FeatureSet([b, a])).toThrow('`b` stands before `a`')
  expect(new FeatureSet([a, b]).list).toHaveLength(2)
})

it('is read again from a stored request, which is checked without the capabilities of the engine', () => {
  const { crawl, 'batch-scrape': batch } = createStrategies({ ...planEngine({}), features: set })
  expect(() => crawl({ url: 'https://a.test/', scrapeOptions: { markdownTwins: true } }).createStrategy()).not.toThrow()
  expect(() => batch({ urls: ['https://a.test/'], markdownTwins: true }).createStrategy()).not.toThrow()
})
