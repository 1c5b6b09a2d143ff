import type { SearchHit } from '../search/search-index.js'
import type { SearchOptions } from '../search/search-options.js'

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
}
