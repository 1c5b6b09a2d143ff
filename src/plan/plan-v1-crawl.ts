import type { FormatItem } from '../request/formats.js'
import type { ScrapeOptions } from '../request/scrape-options.js'
import { DEFAULT_MAX_DEPTH, type V1CrawlRequest, type V1Format, type V1ScrapeOptions } from '../request/v1.js'
import type { CrawlPlan } from './crawl-plan.js'
import type { PlanDefaults } from './defaults.js'
import { planCrawlOf } from './plan-crawl.js'
import { planScrape } from './plan-scrape.js'

/** What a crawl of version 1 will do, from a checked request: the same plan as in version 2, with its own defaults. */
export function planV1Crawl(request: V1CrawlRequest, defaults: PlanDefaults): CrawlPlan {
  const crawlEntireDomain = request.crawlEntireDomain ?? request.allowBackwardLinks
  const page = planScrape(translate(request.scrapeOptions ?? {}), defaults, true)
  return planCrawlOf(
    { ...request, crawlEntireDomain },
    {
      maxPathDepth: request.maxDepth ?? DEFAULT_MAX_DEPTH,
      sitemap: request.ignoreSitemap === true ? 'skip' : 'include',
      page,
      defaults,
    },
  )
}

/** Options of version 1 as options of version 2. */
function translate({ formats, changeTrackingOptions, parsePDF = true, ...options }: V1ScrapeOptions): ScrapeOptions {
  return {
    ...options,
    formats: formats?.map((name) =>
      name === 'changeTracking' ? { type: name, ...changeTrackingOptions } : translateFormat(name),
    ),
    // Without the item for PDF files, they alone are given as they came.
    ...(!parsePDF && { parsers: ['image'] }),
    maxAge: options.maxAge ?? 0,
    proxy: options.proxy ?? 'basic',
    skipTlsVerification: options.skipTlsVerification ?? false,
  }
}

function translateFormat(name: V1Format): FormatItem {
  if (name === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true }
  return name === 'extract' ? 'json' : name
}
