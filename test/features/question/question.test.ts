import { describe, expect, expectTypeOf, it } from 'vitest'
import type { PageModel } from '../../../src/base/llm/page-model.js'
import { answerQuestion, pickHighlights } from '../../../src/features/question/answer-question.js'
import type { DocumentOf, FormatItem } from '../../../src/index.js'
import { checkScrapeOptions } from '../../../src/kernel/options/check.js'
import { costOf } from '../../kernel/engine/cost-of.js'
import { issuesOf } from '../../kernel/options/issues-of.js'
import { article, useModelSite } from '../../site/model-site.js'
import { engine } from '../plan-with-features.js'

it('that no model can give, in an engine which resumed the job of another, are absent for that reason', async () => {
  const page = { url: 'https://example.com/', chunks: [] }
  const results = [await answerQuestion('When?', page, undefined), await pickHighlights('hours', page, undefined)]
  expect(results).toEqual([
    { fields: {}, warnings: ['There is no `answer`: this engine has no language model.'] },
    { fields: {}, warnings: ['There are no `highlights`: this engine has no language model.'] },
  ])
})

it.each(['{"passages":[3,1,99,null,true,"x"]}', '[1,"[3]"]'])(
  'the passages that %j picks are those of the page',
  async (text) => {
    const chunks = [{ path: [], markdown: 'One.\n\nTwo.\n\nThree.', tokens: 10 }]
    const model = { partTokens: 100, ask: async () => ({ text }) } as unknown as PageModel
    const { fields } = await pickHighlights('odd', { url: 'https://example.com/', chunks }, model)
    expect(fields).toEqual({ highlights: 'One.\nThree.' })
  },
)

it('an answer that ends within the reasoning of the model is none', async () => {
  const chunks = [{ path: [], markdown: 'Open at six.', tokens: 10 }]
  const model = {
    partTokens: 100,
    ask: async () => ({ text: '<think>The page says', finish: 'length' }),
  } as unknown as PageModel
  const { fields, warnings } = await answerQuestion('When?', { url: 'https://example.com/', chunks }, model)
  expect([fields, warnings]).toEqual([
    {},
    ['There is no `answer`: the model reached `modelOptions.maxOutputTokens` before it answered.'],
  ])
})

const issues = (formats: unknown) => issuesOf(() => checkScrapeOptions({ formats }, engine))

describe('a question', () => {
  it('is an option, and not an empty one', () => {
    expect(issues([{ type: 'question', question: '' }])).toEqual({
      'formats.0.question': 'empty: 1 to 10000 characters',
    })
    expect(issues(['question'])['formats.0']).toBe("needs options: give an object, { type: 'question', … }")
  })

  it('fills fields that may be absent', () => {
    type Asked = DocumentOf<[{ type: 'question'; question: 'Who?' }, { type: 'highlights'; query: 'who' }]>
    expectTypeOf<Asked['answer']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Asked['highlights']>().toEqualTypeOf<string | undefined>()
  })
})

describe('a format made by a model costs', () => {
  const model = useModelSite()
  const answers = ({ prompt }: { prompt: string }) => ({
    says: prompt.includes('passages') ? '{"passages":[1]}' : '{"a":"b"}',
  })
  const schema = { type: 'object', properties: { a: { type: 'string' } } }

  it.each<[string, FormatItem[], number]>([
    ['four for an answer', [{ type: 'question', question: 'What?' }], 5],
    ['four for highlights', [{ type: 'highlights', query: 'words' }], 5],
    ['four for a query', [{ type: 'query', prompt: 'words' }], 5],
    [
      'four for each of them together',
      [
        { type: 'json', schema },
        { type: 'question', question: 'What?' },
        { type: 'highlights', query: 'words' },
      ],
      13,
    ],
  ])('%s', async (_, formats, credits) => {
    await model.open({ '/': article('<h1>Page</h1><p>Some words that are the content.</p>') }, answers)
    expect(await costOf(model.engine, model.site.url('/'), { formats })).toEqual([credits, credits, credits])
  })
})
