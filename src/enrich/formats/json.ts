import { type AnswerSchema, answerSchema, MAX_PROMPT_LENGTH } from '../answer-schema.js'
import type { EnrichFormat } from '../format.js'

/** Data that a language model finds on the page, in a given shape. */
export interface JsonFormat {
  type: 'json'
  /** The shape of the data: a JSON Schema, or a Standard Schema such as a zod one, which types `json` as well. */
  schema?: AnswerSchema | undefined
  /** What to look for, in words; at most 10,000 characters. Without schema and prompt the data has a free form. */
  prompt?: string | undefined
  /** Refuse a page whose text tries to give the model orders. @default false */
  checkPromptInjection?: boolean | undefined
}

/** What `json` fills. */
export interface JsonFields {
  /** The data found: of the schema's type when it was a Standard Schema. */
  json: unknown
}

/** @see behaviour 1.4, 12 */
export const json: EnrichFormat<JsonFormat, JsonFields> = {
  type: 'json',
  options: (z) => ({
    schema: answerSchema(z).optional(),
    prompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
    checkPromptInjection: z.boolean().optional(),
  }),
}
