import { isObject } from '../../../base/collections/is-object.js'
import { ownValue } from '../../../base/collections/own-value.js'
import type { FormatSet } from '../../options/format-set.js'
import type { FormatItem } from '../../options/fields/formats.js'
import type { ScrapeOptions } from '../../options/scrape-options.js'
import { v1ScrapeDefaults, type V1ScrapeOptions } from '../../options/v1-options.js'
import { formatsOf } from '../feature-plan.js'
import type { PlanDefaults } from '../plan-defaults.js'
import type { ScrapePlan } from '../scrape-plan.js'
import { planScrape, wrapSchema } from './plan-scrape.js'

/** Plans the scraping of a page by checked options of version 1. Its document warns of options of formats that are not requested. */
export function planV1Scrape(options: V1ScrapeOptions, defaults: PlanDefaults): ScrapePlan {
  const { warnings = [], ...page } = planV1Page(options, defaults)
  return { ...page, warnings: [...warnings, ...findUnused(options, formatsOf(defaults))] }
}

/** Plans the scraping of a page by checked options of version 1. @param isCrawl as of {@link planScrape} */
export function planV1Page(options: V1ScrapeOptions, defaults: PlanDefaults, isCrawl?: boolean): ScrapePlan {
  const known = formatsOf(defaults)
  return planNamesakes(planScrape(toScrapeOptions(options, known), defaults, isCrawl), toItems(options, known))
}

/** Finds options of formats that are not requested. @param within path of the options in the request, with a dot at its end */
export const findUnused = ({ formats = [], ...options }: V1ScrapeOptions, known: FormatSet, within = ''): string[] =>
  [...known.versionOneOptions].flatMap(([format, { name, isNeeded }]) =>
    isNeeded && ownValue(options, name) && !formats.some((one) => one === format)
      ? [`\`${within}${name}\` has no effect: \`${format}\` is not among \`${within}formats\`.`]
      : [],
  )

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
