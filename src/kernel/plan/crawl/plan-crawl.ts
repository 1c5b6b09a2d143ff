import { compilePathPattern } from '../../../base/text/path-pattern.js'
import type { Checked } from '../../options/fields/checked-request.js'
import {
  crawlDefaults,
  type CrawlOptions,
  type CrawlRequest,
  crawlOptionDefinitions,
} from '../../options/crawl-options.js'
import { itemType } from '../../options/fields/formats.js'
import { jobDefinitions } from '../../options/job-options.js'
import type { ScrapeOptions } from '../../options/scrape-options.js'
import type { PageRequest } from '../../fetch/fetcher.js'
import type { CrawlPlan } from '../crawl-plan.js'
import { deepFreeze } from '../../../base/collections/deep-freeze.js'
import { planJobFeatures } from '../feature-plan.js'
import { fillSlice } from '../fill-slice.js'
import type { PlanDefaults } from '../plan-defaults.js'
import { planRetention, planThrottle } from '../plan-job.js'
import { planRequest } from '../plan-request.js'
import type { ScrapePlan } from '../scrape-plan.js'
import { planScrape } from '../scrape/plan-scrape.js'

/** Plans a crawl, from a checked request. */
export const planCrawl = (request: Checked<CrawlRequest>, defaults: PlanDefaults, isSurvey = false): CrawlPlan =>
  planCrawlOfVersion(request, {
    maxPathDepth: Infinity,
    sitemap: request.sitemap ?? crawlDefaults.sitemap,
    page: planScrape(request.scrapeOptions ?? {}, defaults, true),
    otherStarts: request.urls,
    readsImages: defaults.imageParser !== undefined && requestsImages(request.scrapeOptions),
    isSurvey,
    defaults,
  })

/** Returns true if `parsers` names images. A site has many, and reading one is costly, so a crawl follows them only then. */
const requestsImages = ({ parsers = [] }: ScrapeOptions = {}): boolean =>
  parsers.some((item) => itemType(item) === 'image')

/** Product token of trawl for robots.txt. @see RFC 9309 section 2.2.1 */
const ROBOTS_AGENT = crawlDefaults.robotsUserAgent

/** Returns the name by which sites address this crawler. */
export const agentOf = ({ agent }: { readonly agent?: string }): string => agent ?? ROBOTS_AGENT

/** Has sites address the crawler of the request. */
const nameCrawler = (page: ScrapePlan, agent: string | undefined): ScrapePlan =>
  agent === undefined ? page : { ...page, agent }

/** Notes the URLs that the request names, and limits request headers to their hosts. */
function scopeHeaders(page: ScrapePlan, namedUrl: string, others: readonly PageRequest[]): ScrapePlan {
  const { headerScope } = page.fetch
  const hosts = others.map(({ url }) => new URL(url)).map((url) => (url.protocol === 'http:' ? url.origin : url.host))
  const added = hosts.length > 0 && { hosts: [...(headerScope?.hosts ?? []), ...hosts] }
  const starts = [namedUrl, ...others.map(({ url }) => url)]
  return { ...page, starts, fetch: { ...page.fetch, headerScope: { ...headerScope, ...added, namedUrl } } }
}

/** Parts of a plan that differ between the versions of the interface. */
interface VersionParts {
  readonly sitemap: CrawlPlan['sitemap']
  readonly page: ScrapePlan
  readonly maxPathDepth: number
  /** Further start URLs. */
  readonly otherStarts?: readonly string[]
  readonly readsImages?: boolean
  readonly warnings?: readonly string[]
  /** True for a survey, which is no job: no feature takes part. @default false */
  readonly isSurvey?: boolean
  readonly defaults: PlanDefaults
}

/** Plans a crawl of either version of the interface. */
export function planCrawlOfVersion(options: Checked<CrawlOptions>, parts: VersionParts): CrawlPlan {
  const { maxPathDepth, sitemap, readsImages, otherStarts = [], warnings = [], isSurvey = false, defaults } = parts
  const start = planRequest(options.url)
  const named = nameCrawler(parts.page, options.robotsUserAgent)
  const others = otherStarts.map(planRequest)
  const scoped = scopeHeaders(planRetention(named, options), start.url, others)
  const { pagesAtOnce, ...featured } = isSurvey ? { page: scoped } : planJobFeatures(scoped, options, defaults)
  const { page } = featured
  // With `lockdown`, robots.txt and sitemaps are not requested either.
  const { lockdown = false } = page.cache
  const scope = {
    start: start.url,
    includePaths: (options.includePaths ?? []).map(compilePathPattern),
    excludePaths: (options.excludePaths ?? []).map(compilePathPattern),
    ...fillSlice(options, crawlOptionDefinitions, 'scope'),
    maxPathDepth,
    readsImages: readsImages ? true : undefined,
    readsFiles: page.digest.parse.keepsUnread,
  }
  return deepFreeze({
    warnings,
    start: start.url,
    sourceURL: start.sourceURL,
    otherStarts: others.length > 0 ? others.map(({ url, sourceURL }) => ({ url, sourceURL })) : undefined,
    ...fillSlice(options, crawlOptionDefinitions, 'crawl'),
    ...fillSlice(options, jobDefinitions, 'job'),
    scope: others.length === 0 ? scope : { ...scope, others: others.map(({ url }) => ({ ...scope, start: url })) },
    sitemap: lockdown ? 'skip' : sitemap,
    robots: {
      obey: !(options.ignoreRobotsTxt ?? crawlDefaults.ignoreRobotsTxt) && !lockdown,
      obeyMeta: options.respectMetaRobots ?? crawlDefaults.respectMetaRobots,
      agent: options.robotsUserAgent ?? ROBOTS_AGENT,
    },
    throttle: planThrottle({ ...options, maxConcurrency: options.maxConcurrency ?? pagesAtOnce }, defaults),
    budget: { ...(options.budget ?? defaults.budget) },
    ...featured,
  })
}
