import type { SearchHit } from './search-index.js'

/** Words of a page that support an answer. */
export interface AnswerQuote {
  /** The words as they stand in the chunk. */
  text: string
  /** URL that shows them in a browser. */
  link: string
  /** URL of the page. */
  url: string
  title?: string
  /** Headings above the words, outermost first. */
  path: string[]
}

/** An answer from pages, with at least one quote. */
export interface FoundAnswer {
  found: true
  answer: string
  quotes: AnswerQuote[]
  /** Chunks that the model was given. */
  hits: readonly SearchHit[]
}

/** The result when the answer is not in the pages. */
export interface NoAnswer {
  found: false
  /**
   * `NO_PAGES`: no chunk has a word of the question, and the model was not asked. `NOT_IN_PAGES`: the model says that the chunks do
   * not answer it. `NO_QUOTE`: the model answered, and its quotes are not in the chunks.
   */
  reason: 'NO_PAGES' | 'NOT_IN_PAGES' | 'NO_QUOTE'
  /** Chunks that the model was given. */
  hits: readonly SearchHit[]
}

/** Result of a question about pages. */
export type Answer = FoundAnswer | NoAnswer
