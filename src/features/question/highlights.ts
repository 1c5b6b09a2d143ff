import { pickHighlights } from './answer-question.js'
import { MAX_PROMPT_LENGTH } from '../../base/json-schema/answer-schema.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'

/** Sentences and table rows of the page that are relevant to a query, verbatim. */
export interface HighlightsFormat {
  type: 'highlights'
  /** 1 to 10,000 characters. */
  query: string
}

/** Fields that `highlights` fills. */
interface HighlightsFields {
  /** The passages, verbatim, one per line; empty when none is relevant. */
  highlights?: string
}

/** @see docs/compatibility/documents.md#model-formats */
export const highlights: EnrichFormat<HighlightsFormat, HighlightsFields> = {
  type: 'highlights',
  options: (z) => ({ query: z.string().min(1).max(MAX_PROMPT_LENGTH) }),
  charges: () => 'highlights',
  needs: { text: () => true, model: () => true },
  produce: ({ url }, { query }, { inputs, model }) =>
    pickHighlights(query, { url, chunks: inputs?.chunks ?? [] }, model),
}
