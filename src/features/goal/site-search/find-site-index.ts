import * as indexes from './indexes/index.js'
import { type IndexMarkup, indexLimits, type SiteIndexFiles } from './site-index.js'

/** Finds the search index that a page names. @returns undefined if there is none */
export function findSiteIndex(markup: IndexMarkup): SiteIndexFiles | undefined {
  for (const [format, { find }] of Object.entries(indexes)) {
    const found = find(markup)
    if (found) return { format, ...found, files: found.files.slice(0, indexLimits.files) }
  }
  return undefined
}
