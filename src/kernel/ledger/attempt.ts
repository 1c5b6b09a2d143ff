import type { ErrorCode } from '../../base/errors.js'

/** Fields of an attempt that features add. A feature adds its own by declaration merging, so that they go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureAttempt {}

/** One attempt to fetch a page. */
export interface Attempt extends FeatureAttempt {
  readonly startedAtMs: number
  readonly endedAtMs: number
  /**
   * The fetcher used, or `cache`; `record` when nothing was requested, because an earlier crawl has the page and it is
   * unchanged.
   */
  readonly fetcher?: string
  /** Explains why a plainer fetcher was not used, or why the page counts as unchanged (`since`). */
  readonly fetcherReason?: string
  readonly statusCode?: number
  /** The kind of proxy used; absent for a basic one or none. */
  readonly proxyUsed?: 'stealth'
  /** Challenges and blocks of earlier fetch strategies: the vendor, and the sign by which each was detected. */
  readonly blocks?: readonly { readonly vendor?: string; readonly evidence: string }[]
  readonly code?: ErrorCode
  readonly error?: string
  /** The URL of a screenshot, taken when an action failed. */
  readonly screenshot?: string
  /** Time of the attempt that does not count towards the `timeout` of the page, because it waited for others; absent for none. */
  readonly waitedMs?: number
  /** The time of the next attempt; absent for the last one. Milliseconds since the epoch. */
  readonly retryAtMs?: number
}
