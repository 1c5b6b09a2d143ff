import type { JobOptions } from '../options/job-options.js'
import type { ThrottlePlan } from './job-plan.js'
import type { PlanDefaults } from './plan-defaults.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Applies `zeroDataRetention` to the plan of a job's pages. @see docs/compatibility/requests.md#zero-data-retention */
export function planRetention(page: ScrapePlan, { zeroDataRetention }: JobOptions): ScrapePlan {
  if (zeroDataRetention !== true) return page
  const { snapshot: _, ...others } = page
  const digest = { ...page.digest, extract: { ...page.digest.extract, keepsNothing: true } }
  return { ...others, digest, cache: { ...page.cache, write: false }, zeroDataRetention: true }
}

/** Maximum number of pages at once of a job whose pages other engines scrape as well. */
const MAX_SHARED_PAGES = 1000

/** Plans how fast a job fetches pages. A `delay`, in seconds, means one page at a time. */
export function planThrottle(
  { maxConcurrency, delay = 0 }: { maxConcurrency?: number; delay?: number },
  defaults: PlanDefaults,
): ThrottlePlan {
  // A page that has lent its slot still belongs to the job, so a limit that the caller has set counts it as well.
  const own = defaults.maxConcurrency + (defaults.maxLent ?? 0)
  // The engine itself limits the pages that it scrapes.
  const most = defaults.sharesPages ? MAX_SHARED_PAGES : maxConcurrency === undefined ? own : defaults.maxConcurrency
  const pages = Math.min(maxConcurrency ?? most, most)
  return { maxConcurrency: delay > 0 ? 1 : pages, delayMs: Math.round(delay * 1000) }
}
