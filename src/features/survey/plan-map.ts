import { describeWithoutEffect } from '../../kernel/options/client-options.js'
import type { Checked } from '../../kernel/options/fields/checked-request.js'
import { mapDefaults, type MapRequest } from './map-options.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import type { PlanDefaults } from '../../kernel/plan/plan-defaults.js'
import { planSurvey } from './plan-survey.js'

/** Plan of a map. */
interface MapPlan {
  readonly survey: CrawlPlan
  /** Words that a URL or a link to it must contain. */
  readonly search: string | undefined
  /** Maximum number of URLs. */
  readonly limit: number
  /** Undefined without a time limit. */
  readonly timeoutMs: number | undefined
  /** Warning about fields without effect. */
  readonly unused: string | undefined
}

/** Plans a map, from a checked request. Fields of the interface are read as the options of crawls that mean the same. */
export function planMap(request: Checked<MapRequest>, defaults: PlanDefaults): MapPlan {
  const { search, limit = mapDefaults.limit, timeout, location, headers, ...others } = request
  const { includeSubdomains, filterByPath, ignoreSitemap, sitemapOnly, ...rest } = others
  const { origin: _, integration, auditMetadata, useMock, threatProtection, ignoreCache, useIndex, ...rules } = rest
  void [integration, auditMetadata, ignoreCache, useIndex]
  const sitemap = rules.sitemap ?? (sitemapOnly ? 'only' : ignoreSitemap ? 'skip' : undefined)
  const survey = planSurvey(
    {
      ...rules,
      sitemap,
      allowSubdomains: rules.allowSubdomains ?? includeSubdomains,
      crawlEntireDomain: rules.crawlEntireDomain ?? (filterByPath === undefined ? undefined : !filterByPath),
      scrapeOptions: { location, headers, threatProtection },
    },
    defaults,
  )
  return { survey, search, limit, timeoutMs: timeout, unused: describeWithoutEffect({ useMock, threatProtection }) }
}
