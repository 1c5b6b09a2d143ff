import type { JobBudget } from '../accounting/budget.js'
import type { ScopePlan } from '../frontier/scope/scope.js'
import type { ReportEvent } from '../ledger/outbox.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Speed of a job. */
export interface ThrottlePlan {
  /** Maximum number of pages at once in this job, beside the limit of the engine. */
  readonly maxConcurrency: number
  /** Pause after each page. Milliseconds; 0 for none. */
  readonly delayMs: number
}

/** Reports of a job to its webhook. */
export interface WebhookPlan {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
  readonly events: readonly ReportEvent[]
}

/** Robots rules of a crawl. */
export interface RobotsPlan {
  /** True where robots.txt is obeyed. */
  readonly obey: boolean
  /** True where `noindex` and `nofollow` of pages are obeyed. */
  readonly obeyMeta: boolean
  /** Product token that rules are looked up by. */
  readonly agent: string
}

/** Records of earlier crawls that a crawl uses, and the record that it leaves. */
export interface MemoryPlan {
  /** Name of the series of records; null is a series of its own. */
  readonly tag: string | null
  /** Job id of the crawl whose unchanged pages are not read again, or `last`. */
  readonly since?: string
  /** True where pages of the crawl before are looked for, to find removed ones. */
  readonly findsRemoved: boolean
  /** Hash of the options that change a site's pages: headers, location, device, profile and the like. */
  readonly askedAs: string
}

/** Plan of a crawl. */
export interface CrawlPlan {
  readonly start: string
  /** The start URL as the caller spelt it. */
  readonly sourceURL: string
  /** Maximum number of documents. */
  readonly limit: number
  readonly scope: ScopePlan
  /** Use of the site's sitemaps: beside links, not at all, or alone. */
  readonly sitemap: 'include' | 'skip' | 'only'
  readonly robots: RobotsPlan
  /** True where a page with the content of an earlier one is dropped. */
  readonly deduplicateContent: boolean
  /** True where blocks that repeat over pages are dropped from their content. */
  readonly learnBoilerplate: boolean
  /** Maximum number of pages fetched for their links alone, because only `includePaths` refuses them. */
  readonly discoverThrough: number
  /** Warnings about the request, as sentences. */
  readonly warnings?: readonly string[]
  /** Absent when the crawl leaves no record. */
  readonly memory?: MemoryPlan
  readonly throttle: ThrottlePlan
  readonly budget: JobBudget
  /** True where documents stay readable after they were delivered. */
  readonly retain: boolean
  /** Absent when the job has no webhook. */
  readonly webhook?: WebhookPlan
  readonly page: ScrapePlan
}

/** Plan of a batch. */
export interface BatchPlan {
  /** Valid URLs in input order, with the caller's spelling; duplicates kept. */
  readonly urls: readonly { readonly url: string; readonly sourceURL: string }[]
  /** Invalid URLs dropped, verbatim, in input order; absent when `ignoreInvalidURLs` is false. */
  readonly invalidURLs?: readonly string[]
  /** True where blocks that repeat over pages are dropped from their content. */
  readonly learnBoilerplate: boolean
  readonly throttle: ThrottlePlan
  readonly budget: JobBudget
  /** True where documents stay readable after they were delivered. */
  readonly retain: boolean
  /** Absent when the job has no webhook. */
  readonly webhook?: WebhookPlan
  readonly page: ScrapePlan
}
