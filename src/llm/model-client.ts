import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '../concurrency/deadline.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import { AnswerCache } from './answer-cache.js'
import { type LanguageModel, type ModelAnswer, ModelError, type ModelTools, toModelError } from './llm.js'
import type { ModelRequest, ModelUsage } from './llm.js'
import { Semaphore } from '../concurrency/semaphore.js'
import { costOf, type ModelPrice, type Spending } from './spending.js'

/** How a model is asked. */
export interface ModelSettings {
  /** Requests at once, over all jobs. @default 4 */
  readonly maxConcurrency: number
  /** For one request; the page's `timeout` holds as well. Milliseconds. @default 60000 */
  readonly timeoutMs: number
  /** Attempts after the first one. @default 2 */
  readonly maxRetries: number
  /** Delay before the first retry, doubled before each further one; `Retry-After` wins. Milliseconds. @default 1000 */
  readonly backoffMs: number
  /** Tokens that the model can take in and give together; a longer page is asked about in parts. @default 32768 */
  readonly contextTokens: number
  /** The most tokens of one answer. @default 4096 */
  readonly maxOutputTokens: number
  /** Memory for answers, which are given again where the same is asked. Bytes; 0 for none. @default 8388608 (8 MiB) */
  readonly cacheBytes: number
  /** What tokens cost. @default unknown: then a job's budget cannot name a `cost` */
  readonly price?: ModelPrice | undefined
}

/** What is asked of a model. */
export interface ModelQuestion extends Pick<ModelRequest, 'system' | 'prompt' | 'schema'> {
  /** @default 0 */
  readonly temperature?: number | undefined
  /** Whether an answer is worth being remembered. @default every whole one is */
  isSound?(text: string): boolean
}

/** Who asks. */
export interface Asker {
  readonly signal: AbortSignal
  readonly spending: Spending
  /** Whether the answer may be remembered. */
  readonly mayKeep: boolean
  readonly tally: ModelTally
}

/** What was asked for a page, and what that took. */
export interface ModelTally {
  requests: number
  /** Answers that were known already; not among the requests. */
  known: number
  inputTokens: number
  outputTokens: number
  cost: number
}

/** The tally of who has asked for nothing yet. */
export const openTally = (): ModelTally => ({ requests: 0, known: 0, inputTokens: 0, outputTokens: 0, cost: 0 })

export interface ModelClient {
  readonly settings: ModelSettings
  /**
   * Asks the model, and again where that can help.
   *
   * @throws ModelError when there is no answer; the signal's reason
   */
  ask(question: ModelQuestion, asker: Asker): Promise<ModelAnswer>
  /** What was remembered under a name. */
  recall(name: string): string | undefined
  /** Remembers what came of answers under a name, beside the answers themselves. */
  remember(name: string, text: string): void
}

/** The longest that is waited before another try. */
const MAX_BACKOFF_MS = 30_000

/** Stands between an engine and its model: what is asked costs no more, and no longer, than it may. */
export function createModelDesk(model: LanguageModel, settings: ModelSettings, tools: ModelTools): ModelClient {
  const places = new Semaphore(settings.maxConcurrency)
  const cache = new AnswerCache(settings.cacheBytes)

  /** One request, in its time. */
  async function send(question: ModelQuestion, maxOutputTokens: number, signal: AbortSignal): Promise<ModelAnswer> {
    const { system, prompt, schema, temperature = 0 } = question
    const { timeoutMs } = settings
    const makeReason = () => new ModelError(`the model took longer than ${timeoutMs} ms`, { isTransient: true })
    using attempt = withTimeout(signal, timeoutMs, makeReason)
    try {
      const request = {
        system,
        prompt,
        maxOutputTokens,
        temperature,
        signal: attempt.signal,
        ...(schema && { schema }),
      }
      // A model need not heed the signal.
      return await untilAborted(Promise.resolve(model(request, tools)), attempt.signal)
    } catch (error) {
      throw attempt.signal.aborted ? attempt.signal.reason : error
    }
  }

  /** A request within its budget. */
  async function spend(question: ModelQuestion, { signal, spending, tally }: Asker): Promise<ModelAnswer> {
    const wanted = { inputTokens: maxInput(question), outputTokens: settings.maxOutputTokens }
    const reservation = await spending.reserve(wanted, settings.price, signal)
    const { most } = reservation
    let used: ModelUsage = { inputTokens: 0, outputTokens: 0 }
    try {
      const answer = readAnswer(await send(question, most.outputTokens, signal))
      used = answer.usage ?? guessUsage(question, answer)
      return answer
    } catch (error) {
      // What was given up under way may be written to its end, and be charged.
      if (signal.aborted || !(error instanceof ModelError) || error.statusCode === undefined) used = most
      throw error
    } finally {
      reservation.settle(used)
      tally.requests += 1
      tally.inputTokens += used.inputTokens
      tally.outputTokens += used.outputTokens
      tally.cost += costOf(used, settings.price)
    }
  }

  async function insist(question: ModelQuestion, asker: Asker): Promise<ModelAnswer> {
    const { signal } = asker
    for (let attempt = 0; ; attempt++) {
      try {
        return await spend(question, asker)
      } catch (thrown) {
        signal.throwIfAborted()
        const error = toModelError(thrown)
        if (!error.isTransient || attempt >= settings.maxRetries) throw error
        const backoffMs = (settings.backoffMs * 2 ** attempt * (1 + Math.random())) / 2
        const delayMs = Math.min(error.retryAfterMs ?? backoffMs, MAX_BACKOFF_MS)
        await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  }

  return {
    settings,
    recall: (name) => cache.get(`named ${name}`)?.text,
    remember: (name, text) => cache.set(`named ${name}`, { text }),
    async ask(question, asker) {
      const key = asker.mayKeep ? keyOf(question) : undefined
      const known = key === undefined ? undefined : cache.get(key)
      if (known) {
        asker.tally.known += 1
        return known
      }
      await places.take(asker.signal)
      try {
        const answer = await insist(question, asker)
        const isWhole = (answer.finish ?? 'stop') === 'stop'
        if (key !== undefined && isWhole && (question.isSound?.(answer.text) ?? true)) cache.set(key, answer)
        return answer
      } finally {
        places.give()
      }
    },
  }
}

const keyOf = ({ system, prompt, schema, temperature = 0 }: ModelQuestion): string =>
  createHash('sha256')
    .update(JSON.stringify([system, prompt, schema ?? null, temperature]))
    .digest('base64')

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** What models put around a request's texts. */
const FRAME_TOKENS = 200

/** The most tokens that a request can be: no vocabulary has a token for less than a byte. */
const maxInput = ({ system, prompt, schema }: ModelQuestion): number =>
  bytesOf(system) + bytesOf(prompt) + (schema ? bytesOf(JSON.stringify(schema)) : 0) + FRAME_TOKENS

const guessUsage = (question: ModelQuestion, { text }: ModelAnswer): ModelUsage => ({
  inputTokens: Math.ceil(maxInput(question) / 3),
  outputTokens: Math.ceil(bytesOf(text) / 3),
})

/** A function of the host's may give anything. */
function readAnswer(answer: ModelAnswer): ModelAnswer {
  const { text, usage, finish = 'stop' }: Partial<ModelAnswer> = Object(answer)
  if (typeof text !== 'string') throw new ModelError('the model gave no `text`')
  const isCounted = [usage?.inputTokens, usage?.outputTokens].every((count) => Number.isFinite(count))
  return { text, finish, ...(usage && isCounted && { usage }) }
}
