import { isObject } from '../../collections/is-object.js'
import { anyString, nonEmptyString, checkOptions, oneOf, type Rule } from '../../runtime/check-options.js'
import { urlToString, type UrlLike, withoutLastSlashes, parseUrl } from '../../url.js'
import type { LanguageModel, ModelAnswer, ModelRequest, ModelUsage } from '../llm.js'
import { ModelError, readRetryAfter } from '../llm.js'
import { isSuccessStatus } from '../../http/statuses.js'
import { tryParseJson } from '../../text/parse-json.js'

/** Options of `openAiCompatible`. */
export interface OpenAiCompatibleOptions {
  /**
   * Base URL, to which `/chat/completions` is appended, for example `https://api.openai.com/v1` or
   * `http://127.0.0.1:11434/v1`. It may be on any network, because the host configures it; redirects are not followed.
   */
  baseUrl: UrlLike
  /** Name of the model. */
  model: string
  /** Sent as `Authorization: Bearer …`. @default none */
  apiKey?: string
  /** Additional headers. @default none */
  headers?: Readonly<Record<string, string>>
  /**
   * Way to request the shape of an answer, besides stating it in the prompt: as a JSON Schema, as any JSON, or not at
   * all, for servers that reject the others.
   *
   * @default 'json_schema'
   */
  responseFormat?: 'json_schema' | 'json_object' | 'text'
  /**
   * Name of the field with the maximum tokens of an answer; newer models of OpenAI require `max_completion_tokens`.
   *
   * @default 'max_tokens'
   */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /**
   * Additional fields of the request, such as `{ reasoning_effort: 'low' }`; `temperature: undefined` removes that
   * field.
   *
   * @default none
   */
  body?: Readonly<Record<string, unknown>>
}

/**
 * Creates a model for an endpoint with OpenAI's chat completions API: a hosted one, or a local server such as
 * llama.cpp, Ollama, vLLM or LM Studio.
 *
 * @throws TypeError when `baseUrl` is not an http or https URL or has credentials, `model` is empty, or another option
 * is not allowed
 *
 * @example
 * createEngine({ model: openAiCompatible({ baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3' }) })
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): LanguageModel {
  checkOptions('openAiCompatible', options, RULES, ['baseUrl', 'model'])
  const { baseUrl, apiKey } = options
  const base = parseUrl(urlToString(baseUrl))
  if (!base || !/^https?:$/.test(base.protocol)) {
    // Not the text itself: what was meant to be a URL may hold a password.
    const seen = base ? `a URL of \`${base.protocol}\`` : 'a text that is no URL'
    throw new TypeError(`\`openAiCompatible({ baseUrl })\`: ${seen} is not ${RULES.baseUrl.allowed}`)
  }
  if (base.username !== '' || base.password !== '')
    throw new TypeError('`openAiCompatible({ baseUrl })` has credentials: give them as `apiKey` or in `headers`')
  const url = new URL(`${withoutLastSlashes(base.pathname)}/chat/completions${base.search}`, base)
  const headers = {
    ...options.headers,
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  const secrets = [apiKey ?? '', ...Object.values(options.headers ?? {}), ...base.searchParams.values()]
  const ask: LanguageModel = async (request, { post }) => {
    const answer = await post(url, headers, JSON.stringify(writeBody(options, request)), request.signal)
    const body = tryParseJson(answer.text)
    const usage = readUsage(body)
    const found = isSuccessStatus(answer.statusCode) ? readCompletion(body) : undefined
    if (found) return { ...found, usage }
    throw new ModelError(withoutSecrets(describe(answer.statusCode, body), secrets), {
      statusCode: isSuccessStatus(answer.statusCode) ? (readErrorStatus(body) ?? 502) : answer.statusCode,
      retryAfterMs: readRetryAfter(answer.headers['retry-after']),
      usage,
    })
  }
  return Object.assign(ask, { modelId: options.model, provider: 'openai' })
}

const RULES: Readonly<Record<keyof OpenAiCompatibleOptions, Rule>> = {
  baseUrl: {
    allowed: 'an http or https URL',
    accepts: (value) => typeof value === 'string' || value instanceof URL,
  },
  model: nonEmptyString('the name of a model'),
  apiKey: anyString,
  headers: {
    allowed: 'an object of strings',
    accepts: (value) => isObject(value) && Object.values(value).every((header) => typeof header === 'string'),
  },
  responseFormat: oneOf('json_schema', 'json_object', 'text'),
  maxTokensField: oneOf('max_tokens', 'max_completion_tokens'),
  body: { allowed: 'an object of fields', accepts: isObject },
}

function writeBody(options: OpenAiCompatibleOptions, request: ModelRequest): Record<string, unknown> {
  const { model, responseFormat = 'json_schema', maxTokensField = 'max_tokens', body } = options
  const { system, prompt, schema, maxOutputTokens, temperature } = request
  const format =
    responseFormat === 'json_schema'
      ? { type: responseFormat, json_schema: { name: 'answer', schema, strict: false } }
      : { type: responseFormat }
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
    temperature,
    response_format: schema && responseFormat !== 'text' ? format : undefined,
    ...body,
    [maxTokensField]: maxOutputTokens,
    stream: false,
  }
}

interface Completion {
  readonly choices?: readonly { readonly finish_reason?: unknown; readonly message?: CompletionMessage }[]
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown }
}

interface CompletionMessage {
  /** A text, or a list of parts: some servers write reasoning and text apart. */
  readonly content?: unknown
  readonly refusal?: unknown
  /** Calls of tools. Some servers write the JSON that was asked for as the arguments of one. */
  readonly tool_calls?: unknown
}

/** Reads a completion; undefined when there is none. One that was filtered or cut may have no text. */
function readCompletion(body: unknown): ModelAnswer | undefined {
  const { choices } = Object(body) as Completion
  const [choice] = Array.isArray(choices) ? (choices as NonNullable<Completion['choices']>) : []
  const message = choice?.message ?? {}
  const { refusal } = message
  if (typeof refusal === 'string' && refusal !== '') return { text: refusal, finish: 'refusal' }
  const finish = readFinish(choice?.finish_reason)
  const text = readText(message)
  if (text !== undefined) return { text, finish: finish ?? 'stop' }
  return finish && { text: '', finish }
}

function readText({ content, tool_calls: calls }: CompletionMessage): string | undefined {
  if (typeof content === 'string' && content !== '') return content
  const parts = Array.isArray(content) ? textsIn(content as unknown[]) : []
  if (parts.length > 0) return parts.join('')
  const [call]: readonly unknown[] = Array.isArray(calls) ? calls : []
  const { function: called }: { function?: { arguments?: unknown } } = Object(call)
  if (typeof called?.arguments === 'string') return called.arguments
  return typeof content === 'string' ? content : undefined
}

/** Lists the texts of the parts of a content, without its reasoning. */
const textsIn = (parts: readonly unknown[]): string[] =>
  parts.flatMap((part) => {
    if (typeof part === 'string') return [part]
    const { type, text }: { type?: unknown; text?: unknown } = Object(part)
    return (type === 'text' || type === 'output_text') && typeof text === 'string' ? [text] : []
  })

const readFinish = (reason: unknown): 'length' | 'refusal' | undefined =>
  reason === 'length' ? 'length' : reason === 'content_filter' ? 'refusal' : undefined

/** Reads the counts of tokens. No prompt has none: servers that do not count write 0 or null. */
function readUsage(body: unknown): ModelUsage | undefined {
  const { usage } = Object(body) as Completion
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage ?? {}
  return isCount(inputTokens) && isCount(outputTokens) && inputTokens > 0 ? { inputTokens, outputTokens } : undefined
}

const isCount = (count: unknown): count is number => typeof count === 'number' && Number.isFinite(count)

/** Returns the status in an error that a gateway answers with status 200; undefined when it has none. */
function readErrorStatus(body: unknown): number | undefined {
  const { error } = Object(body) as { error?: { code?: unknown } }
  const status = Number(error?.code)
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined
}

/** Maximum characters of an endpoint's error message to keep. */
const MAX_CHARACTERS = 300

function describe(statusCode: number, body: unknown): string {
  const { error, message, detail } = Object(body) as {
    error?: { message?: unknown }
    message?: unknown
    detail?: unknown
  }
  const said = [error?.message, error, message, detail].find((one) => typeof one === 'string') ?? ''
  if (said === '' && isSuccessStatus(statusCode))
    return `the model's endpoint answered ${statusCode} with no completion`
  const isRedirect = statusCode >= 300 && statusCode < 400
  const what = said === '' && isRedirect ? 'redirects are not followed' : said.slice(0, MAX_CHARACTERS)
  return `the model's endpoint answered ${statusCode}${what === '' ? '' : `: ${what}`}`
}

const withoutSecrets = (message: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => (secret.length < 4 ? text : text.replaceAll(secret, '[secret]')), message)
