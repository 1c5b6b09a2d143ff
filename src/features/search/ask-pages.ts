import { compact } from '../../base/collections/compact.js'
import { followSignals } from '../../base/concurrency/deadline.js'
import { isObject } from '../../base/collections/is-object.js'
import { TrawlError } from '../../base/errors.js'
import type { Spending } from '../../base/llm/spending.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import { fencePage } from '../../base/llm/answers/page-text.js'
import { ANSWER_SYSTEM } from '../../base/llm/answers/prompts.js'
import { ModelError } from '../../base/llm/llm.js'
import { emptyUsage, type ModelClient } from '../../base/llm/model-client.js'
import type { Answer, AnswerQuote } from './answer.js'
import { linkToPassage } from '../../content/convert/passage/passage-link.js'
import type { AskOptions } from './search-options.js'
import type { SearchPages } from './search-pages.js'
import type { SearchHit } from './search-index.js'
import { estimateTokens } from '../../content/convert/split/estimate-tokens.js'
import { checkAsk, checkQuestion } from './check-search.js'
import { findQuote } from '../../base/text/find-quote.js'

/** Chunks that the model is given when they fit, and are not limited. */
const DEFAULT_CHUNKS = 8

const SCHEMA = {
  type: 'object',
  properties: {
    answer: { type: ['string', 'null'], description: 'the answer; null when the passages do not have it' },
    quotes: {
      type: 'array',
      description: 'the sentences of the passages that say it, verbatim and short',
      items: {
        type: 'object',
        properties: { passage: { type: 'number' }, quote: { type: 'string' } },
        required: ['passage', 'quote'],
      },
    },
  },
  required: ['answer', 'quotes'],
}

/** Parts of an engine that answer questions. */
interface AskParts {
  readonly search: SearchPages
  /** Undefined where there is none. */
  readonly model: ModelClient | undefined
  /** Maximum number of tokens of chunks in one request. */
  readonly partTokens: number
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
}

/** The job that asks the model, and its budget. */
interface AskCaller {
  /** Undefined for the pages of all jobs. */
  readonly jobId?: string
  readonly spending: Spending
}

/**
 * Answers a question from the pages of a job, or of all jobs.
 *
 * @throws InvalidRequestError; TrawlError `BAD_REQUEST` for a job that is not in the index, and without a model; ModelError
 */
type AskPages = (question: string, options: AskOptions, caller: AskCaller) => Promise<Answer>

/** Creates the call that answers a question from the pages of one job, or of all. */
export const createAsk =
  ({ search, model, partTokens, closing }: AskParts): AskPages =>
  async (question, given, { jobId, spending }) => {
    const { signal, search: options } = checkAsk(given)
    closing.throwIfAborted()
    signal?.throwIfAborted()
    checkQuestion(question)
    if (!model) {
      const message = '`ask` needs a language model: give `model` to `createEngine()`'
      throw new TrawlError('BAD_REQUEST', message)
    }
    const found = await search(question, { limit: DEFAULT_CHUNKS, ...options }, jobId)
    const hits = fitHits(found, partTokens)
    if (hits.length === 0) return { found: false, reason: 'NO_PAGES', hits }
    using follower = followSignals(closing, ...(signal ? [signal] : []))
    const caller = { signal: follower.signal, spending, mayCache: true, usage: emptyUsage() }
    const prompt = writeQuestion(question, hits)
    const isUsable = (text: string): boolean => readAnswer(text) !== undefined
    const ask = (asked: string) => model.ask({ system: ANSWER_SYSTEM, prompt: asked, schema: SCHEMA, isUsable }, caller)
    const first = await ask(prompt)
    if (first.finish === 'refusal') throw new ModelError('the model refused to answer')
    const said = readAnswer(first.text) ?? readAnswer((await ask(`${prompt}\n\n${ASK_AGAIN}`)).text)
    if (!said) throw new ModelError('the answer of the model could not be parsed')
    return checkAnswer(said, hits)
  }

const ASK_AGAIN = 'Your last answer did not have the form that was asked for. Answer with the JSON object alone.'

/** Takes the best hits that fit into one request; at least one. */
function fitHits(hits: readonly SearchHit[], most: number): readonly SearchHit[] {
  let tokens = 0
  return hits.filter(({ text }, index) => {
    tokens += estimateTokens(text)
    return index === 0 || tokens <= most
  })
}

function writeQuestion(question: string, hits: readonly SearchHit[]): string {
  const passages = hits.map(({ text, url, path }, index) =>
    [`[${index + 1}] ${url} ${path.join(' > ')}`, text].join('\n'),
  )
  const { fenced, mark } = fencePage(passages.join('\n\n'))
  return [
    `Answer this question from the passages: ${JSON.stringify(question)}`,
    `The passages, each after its number in square brackets, stand between <${mark}> and </${mark}>.`,
    fenced,
  ].join('\n\n')
}

/** An answer of the model in the form that was asked for. */
interface ModelSaid {
  /** Empty when the passages do not have it. */
  readonly answer: string
  readonly quotes: readonly unknown[]
}

/** Reads the answer of the model; undefined when it does not have the form that was asked for. */
function readAnswer(text: string): ModelSaid | undefined {
  const value = readJson(text)?.value
  const { answer, quotes }: { answer?: unknown; quotes?: unknown } = isObject(value) ? value : {}
  if (typeof answer !== 'string' && answer !== null) return undefined
  return { answer: answer?.trim() ?? '', quotes: Array.isArray(quotes) ? quotes : [] }
}

/** Maximum quotes that are looked for in the passages. */
const MAX_QUOTES = 50

/** Checks the answer of the model. A quote that is not in the chunks is dropped, and an answer without quotes is none. */
function checkAnswer({ answer, quotes }: ModelSaid, hits: readonly SearchHit[]): Answer {
  if (answer === '') return { found: false, reason: 'NOT_IN_PAGES', hits }
  const checked = quotes.slice(0, MAX_QUOTES).flatMap((item) => checkQuote(item, hits))
  return checked.length === 0
    ? { found: false, reason: 'NO_QUOTE', hits }
    : { found: true, answer, quotes: checked, hits }
}

/** Finds a quote in the passage that it names, or else in another one: models miscount. */
function checkQuote(item: unknown, hits: readonly SearchHit[]): readonly AnswerQuote[] {
  // Some models list the words alone.
  const { passage, quote }: { passage?: unknown; quote?: unknown } = isObject(item) ? item : { quote: item }
  if (typeof quote !== 'string') return []
  const named = hits[Number(passage) - 1]
  for (const hit of named ? [named, ...hits] : hits) {
    const text = findQuote(hit.text, quote)
    if (text === undefined) continue
    const { url, title, path } = hit
    return [compact({ text, link: linkToPassage(url, text), url, title, path: [...path] })]
  }
  return []
}
