import { expect, it } from 'vitest'
import { planV1Crawl } from '../../../src/kernel/plan/crawl/plan-v1-crawl.js'
import { featured } from '../plan-with-features.js'

const url = 'https://example.com/'
const plan = (scrapeOptions: object) => planV1Crawl({ url, scrapeOptions }, featured)

it('options of `json` and `extract` of version 1 are those of the format, each with its own field', () => {
  const jsonOptions = { prompt: 'prices', systemPrompt: 'Be brief.', temperature: 0.5 }
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const { page, warnings } = plan({ formats: ['json', 'extract'], jsonOptions, extract: { schema } })
  const item = { type: 'json', mode: 'model' }
  expect(page.enrich.formats).toEqual([
    { ...item, field: 'json', prompt: 'prices', instruction: 'Be brief.', temperature: 0.5 },
    { ...item, field: 'extract', schema },
  ])
  expect(warnings).toEqual([])
  expect(plan({ formats: ['extract'], extract: { prompt: 'names' } }).page.enrich.formats).toEqual([
    { ...item, field: 'extract', prompt: 'names' },
  ])
})

it.each(['jsonOptions', 'extract'])('option `%s` of version 1 without its format changes a warning', (name) => {
  const { warnings } = plan({ formats: ['markdown'], [name]: { prompt: 'prices' } })
  expect(warnings).toEqual([expect.stringMatching(`^.scrapeOptions.${name}. has no effect`)])
})
