import { compilePathPattern } from '../frontier/path-pattern.js'
import type { CrawlOptions, CrawlRequest } from '../request/crawl-options.js'
import type { CrawlPlan } from './crawl-plan.js'
import type { PlanDefaults } from './defaults.js'
import { freeze } from './freeze.js'
import { planLearning } from './plan-learning.js'
import { planPace } from './plan-pace.js'
import { planRequest } from './plan-request.js'
import { planScrape } from './plan-scrape.js'

/** What a crawl will do, from a checked request. */
export const planCrawl = (request: CrawlRequest, defaults: PlanDefaults): CrawlPlan =>
  planCrawlOf(request, {
    maxPathDepth: Infinity,
    sitemap: request.sitemap ?? 'include',
    page: planScrape(request.scrapeOptions ?? {}, defaults, true),
    defaults,
  })

/** The product token of trawl. @see RFC 9309 section 2.2.1 */
export const ROBOTS_AGENT = 'trawl'

/** What each version of the interface says in its own way. */
interface VersionParts extends Pick<CrawlPlan, 'sitemap' | 'page'> {
  readonly maxPathDepth: number
  readonly defaults: PlanDefaults
}

/** What both versions have in common. */
export function planCrawlOf(options: CrawlOptions, { maxPathDepth, sitemap, page, defaults }: VersionParts): CrawlPlan {
  const start = planRequest(options.url)
  // Of a site that is not asked for anything nothing is to be asked about asking.
  const { lockdown = false } = page.cache
  return freeze({
    start: start.url,
    sourceURL: start.sourceURL,
    limit: options.limit ?? 10_000,
    scope: {
      start: start.url,
      includePaths: (options.includePaths ?? []).map(compilePathPattern),
      excludePaths: (options.excludePaths ?? []).map(compilePathPattern),
      regexOnFullURL: options.regexOnFullURL ?? false,
      crawlEntireDomain: options.crawlEntireDomain ?? false,
      allowSubdomains: options.allowSubdomains ?? false,
      allowExternalLinks: options.allowExternalLinks ?? false,
      maxDiscoveryDepth: options.maxDiscoveryDepth ?? Infinity,
      maxPathDepth,
      ignoreQueryParameters: options.ignoreQueryParameters ?? false,
      deduplicateSimilarURLs: options.deduplicateSimilarURLs ?? true,
    },
    sitemap: lockdown ? 'skip' : sitemap,
    robots: {
      obey: options.ignoreRobotsTxt !== true && !lockdown,
      obeyMeta: options.respectMetaRobots ?? false,
      agent: options.robotsUserAgent ?? ROBOTS_AGENT,
    },
    deduplicateContent: options.deduplicateContent ?? false,
    learnBoilerplate: planLearning(options, page),
    discoverThrough: options.discoverThrough ?? 0,
    pace: planPace(options, defaults),
    page,
  })
}
