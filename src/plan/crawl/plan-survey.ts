import type { Action } from '../../fetch/action-options.js'
import type { CrawlRequest } from '../../options/crawl-options.js'
import type { CrawlPlan } from '../crawl-plan.js'
import type { PlanDefaults } from '../plan-defaults.js'
import { planCrawl } from './plan-crawl.js'
import type { Checked } from '../../options/fields/take-text.js'

/** Actions that only give something, and change nothing on the page. */
const takings: ReadonlySet<Action['type']> = new Set(['screenshot', 'scrape', 'pdf'])

/** A crawl as it is looked at before it is begun: its links are found as it would find them, and nothing else is made. */
export function planSurvey(request: Checked<CrawlRequest>, defaults: PlanDefaults): CrawlPlan {
  const { scrapeOptions = {}, since: _, ...rules } = request
  const actions = scrapeOptions.actions?.filter(({ type }) => !takings.has(type))
  return planCrawl({ ...rules, scrapeOptions: { ...scrapeOptions, formats: ['links'], actions } }, defaults)
}
