import { describe, expect, it } from 'vitest'
import {
  createEngine,
  type Engine,
  type EngineConfig,
  type LanguageModel,
  type ModelAnswer,
  TrawlError,
} from '../../../src/index.js'
import { findQuote } from '../../../src/base/text/find-quote.js'
import { type Site, startSite } from '../../site/site.js'

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const PAGES = {
  '/refunds': html(
    'Refunds',
    '<h2>Annual plans</h2><p>Annual plans are <b>refunded</b> within <a href="/law">fourteen days</a> of the purchase.</p>',
  ),
  '/shipping': html('Shipping', '<p>Parcels leave the warehouse on Mondays.</p>'),
}

/** A model that gives this answer, and the prompts that it was given. */
function answering(answer: unknown): { model: LanguageModel; prompts: string[] } {
  const prompts: string[] = []
  const model: LanguageModel = async ({ prompt }) => {
    prompts.push(prompt)
    return { text: JSON.stringify(answer), usage: { inputTokens: 100, outputTokens: 20 } }
  }
  return { model, prompts }
}

async function openAll(model: LanguageModel | undefined, settings: EngineConfig = {}) {
  const site: Site = await startSite({ pages: PAGES })
  const engine: Engine = createEngine({
    allowPrivateNetworks: true,
    fetcher: 'http',
    threads: 0,
    index: true,
    ...(model && { model }),
    ...settings,
  })
  const job = engine.batchScrape({ urls: [site.url('/refunds'), site.url('/shipping')] })
  await job.finished()
  const close = async (): Promise<void> => {
    await engine.close()
    await site.close()
  }
  return { site, engine, job, [Symbol.asyncDispose]: close }
}

const QUESTION = 'When are annual plans refunded?'

describe('ask', () => {
  it('answers with quotes as they stand in the chunks, each with its link', async () => {
    const { model, prompts } = answering({
      answer: ' Within fourteen days. ',
      quotes: [
        { passage: 1, quote: 'annual plans are refunded within fourteen days' },
        { passage: 1, quote: 'Annual plans are refunded within thirty days' },
        { passage: 9, quote: 'of the purchase.' },
        { passage: 1, quote: '' },
        'no quote',
      ],
    })
    await using on = await openAll(model)
    const url = on.site.url('/refunds')
    const answer = await on.job.ask(QUESTION)
    expect(answer).toMatchObject({
      found: true,
      answer: 'Within fourteen days.',
      quotes: [
        { url, title: 'Refunds', path: ['Refunds', 'Annual plans'] },
        { text: 'of the purchase', link: `${url}#:~:text=of%20the%20purchase` },
      ],
    })
    if (!answer.found) return
    for (const { text } of answer.quotes) expect(answer.hits[0]?.text).toContain(text)
    expect(answer.quotes[0]?.text).toBe(`Annual plans are **refunded** within [fourteen days`)
    expect(answer.quotes[0]?.link).toBe(`${url}#:~:text=Annual%20plans%20are%20refunded%20within%20fourteen%20days`)
    expect(prompts).toHaveLength(1)
    expect(prompts[0]).toContain(JSON.stringify(QUESTION))
    expect((await on.job.status()).used.modelTokens).toBe(120)
  })

  it('rejects with a code when the model gives no answer', async () => {
    const model: LanguageModel = async () => {
      throw Object.assign(new Error('no such key'), { status: 401 })
    }
    await using on = await openAll(model)
    for (const place of [on.engine, on.job]) {
      const error: unknown = await place.ask(QUESTION).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TrawlError)
      expect(error).toMatchObject({ name: 'ModelError', code: 'MODEL_ERROR', retry: false, statusCode: 401 })
    }
  })

  it('refuses options that are not an object', async () => {
    const { model, prompts } = answering({ answer: null })
    await using on = await openAll(model)
    for (const wrong of [5, 'five', [5], () => 5] as unknown[]) {
      for (const place of [on.engine, on.job])
        await expect(place.ask(QUESTION, wrong as object)).rejects.toMatchObject({
          code: 'BAD_REQUEST',
          message: expect.stringContaining('is not an object: allowed are limit, filter, signal'),
        })
    }
    expect(prompts).toEqual([])
  })

  it('says that the pages do not have an answer, or that its quotes are not there', async () => {
    for (const [given, reason] of [
      [{ answer: null, quotes: [] }, 'NOT_IN_PAGES'],
      [{ answer: 'Never.', quotes: [{ passage: 1, quote: 'Plans are never refunded' }] }, 'NO_QUOTE'],
      [{ answer: 'Never.' }, 'NO_QUOTE'],
    ] as const) {
      await using on = await openAll(answering(given).model)
      expect(await on.engine.ask(QUESTION)).toMatchObject({ found: false, reason })
    }
  })

  it('asks once more when the answer is not of the form that was asked for', async () => {
    const replies = ['"prose"', '{"answer": null, "quotes": []}']
    const prompts: string[] = []
    const model: LanguageModel = async ({ prompt }) => ({ text: replies[prompts.push(prompt) - 1] ?? '' })
    await using on = await openAll(model)
    expect(await on.engine.ask(QUESTION)).toMatchObject({ found: false, reason: 'NOT_IN_PAGES' })
    expect(prompts[1]).toContain('did not have the form')
  })

  it('rejects nonsense and refusals of the model, and does not keep them', async () => {
    for (const [nonsense, message] of [
      [{ text: 'prose' }, 'could not be parsed'],
      [{ text: '' }, 'could not be parsed'],
      [{ text: '{"answer": 5}' }, 'could not be parsed'],
      [{ text: '{"error": "busy"}' }, 'could not be parsed'],
      [{ text: 'I will not.', finish: 'refusal' }, 'refused'],
    ] as const) {
      let given: ModelAnswer = nonsense
      await using on = await openAll(async () => given)
      await expect(on.engine.ask(QUESTION)).rejects.toMatchObject({
        code: 'MODEL_ERROR',
        message: expect.stringContaining(message),
      })
      given = { text: '{"answer": null, "quotes": []}' }
      expect(await on.engine.ask(QUESTION)).toMatchObject({ found: false, reason: 'NOT_IN_PAGES' })
    }
  })

  it('does not ask the model when no chunk has a word of the question', async () => {
    const { model, prompts } = answering({})
    await using on = await openAll(model)
    expect(await on.engine.ask('xylophone?')).toEqual({ found: false, reason: 'NO_PAGES', hits: [] })
    expect(prompts).toEqual([])
  })

  it('gives the model what the options allow', async () => {
    const { model, prompts } = answering({ answer: null, quotes: [] })
    await using on = await openAll(model)
    const { hits } = await on.engine.ask('plans or parcels', { limit: 1, filter: { url: on.site.url('/shipping') } })
    expect(hits.map(({ title }) => title)).toEqual(['Shipping'])
    expect(prompts[0]).not.toContain('Annual plans')
  })

  it('keeps to the budget of the job', async () => {
    const { model, prompts } = answering({ answer: null, quotes: [] })
    await using on = await openAll(model, { budget: { modelTokens: 50 } })
    await expect(on.job.ask(QUESTION)).rejects.toThrow('`modelTokens` 50')
    await expect(on.engine.ask(QUESTION)).rejects.toThrow('`modelTokens` 50')
    expect(prompts).toEqual([])
  })

  it('refuses a question without text, and an engine without a model', async () => {
    await using on = await openAll(undefined)
    await expect(on.job.ask(QUESTION)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(on.job.ask('')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(on.job.ask(QUESTION, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

describe('findQuote', () => {
  it('gives the passage as the text has it', () => {
    const text = 'Use **`open()`**, or\n[the other](https://example.com/one) call.'
    expect(findQuote(text, 'use open or the other call')).toBe(text.slice(0, -1))
    expect(findQuote(text, 'the OTHER')).toBe('the other')
    expect(findQuote('Le cafe\u0301 offi\u00adciel, \ufb01n.', 'café officiel fin')).toBe(
      'cafe\u0301 offi\u00adciel, \ufb01n',
    )
    for (const absent of ['the call', 'ope', 'example', '...', '']) expect(findQuote(text, absent)).toBeUndefined()
  })
})
