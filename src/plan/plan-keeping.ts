import type { JobOptions } from '../request/job-options.js'
import type { ScrapePlan } from './scrape-plan.js'

/** How each page of a job is scraped, by what the job says of all of them: its budget, and whether anything is kept. @see behaviour 8 */
export function planKeeping(given: ScrapePlan, { zeroDataRetention, modelBudget }: JobOptions): ScrapePlan {
  const page = modelBudget ? { ...given, enrich: { ...given.enrich, budget: { ...modelBudget } } } : given
  if (zeroDataRetention !== true) return page
  const { snapshot: _, ...others } = page
  return { ...others, cache: { ...page.cache, write: false }, keepsNothing: true }
}
