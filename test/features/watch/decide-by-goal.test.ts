import { expect, it } from 'vitest'
import type { ModelClient, ModelQuestion } from '../../../src/base/llm/model-client.js'
import { Spending } from '../../../src/base/llm/spending.js'
import { decideByGoal } from '../../../src/features/watch/create-watches.js'

const decide = async (text: string, diff = '+ The port is closed.') => {
  const asked: ModelQuestion[] = []
  const ask: ModelClient['ask'] = async (question) => {
    asked.push(question)
    return { text }
  }
  const { signal } = new AbortController()
  const change = { url: 'https://example.com/', goal: 'Is the port open?', diff }
  const model = { ask } as ModelClient
  return { decision: await decideByGoal(change, { model, signal, spending: new Spending() }), asked }
}

it.each([
  ['{"matters":true,"reason":"closed"}', { isMeaningful: true, reason: { field: 'page', message: 'closed' } }],
  [
    'It is {"matters": "False", reason: "an advert"}',
    { isMeaningful: false, reason: { field: 'page', message: 'an advert' } },
  ],
  [
    '<think>{"matters":true}</think>{"matters":false}',
    { isMeaningful: false, reason: { field: 'page', message: 'the model decided' } },
  ],
])('the decision %j of a model is read', async (text, decision) =>
  expect((await decide(text)).decision).toEqual(decision),
)

it.each(['', 'null', 'no', '{"matters":"maybe"}', '[true]'])('the answer %j is no decision', async (text) => {
  await expect(decide(text)).rejects.toThrow('the answer is no decision')
})

it('the difference stands between marks, with its invisible characters written out', async () => {
  const { asked } = await decide('{"matters":true}', 'a\u200bb')
  expect(asked[0]?.prompt).toMatch(/<(difference-[0-9a-f]{12})>\na\\u\{200b\}b\n<\/\1>$/)
})
