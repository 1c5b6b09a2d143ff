import { type AnswerSchema, answerSchema, MAX_PROMPT_LENGTH } from '../answer-schema.js'
import type { EnrichFormat } from '../format.js'
import type { JsonFields } from './json.js'

/** Data found by an extractor that a language model writes once for a kind of page, and that is used again after. */
export interface DeterministicJsonFormat {
  type: 'deterministicJson'
  /** The shape of the data: a JSON Schema, or a Standard Schema such as a zod one, which types `json` as well. */
  schema?: AnswerSchema | undefined
  /** What to look for, in words; at most 10,000 characters. */
  prompt?: string | undefined
}

/** @see behaviour 1.4 */
export const deterministicJson: EnrichFormat<DeterministicJsonFormat, JsonFields> = {
  type: 'deterministicJson',
  options: (z) => ({
    schema: answerSchema(z).optional(),
    prompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
  }),
}
