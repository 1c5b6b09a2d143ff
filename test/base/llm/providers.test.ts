import { afterEach, describe, expect, it } from 'vitest'
import { createPoster, type Poster } from '../../../src/base/llm/post-json.js'
import { aiSdk, openAiCompatible, type LanguageModel, type ModelRequest } from '../../../src/index.js'
import { type ModelError, toModelError } from '../../../src/base/llm/llm.js'
import { startSite } from '../../site/site.js'
import { startModelServer, type Behaviour, type ModelServer } from '../../site/model-server.js'

const KEY = 'sk-very-secret-1234567890'

let server: ModelServer | undefined
let poster: Poster | undefined

afterEach(async () => {
  await poster?.close()
  await server?.[Symbol.asyncDispose]()
})

const request: ModelRequest = {
  system: 'You are short.',
  prompt: 'Say hello.',
  maxOutputTokens: 50,
  temperature: 0,
  signal: new AbortController().signal,
}

async function open(behaviour: Behaviour, options: object = {}): Promise<LanguageModel> {
  server = await startModelServer(behaviour)
  poster = createPoster()
  return openAiCompatible({ baseUrl: server.baseUrl, model: 'tiny', apiKey: KEY, ...options })
}

const ask = (model: LanguageModel, asked: Partial<ModelRequest> = {}) =>
  model({ ...request, ...asked }, poster ?? { post: () => Promise.reject(new Error('nothing is posted')) })

describe('openAiCompatible', () => {
  it('sends a request to a local server, and reads the answer and its usage', async () => {
    const model = await open(() => ({ says: 'hello', usage: { prompt_tokens: 7, completion_tokens: 2 } }))
    expect(await ask(model)).toEqual({ text: 'hello', finish: 'stop', usage: { inputTokens: 7, outputTokens: 2 } })
    const { body, headers } = server?.calls[0] ?? {}
    expect(headers?.authorization).toBe(`Bearer ${KEY}`)
    expect(body).toEqual({
      model: 'tiny',
      messages: [
        { role: 'system', content: 'You are short.' },
        { role: 'user', content: 'Say hello.' },
      ],
      temperature: 0,
      max_tokens: 50,
      stream: false,
    })
  })

  it('requests the schema in the way that the server supports', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const model = await open(() => ({ says: { a: 'b' } }))
    await ask(model, { schema })
    expect(server?.calls[0]?.body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: false },
    })
    const { baseUrl = '' } = server ?? {}
    await ask(openAiCompatible({ baseUrl, model: 'tiny', responseFormat: 'json_object' }), { schema })
    expect(server?.calls[1]?.body['response_format']).toEqual({ type: 'json_object' })
    await ask(openAiCompatible({ baseUrl: new URL(baseUrl), model: 'tiny', responseFormat: 'text' }), { schema })
    expect(server?.calls[2]?.body).not.toHaveProperty('response_format')
    expect(server?.calls[2]?.headers).not.toHaveProperty('authorization')
  })

  it('sends additional fields, and the maximum of tokens under the name that newer models require', async () => {
    const model = await open(() => ({ says: 'x' }), {
      maxTokensField: 'max_completion_tokens',
      body: { reasoning_effort: 'low', temperature: undefined },
    })
    await ask(model)
    const { body = {} } = server?.calls[0] ?? {}
    expect(body).toMatchObject({ max_completion_tokens: 50, reasoning_effort: 'low' })
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('max_tokens')
  })

  it('distinguishes answers that are truncated, refused and filtered', async () => {
    const replies = [
      { says: 'hel', finish: 'length' },
      { refusal: 'I will not.' },
      { says: '', finish: 'content_filter' },
    ] as const
    const model = await open(({ number }) => replies[number - 1] ?? {})
    expect(await ask(model)).toMatchObject({ text: 'hel', finish: 'length' })
    expect(await ask(model)).toMatchObject({ text: 'I will not.', finish: 'refusal' })
    expect(await ask(model)).toMatchObject({ finish: 'refusal' })
  })

  it('reads the usage of answers without text, and of errors', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4 }
    const bodies = [
      { choices: [{ message: { content: null }, finish_reason: 'content_filter' }], usage },
      { choices: [{ message: { content: null }, finish_reason: 'length' }], usage },
      { choices: [{ message: { content: null, tool_calls: [] }, finish_reason: 'tool_calls' }], usage },
      { choices: [], usage },
      { error: { message: 'overloaded' }, usage },
    ]
    const model = await open(({ number }) => ({ raw: JSON.stringify(bodies[number - 1]) }))
    const counted = { usage: { inputTokens: 9, outputTokens: 4 } }
    expect(await ask(model)).toEqual({ text: '', finish: 'refusal', ...counted })
    expect(await ask(model)).toEqual({ text: '', finish: 'length', ...counted })
    for (const message of ['no completion', 'no completion', 'overloaded'])
      await expect(ask(model)).rejects.toMatchObject({ message: expect.stringContaining(message), ...counted })
  })

  it.each([
    [
      {
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'text', text: '{"a":' },
          null,
          { type: 'text', text: '1}' },
        ],
      },
    ],
    [{ content: null, tool_calls: [{ type: 'function', function: { name: 'answer', arguments: '{"a":1}' } }] }],
    [{ content: '', tool_calls: [{ type: 'function', function: { name: 'answer', arguments: '{"a":1}' } }] }],
  ])('reads the text of the message %j', async (message) => {
    const model = await open(() => ({ raw: JSON.stringify({ choices: [{ message }] }) }))
    expect(await ask(model)).toEqual({ text: '{"a":1}', finish: 'stop' })
  })

  it.each([
    { prompt_tokens: null, completion_tokens: null },
    { prompt_tokens: 0, completion_tokens: 0 },
    { prompt_tokens: '7', completion_tokens: 1 },
    { prompt_tokens: 7 },
  ])('takes no tokens from the usage %j, so that they are estimated', async (usage) => {
    const model = await open(() => ({ raw: JSON.stringify({ choices: [{ message: { content: 'hello' } }], usage }) }))
    expect(await ask(model)).toEqual({ text: 'hello', finish: 'stop' })
  })

  it.each([
    [{ error: { message: 'bad key', code: 401 } }, 401, false],
    [{ error: { message: 'bad key', code: 'invalid_api_key' } }, 502, true],
    [{ error: 'bad key' }, 502, true],
  ])('says what the provider says in the body %j of a status 200', async (body, statusCode, isTransient) => {
    const model = await open(() => ({ raw: JSON.stringify(body) }))
    await expect(ask(model)).rejects.toMatchObject({
      message: "the model's endpoint answered 200: bad key",
      statusCode,
      isTransient,
    })
  })

  it.each([
    [429, { 'retry-after': '7' }, true, 7000],
    [503, {}, true, undefined],
    [503, { 'retry-after': '-5' }, true, undefined],
    [401, {}, false, undefined],
  ])('maps status %i to a retryable or a final error', async (status, headers, isTransient, retryAfterMs) => {
    const raw = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } })
    const model = await open(() => ({ status, headers, raw }))
    const error = await ask(model).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ModelError', statusCode: status, isTransient })
    expect((error as ModelError).retryAfterMs).toBe(retryAfterMs)
    expect(String(error)).not.toContain(KEY)
    expect(String(error)).toContain('[secret]')
  })

  it.each(['', 'not json', '{}', '{"choices":[]}', '{"choices":[{"message":{}}]}', 'null'])(
    'treats the response %j as a transient error',
    async (raw) => {
      const model = await open(() => ({ raw }))
      await expect(ask(model)).rejects.toMatchObject({ statusCode: 502, isTransient: true })
    },
  )

  it('does not follow redirects, so that only the configured address is reached', async () => {
    const model = await open(() => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, raw: '' }))
    await expect(ask(model)).rejects.toMatchObject({ statusCode: 302, isTransient: false })
  })

  it('says what a server says in `detail`', async () => {
    const model = await open(() => ({ status: 404, raw: '{"detail":"no model tiny"}' }))
    await expect(ask(model)).rejects.toThrow("the model's endpoint answered 404: no model tiny")
  })

  it('treats a lost connection as temporary, and names only the host', async () => {
    const model = await open(() => ({ hangsUp: true }))
    const error = await ask(model).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'ModelError', isTransient: true })
    expect(String(error)).not.toContain(KEY)
    await using site = await startSite()
    const { port } = site
    await site.close()
    await expect(ask(openAiCompatible({ baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' }))).rejects.toThrow(
      'ECONNREFUSED',
    )
  })

  it('stops when the signal aborts', async () => {
    const model = await open(() => ({ delayMs: 5000 }))
    const stop = new AbortController()
    const asked = ask(model, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(asked).rejects.toThrow('enough')
  })

  it.each([
    { baseUrl: 'ftp://x/', model: 'm' },
    { baseUrl: 'nonsense', model: 'm' },
    { baseUrl: 'http://user:pass@x/', model: 'm' },
    { baseUrl: 'http://x/', model: '' },
  ])('refuses the options %j', (options) => {
    expect(() => openAiCompatible(options)).toThrow(TypeError)
  })
})

describe('aiSdk', () => {
  const call = async (result: object, asked: Partial<ModelRequest> = {}) => {
    const seen: Record<string, unknown>[] = []
    const model = aiSdk({
      specificationVersion: 'v3',
      modelId: 'mock',
      doGenerate: async (options: Record<string, unknown>) => {
        seen.push(options)
        return result
      },
    })
    const answer = await model({ ...request, ...asked }, { post: () => Promise.reject(new Error('nothing is posted')) })
    return { answer, seen }
  }
  const content = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'hel' },
    { type: 'text', text: 'lo' },
  ]

  it('calls a model through its own interface', async () => {
    const schema = { type: 'object' }
    const { seen } = await call({ content, finishReason: 'stop' }, { schema })
    expect(seen[0]).toEqual({
      prompt: [
        { role: 'system', content: 'You are short.' },
        { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] },
      ],
      maxOutputTokens: 50,
      temperature: 0,
      responseFormat: { type: 'json', name: 'answer', schema },
      abortSignal: request.signal,
    })
  })

  it('reads the results of each specification version', async () => {
    const second = await call({ content, finishReason: 'length', usage: { inputTokens: 3, outputTokens: 2 } })
    expect(second.answer).toEqual({ text: 'hello', finish: 'length', usage: { inputTokens: 3, outputTokens: 2 } })
    const third = await call({
      content,
      finishReason: { unified: 'content-filter', raw: 'x' },
      usage: { inputTokens: { total: 3, noCache: 3 }, outputTokens: { total: 2, text: 2 } },
    })
    expect(third.answer).toEqual({ text: 'hello', finish: 'refusal', usage: { inputTokens: 3, outputTokens: 2 } })
    const unknown = await call({
      content,
      finishReason: 'stop',
      usage: { inputTokens: undefined, outputTokens: undefined },
    })
    expect(unknown.answer).toEqual({ text: 'hello', finish: 'stop' })
  })

  it.each([null, [null, { type: 'text', text: 5 }], 'hello'])('gives no text for the content %j', async (parts) => {
    const doGenerate = async () => ({ content: parts })
    const model = aiSdk({ specificationVersion: 'v3', modelId: 'm', doGenerate })
    expect(await ask(model)).toEqual({ text: '', finish: 'stop' })
  })

  it('refuses a bare model id', () => {
    expect(() => aiSdk('openai/gpt-5' as never)).toThrow(TypeError)
  })
})

describe('toModelError', () => {
  it('reads errors of different libraries', () => {
    expect(toModelError(Object.assign(new Error('no'), { status: 429 }))).toMatchObject({
      statusCode: 429,
      isTransient: true,
    })
    const foreign = { message: 'busy', statusCode: 400, isRetryable: true, responseHeaders: { 'retry-after': '2' } }
    expect(toModelError(foreign)).toMatchObject({ statusCode: 400, isTransient: true, retryAfterMs: 2000 })
    expect(toModelError('just words')).toMatchObject({ message: 'just words', isTransient: false })
    expect(toModelError(undefined)).toMatchObject({ isTransient: false })
  })
})
