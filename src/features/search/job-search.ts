import type { Answer } from './answer.js'
import type { SearchHit } from './search-index.js'
import type { AskOptions, SearchOptions } from './search-options.js'

/** Searches in the pages of a job. */
export interface JobSearch {
  /**
   * Finds chunks of the job's pages, best first, also while it runs. The job must be indexed: see `index` of its request and of
   * the engine.
   *
   * @param query words or a question, in any language. It has no syntax
   * @throws InvalidRequestError; TrawlError `BAD_REQUEST` when the index of this engine does not have the job; `SEARCH_ERROR`
   * @see docs/guides/search.md
   */
  search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>
  /**
   * Answers a question from the job's pages with the engine's `model`, which is given the chunks that `search()` finds. Every quote is
   * checked: it stands word for word in a chunk. An answer without such a quote is none. The job's `budget` holds.
   *
   * @param question 1 to 10,000 characters
   * @param options chunks that the model is given; `limit` is 8 unless it is given, and fewer are sent when they exceed
   *   `modelOptions.contextTokens`
   * @throws InvalidRequestError; TrawlError `BAD_REQUEST` without a model, and as `search()`; ModelError when the model gives no
   *   answer, and when the `budget` is used up
   */
  ask(question: string, options?: AskOptions): Promise<Answer>
}
