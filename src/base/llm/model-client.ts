import { createHash } from 'node:crypto'
import { channels } from '../tracing/channels.js'
import type { ModelSpan, ParentSpan } from '../tracing/spans.js'
import { AnswerCache } from './answer-cache.js'
import { callWithin, retryModelCall } from './call-model.js'
import { type LanguageModel, type ModelAnswer, ModelError, type ModelTools, toModelError } from './llm.js'
import type { ModelRequest, ModelUsage } from './llm.js'
import { traceModelCall } from './trace-model-call.js'
import { Semaphore } from '../concurrency/semaphore.js'
import { costOf, type ModelPrice, type Reservation, type Spending } from './spending.js'

/** Settings for requests to a model. */
export interface ModelSettings {
  /** Maximum concurrent requests, over all jobs; calls of `embed` are counted apart. @default 4 */
  readonly maxConcurrency: number
  /** Timeout of one request; the page's `timeout` applies as well. Milliseconds. @default 60000 */
  readonly timeoutMs: number
  /** Attempts after the first one. @default 2 */
  readonly maxRetries: number
  /** Delay before the first retry, doubled before each further one; `Retry-After` wins. Milliseconds. @default 1000 */
  readonly backoffMs: number
  /** Context window: tokens of request and answer together. A longer page is processed in parts. @default 32768 */
  readonly contextTokens: number
  /** Maximum tokens of one answer. @default 4096 */
  readonly maxOutputTokens: number
  /** Memory for cached answers. Bytes; 0 disables the cache. @default 8388608 (8 MiB) */
  readonly cacheBytes: number
  /** Price of tokens. @default unknown: then `budget.modelCost` is refused */
  readonly price?: ModelPrice
}

/** A question to a model. */
export interface ModelQuestion {
  /** System prompt: role and rules. */
  readonly system: string
  /** The task, together with the text that it is about. */
  readonly prompt: string
  /** JSON Schema of the answer; absent for an answer in prose. */
  readonly schema?: ModelRequest['schema']
  /** @default 0 */
  readonly temperature?: number
  /** Returns false for an answer that should not be cached. @default every complete answer is cached */
  isUsable?(text: string): boolean
}

/** The page that asks, and its job's budget. */
export interface ModelCaller {
  readonly signal: AbortSignal
  readonly spending: Spending
  /** True when the answer may be cached. */
  readonly mayCache: boolean
  readonly usage: PageModelUsage
  /** The span that the call belongs to. @default none */
  readonly span?: ParentSpan
}

/** Requests and tokens used for one page. */
export interface PageModelUsage {
  requests: number
  /** Answers from the cache; not included in `requests`. */
  cacheHits: number
  inputTokens: number
  outputTokens: number
  cost: number
}

export const emptyUsage = (): PageModelUsage => ({
  requests: 0,
  cacheHits: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
})

/** Access of an engine to its model: retries, limits, budgets and the cache of answers. */
export interface ModelClient {
  readonly settings: ModelSettings
  /**
   * Asks the model, and retries when that may help.
   *
   * @throws ModelError when there is no answer; the reason of the signal
   */
  ask(question: ModelQuestion, caller: ModelCaller): Promise<ModelAnswer>
  /** Returns a text stored with `remember`. */
  recall(name: string): string | undefined
  /** Caches a text that was derived from answers, beside the answers themselves. */
  remember(name: string, text: string): void
}

class EngineModelClient implements ModelClient {
  readonly settings: ModelSettings
  readonly #model: LanguageModel
  readonly #tools: ModelTools
  readonly #requests: Semaphore
  readonly #cache: AnswerCache

  constructor(model: LanguageModel, settings: ModelSettings, tools: ModelTools) {
    this.settings = settings
    this.#model = model
    this.#tools = tools
    this.#requests = new Semaphore(settings.maxConcurrency)
    this.#cache = new AnswerCache(settings.cacheBytes)
  }

  recall(name: string): string | undefined {
    return this.#cache.get(`named ${name}`)?.text
  }

  remember(name: string, text: string): void {
    this.#cache.set(`named ${name}`, { text })
  }

  async ask(question: ModelQuestion, caller: ModelCaller): Promise<ModelAnswer> {
    const key = caller.mayCache ? keyOf(question) : undefined
    const cached = key === undefined ? undefined : this.#cache.get(key)
    if (cached) {
      caller.usage.cacheHits += 1
      return cached
    }
    await this.#requests.acquire(caller.signal)
    try {
      const answer = await retryModelCall(() => this.#askWithinBudget(question, caller), this.settings, caller.signal)
      const isComplete = (answer.finish ?? 'stop') === 'stop'
      if (key !== undefined && isComplete && (question.isUsable?.(answer.text) ?? true)) this.#cache.set(key, answer)
      return answer
    } finally {
      this.#requests.release()
    }
  }

  /** Sends one request as soon as the budget has room for it: as a span where there are subscribers, which the wait is no part of. */
  async #askWithinBudget(question: ModelQuestion, caller: ModelCaller): Promise<ModelAnswer> {
    const { maxOutputTokens, price } = this.settings
    const wanted = { inputTokens: maxInput(question), outputTokens: maxOutputTokens }
    const reservation = await caller.spending.reserve(wanted, price, caller.signal)
    if (!channels.model.hasSubscribers) return this.#askReserved(question, caller, reservation)
    const { temperature = 0 } = question
    const { modelId: model, provider } = this.#model
    const span: ModelSpan = {
      parent: caller.span,
      operation: 'chat',
      model,
      provider,
      temperature,
      maxOutputTokens: reservation.max.outputTokens,
    }
    return traceModelCall(span, () => this.#askReserved(question, caller, reservation, span))
  }

  async #askReserved(
    question: ModelQuestion,
    { signal, usage }: ModelCaller,
    reservation: Reservation,
    span?: ModelSpan,
  ): Promise<ModelAnswer> {
    const { price } = this.settings
    const { max } = reservation
    let used: ModelUsage = { inputTokens: 0, outputTokens: 0 }
    try {
      const answer = readAnswer(await this.#send(question, max.outputTokens, signal))
      used = answer.usage ?? guessUsage(question, answer, max.outputTokens)
      return answer
    } catch (error) {
      // The provider may complete and charge a request that was given up.
      const { usage: stated, statusCode } = toModelError(error)
      const counted = checkUsage(stated)
      if (counted) used = counted
      // A request that was answered with a status of an error was not completed.
      else if (signal.aborted || statusCode === undefined) used = max
      throw error
    } finally {
      reservation.settle(used)
      usage.requests += 1
      usage.inputTokens += used.inputTokens
      usage.outputTokens += used.outputTokens
      usage.cost += costOf(used, price)
      if (span) Object.assign(span, used, { cost: costOf(used, price) })
    }
  }

  /** Sends one request, with its timeout. */
  async #send(question: ModelQuestion, maxOutputTokens: number, signal: AbortSignal): Promise<ModelAnswer> {
    const { system, prompt, schema, temperature = 0 } = question
    const { timeoutMs } = this.settings
    const request = { system, prompt, maxOutputTokens, temperature, schema }
    const model = this.#model
    return callWithin((until) => model({ ...request, signal: until }, this.#tools), {
      name: 'the model',
      timeoutMs,
      signal,
    })
  }
}

/** Creates the access of an engine to its model. */
export const createModelClient = (model: LanguageModel, settings: ModelSettings, tools: ModelTools): ModelClient =>
  new EngineModelClient(model, settings, tools)

const keyOf = ({ system, prompt, schema, temperature = 0 }: ModelQuestion): string =>
  createHash('sha256')
    .update(JSON.stringify([system, prompt, schema ?? null, temperature]))
    .digest('base64')

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Tokens that a provider adds around the texts of a request. */
const FRAME_TOKENS = 200

/** Upper bound of a request's tokens: no token stands for less than a byte. */
const maxInput = ({ system, prompt, schema }: ModelQuestion): number =>
  bytesOf(system) + bytesOf(prompt) + (schema ? bytesOf(JSON.stringify(schema)) : 0) + FRAME_TOKENS

/** Estimates the usage of an answer. It has no more tokens than the model was asked for. */
const guessUsage = (question: ModelQuestion, { text }: ModelAnswer, maxOutputTokens: number): ModelUsage => ({
  inputTokens: Math.ceil(maxInput(question) / 3),
  outputTokens: Math.min(Math.ceil(bytesOf(text) / 3), maxOutputTokens),
})

/** Maximum characters of an answer: it becomes a part of the document. */
const MAX_ANSWER = 4_000_000

/** Validates an answer, because the model is a function of the host. */
function readAnswer(answer: ModelAnswer): ModelAnswer {
  const { text, usage, finish = 'stop' }: Partial<ModelAnswer> = Object(answer)
  const counted = checkUsage(usage)
  if (typeof text !== 'string') throw new ModelError('the model gave no `text`', { usage: counted })
  if (text.length > MAX_ANSWER)
    throw new ModelError(`the model answered with more than ${MAX_ANSWER} characters`, { usage: counted })
  return { text, finish, usage: counted }
}

/** Returns a usage whose counts are usable: a negative one would refill the budget. */
const checkUsage = (usage: ModelUsage | undefined): ModelUsage | undefined =>
  [usage?.inputTokens, usage?.outputTokens].every((count) => Number.isFinite(count) && Number(count) >= 0)
    ? usage
    : undefined
