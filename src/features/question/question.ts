import { answerQuestion } from './answer-question.js'
import { MAX_PROMPT_LENGTH } from '../../base/json-schema/answer-schema.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'

/** An answer to a question, from the page alone. */
export interface QuestionFormat {
  type: 'question'
  /** 1 to 10,000 characters. */
  question: string
}

/** Fields that `question` fills. */
interface QuestionFields {
  /** The answer; absent, with a `warning`, when there is none. */
  answer?: string
}

/** @see docs/compatibility/documents.md#model-formats */
export const question: EnrichFormat<QuestionFormat, QuestionFields> = {
  type: 'question',
  options: (z) => ({ question: z.string().min(1).max(MAX_PROMPT_LENGTH) }),
  charges: () => 'question',
  needs: { text: () => true, model: () => true },
  produce: ({ url }, item, { inputs, model }) =>
    answerQuestion(item.question, { url, chunks: inputs?.chunks ?? [] }, model),
}
