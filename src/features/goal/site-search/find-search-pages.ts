import * as declarations from './declarations/index.js'
import { searchLimits, type SearchMarkup, type SearchPage } from './search-page.js'

/** Finds the search pages that a page declares, in the order in which they are to be asked. Each URL is listed once. */
export function findSearchPages(markup: SearchMarkup): SearchPage[] {
  const found = new Map<string, SearchPage>()
  for (const { find } of Object.values(declarations).toSorted((one, other) => one.rank - other.rank)) {
    for (const page of find(markup)) if (found.size < searchLimits.pages) found.set(page.url, page)
  }
  return [...found.values()]
}
