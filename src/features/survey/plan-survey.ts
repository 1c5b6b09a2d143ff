import { links } from '../../content/convert/formats/links.js'
import { traitsOf } from '../../kernel/fetch/action-options.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import type { Checked } from '../../kernel/options/fields/checked-request.js'
import { planCrawl } from '../../kernel/plan/crawl/plan-crawl.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import type { PlanDefaults } from '../../kernel/plan/plan-defaults.js'

/** Plans the survey of a crawl, which finds links as the crawl would, and makes nothing else of its pages. */
export function planSurvey(request: Checked<CrawlRequest>, defaults: PlanDefaults): CrawlPlan {
  const { scrapeOptions = {}, ...rules } = request
  const actions = scrapeOptions.actions?.filter((action) => traitsOf(action).captures !== true)
  return planCrawl({ ...rules, scrapeOptions: { ...scrapeOptions, formats: [links.type], actions } }, defaults, true)
}
