import { defineFeature } from '../../kernel/engine/feature.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import { openSteps, type PromptInjectionSlice } from './check-page.js'
import type { PromptInjection } from './prompt-injection.js'

export type { PromptInjection } from './prompt-injection.js'

/** Options of the check for instructions to a model. */
export interface PromptInjectionCheck {
  /** `fail` ends a page that has some, `flag` lists them. @default 'fail' */
  mode?: 'fail' | 'flag'
  /** Ask the engine's model as well, which finds what rules do not know. Costs at least one request for each page. @default false */
  model?: boolean
}

/** Page options of the check for prompt injection. */
interface PromptInjectionOptions {
  /**
   * Look for instructions to a language model in the page: in its text and in what no reader sees, such as comments, attributes,
   * metadata and properties of files. `true`: a page that has some fails with `SCRAPE_PROMPT_INJECTION_DETECTED`. `flag`: the document
   * lists them in `promptInjection`, and has a warning. An object sets this as `mode`, and asks the engine's model with `model`. By
   * itself rules in 30 languages decide, and no model is asked. In the interface, it is an option of `json` alone. @default false
   */
  checkPromptInjection?: boolean | 'flag' | PromptInjectionCheck
}

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends PromptInjectionOptions {}
}

/** Document fields of the check for prompt injection. */
interface PromptInjectionFields {
  /** Instructions to a language model in the page, with `checkPromptInjection: 'flag'`; at most 50. Absent if there are none. */
  promptInjection?: PromptInjection[]
}

declare module '../../kernel/page/document.js' {
  interface DocumentFrame extends PromptInjectionFields {}
}

/** Prompt injection: instructions to a language model in pages. @internal */
export const promptInjection = defineFeature<PromptInjectionSlice, readonly PromptInjection[]>({
  name: 'prompt-injection',
  options: {
    page: {
      checkPromptInjection: {
        schema: (z) =>
          z
            .union([
              z.boolean(),
              z.literal('flag'),
              z.strictObject({ mode: z.enum(['fail', 'flag']).optional(), model: z.boolean().optional() }),
            ])
            .optional(),
        default: false,
        help: 'Fail pages with instructions to a language model (true), or list these (flag)',
      },
    } satisfies OptionDefinitions<PromptInjectionOptions>,
  },
  plan: ({ checkPromptInjection: check = false }) => {
    if (check === false) return undefined
    const { mode = 'fail', model = false } = typeof check === 'object' ? check : check === 'flag' ? { mode: check } : {}
    return { mode, model }
  },
  open: openSteps,
  document: (found) => ({ fields: { promptInjection: [...found] } }),
})
