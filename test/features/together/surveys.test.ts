import { describe, expect, it } from 'vitest'
import { survey } from '../../../src/features/survey/index.js'
import { planSurvey } from '../../../src/features/survey/plan-survey.js'
import { unsafeLinks } from '../../../src/features/unsafe-links/index.js'
import { openEngine } from '../../../src/kernel/engine/create-engine.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import { checkCrawl } from '../../../src/kernel/options/check.js'
import { useEngineSite } from '../../site/engine-site.js'
import { htmlPage } from '../../site/exchange.js'
import { engine as capabilities, featured } from '../plan-with-features.js'

const on = useEngineSite()
const plan = (request: object, config: object = {}) =>
  planSurvey(checkCrawl({ url: 'example.com', ...request }, capabilities), { ...featured, ...config })

describe('the survey of a crawl', () => {
  it('has no part of a goal, nor of an index', () => {
    expect(plan({ goal: 'refund policy' }).features).toBeUndefined()
    const indexed = plan({ index: true, scrapeOptions: { formats: ['html'] } }, { index: true })
    expect([indexed.page.digest.convert.formats, indexed.features]).toEqual([[{ type: 'links' }], undefined])
  })

  it('takes no captures of its pages', () => {
    const { page } = plan({ scrapeOptions: { formats: ['screenshot', 'branding', 'markdown'] } })
    expect(page.fetch.browser?.captures).toEqual({})
    expect(page.enrich.formats).toEqual([])
  })

  it('signs nobody out', async () => {
    await on.open({
      '/': htmlPage('Home', '<a href="/members">Members</a> <a href="/logout">Bye</a>'),
      '/logout': htmlPage('Bye'),
    })
    const config = { threads: 0, allowPrivateNetworks: true, fetcher: 'http', cache: false } as const
    await using engine = openEngine(config, new FeatureSet([survey, unsafeLinks]))
    await engine.plan({
      url: on.site.url('/'),
      crawlEntireDomain: true,
      scrapeOptions: { headers: { Cookie: 'session=1' } },
    })
    const asked = on.site.requests.map(({ path }) => path)
    expect(asked).toContain('/')
    expect(asked).not.toContain('/logout')
  })
})
