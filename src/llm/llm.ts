import { TOO_MANY_REQUESTS } from '../http/statuses.js'
import { messageOf } from '../errors.js'

/** What a language model is asked. */
export interface ModelRequest {
  /** Who the model is here, and what it has to keep to. */
  readonly system: string
  /** What is asked, with the text that it is asked about. */
  readonly prompt: string
  /** A JSON Schema of the answer, with an object at its root; absent for an answer in words. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** The most tokens that the answer may take; one that takes more is cut off. */
  readonly maxOutputTokens: number
  /** How freely it writes: 0 to 2. */
  readonly temperature: number
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal
}

/** What a request and its answer took. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What a language model answered. */
export interface ModelAnswer {
  readonly text: string
  /** @default counted by length: a token for every three bytes */
  readonly usage?: ModelUsage
  /** Why it ended: of itself, because there was no room for more, or because it would not answer. @default 'stop' */
  readonly finish?: 'stop' | 'length' | 'refusal'
}

/** An HTTP answer to {@link ModelTools.post}. */
export interface PostAnswer {
  readonly statusCode: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What an engine lends a model. */
export interface ModelTools {
  /**
   * Sends JSON over the engine's own connections. No redirect is followed; an answer is at most 16 MiB.
   *
   * @throws ModelError when no answer came; the signal's reason
   */
  post(url: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<PostAnswer>
}

/**
 * A language model, as trawl needs it: one function. The ones that come along are made by `openAiCompatible` and `aiSdk`;
 * anything that turns a prompt into text is another.
 *
 * Retries, time limits, budgets and the cache of answers are the engine's. What it throws with a `statusCode` (or `status`)
 * of 408, 409, 425, 429 or from 500 on is tried again, after `retryAfterMs` where that is given.
 *
 * @example
 * const model: LanguageModel = async ({ system, prompt, signal }) => ({ text: await ask(system, prompt, signal) })
 */
export type LanguageModel = (request: ModelRequest, tools: ModelTools) => Promise<ModelAnswer>

/** What an error of a model tells beside its message. */
export interface ModelErrorOptions {
  /** The HTTP status, where there was an answer. */
  statusCode?: number | undefined
  /** How long the model asked to be left alone. Milliseconds. */
  retryAfterMs?: number | undefined
  /** Whether the same request may well succeed a little later. @default by its status */
  isTransient?: boolean | undefined
}

/** A model that gave no answer. Its message carries no key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly statusCode: number | undefined
  readonly retryAfterMs: number | undefined
  readonly isTransient: boolean

  constructor(message: string, { statusCode, retryAfterMs, isTransient }: ModelErrorOptions = {}) {
    super(message)
    this.statusCode = statusCode
    this.retryAfterMs = retryAfterMs
    this.isTransient = isTransient ?? isPassing(statusCode)
  }
}

const isPassing = (statusCode = 0): boolean => PASSING.has(statusCode) || statusCode >= 500

const PASSING: ReadonlySet<number> = new Set([408, 409, 425, TOO_MANY_REQUESTS])

/** Whatever a model threw, as a {@link ModelError}: libraries say the same by other names. */
export function toModelError(thrown: unknown): ModelError {
  if (thrown instanceof ModelError) return thrown
  const { statusCode, status, retryAfterMs, isRetryable, responseHeaders }: ForeignError = Object(thrown)
  const seconds = Number(responseHeaders?.['retry-after'])
  return new ModelError(messageOf(thrown), {
    statusCode: numberOf(statusCode) ?? numberOf(status),
    retryAfterMs: numberOf(retryAfterMs) ?? (Number.isFinite(seconds) ? seconds * 1000 : undefined),
    ...(typeof isRetryable === 'boolean' && { isTransient: isRetryable }),
  })
}

interface ForeignError {
  readonly statusCode?: unknown
  readonly status?: unknown
  readonly retryAfterMs?: unknown
  readonly isRetryable?: unknown
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
