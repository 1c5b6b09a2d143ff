import type { JobOptions } from '../options/job-options.js'
import type { ScrapePlan } from './scrape-plan.js'

/** How each page of a job is scraped, by whether the job lets anything be kept. @see docs/compatibility.md#zero-data-retention */
export function planKeeping(page: ScrapePlan, { zeroDataRetention }: JobOptions): ScrapePlan {
  if (zeroDataRetention !== true) return page
  const { snapshot: _, ...others } = page
  return { ...others, cache: { ...page.cache, write: false }, keepsNothing: true }
}
