import type { JobBudget } from '../../accounting/budget.js'
import type { LanguageModel } from '../../llm/llm.js'
import type { ModelSettings } from '../../llm/model-client.js'
import { budgetSchema } from '../fields/budget.js'
import { nestDefinitions, type OptionDefinitions } from '../option-definition.js'
import { isFunction, wholeNumber } from './setting-schemas.js'

/** Settings of an engine for its language model, and for what its work may cost. */
export interface ModelConfig {
  /**
   * The language model of formats `json`, `summary`, `question`, `highlights` and `query`, and of mode `json` of
   * `changeTracking`: `openAiCompatible(…)`, `aiSdk(…)`, or a function of one's own. @default none: asking for these
   * is refused
   */
  model?: LanguageModel | undefined
  /** Settings and prices of the model. */
  modelOptions?: { readonly [Name in keyof ModelSettings]?: ModelSettings[Name] | undefined } | undefined
  /**
   * Budget of each job; a job's own `budget` replaces it as a whole. Single pages keep to `modelTokens` and
   * `modelCost` of it.
   * @default no limit
   */
  budget?: JobBudget | undefined
  /**
   * The most credits that the jobs and single pages of this engine may cost together, from when it is made. Where not
   * even one page fits in what is left, jobs and pages are refused with `INSUFFICIENT_CREDITS` (402), and running jobs
   * end with that as their `error`: see `stoppedBy` of their status. Room is kept for what each page under way may
   * cost. Beyond it goes only what cannot be known before: further pages of PDF files, and of the last page alone the
   * surcharge for an enhanced proxy.
   * @default no limit
   * @see {@link Engine.credits}
   */
  creditLimit?: number | undefined
}

const MODEL_NEEDED = 'not a language model: give `openAiCompatible({ … })`, `aiSdk(model)` or a function'

const modelOptionDefinitions = {
  maxConcurrency: {
    schema: (z) => wholeNumber(z, 'requests at once', 1).max(1000).optional(),
    default: 4,
    help: false,
  },
  timeoutMs: { schema: (z) => wholeNumber(z, 'milliseconds', 1).optional(), default: 60_000, help: false },
  maxRetries: { schema: (z) => wholeNumber(z, 'retries', 0).optional(), default: 2, help: false },
  backoffMs: { schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(), default: 1000, help: false },
  // Its flag is beside those of the model: `src/cli/flags/model-flags.ts`.
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
  modelOptions: nestDefinitions(modelOptionDefinitions),
  budget: { schema: (z) => budgetSchema(z).optional(), help: false },
  creditLimit: { schema: (z) => wholeNumber(z, 'credits', 0).optional(), default: Infinity, help: false },
} as const satisfies OptionDefinitions<ModelConfig>
