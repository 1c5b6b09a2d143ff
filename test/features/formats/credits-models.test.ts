import { describe, expect, it } from 'vitest'
import type { FormatItem } from '../../../src/index.js'
import { costOf } from '../../kernel/engine/cost-of.js'
import { article, useModelSite } from '../../site/model-site.js'

describe('a format made by a model costs', () => {
  const model = useModelSite()
  const answers = ({ prompt }: { prompt: string }) => ({
    says: prompt.includes('Summarise') ? 'A page.' : '{"a":"b"}',
  })
  const schema = { type: 'object', properties: { a: { type: 'string' } } }

  it.each<[string, FormatItem[], number]>([
    ['nothing for a summary', ['summary'], 1],
    ['four credits for json', [{ type: 'json', schema }], 5],
  ])('%s', async (_, formats, credits) => {
    await model.open({ '/': article('<h1>Page</h1><p>Some words that are the content.</p>') }, answers)
    expect(await costOf(model.engine, model.site.url('/'), { formats })).toEqual([credits, credits, credits])
  })

  it('four credits in version 1, and nothing if there is no answer', async () => {
    let isSilent = false
    await model.open({ '/': article('<h1>Page</h1><p>Some words.</p>') }, (asked) =>
      isSilent ? { status: 500 } : answers(asked),
    )
    const crawl = () =>
      model.engine.v1
        .crawl({
          url: model.site.url('/'),
          limit: 1,
          ignoreSitemap: true,
          scrapeOptions: { formats: ['json'], jsonOptions: { schema, prompt: isSilent ? 'else' : 'this' } },
        })
        .finished()
    expect((await crawl()).creditsUsed).toBe(5)
    isSilent = true
    expect((await crawl()).creditsUsed).toBe(1)
  })
})
