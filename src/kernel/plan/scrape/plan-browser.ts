import type { EnrichFormats } from '../../enrich/enrich-formats.js'
import { MAX_ROWS } from '../../../content/extract/list/page-list.js'
import type { BrowserPlan, Emulation, FeatureScript } from '../../fetch/browser-plan.js'
import type { CapturePlan, CapturesByType } from '../../fetch/capture.js'
import type { FormatItem } from '../../options/fields/formats.js'
import { DEFAULT_COUNTRY, type Location } from '../../options/fields/location.js'
import { scrapeDefaults, scrapeDefinitions, type ScrapeOptions } from '../../options/scrape-options.js'
import { fillSlice } from '../fill-slice.js'
import { timeZoneOf } from '../../../base/text/time-zones.js'

/** Parts of a fetch plan that concern the browser. */
export interface BrowserParts {
  /** Names of the options that need a browser. */
  readonly needsBrowser: readonly string[]
  /** Reason to prefer a browser, for messages. */
  readonly prefersBrowser?: string
  readonly emulation: Emulation
  readonly browser: BrowserPlan
}

/**
 * Plans the browser for a page, from checked options.
 *
 * @param scripts those of features
 *
 * Options that need a rendered page need a browser. `mobile` and `location` do not: every fetcher emulates as much of them
 * as it can.
 */
export function planBrowser(
  options: ScrapeOptions,
  { captures }: EnrichFormats,
  scripts: readonly FeatureScript[] = [],
): BrowserParts {
  const { waitFor = scrapeDefaults.waitFor, actions = [], expand, profile, formats = [] } = options
  const capturePlan = planCaptures(formats, captures)
  const needs = [
    ...(waitFor > 0 ? ['waitFor'] : []),
    ...(actions.length > 0 ? ['actions'] : []),
    ...(expand ? ['expand'] : []),
    ...Object.keys(capturePlan).map((name) => `formats (${name})`),
    ...scripts.filter(({ isOptional }) => !isOptional).map(({ feature }) => `features (${feature})`),
  ]
  const [first] = scripts
  return {
    needsBrowser: needs,
    // Not a need, because the profile's cookies can be used without a browser.
    prefersBrowser: profile
      ? '`profile` is the storage of a browser'
      : first && `feature \`${first.feature}\` has a script for it`,
    emulation: planEmulation(options.mobile ?? scrapeDefaults.mobile, options.location),
    browser: {
      waitForMs: waitFor,
      actions: actions.map((action) => ({ ...action })),
      captures: capturePlan,
      scripts: first && [...scripts],
      expand: expand ? { maxRows: MAX_ROWS } : undefined,
      ...fillSlice(options, scrapeDefinitions, 'browser'),
      profile: profile && { name: profile.name, saveChanges: profile.saveChanges ?? true },
    },
  }
}

/** Plans what the browser captures for the formats. */
function planCaptures(formats: readonly FormatItem[], captures: CapturesByType): CapturePlan {
  const items = formats.map((item) => (typeof item === 'string' ? { type: item } : item))
  return Object.fromEntries(
    items.flatMap((item) => {
      const capture = captures.get(item.type)
      return capture ? [[item.type, capture.plan(item)]] : []
    }),
  )
}

/**
 * Plans the device, and languages and time zone by the country, unless languages are given. The generic countries are the
 * United States, wherever the host is, so that a page looks the same from every machine.
 */
function planEmulation(mobile: boolean, { country = DEFAULT_COUNTRY, languages = [] }: Location = {}): Emulation {
  const isGeneric = country.includes('-')
  const code = isGeneric ? 'US' : country.toUpperCase()
  return {
    mobile,
    languages: languages.length > 0 ? [...languages] : languagesOf(code),
    timeZone: timeZoneOf(code),
    country: isGeneric ? undefined : code,
  }
}

/** Lists the most spoken language of a country, with and without its region, and then English. */
function languagesOf(country: string): string[] {
  // What the rest returns. Nearly every page is planned so, and the look-up would take a hundredth of its time.
  if (country === 'US') return ['en-US', 'en']
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  const own = [`${language}-${country}`, language]
  return language === 'en' ? own : [...own, 'en']
}
