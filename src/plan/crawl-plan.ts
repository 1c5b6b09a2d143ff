import type { JobBudget } from '../accounting/budget.js'
import type { ScopePlan } from '../frontier/scope/scope.js'
import type { ReportEvent } from '../ledger/outbox.js'
import type { ScrapePlan } from './scrape-plan.js'

/** How fast a job may go. */
export interface PacePlan {
  /** Pages at once, for this job; the engine's own limit holds as well. */
  readonly maxConcurrency: number
  /** Pause after each page before the next is started. Milliseconds; 0 for none. */
  readonly delayMs: number
}

/** What a job tells, and where. */
export interface WebhookPlan {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
  readonly events: readonly ReportEvent[]
}

/** How a crawl keeps to what sites ask of crawlers. */
export interface RobotsPlan {
  /** Whether robots.txt is obeyed. */
  readonly obey: boolean
  /** Whether `noindex` and `nofollow` of pages are obeyed. */
  readonly obeyMeta: boolean
  /** The product token by which it is asked. */
  readonly agent: string
}

/** What a crawl goes by of earlier ones, and leaves for later ones. */
export interface MemoryPlan {
  /** Names the series of records; null is one of its own. */
  readonly tag: string | null
  /** Pages that have not changed since this crawl are spared: the id of its job, or `last`. */
  readonly since?: string
  /** Whether pages that the crawl before saw are looked for. */
  readonly tracks: boolean
  /** A hash of what decides which page a site gives: headers, place, device, profile and the like. */
  readonly askedAs: string
}

/** What a crawl will do. */
export interface CrawlPlan {
  readonly start: string
  /** The start URL as the caller spelt it. */
  readonly sourceURL: string
  /** Most documents that the crawl gives. */
  readonly limit: number
  readonly scope: ScopePlan
  /** Whether the site's sitemaps are read, and nothing but them. */
  readonly sitemap: 'include' | 'skip' | 'only'
  readonly robots: RobotsPlan
  /** Whether a page with the content of an earlier one is dropped. */
  readonly deduplicateContent: boolean
  /** Whether blocks that repeat over pages are dropped from their content. */
  readonly learnBoilerplate: boolean
  /** Pages that only `includePaths` refuses may be fetched for their links alone: at most so many. */
  readonly discoverThrough: number
  /** What the job says of its request from the start: sentences. */
  readonly warnings?: readonly string[]
  /** Absent when the crawl leaves no record. */
  readonly memory?: MemoryPlan
  readonly pace: PacePlan
  readonly budget: JobBudget
  /** Whether documents are kept after they were handed out. */
  readonly retain: boolean
  /** Absent when the job reports to nobody. */
  readonly webhook?: WebhookPlan
  readonly page: ScrapePlan
}

/** What a batch will do. */
export interface BatchPlan {
  /** Valid URLs in input order, with the caller's spelling; duplicates kept. */
  readonly urls: readonly { readonly url: string; readonly sourceURL: string }[]
  /** Invalid URLs dropped, verbatim, in input order; absent when `ignoreInvalidURLs` is false. */
  readonly invalidURLs?: readonly string[]
  /** Whether blocks that repeat over pages are dropped from their content. */
  readonly learnBoilerplate: boolean
  readonly pace: PacePlan
  readonly budget: JobBudget
  /** Whether documents are kept after they were handed out. */
  readonly retain: boolean
  /** Absent when the job reports to nobody. */
  readonly webhook?: WebhookPlan
  readonly page: ScrapePlan
}
