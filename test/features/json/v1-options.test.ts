import { describe, expect, it } from 'vitest'
import { planV1Crawl } from '../../../src/kernel/plan/crawl/plan-v1-crawl.js'
import { article, useModelSite } from '../../site/model-site.js'
import { featured } from '../plan-with-features.js'

const on = useModelSite()
const berths = article('<h1>Berths</h1><p>A berth is 12 euros a night.</p>')

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

describe('a crawl of version 1', () => {
  it('has its version in its URL, uses `systemPrompt`, and says of options without a format that they have no effect', async () => {
    await on.open({ '/': berths }, () => ({ says: { price: 12 } }))
    const job = on.engine.v1.crawl({
      url: new URL(on.site.url('/')),
      limit: 1,
      ignoreSitemap: true,
      scrapeOptions: {
        formats: ['json'],
        jsonOptions: { prompt: 'berth price', systemPrompt: 'Count in euros.' },
        extract: { prompt: 'x' },
      },
    })
    expect(new URL(job.url).pathname).toBe(`/v1/crawl/${job.id}`)
    const { warning } = await job.finished()
    expect(warning).toContain('`scrapeOptions.extract` has no effect: `extract` is not among `scrapeOptions.formats`.')
    expect(on.server.calls[0]?.prompt).toContain('Count in euros.\n\nTake from the page: berth price')
    expect(on.server.calls[0]?.system).not.toContain('euros')
  })
})
