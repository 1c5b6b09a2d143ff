import { expect, it } from 'vitest'
import { planV1Crawl } from '../../../src/kernel/plan/crawl/plan-v1-crawl.js'
import { featured } from '../plan-with-features.js'

it('option `changeTrackingOptions` of version 1 has the options of the format', () => {
  const plan = (scrapeOptions: object) => planV1Crawl({ url: 'https://example.com/', scrapeOptions }, featured)
  const formats = ['markdown', 'changeTracking']
  const { page } = plan({ formats, changeTrackingOptions: { tag: 'daily', modes: ['git-diff'] } })
  expect(page.enrich.formats).toEqual([{ type: 'changeTracking', tag: 'daily', modes: ['git-diff'] }])
  expect(page.snapshot).toMatchObject({ tag: 'daily', diff: true })
  expect(plan({ formats }).page.snapshot).toMatchObject({ tag: null, diff: false })
})
