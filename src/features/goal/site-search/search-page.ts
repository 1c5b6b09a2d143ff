import type { JsonObject } from '../../../base/collections/is-object.js'

/** A search page of a site, as one of its pages declares it. Plain data. */
export interface SearchPage {
  /** URL of the search page with {@link SEARCH_TERMS} in place of the words, or of a file that has such a URL. */
  readonly url: string
  /** True for the URL of such a file. @default false */
  readonly isDescription?: true
}

/** A form of a page that is sent by GET. */
export interface SearchForm {
  /** Its action as written; empty for the page itself. */
  readonly action: string
  /** Name of its only text field. */
  readonly field: string
  /** Fields that are sent along: hidden ones and checked boxes. */
  readonly hidden: readonly (readonly [name: string, value: string])[]
  /** Selected options. They are sent along if the URL is usable with them. */
  readonly selected: readonly (readonly [name: string, value: string])[]
  /** True for a form that says that it is a search. Otherwise, the name of its field says so. */
  readonly isMarked: boolean
}

/** Parts of a page that declare a search page. */
export interface SearchMarkup {
  /** Objects of the JSON-LD of the page, where one of its blocks mentions a search; none otherwise. */
  readonly linkedData: readonly JsonObject[]
  /** URLs of OpenSearch descriptions. */
  readonly descriptions: readonly string[]
  /** Forms that search, in document order. */
  readonly forms: readonly SearchForm[]
  /** Resolves a reference of the page; undefined if it is not a URL. */
  readonly resolve: (reference: string) => string | undefined
}

/** Kind of declaration of a search page. A plug-in of `src/features/goal/site-search/declarations/`. */
export interface SearchDeclaration {
  /** Rank among the kinds; that with the lowest is asked first. */
  readonly rank: number
  /** Finds the search pages that a page declares, the best first. */
  find(markup: SearchMarkup): readonly SearchPage[]
}

/** Stands for the words of a search in a URL. */
export const SEARCH_TERMS = '{searchTerms}'

/** Limits of asking search pages. */
export const searchLimits = {
  /** Maximum number of requests for answers in a crawl. */
  requests: 2,
  /** Maximum number of search pages of one page that are considered. */
  pages: 4,
  /** Maximum size of an OpenSearch description. Bytes. */
  descriptionBytes: 65_536,
  /** Maximum size of an answer. Bytes. */
  bytes: 4 * 1024 * 1024,
  /** Maximum length of a URL of a search page. Characters. */
  url: 2000,
  /** Maximum number of hidden fields of a form. A form with more is left out; selected options count up to it. */
  hidden: 30,
  /** Maximum number of links of an answer that are looked at. */
  links: 2000,
  /** Maximum number of results of an answer. */
  results: 100,
} as const
