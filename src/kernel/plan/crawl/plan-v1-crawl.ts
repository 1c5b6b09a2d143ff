import { holdSchema } from '../../../base/json-schema/answer-schema.js'
import type { Checked } from '../../options/fields/checked-request.js'
import type { FormatSet } from '../../options/format-set.js'
import type { FormatItem } from '../../options/fields/formats.js'
import type { ScrapeOptions } from '../../options/scrape-options.js'
import {
  type V1CrawlRequest,
  v1CrawlDefaults,
  type V1Format,
  type V1JsonOptions,
  v1JsonOptions,
  v1ScrapeDefaults,
  type V1ScrapeOptions,
} from '../../options/v1-options.js'
import type { CrawlPlan } from '../crawl-plan.js'
import { formatsOf } from '../feature-plan.js'
import type { PlanDefaults } from '../plan-defaults.js'
import type { ScrapePlan } from '../scrape-plan.js'
import { planScrape } from '../scrape/plan-scrape.js'
import { planCrawlOfVersion } from './plan-crawl.js'

/** Plans a crawl of version 1 of the interface, from a checked request. */
export function planV1Crawl(request: Checked<V1CrawlRequest>, defaults: PlanDefaults): CrawlPlan {
  const crawlEntireDomain = request.crawlEntireDomain ?? request.allowBackwardLinks
  const options = request.scrapeOptions ?? {}
  const known = formatsOf(defaults)
  const page = planJsonFormats(planScrape(toScrapeOptions(options, known), defaults, true), options, known)
  return planCrawlOfVersion(
    { ...request, crawlEntireDomain },
    {
      maxPathDepth: request.maxDepth ?? v1CrawlDefaults.maxDepth,
      sitemap: (request.ignoreSitemap ?? v1CrawlDefaults.ignoreSitemap) ? 'skip' : 'include',
      page,
      warnings: findUnused(options),
      defaults,
    },
  )
}

/** Finds options of formats that are not requested. */
const findUnused = ({ formats = [], ...options }: V1ScrapeOptions): string[] =>
  v1JsonOptions.flatMap(([format, field]) =>
    options[field] && !formats.includes(format) ? [describeUnused(field, format)] : [],
  )

const describeUnused = (field: string, format: string): string =>
  `\`scrapeOptions.${field}\` has no effect: \`${format}\` is not among \`scrapeOptions.formats\`.`

/** Plans format `json`, and its former name `extract`, with the options of version 1. */
function planJsonFormats(
  page: ScrapePlan,
  { formats = [], ...options }: V1ScrapeOptions,
  known: FormatSet,
): ScrapePlan {
  const planned = v1JsonOptions.flatMap(([format, field]) => {
    const given = options[field]
    return given && formats.includes(format)
      ? [{ ...planJsonFormat(given, format), type: known.typeNamed(format) }]
      : []
  })
  const others = page.enrich.formats.filter(({ type }) => !planned.some((one) => one.type === type))
  return planned.length === 0 ? page : { ...page, enrich: { ...page.enrich, formats: [...others, ...planned] } }
}

/**
 * Plans format `json`. The caller's `systemPrompt` is sent with the question, because trawl's own system prompt defends
 * against prompt injection.
 *
 * @see docs/compatibility.md#version-1
 */
const planJsonFormat = ({ schema, prompt, systemPrompt, temperature }: V1JsonOptions, field: V1Format) => ({
  // Version 1 has no other mode than `llm`.
  mode: 'model',
  field,
  ...(schema && { schema: holdSchema(schema) }),
  ...(prompt !== undefined && { prompt }),
  ...(systemPrompt !== undefined && { instruction: systemPrompt }),
  ...(temperature !== undefined && { temperature }),
})

/** Converts page options of version 1 to version 2. */
function toScrapeOptions(
  { formats, changeTrackingOptions, parsePDF = v1ScrapeDefaults.parsePDF, ...options }: V1ScrapeOptions,
  known: FormatSet,
): ScrapeOptions {
  return {
    ...options,
    formats: formats?.map(
      (name) =>
        ({
          ...known.versionOne.get(name),
          ...(known.comparesSnapshots(name) && changeTrackingOptions),
        }) as FormatItem,
    ),
    // Only PDF files are returned as base64 then.
    ...(!parsePDF && { parsers: ['image'] }),
    maxAge: options.maxAge ?? v1ScrapeDefaults.maxAge,
    proxy: options.proxy ?? v1ScrapeDefaults.proxy,
    skipTlsVerification: options.skipTlsVerification ?? v1ScrapeDefaults.skipTlsVerification,
  }
}
