import type { Checked } from '../../options/fields/checked-request.js'
import { type V1CrawlRequest, v1CrawlDefaults } from '../../options/v1-options.js'
import type { CrawlPlan } from '../crawl-plan.js'
import { formatsOf } from '../feature-plan.js'
import type { PlanDefaults } from '../plan-defaults.js'
import { findUnused, planV1Page } from '../scrape/plan-v1-scrape.js'
import { planCrawlOfVersion } from './plan-crawl.js'

/** Plans a crawl of version 1 of the interface, from a checked request. */
export function planV1Crawl(request: Checked<V1CrawlRequest>, defaults: PlanDefaults): CrawlPlan {
  const crawlEntireDomain = request.crawlEntireDomain ?? request.allowBackwardLinks
  const options = request.scrapeOptions ?? {}
  return planCrawlOfVersion(
    { ...request, crawlEntireDomain },
    {
      maxPathDepth: request.maxDepth ?? v1CrawlDefaults.maxDepth,
      sitemap: (request.ignoreSitemap ?? v1CrawlDefaults.ignoreSitemap) ? 'skip' : 'include',
      page: planV1Page(options, defaults, true),
      warnings: findUnused(options, formatsOf(defaults), 'scrapeOptions.'),
      defaults,
    },
  )
}
