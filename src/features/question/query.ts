import { answerQuestion, pickHighlights } from './answer-question.js'
import { MAX_PROMPT_LENGTH } from '../../base/json-schema/answer-schema.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'

/**
 * An answer, or passages, relevant to a prompt.
 *
 * @deprecated `question` and `highlights` replace it
 */
export interface QueryFormat {
  type: 'query'
  /** 1 to 10,000 characters. */
  prompt: string
  /**
   * An answer in the model's own words (`answer`), or passages quoted from the page (`highlights`).
   *
   * @default 'freeform'
   */
  mode?: 'freeform' | 'directQuote'
}

/** Fields that `query` fills. */
interface QueryFields {
  /** The answer, in mode `freeform`. */
  answer?: string
  /** The passages, in mode `directQuote`. */
  highlights?: string
}

/** @see docs/compatibility/requests.md#formats */
export const query: EnrichFormat<QueryFormat, QueryFields> = {
  type: 'query',
  options: (z) => ({
    prompt: z.string().min(1).max(MAX_PROMPT_LENGTH),
    mode: z.enum(['freeform', 'directQuote']).optional(),
  }),
  charges: () => 'query',
  needs: { text: () => true, model: () => true },
  produce({ url }, { prompt, mode }, { inputs, model }) {
    const page = { url, chunks: inputs?.chunks ?? [] }
    return mode === 'directQuote' ? pickHighlights(prompt, page, model) : answerQuestion(prompt, page, model)
  },
}
