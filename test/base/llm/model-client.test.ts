import { array, assert, asyncProperty, integer, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LanguageModel, type ModelAnswer, ModelError, type ModelRequest } from '../../../src/base/llm/llm.js'
import { type ModelCaller, createModelClient, type ModelSettings } from '../../../src/base/llm/model-client.js'
import { Spending } from '../../../src/base/llm/spending.js'
import { collectSpans } from '../tracing/collect-spans.js'

const settings: ModelSettings = {
  maxConcurrency: 4,
  timeoutMs: 5000,
  maxRetries: 2,
  backoffMs: 1,
  contextTokens: 8000,
  maxOutputTokens: 100,
  cacheBytes: 10_000,
}

const tools = { post: () => Promise.reject(new Error('nothing is posted')) }

const caller = (given: Partial<ModelCaller> = {}): ModelCaller => ({
  signal: new AbortController().signal,
  spending: new Spending(),
  mayCache: true,
  usage: { requests: 0, cacheHits: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
  ...given,
})

const open = (model: LanguageModel, given: Partial<ModelSettings> = {}) =>
  createModelClient(model, { ...settings, ...given }, tools)

/** A model that returns these answers, or throws these errors, one after another. */
function replay(...answers: (ModelAnswer | Error)[]): { model: LanguageModel; asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  const model: LanguageModel = async (request) => {
    asked.push(request)
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? { text: '' }
    if (answer instanceof Error) throw answer
    return answer
  }
  return { model, asked }
}

const question = { system: 's', prompt: 'p' }
const used = { inputTokens: 10, outputTokens: 5 }

describe('the model client', () => {
  it('has no span for the wait for its budget, nor for a request that the budget refuses', async () => {
    using spans = collectSpans(['model'])
    const spending = new Spending()
    let openDuringWait = -1
    const reserve = spending.reserve.bind(spending)
    spending.reserve = async (...given) => {
      await Promise.resolve()
      openDuringWait = spans.open.size
      return reserve(...given)
    }
    await open(replay({ text: 'a', usage: used }).model).ask(question, caller({ spending }))
    expect(openDuringWait).toBe(0)
    expect(spans.ended.model).toMatchObject([{ operation: 'chat', ...used, maxOutputTokens: 100 }])
    spending.reserve = async () => await Promise.reject(new ModelError('spent', { statusCode: 402 }))
    await expect(open(replay({ text: 'a' }).model).ask(question, caller({ spending }))).rejects.toThrow('spent')
    expect(spans.ended.model).toHaveLength(1)
    expect(spans.open.size).toBe(0)
  })

  it('estimates the usage of an answer that states a negative one, which would refill the budget', async () => {
    const asking = caller()
    const { model } = replay({ text: 'a', usage: { inputTokens: -1000, outputTokens: 5 } })
    await open(model).ask(question, asking)
    expect(asking.usage.inputTokens).toBeGreaterThan(0)
  })

  it('estimates no more tokens of an answer than were asked for, so that a budget holds', async () => {
    const spending = new Spending({ tokens: 2000 })
    const asking = caller({ spending })
    await open(replay({ text: 'word '.repeat(100_000) }).model, { maxOutputTokens: 300 }).ask(question, asking)
    expect(asking.usage.outputTokens).toBe(300)
    expect(spending.spent.tokens).toBeLessThan(2000)
  })

  it('refuses an answer of more than four million characters', async () => {
    const { model } = replay({ text: 'x'.repeat(4_000_001), usage: used })
    await expect(open(model).ask(question, caller())).rejects.toThrow('more than 4000000 characters')
  })

  it('charges nothing for a status of an error, whatever library throws it', async () => {
    const asking = caller()
    const { model } = replay(Object.assign(new Error('no key'), { statusCode: 401 }))
    await expect(open(model).ask(question, asking)).rejects.toThrow('no key')
    expect(asking.usage).toMatchObject({ requests: 1, inputTokens: 0, outputTokens: 0 })
  })

  it('charges the usage that a failed request states, once for each try', async () => {
    const spending = new Spending({ tokens: 1_000_000 })
    const asking = caller({ spending })
    const { model } = replay(new ModelError('no text', { statusCode: 502, usage: used }))
    await expect(open(model).ask(question, asking)).rejects.toThrow('no text')
    expect(asking.usage).toMatchObject({ requests: 3, inputTokens: 30, outputTokens: 15 })
    expect(spending.spent.tokens).toBe(45)
    const refill = replay(new ModelError('no', { statusCode: 400, usage: { inputTokens: -5, outputTokens: 1 } }))
    await expect(open(refill.model).ask(question, asking)).rejects.toThrow('no')
    expect(spending.spent.tokens).toBe(45)
  })

  it('retries temporary failures, and no others', async () => {
    const busy = new ModelError('busy', { statusCode: 429, retryAfterMs: 1 })
    const first = replay(busy, new ModelError('down', { statusCode: 500 }), { text: 'a', usage: used })
    const asking = caller()
    expect(await open(first.model).ask(question, asking)).toMatchObject({ text: 'a' })
    expect(first.asked).toHaveLength(3)
    expect(asking.usage).toMatchObject({ requests: 3, inputTokens: 10, outputTokens: 5 })
    const second = replay(new ModelError('no such model', { statusCode: 404 }))
    await expect(open(second.model).ask(question, caller())).rejects.toThrow('no such model')
    expect(second.asked).toHaveLength(1)
    const third = replay(busy)
    await expect(open(third.model).ask(question, caller())).rejects.toThrow('busy')
    expect(third.asked).toHaveLength(3)
  })

  it('fails at once, and says why, when the model asks to wait for an hour', async () => {
    const { model, asked } = replay(new ModelError('slow down', { statusCode: 429, retryAfterMs: 3_600_000 }))
    await expect(open(model).ask(question, caller())).rejects.toMatchObject({
      message: 'slow down: it asks to wait 3600 s, and at most 60 s are waited',
      statusCode: 429,
    })
    expect(asked).toHaveLength(1)
  })

  it('aborts a request at its timeout, whether the model obeys the signal or not', async () => {
    const model: LanguageModel = () => new Promise(() => undefined)
    await expect(open(model, { timeoutMs: 20, maxRetries: 1 }).ask(question, caller())).rejects.toThrow('20 ms')
  })

  it('rejects with the reason of the page’s signal when the page ends', async () => {
    const stop = new AbortController()
    const client = open(() => new Promise(() => undefined), { maxConcurrency: 1 })
    const asked = [
      client.ask(question, caller({ signal: stop.signal })),
      client.ask(question, caller({ signal: stop.signal })),
    ]
    const ended = asked.map((one) => one.catch((error: unknown) => error))
    stop.abort(new Error('the page is gone'))
    expect((await Promise.all(ended)).map(String)).toEqual(['Error: the page is gone', 'Error: the page is gone'])
  })

  it('limits concurrent requests', async () => {
    let [now, most] = [0, 0]
    const model: LanguageModel = async ({ prompt }) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now -= 1
      return { text: prompt }
    }
    const client = open(model, { maxConcurrency: 3 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => client.ask({ ...question, prompt: `${index}` }, caller())),
    )
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 12 }, (_, index) => `${index}`))
    expect(most).toBe(3)
  })

  it('rejects an answer without text', async () => {
    await expect(open(async () => ({}) as ModelAnswer).ask(question, caller())).rejects.toThrow('no `text`')
    await expect(open(async () => null as unknown as ModelAnswer).ask(question, caller())).rejects.toThrow('no `text`')
  })
})

describe('the cache of answers', () => {
  it('answers the same question again at no cost', async () => {
    const { model, asked } = replay({ text: 'a', usage: used }, { text: 'b', usage: used })
    const client = open(model)
    const asking = caller()
    expect((await client.ask(question, asking)).text).toBe('a')
    expect((await client.ask(question, asking)).text).toBe('a')
    expect(asking.usage).toMatchObject({ requests: 1, cacheHits: 1, inputTokens: 10 })
    expect((await client.ask({ ...question, schema: {} }, asking)).text).toBe('b')
    expect(asked).toHaveLength(2)
  })

  it('is neither read nor written when caching is not allowed', async () => {
    const { model, asked } = replay({ text: 'a' })
    const client = open(model)
    await client.ask(question, caller({ mayCache: false }))
    await client.ask(question, caller())
    await client.ask(question, caller({ mayCache: false }))
    expect(asked).toHaveLength(3)
  })

  it('holds only complete and usable answers', async () => {
    const { model, asked } = replay(
      { text: 'a', finish: 'length' },
      { text: 'b', finish: 'refusal' },
      { text: 'c' },
      { text: 'd' },
    )
    const client = open(model)
    const isUsable = (text: string): boolean => text === 'd'
    for (const text of ['a', 'b', 'c', 'd', 'd'])
      expect((await client.ask({ ...question, isUsable }, caller())).text).toBe(text)
    expect(asked).toHaveLength(4)
  })

  it('keeps to its limit of memory', async () => {
    const { model, asked } = replay({ text: 'x'.repeat(2000) })
    const client = open(model)
    for (const prompt of ['a', 'b', 'c', 'a', 'c']) await client.ask({ ...question, prompt }, caller())
    expect(asked).toHaveLength(4)
  })
})

describe('the model budget', () => {
  it('is never exceeded, whatever the concurrency and the answers', async () => {
    const sizes = array(record({ size: integer({ min: 1, max: 400 }), output: integer({ min: 0, max: 100 }) }), {
      minLength: 1,
      maxLength: 20,
    })
    await assert(
      asyncProperty(sizes, integer({ min: 0, max: 5000 }), async (requests, tokens) => {
        let spent = 0
        // The worst vocabulary has one token per byte.
        const model: LanguageModel = async ({ system, prompt, maxOutputTokens }) => {
          const [size, output] = prompt.split(' ')[0]?.split('/').map(Number) ?? []
          await new Promise((resolve) => setImmediate(resolve))
          const usage = {
            inputTokens: system.length + prompt.length,
            outputTokens: Math.min(output ?? 0, maxOutputTokens),
          }
          spent += usage.inputTokens + usage.outputTokens
          return { text: `${size}`, usage }
        }
        const spending = new Spending({ tokens })
        const client = open(model)
        await Promise.all(
          requests.map(({ size, output }) =>
            client
              .ask(
                { system: 's', prompt: `${size}/${output} ${'x'.repeat(size)}` },
                caller({ spending, mayCache: false }),
              )
              .catch((error: unknown) => expect(String(error)).toContain('`budget`')),
          ),
        )
        expect(spent).toBeLessThanOrEqual(tokens)
      }),
      { numRuns: 60 },
    )
  })

  it('makes a request wait for tokens that running requests may return', async () => {
    const model: LanguageModel = async () => ({ text: 'a', usage: { inputTokens: 1, outputTokens: 1 } })
    const spending = new Spending({ tokens: 350 })
    const client = open(model)
    const answers = await Promise.all(
      [1, 2, 3].map((number) => client.ask({ system: 's', prompt: `${number}` }, caller({ spending }))),
    )
    expect(answers).toHaveLength(3)
  })

  it('admits a shorter answer at its end, but not a useless one', async () => {
    const { model, asked } = replay({ text: 'a', usage: { inputTokens: 100, outputTokens: 100 } })
    const spending = new Spending({ tokens: 900 })
    const client = open(model, { maxOutputTokens: 600 })
    const asking = caller({ spending, mayCache: false })
    for (const _ of [1, 2, 3]) await client.ask(question, asking)
    expect(asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([600, 498, 298])
    await expect(client.ask(question, asking)).rejects.toThrow('`budget`')
  })

  it('may be a cost', async () => {
    const price = { input: 1000, output: 2000 }
    const { model, asked } = replay({ text: 'a', usage: { inputTokens: 200, outputTokens: 100 } })
    const spending = new Spending({ cost: 1 })
    const client = open(model, { price })
    const asking = caller({ spending, mayCache: false })
    await client.ask(question, asking)
    expect(asking.usage.cost).toBeCloseTo(0.4)
    await client.ask(question, asking)
    await expect(client.ask(question, asking)).rejects.toThrow('`budget`')
    expect(asked).toHaveLength(2)
  })

  it('estimates tokens by length when the model reports none', async () => {
    const asking = caller()
    await open(async () => ({ text: 'x'.repeat(30) })).ask({ system: 's'.repeat(50), prompt: 'p'.repeat(50) }, asking)
    expect(asking.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 })
  })

  it('is charged in full for an aborted request', async () => {
    const asking = caller()
    const client = open(() => new Promise(() => undefined), { timeoutMs: 10, maxRetries: 0 })
    await client.ask(question, asking).catch(() => undefined)
    expect(asking.usage.outputTokens).toBe(100)
  })
})
