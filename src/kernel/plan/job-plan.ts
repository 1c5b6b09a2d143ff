import type { JobBudget } from '../../base/accounting/budget.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Part of a plan that every job has. */
export interface JobPlan {
  readonly throttle: ThrottlePlan
  readonly budget: JobBudget
  /** True where documents stay readable after they were delivered. */
  readonly retain: boolean
  /** Slices of features, by their names; absent for a job that asks for none. */
  readonly features?: Readonly<Record<string, unknown>>
  /** Name of the feature that guides the crawl; absent for a job in the order of its pages. */
  readonly guide?: string
  /** Plan of each page. */
  readonly page: ScrapePlan
}

/** Limits of how fast a job fetches pages. */
export interface ThrottlePlan {
  /** Maximum number of pages at once in this job; the limit of the engine applies to those that it scrapes itself. */
  readonly maxConcurrency: number
  /** Pause after each page. Milliseconds; 0 for none. */
  readonly delayMs: number
}
