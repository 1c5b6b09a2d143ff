import { isObject } from '../../../base/collections/is-object.js'
import { ownValue } from '../../../base/collections/own-value.js'
import type { Checked } from '../../options/fields/checked-request.js'
import type { FormatSet } from '../../options/format-set.js'
import type { FormatItem } from '../../options/fields/formats.js'
import type { ScrapeOptions } from '../../options/scrape-options.js'
import {
  type V1CrawlRequest,
  v1CrawlDefaults,
  v1ScrapeDefaults,
  type V1ScrapeOptions,
} from '../../options/v1-options.js'
import type { CrawlPlan } from '../crawl-plan.js'
import { formatsOf } from '../feature-plan.js'
import type { PlanDefaults } from '../plan-defaults.js'
import type { ScrapePlan } from '../scrape-plan.js'
import { planScrape, wrapSchema } from '../scrape/plan-scrape.js'
import { planCrawlOfVersion } from './plan-crawl.js'

/** Plans a crawl of version 1 of the interface, from a checked request. */
export function planV1Crawl(request: Checked<V1CrawlRequest>, defaults: PlanDefaults): CrawlPlan {
  const crawlEntireDomain = request.crawlEntireDomain ?? request.allowBackwardLinks
  const options = request.scrapeOptions ?? {}
  const known = formatsOf(defaults)
  const page = planNamesakes(planScrape(toScrapeOptions(options, known), defaults, true), toItems(options, known))
  return planCrawlOfVersion(
    { ...request, crawlEntireDomain },
    {
      maxPathDepth: request.maxDepth ?? v1CrawlDefaults.maxDepth,
      sitemap: (request.ignoreSitemap ?? v1CrawlDefaults.ignoreSitemap) ? 'skip' : 'include',
      page,
      warnings: findUnused(options, known),
      defaults,
    },
  )
}

/** Finds options of formats that are not requested. */
const findUnused = ({ formats = [], ...options }: V1ScrapeOptions, known: FormatSet): string[] =>
  [...known.versionOneOptions].flatMap(([format, { name, isNeeded }]) =>
    isNeeded && ownValue(options, name) && !formats.some((one) => one === format) ? [describeUnused(name, format)] : [],
  )

const describeUnused = (field: string, format: string): string =>
  `\`scrapeOptions.${field}\` has no effect: \`${format}\` is not among \`scrapeOptions.formats\`.`

/** Converts the names of formats to items, with the options that other page options have of them. */
const toItems = ({ formats = [], ...options }: V1ScrapeOptions, known: FormatSet): { type: string }[] =>
  [...new Set(formats)].map((name) => {
    const option = known.versionOneOptions.get(name)
    const given = option && ownValue({ ...options }, option.name)
    return { type: name, ...known.versionOne.get(name), ...(isObject(given) && (option?.convert?.(given) ?? given)) }
  })

/** Plans formats that version 1 has by several names: each is made with its own options, where version 2 has one. */
function planNamesakes(page: ScrapePlan, items: readonly { type: string }[]): ScrapePlan {
  const isNamesake = ({ type }: { type: string }): boolean => items.filter((one) => one.type === type).length > 1
  const { formats } = page.enrich
  if (!formats.some(isNamesake)) return page
  const others = formats.filter((item) => !isNamesake(item))
  return { ...page, enrich: { ...page.enrich, formats: [...others, ...items.filter(isNamesake).map(wrapSchema)] } }
}

/** Converts page options of version 1 to version 2. */
function toScrapeOptions(
  { parsePDF = v1ScrapeDefaults.parsePDF, ...options }: V1ScrapeOptions,
  known: FormatSet,
): ScrapeOptions {
  return {
    ...options,
    formats: options.formats && (toItems(options, known) as FormatItem[]),
    // Only PDF files are returned as base64 then.
    ...(!parsePDF && { parsers: ['image'] }),
    maxAge: options.maxAge ?? v1ScrapeDefaults.maxAge,
    proxy: options.proxy ?? v1ScrapeDefaults.proxy,
    skipTlsVerification: options.skipTlsVerification ?? v1ScrapeDefaults.skipTlsVerification,
  }
}
