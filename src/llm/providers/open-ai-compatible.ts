import { isObject } from '../../collections/is-object.js'
import { anyString, nonEmptyString, checkOptions, oneOf, type Rule } from '../../runtime/check-options.js'
import { urlToString, type UrlLike, withoutLastSlashes, parseUrl } from '../../url.js'
import { type LanguageModel, type ModelAnswer, ModelError, type ModelRequest, type PostAnswer } from '../llm.js'
import { isSuccessStatus } from '../../http/statuses.js'
import { parseJson } from '../../text/parse-json.js'

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
  apiKey?: string | undefined
  /** Additional headers. @default none */
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * Way to request the shape of an answer, besides stating it in the prompt: as a JSON Schema, as any JSON, or not at
   * all, for servers that reject the others.
   *
   * @default 'json_schema'
   */
  responseFormat?: 'json_schema' | 'json_object' | 'text' | undefined
  /**
   * Name of the field with the maximum tokens of an answer; newer models of OpenAI require `max_completion_tokens`.
   *
   * @default 'max_tokens'
   */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens' | undefined
  /**
   * Additional fields of the request, such as `{ reasoning_effort: 'low' }`; `temperature: undefined` removes that
   * field.
   *
   * @default none
   */
  body?: Readonly<Record<string, unknown>> | undefined
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
  if (!base || !/^https?:$/.test(base.protocol)) throw new TypeError('`baseUrl` is no http or https URL')
  if (base.username !== '' || base.password !== '')
    throw new TypeError('`baseUrl` has credentials: give them as `apiKey` or in `headers`')
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
    const found = readCompletion(answer)
    if (found) return found
    throw new ModelError(withoutSecrets(describe(answer), secrets), {
      statusCode: answer.statusCode === 200 ? 502 : answer.statusCode,
      retryAfterMs: readRetryAfter(answer.headers['retry-after']),
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
    ...(schema && responseFormat !== 'text' && { response_format: format }),
    ...body,
    [maxTokensField]: maxOutputTokens,
    stream: false,
  }
}

interface Completion {
  readonly choices?: readonly {
    readonly finish_reason?: unknown
    readonly message?: { readonly content?: unknown; readonly refusal?: unknown }
  }[]
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown }
}

function readCompletion({ statusCode, text }: PostAnswer): ModelAnswer | undefined {
  if (!isSuccessStatus(statusCode)) return undefined
  const { choices, usage } = Object(parse(text)) as Completion
  const [choice] = Array.isArray(choices) ? (choices as NonNullable<Completion['choices']>) : []
  const { content, refusal } = choice?.message ?? {}
  const isRefused = typeof refusal === 'string' && refusal !== ''
  if (!choice || (typeof content !== 'string' && !isRefused)) return undefined
  const inputTokens = Number(usage?.prompt_tokens)
  const outputTokens = Number(usage?.completion_tokens)
  return {
    text: isRefused ? refusal : String(content),
    finish: isRefused || choice.finish_reason === 'content_filter' ? 'refusal' : readFinish(choice.finish_reason),
    ...(Number.isFinite(inputTokens) && Number.isFinite(outputTokens) && { usage: { inputTokens, outputTokens } }),
  }
}

const readFinish = (reason: unknown): 'stop' | 'length' => (reason === 'length' ? 'length' : 'stop')

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Maximum characters of an endpoint's error message to keep. */
const MAX_CHARACTERS = 300

function describe({ statusCode, text }: PostAnswer): string {
  const { error, message } = Object(parse(text)) as { error?: { message?: unknown }; message?: unknown }
  const said = [error?.message, error, message].find((one) => typeof one === 'string') ?? ''
  const what = isSuccessStatus(statusCode) ? 'which is no completion' : said.slice(0, MAX_CHARACTERS)
  return `the model's endpoint answered ${statusCode}${what === '' ? '' : `: ${what}`}`
}

const withoutSecrets = (message: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => (secret.length < 4 ? text : text.replaceAll(secret, '[secret]')), message)

/** Parses seconds, or a date. @see RFC 9110 section 10.2.3 */
function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now())
}
