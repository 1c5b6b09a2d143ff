import type { SchemaBuilder } from '../../content/convert/format.js'
import {
  crawlOptionDefinitions,
  type CrawlOptions,
  crawlRules,
  crawlShape,
} from '../../kernel/options/crawl-options.js'
import { clientDefinitions, type ClientOptions } from '../../kernel/options/client-options.js'
import { optionalBoolean, wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import type { Location } from '../../kernel/options/fields/location.js'
import {
  type AnyDefinitions,
  collectDefaults,
  createShape,
  type DefaultsOf,
  type OptionDefinitions,
  type OwnRequest,
} from '../../kernel/options/option-definition.js'
import { scrapeDefinitions } from '../../kernel/options/scrape-options.js'

/** Options of a crawl that a map has as well: those that decide which URLs belong to the site. */
const crawlOptionsOfMap = [
  'url',
  'includePaths',
  'excludePaths',
  'regexOnFullURL',
  'ignoreQueryParameters',
  'deduplicateSimilarURLs',
  'crawlEntireDomain',
  'allowExternalLinks',
  'allowSubdomains',
  'ignoreRobotsTxt',
  'robotsUserAgent',
] as const satisfies (keyof CrawlOptions)[]

/** Fields of clients that a map has as well. */
const clientOptionsOfMap = [
  'origin',
  'integration',
  'auditMetadata',
  'useMock',
  'threatProtection',
] as const satisfies (keyof ClientOptions)[]

/**
 * Lists the URLs of a site without scraping them.
 *
 * @example
 * const { links } = await engine.map({ url: 'https://example.com', search: 'docs' })
 */
export interface MapRequest
  extends
    Pick<CrawlOptions, (typeof crawlOptionsOfMap)[number]>,
    Pick<ClientOptions, (typeof clientOptionsOfMap)[number]> {
  /** Words that a URL, or the text of a link to it, must contain, all of them and in any case. At most 1000 characters. */
  search?: string
  /**
   * Use of sitemaps: in addition to the links of the start page, not at all, or instead of them.
   * @default 'include'
   */
  sitemap?: 'include' | 'skip' | 'only'
  /** Maximum number of URLs that are returned, 1 to 100000. @default 5000 */
  limit?: number
  /** Time limit of the whole map, in milliseconds, at least 1. @default none */
  timeout?: number
  /** Emulated location of the visitor, for the start page. */
  location?: Location
  /** Request headers for the start page and the sitemaps, as those of a page. */
  headers?: Readonly<Record<string, string>>
  /** Name of `allowSubdomains` in the interface. @default false */
  includeSubdomains?: boolean
  /** Opposite of `crawlEntireDomain`: only URLs below the path of `url`. @default true */
  filterByPath?: boolean
  /** Means the same as `sitemap: 'skip'`, in version 1 of the interface. @default false */
  ignoreSitemap?: boolean
  /** Means the same as `sitemap: 'only'`, in version 1 of the interface. @default false */
  sitemapOnly?: boolean
  /** Has no effect: sitemaps are read anew each time. */
  ignoreCache?: boolean
  /** Has no effect: there is no index of the sites of others. */
  useIndex?: boolean
}

/** Definitions of the options that only {@link MapRequest} has. @internal */
const mapRequestDefinitions = {
  search: {
    schema: (z) => z.string().max(1000).optional(),
    help: 'Words that a URL, or the text of a link to it, must contain, all of them and in any case. At most 1000 characters. Default: all URLs',
  },
  sitemap: {
    schema: (z) => z.enum(['include', 'skip', 'only']).optional(),
    default: 'include',
    help: 'Use the sitemaps of the site as well as the links of URL, not at all, or alone',
  },
  limit: {
    schema: (z) => wholeNumber(z, 'URLs', 1).max(100_000).optional(),
    default: 5000,
    help: 'Maximum URLs, 1 to 100000',
  },
  timeout: {
    schema: (z) => wholeNumber(z, 'milliseconds', 1).optional(),
    help: 'Time limit of the whole map in milliseconds. Default: none',
  },
  location: { schema: scrapeDefinitions.location.schema, help: false },
  headers: { schema: scrapeDefinitions.headers.schema, help: false },
  includeSubdomains: { schema: optionalBoolean, help: false },
  filterByPath: { schema: optionalBoolean, help: false },
  ignoreSitemap: { schema: optionalBoolean, help: false },
  sitemapOnly: { schema: optionalBoolean, help: false },
  ignoreCache: { schema: optionalBoolean, help: false },
  useIndex: { schema: optionalBoolean, help: false },
} as const satisfies OptionDefinitions<
  Omit<MapRequest, (typeof crawlOptionsOfMap)[number] | (typeof clientOptionsOfMap)[number]>
>

/** Definitions of all options of a {@link MapRequest}. @internal */
export const mapDefinitions: AnyDefinitions = {
  ...Object.fromEntries(crawlOptionsOfMap.map((name) => [name, crawlOptionDefinitions[name]])),
  ...Object.fromEntries(clientOptionsOfMap.map((name) => [name, clientDefinitions[name]])),
  ...mapRequestDefinitions,
}

/** Its options for messages. @internal */
export const mapRequest: OwnRequest = {
  call: 'engine.map()',
  names: Object.keys(mapDefinitions),
  hints: {
    query: 'is `search` here',
    urls: 'is an option of `engine.crawl()`: a map is of one site, and has one `url`',
    signal: 'belongs in the last argument of the call',
  },
}

/** Defaults of a map that differ from those of a crawl. @internal */
export const mapDefaults: DefaultsOf<typeof mapRequestDefinitions> = collectDefaults(mapRequestDefinitions)

/** Creates the schema of a {@link MapRequest}. @internal */
export function mapSchema(z: SchemaBuilder) {
  const names = Object.fromEntries(crawlOptionsOfMap.map((name) => [name, true])) as Record<
    (typeof crawlOptionsOfMap)[number],
    true
  >
  return z
    .strictObject({
      ...z.strictObject(crawlShape(z)).pick(names).shape,
      ...createShape(clientDefinitions, z, (name) => clientOptionsOfMap.some((known) => known === name)),
      ...createShape(mapRequestDefinitions, z),
    })
    .check(...crawlRules(z))
}
