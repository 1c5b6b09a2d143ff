import { TOO_MANY_REQUESTS } from '../http/statuses.js'
import { messageOf, TrawlError } from '../errors.js'

/** Request to a language model. */
export interface ModelRequest {
  /** System prompt: role and rules. */
  readonly system: string
  /** The task, together with the text that it is about. */
  readonly prompt: string
  /** JSON Schema of the answer, with an object at its root; absent for an answer in prose. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Maximum tokens of the answer; a longer one is cut off. */
  readonly maxOutputTokens: number
  /** Sampling temperature, 0 to 2. */
  readonly temperature: number
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** Tokens used by a request and its answer. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Answer of a language model. */
export interface ModelAnswer {
  readonly text: string
  /** @default estimated: one token for every three bytes */
  readonly usage?: ModelUsage
  /** Reason why the answer ended: complete, out of tokens, or refused. @default 'stop' */
  readonly finish?: 'stop' | 'length' | 'refusal'
}

/** HTTP response to {@link ModelTools.post}. */
export interface PostAnswer {
  readonly statusCode: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Functions of the engine that a model may use. */
export interface ModelTools {
  /**
   * Sends JSON over the engine's own connections. Redirects are not followed; a response is at most 16 MiB.
   *
   * @throws ModelError when there is no response; the reason of the signal
   */
  post(url: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<PostAnswer>
}

/**
 * A language model: one function. `openAiCompatible` and `aiSdk` create one; any other function that turns a prompt
 * into text works as well.
 *
 * The engine adds retries, time limits, budgets and a cache of answers. It retries errors with a `statusCode` (or
 * `status`) of 408, 409, 425, 429 or at least 500, after `retryAfterMs` if given, unless that is more than a minute.
 *
 * @example
 * const model: LanguageModel = async ({ system, prompt, signal }) => ({ text: await ask(system, prompt, signal) })
 */
export interface LanguageModel {
  (request: ModelRequest, tools: ModelTools): Promise<ModelAnswer>
  /** Name of the model, for traces. @default none */
  readonly modelId?: string
  /** Name of its provider, for traces, such as `openai`. @default none */
  readonly provider?: string
}

/** Details of a model's error. */
export interface ModelErrorOptions {
  /** HTTP status, when there was a response. */
  statusCode?: number
  /** Delay that the model asked for. Milliseconds. */
  retryAfterMs?: number
  /** True when the same request may succeed later. @default derived from the status */
  isTransient?: boolean
  /** Tokens that the request was charged all the same; they count for the budget. @default unknown */
  usage?: ModelUsage
}

/** Thrown when a model gives no answer: `MODEL_ERROR`. The message contains no API key. */
export class ModelError extends TrawlError {
  override readonly name = 'ModelError'
  readonly statusCode: number | undefined
  readonly isTransient: boolean
  /** Tokens that the request was charged all the same. */
  readonly usage: ModelUsage | undefined

  constructor(message: string, { statusCode, retryAfterMs, isTransient, usage }: ModelErrorOptions = {}) {
    super('MODEL_ERROR', message, retryAfterMs === undefined ? {} : { retryAfterMs })
    this.statusCode = statusCode
    this.isTransient = isTransient ?? isTransientStatus(statusCode)
    this.usage = usage
  }

  /** True if the same request may succeed later. */
  override get retry(): boolean {
    return this.isTransient
  }
}

const isTransientStatus = (statusCode = 0): boolean => TRANSIENT_STATUSES.has(statusCode) || statusCode >= 500

/** Statuses below 500 after which the same request may succeed. 409 is what OpenAI's API answers on lock conflicts. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, TOO_MANY_REQUESTS])

/** Converts any error of a model to a {@link ModelError}. Libraries use different names for the same properties. */
export function toModelError(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown
  const { statusCode, status, retryAfterMs, isRetryable, responseHeaders }: ForeignError = Object(thrown)
  return new ModelError(messageOf(thrown), {
    statusCode: numberOf(statusCode) ?? numberOf(status),
    retryAfterMs: numberOf(retryAfterMs) ?? readRetryAfter(responseHeaders?.['retry-after']),
    isTransient: typeof isRetryable === 'boolean' ? isRetryable : undefined,
  })
}

interface ForeignError {
  readonly statusCode?: unknown
  readonly status?: unknown
  readonly retryAfterMs?: unknown
  readonly isRetryable?: unknown
  readonly responseHeaders?: Readonly<Record<string, string>>
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Reads the header `Retry-After`: seconds, or a date. @returns milliseconds. @see RFC 9110 section 10.2.3 */
export function readRetryAfter(value: string | undefined): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000
  // `Date.parse` takes `-5` for a date: one of HTTP begins with the name of a day.
  const dateMs = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now())
}
