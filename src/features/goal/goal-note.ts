import type { PageWords } from './relevance/goal-matcher.js'
import type { TermCounts } from './relevance/relevance-model.js'
import type { SearchPage } from './site-search/search-page.js'
import type { SiteIndexFiles } from './site-search/site-index.js'

/** Data about a page of a crawl with a goal. */
export interface GoalNote extends PageWords {
  readonly relevance: number
  /** True for a page with a link that promises more than the link to the page. */
  readonly isHub?: true
}

/** Notes of the site's own search on a page. */
export interface SearchNotes {
  /** Search index that the page was the first to name. */
  readonly siteIndex?: NotedIndex
  /** Search that the crawl asked because of this page. */
  readonly siteSearch?: NotedSearch
}

/** Data about a page of a crawl with a goal, and about the searches that it was the first to name. */
export interface GoalNotes extends SearchNotes {
  /** Words of the goal on the page. */
  readonly goal?: GoalNote
}

/** A search index, with the numbers of pages that the crawl learnt from it. */
export interface NotedIndex extends SiteIndexFiles {
  /** Absent for an index that was not read, or that has no texts. */
  readonly counts?: TermCounts
}

/** Search pages that the crawl asked. */
export interface NotedSearch {
  readonly pages: readonly SearchPage[]
  /** Scores of the pages that it found, by their URLs. Absent while there is no answer. */
  readonly found?: readonly (readonly [url: string, score: number])[]
}
