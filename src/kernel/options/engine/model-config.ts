import type { JobBudget } from '../../../base/accounting/budget.js'
import type { Embed } from '../../../base/llm/embedder.js'
import type { LanguageModel } from '../../../base/llm/llm.js'
import type { ModelSettings } from '../../../base/llm/model-client.js'
import { wholeNumber } from '../fields/basic-schemas.js'
import { budgetSchema } from '../fields/budget.js'
import { mustBe } from '../../../base/issues/describe-issue.js'
import { nestDefinitions, type OptionDefinitions } from '../option-definition.js'
import { isFunction } from './value-tests.js'

/** Settings of an engine for its language model, and for the cost of its work. */
export interface ModelConfig {
  /**
   * Language model of formats `json`, `summary`, `question`, `highlights` and `query`, and of mode `json` of
   * `changeTracking`: `openAiCompatible(…)`, `aiSdk(…)`, or a function of your own. @default none: these formats are
   * refused
   */
  model?: LanguageModel
  /**
   * Function that turns texts into vectors, so that chunks of similar meaning are found without the words of the query:
   * `(texts) => Promise<number[][]>`, with at most 64 texts in one call. `modelOptions` has its time limit, its retries and how
   * many calls may be made at once.
   * @default none: searches go by words alone
   * @see docs/guides/search.md
   */
  embed?: Embed
  /** Settings and prices of the model; those of requests hold for `embed` as well. */
  modelOptions?: { readonly [Name in keyof ModelSettings]?: ModelSettings[Name] | undefined }
  /**
   * Budget of each job; a job's own `budget` replaces it as a whole. Of a single page, only `modelTokens` and `modelCost`
   * are limited by it.
   * @default no limit
   */
  budget?: JobBudget
  /**
   * Maximum number of credits that all jobs and single pages of this engine may cost, from its creation. When the rest is
   * too small for one page, jobs and pages are refused with `INSUFFICIENT_CREDITS` (402), and running jobs end with that
   * `error`: see `stoppedBy` of their status. Credits are reserved for each page in flight. The limit can be exceeded only
   * by costs that are not known beforehand: further pages of PDF files, and, for the last page, the surcharge for an
   * enhanced proxy.
   * @default no limit
   * @see {@link Engine.credits}
   */
  creditLimit?: number
  /** Surcharge for a page that was fetched with `proxy: 'enhanced'`, or `auto` that needed it. Credits, from 0. @default 4 */
  enhancedCredits?: number
}

const MODEL_NEEDED = mustBe('a language model: give `openAiCompatible({ … })`, `aiSdk(model)` or a function')

const modelOptionDefinitions = {
  maxConcurrency: {
    schema: (z) => wholeNumber(z, 'requests at once', 1).max(1000).optional(),
    default: 4,
    help: false,
  },
  timeoutMs: { schema: (z) => wholeNumber(z, 'milliseconds', 1).optional(), default: 60_000, help: false },
  maxRetries: { schema: (z) => wholeNumber(z, 'retries', 0).optional(), default: 2, help: false },
  backoffMs: { schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(), default: 1000, help: false },
  // Its flag is in `src/cli/flags/model-flags.ts`, with those of the model.
  contextTokens: { schema: (z) => wholeNumber(z, 'tokens', 2048).optional(), default: 32_768, help: false },
  maxOutputTokens: { schema: (z) => wholeNumber(z, 'tokens', 16).optional(), default: 4096, help: false },
  cacheBytes: { schema: (z) => wholeNumber(z, 'bytes', 0).optional(), default: 8 * 1024 * 1024, help: false },
  price: {
    schema: (z) => z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).optional(),
    help: false,
  },
} as const satisfies OptionDefinitions<NonNullable<ModelConfig['modelOptions']>>

/** Definitions of {@link ModelConfig}. @internal */
export const modelDefinitions = {
  model: { schema: (z) => z.custom<LanguageModel>(isFunction, MODEL_NEEDED).optional(), help: false },
  embed: {
    schema: (z) =>
      z
        .custom<Embed>(isFunction, mustBe('a function that turns texts into vectors: `(texts) => Promise<number[][]>`'))
        .optional(),
    help: false,
  },
  modelOptions: nestDefinitions(modelOptionDefinitions),
  budget: { schema: (z) => budgetSchema(z).optional(), help: false },
  creditLimit: { schema: (z) => wholeNumber(z, 'credits', 0).optional(), default: Infinity, help: false },
  enhancedCredits: { schema: (z) => wholeNumber(z, 'credits', 0).optional(), default: 4, help: false },
} as const satisfies OptionDefinitions<ModelConfig>
