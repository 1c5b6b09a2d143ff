import type { z } from 'zod'
import { TEXT_FORMAT } from '../../content/convert/convert.js'
import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import { ownValue } from '../../base/collections/own-value.js'
import { pathDepth } from '../../base/url.js'
import type { Checked } from './fields/checked-request.js'
import { batchRules, type BatchScrapeRequest, batchShape } from './batch-options.js'
import { type CrawlOptions, crawlRules, crawlShape } from './crawl-options.js'
import { actionsSchema } from './fields/actions.js'
import { optionalBoolean, wholeNumber } from './fields/basic-schemas.js'
import type { FeatureV1Options, FeatureV1Shape } from './feature-options.js'
import type { FormatSet } from './format-set.js'
import { describeMissingText, type VersionOneName } from './fields/formats.js'
import type { JobOptions } from './job-options.js'
import { parseUrlField } from './fields/url-field.js'
import { areValid } from '../../base/issues/are-valid.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from './option-definition.js'
import type { ScrapeOptions } from './scrape-options.js'
import { scrapeRules, scrapeShape, topLevelRules } from './scrape-schema.js'
import { refuseRetention, retentionOptions } from './zero-retention.js'

/** Formats of version 1: names only. `extract` is the former name of `json`. */
type V1Format = VersionOneName

const namesIn = ({ versionOne }: FormatSet) => [...versionOne.keys()] as V1Format[]

/** Page options of version 2 that version 1 has as well. */
const commonOptions = {
  onlyMainContent: true,
  includeTags: true,
  excludeTags: true,
  headers: true,
  headersFor: true,
  waitFor: true,
  mobile: true,
  timeout: true,
  actions: true,
  location: true,
  removeBase64Images: true,
  blockAds: true,
  storeInCache: true,
  maxAge: true,
  skipTlsVerification: true,
  proxy: true,
  origin: true,
  integration: true,
  auditMetadata: true,
} as const satisfies { readonly [Name in keyof ScrapeOptions]?: true }

/** Page options of version 1. @see docs/compatibility/crawls.md#version-1 */
export interface V1ScrapeOptions extends Pick<ScrapeOptions, keyof typeof commonOptions>, FeatureV1Options {
  /** Formats of the output. @default ['markdown'] */
  formats?: readonly V1Format[]
  /** Maximum age of a cached page, in milliseconds. @default 0 */
  maxAge?: number
  /** Accept any certificate. @default false */
  skipTlsVerification?: boolean
  /** Kind of proxy. @default 'basic' */
  proxy?: ScrapeOptions['proxy']
  /** Read PDF files; otherwise they are returned in base64. @default true */
  parsePDF?: boolean
}

/** Options of the page of a call, in version 1. */
export interface V1ScrapeCallOptions extends V1ScrapeOptions {
  /** Keep nothing of the page: not in the cache, no snapshot, no stored file. @default false */
  zeroDataRetention?: boolean
}

/** Scrapes the URLs of a list, in version 1. @see docs/compatibility/crawls.md#version-1 */
export interface V1BatchScrapeRequest
  extends V1ScrapeOptions, JobOptions, Pick<BatchScrapeRequest, 'urls' | 'ignoreInvalidURLs' | 'appendToId'> {}

/** Crawls a site from one URL, in version 1. @see docs/compatibility/crawls.md#version-1 */
export interface V1CrawlRequest extends CrawlOptions {
  /** Maximum number of path segments of a page's URL. @default 10 */
  maxDepth?: number
  /** Ignore sitemaps. @default false */
  ignoreSitemap?: boolean
  /** @deprecated `crawlEntireDomain` replaces it, and wins over it when set. */
  allowBackwardLinks?: boolean
  /** Options of each page. */
  scrapeOptions?: V1ScrapeOptions
}

/** Defaults of a version 1 crawl that differ from those of version 2. */
export const v1CrawlDefaults = { maxDepth: 10, ignoreSitemap: false } as const

/** Defaults of page options of version 1 that differ from those of version 2. */
export const v1ScrapeDefaults = {
  formats: [TEXT_FORMAT],
  maxAge: 0,
  skipTlsVerification: false,
  proxy: 'basic',
  parsePDF: true,
} as const

function v1PageShape(z: SchemaBuilder, more: FeatureOptions) {
  const ofFormats = [...more.formats.versionOneOptions.values()]
  return {
    ...z.strictObject(scrapeShape(z, more)).pick(commonOptions).shape,
    actions: actionsSchema(z, true).optional(),
    formats: z.array(z.enum(namesIn(more.formats))).optional(),
    parsePDF: optionalBoolean(z),
    ...(Object.fromEntries(ofFormats.map(({ name, schema }) => [name, schema(z).optional()])) as FeatureV1Shape),
  } satisfies OptionSchemas<V1ScrapeOptions>
}

function v1PageRules(z: SchemaBuilder, more: FeatureOptions) {
  const ofFormats = [...more.formats.versionOneOptions.values()]
  const needed = ofFormats.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)
  return [
    ...scrapeRules(z, more),
    z.superRefine(refuseFormatConflicts(more.formats), { when: areValid('formats', ...needed) }),
  ]
}

/** Creates the schema of {@link V1ScrapeCallOptions}. @internal */
export const v1ScrapeCallSchema = (z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) =>
  z
    .strictObject({ ...v1PageShape(z, more), zeroDataRetention: optionalBoolean(z) })
    .check(...v1PageRules(z, more), ...topLevelRules(z, more))

/** Creates the schema of a {@link V1BatchScrapeRequest}. @internal */
export const v1BatchScrapeSchema = (z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) =>
  z
    .strictObject({ ...v1PageShape(z, more), ...batchShape(z, more) })
    .check(...v1PageRules(z, more), ...batchRules(z, more))

/** Refuses formats that exclude each other, or that lack a format or an option that they need. */
const refuseFormatConflicts =
  (known: FormatSet) =>
  (options: V1ScrapeOptions, context: z.core.$RefinementCtx): void => {
    const formats: readonly V1Format[] = options.formats ?? v1ScrapeDefaults.formats
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const given = namesIn(known).filter((name) => formats.includes(name))
    for (const type of new Set(given.map((name) => known.typeNamed(name)))) {
      const names = given.filter((name) => known.typeNamed(name) === type)
      if (names.length > 1 && known.hasTrait(type, 'once'))
        refuse('formats', `${names.map((name) => `\`${name}\``).join(' and ')} cannot be combined`)
    }
    for (const name of given) {
      const lack = describeMissingText(name, formats, known)
      if (lack !== undefined) refuse('formats', lack)
    }
    for (const name of given) {
      const option = known.versionOneOptions.get(name)
      if (option?.isNeeded && ownValue({ ...options }, option.name) === undefined)
        refuse(option.name, `missing: format \`${name}\` needs it`)
    }
  }

/** Creates the schema of a {@link V1CrawlRequest}. @internal */
export const v1CrawlSchema = (z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) =>
  z
    .strictObject({
      ...crawlShape(z, more),
      maxDepth: wholeNumber(z, 'path segments', 0).optional(),
      ignoreSitemap: optionalBoolean(z),
      allowBackwardLinks: optionalBoolean(z),
      scrapeOptions: z
        .strictObject(v1PageShape(z, more))
        .check(...v1PageRules(z, more))
        .optional(),
    } satisfies OptionSchemas<V1CrawlRequest>)
    .check(
      ...crawlRules(z),
      z.superRefine(refuseRetention('scrapeOptions', more), {
        when: areValid(...retentionOptions(more), 'scrapeOptions'),
      }),
      z.superRefine(refuseDeepStart, { when: areValid('url', 'maxDepth') }),
    )

/** Refuses a start URL with more path segments than `maxDepth`, whose crawl would have no page. */
function refuseDeepStart(
  { url, maxDepth = v1CrawlDefaults.maxDepth }: Checked<V1CrawlRequest>,
  context: z.core.$RefinementCtx,
): void {
  const parsed = parseUrlField(url)
  if ('problem' in parsed || pathDepth(new URL(parsed.url)) <= maxDepth) return
  context.addIssue({ code: 'custom', path: ['url'], message: 'URL depth exceeds the specified maxDepth' })
}
