import { checkArgument, objectWithMethods } from '../../runtime/check-options.js'
import type { LanguageModel, ModelAnswer, ModelUsage } from '../llm.js'

/** The part of an AI SDK call that trawl uses. */
interface AiSdkCall {
  readonly prompt: readonly AiSdkMessage[]
  readonly maxOutputTokens: number
  readonly temperature: number
  readonly responseFormat?: { readonly type: 'json'; readonly name: string; readonly schema: object }
  readonly abortSignal: AbortSignal
}

type AiSdkMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: { type: 'text'; text: string }[] }

/**
 * A language model of the AI SDK, reduced to the part that trawl uses: the result of `openai('…')` and similar
 * functions of the `@ai-sdk/…` packages. Specification versions 2 (AI SDK 5), 3 and 4 are supported.
 */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly modelId: string
  // A method, because method parameters are bivariant: models with narrower options are accepted as well.
  doGenerate(options: never): PromiseLike<unknown>
}

const MODEL_RULE = objectWithMethods("a language model of the AI SDK, such as `openai('gpt-5-mini')`", 'doGenerate')

/**
 * Adapts a model of the Vercel AI SDK. It is called directly, without the `ai` package; its provider makes the
 * connections, with its own keys.
 *
 * @throws TypeError for anything else, including a bare model id, which only the gateway of `ai` understands
 * @example
 * createEngine({ model: aiSdk(openai('gpt-5-mini')) })
 */
export function aiSdk(model: AiSdkModel): LanguageModel {
  checkArgument('aiSdk(model)', model, MODEL_RULE)
  const generate = model.doGenerate.bind(model) as (call: AiSdkCall) => PromiseLike<unknown>
  const ask: LanguageModel = async ({ system, prompt, schema, maxOutputTokens, temperature, signal }) =>
    readResult(
      await generate({
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text: prompt }] },
        ],
        maxOutputTokens,
        temperature,
        responseFormat: schema && { type: 'json', name: 'answer', schema },
        abortSignal: signal,
      }),
    )
  const { modelId, provider }: { readonly modelId?: unknown; readonly provider?: unknown } = model
  return Object.assign(ask, {
    modelId: typeof modelId === 'string' ? modelId : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
  })
}

/** Result of a model, in any version of the specification: later ones have objects for counts and reasons. */
interface AiSdkResult {
  readonly content?: unknown
  readonly finishReason?: unknown
  readonly usage?: { readonly inputTokens?: unknown; readonly outputTokens?: unknown }
}

function readResult(given: unknown): ModelAnswer {
  const { content, finishReason, usage }: AiSdkResult = Object(given)
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const text = parts
    .flatMap((part) => {
      const { type, text: own }: { type?: unknown; text?: unknown } = Object(part)
      return type === 'text' && typeof own === 'string' ? own : []
    })
    .join('')
  const { unified }: { unified?: unknown } = Object(finishReason)
  const reason = unified ?? finishReason
  const counted = readUsage(usage)
  return {
    text,
    finish: reason === 'content-filter' ? 'refusal' : reason === 'length' ? 'length' : 'stop',
    usage: counted,
  }
}

function readUsage(usage: AiSdkResult['usage']): ModelUsage | undefined {
  const inputTokens = readCount(usage?.inputTokens)
  const outputTokens = readCount(usage?.outputTokens)
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

function readCount(count: unknown): number | undefined {
  const { total }: { total?: unknown } = Object(count)
  const value = typeof count === 'number' ? count : total
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
