import type { ScopePlan } from '../frontier/scope/scope.js'
import type { JobPlan } from './job-plan.js'

/** Plan of a crawl. */
export interface CrawlPlan extends JobPlan {
  /** Start URL. */
  readonly start: string
  /** The start URL as the caller spelt it. */
  readonly sourceURL: string
  /** Further start URLs, each with the caller's spelling; absent without any. */
  readonly otherStarts?: readonly { readonly url: string; readonly sourceURL: string }[]
  /** Maximum number of documents. */
  readonly limit: number
  readonly scope: ScopePlan
  /** Use of the site's sitemaps: in addition to links, not at all, or instead of links. */
  readonly sitemap: 'include' | 'skip' | 'only'
  readonly robots: RobotsPlan
  /** True where a page with the content of an earlier one is dropped. */
  readonly deduplicateContent: boolean
  /** Maximum number of pages fetched for their links alone, because only `includePaths` refuses them. */
  readonly discoverThrough: number
  /** Warnings about the request, as sentences. */
  readonly warnings?: readonly string[]
}

/** Robots rules of a crawl. */
export interface RobotsPlan {
  /** True where robots.txt is obeyed. */
  readonly obey: boolean
  /** True where `noindex` and `nofollow` of pages are obeyed. */
  readonly obeyMeta: boolean
  /** Product token by which rules are looked up. */
  readonly agent: string
}
