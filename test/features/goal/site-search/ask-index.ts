import { LinkResolver } from '../../../../src/content/html/link-resolver.js'
import { isElement, walk } from '../../../../src/content/html/tree.js'
import { parseHtml } from '../../../content/parse/pages.js'
import { readGoalTerms } from '../../../../src/features/goal/relevance/goal-words.js'
import { findSiteIndex } from '../../../../src/features/goal/goal-reader.js'
import { MarkupReader } from '../../../../src/features/goal/site-search/reading/markup-reader.js'
import { readSiteIndex } from '../../../../src/features/goal/site-search/read-site-index.js'
import type { SiteIndexFiles } from '../../../../src/features/goal/site-search/site-index.js'

/** Root of the indexes. */
export const BASE = 'https://example.com/docs/'

/** Finds the index that a page names. */
export function find(html: string, url = `${BASE}index.html`): SiteIndexFiles | undefined {
  const markup = new MarkupReader(new LinkResolver(url))
  walk(parseHtml(html).tree.root, (node) => {
    if (isElement(node)) markup.add(node)
    return true
  })
  return findSiteIndex(markup)
}

/** Asks an index of one file. @returns the paths of the pages that it finds, best first */
export function ask(format: string, text: string, goal: string, more: Partial<SiteIndexFiles> = {}): string[] | string {
  const index = { format, root: BASE, files: [`${BASE}index.js`], ...more }
  const files = index.files.map((url) => ({ url, body: new TextEncoder().encode(text) }))
  const answer = readSiteIndex({ index, terms: readGoalTerms(goal), files })
  return typeof answer === 'string' ? answer : answer.found.map(({ url }) => url.slice(BASE.length))
}
