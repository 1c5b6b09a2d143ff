import type { SearchFilter } from './search-index.js'

/** Options of a question. */
export interface AskOptions extends SearchOptions {
  /** Aborting it rejects the promise with its reason. */
  signal?: AbortSignal
}

/** Options of a search. */
export interface SearchOptions {
  /** Maximum number of hits, 0 to 100. A page gives two of them at most. @default 10 */
  limit?: number
  /** Restricts the search to some pages. @default all */
  filter?: SearchFilter
}
