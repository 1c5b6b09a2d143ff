/** Promise of a link for the goal of a crawl, with its parts. Each is from 0 to 1, rounded to three digits. */
export interface LinkScore {
  /** Weighed sum of the parts. */
  readonly score: number
  /** Words of the goal in the text of the link, each weighed by how rare it is in the crawl so far. */
  readonly anchor: number
  /** Words in the path and the query of the URL, likewise. */
  readonly path: number
  /** Words in the headings over the link. */
  readonly heading: number
  /** Words around the link. */
  readonly near: number
  /** Relevance of the page with the link. */
  readonly page: number
  /** Mean relevance of the pages fetched so far whose URLs are in the same folder. */
  readonly siblings: number
  /** Nearness to the start page: 1 for its links, 1/2 for theirs, 1/3 … */
  readonly distance: number
  /** Fitness of the page by the search index of the site; only where the site has one. */
  readonly index?: number
  /** Nearness of the meaning of the link to that of the goal; only where the engine has `embed`. */
  readonly vector?: number
}
