import { type SearchDeclaration, searchLimits } from '../search-page.js'

/**
 * `<link rel="search">` to an OpenSearch description, which is requested.
 *
 * @see https://github.com/dewitt/opensearch/blob/master/opensearch-1-1-draft-6.md
 */
export const opensearch: SearchDeclaration = {
  rank: 2,
  // A page has one, which is a request of its own.
  find: ({ descriptions: [url] }) =>
    url === undefined || url.length > searchLimits.url ? [] : [{ url, isDescription: true }],
}
