import { expect, it } from 'vitest'
import { planSurvey } from '../../../src/features/survey/plan-survey.js'
import { checkCrawl } from '../../../src/kernel/options/check.js'
import { engine, featured } from '../plan-with-features.js'

it('the survey of a crawl keeps the actions that change a page, and makes only its links', () => {
  const request = checkCrawl(
    {
      url: 'example.com',
      scrapeOptions: {
        formats: ['screenshot', 'markdown'],
        headers: { Cookie: 'a=b' },
        actions: [{ type: 'pdf' }, { type: 'click', selector: 'a' }, { type: 'screenshot' }],
      },
    },
    engine,
  )
  const { page } = planSurvey(request, featured)
  expect(page.fetch.browser).toMatchObject({ actions: [{ type: 'click', selector: 'a' }], captures: {} })
  expect(page.fetch.headers).toEqual({ Cookie: 'a=b' })
  expect(page.enrich.formats).toEqual([])
  expect(page.digest.convert.formats).toEqual([{ type: 'links' }])
})
