import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createEngine, type ScrapeOptions } from '../../../src/index.js'
import type { ModelReply } from '../../site/model-server.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    pages: { type: 'integer', minimum: 1 },
    tags: { type: 'array', items: { type: 'string' } },
    shelf: { type: 'string', default: 'unsorted' },
  },
  required: ['title', 'pages'],
}

const page = article('<h1>The Sea</h1><p>The Sea is a book of 320 pages about tides and boats.</p>')
const book = { title: 'The Sea', pages: 320, tags: ['tides', 'boats'], shelf: null }
const whole = { title: 'The Sea', pages: 320, tags: ['tides', 'boats'], shelf: 'unsorted' }

/** Scrapes the page while the model gives these answers in turn, the last one for ever. */
async function ask(replies: readonly ModelReply[], options: object = {}, config = {}, html = page) {
  await on.open({ '/': html }, ({ number }) => replies[Math.min(number, replies.length) - 1] ?? {}, config)
  const formats = [{ type: 'json', schema, ...options }] as unknown as NonNullable<ScrapeOptions['formats']>
  return on.engine.scrape(on.site.url('/'), { formats })
}

describe('json', () => {
  it('is the answer of the model if it satisfies the schema', async () => {
    const document = await ask([{ says: book, usage: { prompt_tokens: 90, completion_tokens: 20 } }])
    expect(document.json).toEqual(whole)
    expect(document).not.toHaveProperty('warning')
    expect(document.metadata).toMatchObject({
      creditsUsed: 5,
      modelRequests: 1,
      modelInputTokens: 90,
      modelOutputTokens: 20,
    })
    expect(on.server.calls[0]?.prompt).toContain('a book of 320 pages')
  })

  it.each<[string, ModelReply]>([
    ['in a code fence', { says: `\`\`\`json\n${JSON.stringify(book)}\n\`\`\`` }],
    ['among prose', { says: `Here is what I found:\n${JSON.stringify(book)}\nI hope that helps!` }],
    ['with commas too many', { says: '{"title":"The Sea","pages":320,"tags":["tides","boats",],"shelf":null,}' }],
    ['after thoughts', { says: `<think>{"title": 1}</think>${JSON.stringify(book)}` }],
    ['with a number as text', { says: { ...book, pages: '320' } }],
    ['with a list of one as its value', { says: { ...book, title: ['The Sea'] } }],
  ])('is read from an answer %s', async (_, reply) => {
    const document = await ask([reply])
    expect(document.json).toEqual(whole)
    expect(document).not.toHaveProperty('warning')
    expect(on.server.calls).toHaveLength(1)
  })

  it.each<[string, ModelReply]>([
    ['no JSON at all', { says: 'I cannot see any book.' }],
    ['a wrong type', { says: { ...book, pages: 'about three hundred' } }],
    ['a missing field', { says: { tags: [] } }],
    ['a value out of bounds', { says: { ...book, pages: 0 } }],
  ])('is requested once more after %s, with the errors', async (_, reply) => {
    const document = await ask([reply, { says: book }])
    expect(document.json).toMatchObject({ title: 'The Sea', pages: 320 })
    expect(document).not.toHaveProperty('warning')
    expect(on.server.calls).toHaveLength(2)
    expect(on.server.calls[1]?.prompt).toMatch(/breaks the schema|no JSON that could be read/)
  })

  it('is partial, with a warning, if the second answer is invalid, too', async () => {
    const document = await ask([{ says: { ...book, pages: 'many' } }])
    expect(document).not.toHaveProperty('json')
    expect(document.partialJson).toEqual({ title: 'The Sea', tags: ['tides', 'boats'], shelf: 'unsorted' })
    expect(document.warning).toContain('/pages')
    expect(document.metadata.creditsUsed).toBe(5)
    expect(on.server.calls).toHaveLength(2)
  })

  it('is not requested again if the model answers that the page does not say it', async () => {
    const document = await ask([{ says: { title: 'The Sea', pages: null, tags: [] } }])
    expect(document).not.toHaveProperty('json')
    expect(document.partialJson).toEqual({ title: 'The Sea', tags: [], shelf: 'unsorted' })
    expect(document.warning).toContain('/pages: missing')
    expect(on.server.calls).toHaveLength(1)
  })

  it('is never an empty object without a warning', async () => {
    const document = await ask([{ says: {} }])
    expect(document.warning).toContain('/title: missing')
    expect(on.server.calls).toHaveLength(2)
  })

  it('has the complete part of an answer that was truncated', async () => {
    const document = await ask([{ says: '{"title":"The Sea","pages":320,"tags":["tides","bo', finish: 'length' }])
    expect(document.json).toEqual({ title: 'The Sea', pages: 320, tags: ['tides'], shelf: 'unsorted' })
    expect(document.warning).toContain('truncated')
  })

  it('has the complete part of an answer that is broken JSON, which was not truncated', async () => {
    const document = await ask([{ says: '{"title":"The Sea","pages":320,"tags":["tides","bo' }])
    expect(document.json).toMatchObject({ title: 'The Sea', tags: ['tides'] })
    expect(document.warning).toContain('incomplete JSON')
    expect(document.warning).not.toContain('truncated')
  })

  it.each<[string, ModelReply, string]>([
    ['refuses', { refusal: 'I will not.' }, 'refused to answer'],
    [
      'fails for good',
      { status: 400, raw: '{"error":{"message":"bad key sk-secret-key"}}' },
      'answered 400: bad key [secret]',
    ],
    ['fails on and on', { status: 500, raw: '' }, 'answered 500'],
    ['hangs up', { hangsUp: true }, 'could not be reached'],
    ['answers with what is no completion', { raw: '<html>' }, 'answered 200 with no completion'],
    ['talks only', { says: 'no' }, 'could be parsed'],
  ])('is absent, with a warning, if the model %s', async (_, reply, warning) => {
    const document = await ask([reply])
    expect(document).not.toHaveProperty('json')
    expect(document.warning).toContain(warning)
    expect(document.warning).not.toContain('sk-secret-key')
    expect(document.metadata.creditsUsed).toBe(1)
  })

  it('is requested again if the model was busy', async () => {
    const document = await ask([
      { status: 429, headers: { 'retry-after': '0.01' }, raw: '' },
      { status: 503, raw: '' },
      { says: book },
    ])
    expect(document.json).toEqual(whole)
    expect(document.metadata.modelRequests).toBe(3)
  })

  it('is missing if the model is slow, without affecting the rest of the page', async () => {
    await on.open({ '/': page }, () => ({ says: book, delayMs: 20_000 }))
    const formats = ['markdown', { type: 'json', schema }] as const
    const document = await on.engine.scrape(on.site.url('/'), { formats, timeout: 1000 })
    expect(document.markdown).toContain('320 pages')
    expect(document).not.toHaveProperty('json')
    expect(document.warning).toContain('nearly up')
  })

  it('is typed by a schema of zod, which checks and transforms it itself', async () => {
    await on.open({ '/': page }, () => ({ says: { title: 'The Sea', pages: '320' } }))
    const own = z.object({ title: z.string().transform((title) => title.toUpperCase()), pages: z.number().int() })
    const document = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', schema: own }] })
    const json: { title: string; pages: number } | undefined = document.json
    expect(json).toEqual({ title: 'THE SEA', pages: 320 })
  })

  it('can be a list, or a tree with a recursive schema', async () => {
    await on.open({ '/': page }, ({ prompt }) => {
      const tree = { name: 'a', children: [{ name: 'b', children: [] }] }
      return {
        says: prompt.includes('"children"') ? tree : { items: [{ name: 'x' }, { name: 'y' }] },
      }
    })
    const list = {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    }
    const listed = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', schema: list }] })
    expect(listed.json).toEqual([{ name: 'x' }, { name: 'y' }])
    const node: z.ZodType = z.lazy(() => z.object({ name: z.string(), children: z.array(node) }))
    const nested = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', schema: node }] })
    expect(nested.json).toEqual({ name: 'a', children: [{ name: 'b', children: [] }] })
    expect(nested).not.toHaveProperty('warning')
  })

  it('can have any form without a schema', async () => {
    const document = await ask([{ says: { subject: 'tides' } }], { schema: undefined, prompt: 'What is it about?' })
    expect(document.json).toEqual({ subject: 'tides' })
    expect(on.server.calls[0]?.prompt).toContain('What is it about?')
  })

  it('merges the answers about the parts of a long page', async () => {
    const sections = Array.from(
      { length: 40 },
      (_, index) => `<h2>Book ${index}</h2><p>${`A sentence of words about number ${index}. `.repeat(60)}</p>`,
    )
    await on.open(
      { '/': article(`<h1>Books</h1>${sections.join('')}`) },
      ({ prompt }) => {
        const numbers = Array.from(prompt.matchAll(/^## Book (\d+)$/gm), ([, number]) => Number(number))
        return { says: { books: numbers.map((number) => ({ number, title: `Book ${number}` })) } }
      },
      { modelOptions: { contextTokens: 8000, maxOutputTokens: 1000 } },
    )
    const books = {
      type: 'array',
      items: { type: 'object', properties: { number: { type: 'integer' }, title: { type: 'string' } } },
    }
    const document = await on.engine.scrape(on.site.url('/'), {
      formats: [{ type: 'json', schema: { type: 'object', properties: { books } } }],
    })
    expect(on.server.calls.length).toBeGreaterThan(3)
    expect(on.server.mostOpen).toBeLessThanOrEqual(4)
    expect(document.json).toEqual({
      books: Array.from({ length: 40 }, (_, number) => ({ number, title: `Book ${number}` })),
    })
  })

  it('is taken from the cache of answers if the same is asked about the same page', async () => {
    await on.open({ '/': page }, () => ({ says: book }))
    const formats = [{ type: 'json', schema }] as const
    await on.engine.scrape(on.site.url('/'), { formats })
    const again = await on.engine.scrape(on.site.url('/'), { formats })
    expect(again.json).toEqual(whole)
    expect(again.metadata.modelRequests).toBe(0)
    expect(on.server.calls).toHaveLength(1)
  })

  it('is requested each time with `zeroDataRetention`', async () => {
    await on.open({ '/': page }, () => ({ says: book }))
    const request = { urls: [on.site.url('/')], formats: [{ type: 'json', schema }], zeroDataRetention: true } as const
    for (const expected of [1, 2]) {
      for await (const document of on.engine.batchScrape(request)) expect(document.json).toEqual(whole)
      expect(on.server.calls).toHaveLength(expected)
    }
  })
})

describe('a budget of a job', () => {
  it('is not exceeded, and pages beyond it have a warning', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`/${index}`, article(`<h1>${index}</h1><p>Text.</p>`)]),
    )
    let spent = 0
    await on.open(
      pages,
      ({ system, prompt }) => {
        const usage = { prompt_tokens: system.length + prompt.length, completion_tokens: 40 }
        spent += usage.prompt_tokens + usage.completion_tokens
        return { says: book, usage }
      },
      { modelOptions: { maxOutputTokens: 50 } },
    )
    const urls = Object.keys(pages).map((path) => on.site.url(path))
    const status = await on.engine
      .batchScrape({ urls, formats: [{ type: 'json', schema }], budget: { modelTokens: 9000 } })
      .finished()
    const answered = status.data.filter(({ json }) => json !== undefined)
    expect(spent).toBeLessThanOrEqual(9000)
    expect(answered.length).toBeGreaterThan(0)
    expect(answered.length).toBeLessThan(8)
    for (const { json, warning } of status.data) {
      if (json === undefined) expect(warning).toContain('`budget` (`modelTokens` 9000)')
    }
  })

  it('can be a cost if prices are configured', async () => {
    await on.open({ '/': page }, () => ({ says: book, usage: { prompt_tokens: 1000, completion_tokens: 100 } }), {
      modelOptions: { price: { input: 2, output: 10 } },
      budget: { modelCost: 1 },
    })
    const { metadata } = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', schema }] })
    expect(metadata.modelCost).toBeCloseTo(0.003)
    expect(() => createEngine({ budget: { modelCost: 1 } })).toThrow('modelOptions.price')
  })
})

describe('without a model', () => {
  it.each([
    'json',
    'summary',
    { type: 'question', question: 'Who?' },
    { type: 'changeTracking', modes: ['json'] },
  ] as const)('format %j is refused at the call, by name', async (format) => {
    await using engine = createEngine()
    const formats = ['markdown', format] as unknown as NonNullable<ScrapeOptions['formats']>
    const url = 'https://books.test/'
    await expect(engine.scrape(url, { formats })).rejects.toThrow(/formats\[1\]: .*createEngine\(\{ model \}\)/)
    await expect(engine.parse({ body: 'x', url }, { formats })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(() => engine.batchScrape({ urls: [url], formats })).toThrow('createEngine({ model })')
    expect(() => engine.crawl({ url, scrapeOptions: { formats } })).toThrow('scrapeOptions.formats[1]')
  })

  it('a model format of version 1 is refused', async () => {
    await using engine = createEngine()
    const scrapeOptions = { formats: ['extract'], extract: { prompt: 'x' } } as const
    expect(() => engine.v1.crawl({ url: 'https://books.test/', scrapeOptions })).toThrow(
      '`extract` needs a language model',
    )
  })

  it('or with `lockdown`, a model format is refused', async () => {
    await on.open({}, () => ({}))
    const options = { formats: ['summary'], lockdown: true } as const
    await expect(on.engine.scrape('https://books.test/', options)).rejects.toThrow('nothing leaves the machine')
  })
})
