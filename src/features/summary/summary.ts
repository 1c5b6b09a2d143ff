import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { packParts, whyNotAsked } from '../../base/llm/answers/page-text.js'
import { askInWords } from '../../base/llm/answers/ask-in-words.js'

/** A short summary of the page, written by a language model. */
export interface SummaryFormat {
  type: 'summary'
}

/** Fields that `summary` fills. */
interface SummaryFields {
  /** A summary of the page; absent, with a `warning`, when the page has no text or the engine no model. */
  summary?: string
}

/** @see docs/compatibility/documents.md#model-formats */
export const summary: EnrichFormat<SummaryFormat, SummaryFields, 'summary'> = {
  type: 'summary',
  versionOne: { summary: {} },
  needs: { text: () => true, model: () => true },
  async produce({ url }, _, { inputs, model }) {
    const parts = model ? packParts(inputs?.chunks ?? [], model.partTokens) : []
    if (!model || parts.length === 0)
      return { fields: {}, warnings: [`There is no \`summary\`: ${whyNotAsked(model)}.`] }
    const { text, warnings } = await askInWords(
      {
        field: 'summary',
        task: 'Summarise the page in three to six sentences, in the language of the page: what it is, what it says, what matters in it.',
        combine:
          'These are summaries of the parts of one page, in order. Make one summary of them, of three to six sentences, in their language.',
        url,
      },
      parts,
      model,
    )
    return { fields: text === undefined ? {} : { summary: text }, warnings }
  },
}
