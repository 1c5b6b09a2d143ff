import { describe, expect, it } from 'vitest'
import type { GoalPlan } from '../../../src/features/goal/goal-options.js'
import { checkCrawl, checkV1Crawl } from '../../../src/kernel/options/check.js'
import { planCrawl } from '../../../src/kernel/plan/crawl/plan-crawl.js'
import { issuesOf } from '../../kernel/options/issues-of.js'
import { engine, featured } from '../plan-with-features.js'

const check = (request: object) => checkCrawl({ url: 'example.com', ...request }, engine)
const plan = (request: object, config: object = {}) => planCrawl(check(request), { ...featured, ...config })
const goalOf = (request: object, config: object = {}) =>
  plan({ goal: 'refund policy', ...request }, config).features?.['goal'] as GoalPlan

describe('options of a crawl with a `goal`', () => {
  it('guide the crawl, and have its pages read for the goal, four at once', () => {
    const { guide, throttle, page } = plan({ goal: 'refund policy' })
    expect([guide, throttle.maxConcurrency]).toEqual(['goal', 4])
    expect(page.digest.extract.reading).toMatchObject({ task: 'goal/words', argument: { words: ['refund', 'policy'] } })
    expect(plan({ goal: 'refund policy', maxConcurrency: 2 }).throttle.maxConcurrency).toBe(2)
    const without = plan({})
    expect([without.guide, without.features, without.page.digest.extract.reading]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('have defaults, each of which can be set', () => {
    expect(goalOf({}).until).toBeUndefined()
    expect(goalOf({ until: {} }).until).toEqual({ gain: 0.02, pages: 10 })
    expect(goalOf({ until: { answers: 2, gain: 0.5 } }).until).toEqual({ answers: 2, gain: 0.5, pages: 10 })
  })

  it("ask the site's own search, unless no request may be sent for it", () => {
    expect(goalOf({}).terms.findsIndex).toBe(true)
    for (const request of [{ siteSearch: false }, { sitemap: 'only' }, { scrapeOptions: { lockdown: true } }])
      expect(goalOf(request).terms.findsIndex).toBeUndefined()
  })

  it('keep the texts of pages where the engine has vectors', () => {
    expect(goalOf({}).terms.keepsTexts).toBeUndefined()
    expect(goalOf({}, { embed: async () => [] }).terms.keepsTexts).toBe(true)
  })

  it('are refused alone, out of range, and in version 1', () => {
    const message = 'needs a `goal`, in words'
    expect(issuesOf(() => check({ until: { answers: 1 }, siteSearch: true }))).toEqual({
      until: message,
      siteSearch: message,
    })
    expect(issuesOf(() => check({ goal: 'refunds', until: { gain: 1 } }))).toEqual({
      'until.gain': '1 is out of range: more than 0, less than 1',
    })
    expect(issuesOf(() => check({ goal: '?!' }))).toEqual({ goal: expect.stringContaining('at least one word') })
    expect(() => checkV1Crawl({ url: 'example.com', goal: 'refunds' }, engine)).toThrow('goal')
  })
})
