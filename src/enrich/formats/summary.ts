import type { EnrichFormat } from '../format.js'

/** A short summary of the page, written by a language model. */
export interface SummaryFormat {
  type: 'summary'
}

/** What `summary` fills. */
export interface SummaryFields {
  /** A summary of the page; absent, with a `warning`, when the page has no text. */
  summary?: string
}

/** @see behaviour 12 */
export const summary: EnrichFormat<SummaryFormat, SummaryFields> = { type: 'summary' }
