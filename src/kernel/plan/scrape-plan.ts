import type { CachePlan } from '../cache/cache.js'
import type { DigestPlan } from '../../content/digest/digest.js'
import type { EnrichPlan } from '../enrich/enrich.js'
import type { FetchPlan } from '../fetch/fetcher.js'
import type { SnapshotPlan } from '../snapshot/snapshot.js'

/** Plan of a page: one frozen slice for each station. */
export interface ScrapePlan {
  readonly cache: CachePlan
  readonly fetch: FetchPlan
  readonly digest: DigestPlan
  readonly enrich: EnrichPlan
  /** Absent when the page is not compared, and no snapshot of it is saved. */
  readonly snapshot?: SnapshotPlan
  /** Slices of features, by their names; absent for a page that asks for none. */
  readonly features?: Readonly<Record<string, unknown>>
  /** Names of the caller's own features that work on the page, which other engines do not have; absent for none. */
  readonly ownFeatures?: readonly string[]
  /** Names of the features that ask the site for more than the page; absent for none. */
  readonly asksFurther?: readonly string[]
  /** Names of the features that change the request for the page; absent for none. */
  readonly changesRequests?: readonly string[]
  /** The features that judge URLs and answers, with what distinguishes their judgement; absent for none. */
  readonly judges?: Readonly<Record<string, string>>
  /** URLs that the crawl of the page names, which are no links; absent for a single page and in a batch. */
  readonly starts?: readonly string[]
  /** Product token by which sites address this crawler in robots.txt, headers and meta tags. @default that of trawl */
  readonly agent?: string
  /** Surcharge for an enhanced proxy. Credits. */
  readonly enhancedCredits: number
  /** Warnings about options without effect; absent for none. */
  readonly warnings?: readonly string[]
  /** Set when nothing of the page may be stored. */
  readonly zeroDataRetention?: true
}
