import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PageRequest } from '../fetch/fetcher.js'
import { readContentType } from '../../base/http/header-values.js'
import type { Checked } from '../options/fields/checked-request.js'
import { DEFAULT_COUNTRY } from '../options/fields/location.js'
import { parseUrlField } from '../options/fields/url-field.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from '../options/option-definition.js'
import type { ParseInput } from '../options/parse-input.js'
import { scrapeDefaults, type ScrapeOptions } from '../options/scrape-options.js'

/** Plans the request for a checked URL. */
export function planRequest(url: string): PageRequest {
  const parsed = parseUrlField(url)
  // The check has refused invalid URLs, so this is a defect.
  if ('problem' in parsed) throw new TypeError(parsed.problem)
  return parsed
}

/** Options by which a site, a browser or the cache gives another page. Those with a default have no effect at it. */
const pageOptions = [
  'actions',
  'expand',
  'headers',
  'location',
  'minAge',
  'mobile',
  'profile',
  'proxy',
  'waitFor',
] as const satisfies readonly (keyof ScrapeOptions)[]

/** Converts bytes or HTML that the caller has to a page as if it had been fetched. */
export function planInput(
  { body, url, contentType: header }: Checked<ParseInput>,
  options: ScrapeOptions,
  nowMs: number,
  more: FeatureOptions = NO_FEATURE_OPTIONS,
): FetchedPage {
  const unused = findUnused(options, more)
  const contentType = header === undefined ? undefined : readContentType(header)
  const type = typeof body === 'string' ? toUtf8Type(contentType) : contentType
  return {
    url: planRequest(url).url,
    redirects: [],
    statusCode: 200,
    headers: {},
    contentType: type,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    fetcher: 'input',
    fetchedAtMs: nowMs,
    warnings:
      unused.length > 0 ? [`Nothing was fetched, so these options had no effect: ${unused.join(', ')}.`] : undefined,
  }
}

/** Finds the options that would have given another page if one was fetched. */
const findUnused = (options: ScrapeOptions, { page }: FeatureOptions): string[] =>
  [...pageOptions, ...Object.keys(page).filter((name) => page[name]?.isForSite)]
    .filter((name) => {
      const { [name]: value } = options as Readonly<Record<string, unknown>>
      if (typeof value === 'object' && value !== null) return Object.values(value).some(isSet)
      return (
        value !== undefined &&
        value !== 'basic' &&
        value !== ((scrapeDefaults as Readonly<Record<string, unknown>>)[name] ?? page[name]?.default)
      )
    })
    .map((name) => `\`${name}\``)

/** False for a part of an option that says nothing: an empty list, or the country of the default. */
const isSet = (part: unknown): boolean =>
  part !== undefined && part !== DEFAULT_COUNTRY && !(Array.isArray(part) && part.length === 0)

/** Sets the charset of a media type, `text/html` if there is none, to UTF-8, in which a string is encoded here. */
const toUtf8Type = (contentType = 'text/html'): string =>
  `${contentType.split(';', 1)[0] ?? 'text/html'}; charset=utf-8`
