import type { SchemaBuilder } from '../../content/convert/format.js'
import { patternLimits } from '../../base/text/path-pattern.js'
import type { UrlLike } from '../../base/url.js'
import type { FeatureCrawlOptions, FeatureCrawlShape } from './feature-options.js'
import {
  type AnyDefinitions,
  collectDefaults,
  createShape,
  type FeatureOptions,
  NO_FEATURE_OPTIONS,
  type OptionDefinitions,
} from './option-definition.js'
import { optionalBoolean, wholeNumber } from './fields/basic-schemas.js'
import type { FormatItem } from './fields/formats.js'
import { type PatternLike, refuseBadPattern, refuseTooManyPatterns } from './fields/patterns.js'
import { urlSchema } from './fields/url-field.js'
import { areValid } from '../../base/issues/are-valid.js'
import { inUnit } from '../../base/issues/describe-issue.js'
import { type JobOptions, jobShape } from './job-options.js'
import type { ScrapeOptions } from './scrape-options.js'
import { scrapeSchema } from './scrape-schema.js'
import { refuseRetention, retentionOptions } from './zero-retention.js'
import type { core } from 'zod'

/** Options of a crawl in both versions of the interface. */
export interface CrawlOptions extends JobOptions {
  /** Start URL of the crawl. */
  url: UrlLike
  /**
   * Patterns of which one must match a URL's path. RE2 syntax, searched anywhere in the path: write `^/docs/` for its
   * start. Of a `RegExp`, the source and the flags `i`, `m` and `s` are used. At most 1000 patterns, of 2000 characters
   * each. They apply to the start page as well: if it does not match, it gives no document, but its links are followed.
   */
  includePaths?: Iterable<PatternLike>
  /** Patterns of which none may match a URL's path; they win over `includePaths`. */
  excludePaths?: Iterable<PatternLike>
  /** Match the patterns against the full URL with its query. @default false */
  regexOnFullURL?: boolean
  /** Maximum number of links that lead to a page. The start page and pages in sitemaps have depth 0. @default no limit */
  maxDiscoveryDepth?: number
  /** Treat URLs that differ only in their query as one page. @default false */
  ignoreQueryParameters?: boolean
  /** Treat spellings with and without `www.`, a trailing slash, an index file or TLS as one page. @default true */
  deduplicateSimilarURLs?: boolean
  /** Maximum number of pages that the crawl returns, from 1. @default 10000 */
  limit?: number
  /** Follow any link on the host, not only those to child paths of `url`. @default false */
  crawlEntireDomain?: boolean
  /** Follow links to other sites, one step. @default false */
  allowExternalLinks?: boolean
  /** Follow links to other hosts of the same domain. @default false */
  allowSubdomains?: boolean
  /** Fetch pages that robots.txt disallows. @default false */
  ignoreRobotsTxt?: boolean
  /** Product token that robots.txt rules are selected by; text after the token is ignored. @default 'trawl' */
  robotsUserAgent?: string
  /**
   * Drop pages that ask not to be indexed, and do not follow links that a page asks not to follow: the meta tags `robots` and
   * `trawl` (or `robotsUserAgent`), `X-Robots-Tag`, `rel="nofollow"`. Otherwise, these rules are only reported in the metadata. Not in the interface.
   * @default false
   */
  respectMetaRobots?: boolean
  /**
   * Drop a page with the same, or nearly the same, content as an earlier page. Otherwise it is kept, with
   * `metadata.duplicateOf`. Not in the interface. @default false
   */
  deduplicateContent?: boolean
  /**
   * Maximum number of pages outside `includePaths` that are fetched for their links only, to reach matching pages
   * deeper in the site. They give no document and do not count towards `limit`. Not in the interface. @default 0
   */
  discoverThrough?: number
  /** Pause between two pages. Seconds, above 0 and at most 60. Makes the crawl fetch one page at a time. */
  delay?: number
}

/**
 * Crawls a site from one URL.
 *
 * @see docs/compatibility/crawls.md#crawl-request
 * @example
 * engine.crawl({ url: 'https://example.com/docs/', limit: 100, scrapeOptions: { formats: ['markdown'] } })
 */
export interface CrawlRequest<Formats extends readonly FormatItem[] = readonly FormatItem[]>
  extends CrawlOptions, FeatureCrawlOptions {
  /**
   * Further start URLs: an array or any other iterable, of at most 1000. The pages of each are crawled as those of `url`: below its path
   * on its host, by the same rules, and as far as one `limit` allows. Not in the interface. @default none
   */
  urls?: Iterable<UrlLike>
  /** Use of sitemaps: in addition to links, not at all, or instead of links. @default 'include' */
  sitemap?: 'include' | 'skip' | 'only'
  /** Options of each page. */
  scrapeOptions?: ScrapeOptions<Formats>
}

/** Maximum number of further start URLs. */
const MAX_OTHER_STARTS = 1000

const patternList = (z: SchemaBuilder) =>
  z.array(z.string().superRefine(refuseBadPattern)).max(patternLimits.patterns).optional()

/** Definitions of {@link CrawlOptions}, without those that every job has. @internal */
export const crawlOptionDefinitions = {
  url: { schema: (z) => urlSchema(z), help: false },
  includePaths: {
    schema: patternList,
    help: 'Pattern (RE2) that must match somewhere in the path; several are alternatives. Default: all paths',
  },
  excludePaths: {
    schema: patternList,
    help: 'Pattern (RE2) of paths to exclude; takes precedence over --include-paths',
  },
  regexOnFullURL: {
    schema: optionalBoolean,
    default: false,
    help: 'Match the patterns against the full URL with its query',
    slice: 'scope',
  },
  maxDiscoveryDepth: {
    schema: (z) => z.number().min(0).optional(),
    default: Infinity,
    help: 'Maximum links away from the start page and the pages of sitemaps, which have depth 0',
    slice: 'scope',
  },
  ignoreQueryParameters: {
    schema: optionalBoolean,
    default: false,
    help: 'Treat URLs that differ only in their query as one page',
    slice: 'scope',
  },
  deduplicateSimilarURLs: {
    schema: optionalBoolean,
    default: true,
    help: 'Treat URLs that differ only in www., a trailing slash, an index file or TLS as one page',
    slice: 'scope',
  },
  limit: {
    schema: (z) => z.number().multipleOf(1).min(1).optional(),
    default: 10_000,
    help: 'Maximum pages, from 1',
    slice: 'crawl',
  },
  crawlEntireDomain: {
    schema: optionalBoolean,
    default: false,
    help: 'Follow any link on the host, not only those below URL',
    slice: 'scope',
  },
  allowExternalLinks: {
    schema: optionalBoolean,
    default: false,
    help: 'Follow links to other sites, one step',
    slice: 'scope',
  },
  allowSubdomains: {
    schema: optionalBoolean,
    default: false,
    help: 'Follow links to other hosts of the same domain',
    slice: 'scope',
  },
  ignoreRobotsTxt: { schema: optionalBoolean, default: false, help: 'Fetch pages that robots.txt disallows' },
  respectMetaRobots: { schema: optionalBoolean, default: false, help: 'Obey noindex and nofollow of pages' },
  deduplicateContent: {
    schema: optionalBoolean,
    default: false,
    help: 'Drop a page with the same content as an earlier page',
    slice: 'crawl',
  },
  discoverThrough: {
    schema: (z) => wholeNumber(z, 'pages', 0).optional(),
    default: 0,
    help: 'Maximum pages refused only by --include-paths to fetch for their links alone',
    slice: 'crawl',
  },
  robotsUserAgent: {
    schema: (z) => z.string().min(1).optional(),
    default: 'trawl',
    help: 'Product token to look up in robots.txt',
  },
  delay: {
    schema: (z) => z.number(inUnit('seconds')).positive().max(60).optional(),
    help: 'Pause between two pages, in seconds: above 0, at most 60. Sets the concurrency to 1. Default: none',
  },
} as const satisfies OptionDefinitions<Omit<CrawlOptions, keyof JobOptions>>

/** Definitions of the options that only {@link CrawlRequest} has. @internal */
export const crawlRequestDefinitions = {
  urls: {
    schema: (z) => z.array(urlSchema(z)).max(MAX_OTHER_STARTS).optional(),
    help: 'Further start URL, whose pages are crawled as those of URL',
  },
  sitemap: {
    schema: (z) => z.enum(['include', 'skip', 'only']).optional(),
    default: 'include',
    help: "Use the site's sitemaps as well as links, not at all, or alone",
  },
  scrapeOptions: { schema: (z, more) => scrapeSchema(z, more).optional(), help: false },
} as const satisfies OptionDefinitions<Omit<CrawlRequest, keyof CrawlOptions | keyof FeatureCrawlOptions>>

/** Defaults of a crawl, without those that every job has. @internal */
export const crawlDefaults = { ...collectDefaults(crawlOptionDefinitions), ...collectDefaults(crawlRequestDefinitions) }

/** Creates the schema of each field of {@link CrawlOptions}. @internal */
export const crawlShape = (z: SchemaBuilder, more?: FeatureOptions) => ({
  ...jobShape(z, more),
  ...createShape(crawlOptionDefinitions, z),
})

/** Creates the rules across the fields of {@link CrawlOptions}. @internal */
export const crawlRules = (z: SchemaBuilder) => [
  z.superRefine(refuseTooManyPatterns, { when: areValid('includePaths', 'excludePaths') }),
]

/** Creates the rules that refuse options which have no effect without another one. */
const refuseAlone = (z: SchemaBuilder, definitions: AnyDefinitions) =>
  Object.entries(definitions).flatMap(([name, { needs }]) => {
    if (!needs) return []
    const { option, message } = needs
    const check = z.superRefine<Readonly<Record<string, unknown>>>(
      (request, context) => {
        if (request[name] === undefined || request[option] !== undefined) return
        context.addIssue({ code: 'custom', path: [name], message })
      },
      { when: areValid(name, option) },
    )
    return [check]
  })

/** Creates the rules that refuse options which ask the site, with pages that are read from the cache alone. */
const refuseWithCacheOnly = (z: SchemaBuilder, definitions: AnyDefinitions) =>
  Object.entries(definitions).flatMap(([name, { asksSite }]) =>
    asksSite ? [z.superRefine(refuseCacheOnly(name), { when: areValid(name, 'scrapeOptions') })] : [],
  )

/** Creates the schema of a {@link CrawlRequest}. @internal */
export const crawlSchema = (z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) =>
  z
    .strictObject({
      ...crawlShape(z, more),
      ...createShape(crawlRequestDefinitions, z, undefined, more),
      ...(createShape(more.crawl, z, undefined, more) as FeatureCrawlShape),
    })
    .check(
      ...crawlRules(z),
      z.superRefine(refuseRetention('scrapeOptions', more), {
        when: areValid(...retentionOptions(more), 'scrapeOptions'),
      }),
      z.superRefine(refuseSitemapWithLockdown, { when: areValid('sitemap', 'scrapeOptions') }),
      ...refuseAlone(z, more.crawl),
      ...refuseWithCacheOnly(z, more.crawl),
    )

/** Options of a crawl that ask the site, and those of its pages that read only from the cache. */
interface CacheQuestion {
  readonly sitemap?: string
  readonly scrapeOptions?: { readonly lockdown?: boolean; readonly minAge?: number }
}

/** Creates the rule of an option that asks the site: options that read only from the cache are refused with it. @internal */
const refuseCacheOnly =
  (option: string) =>
  (request: CacheQuestion, context: core.$RefinementCtx): void => {
    const { [option]: value } = request as Readonly<Record<string, unknown>>
    if (value === undefined) return
    const { lockdown, minAge } = request.scrapeOptions ?? {}
    for (const [name, isGiven] of [
      ['lockdown', lockdown === true],
      ['minAge', minAge !== undefined],
    ] as const) {
      if (!isGiven) continue
      const message = `asks the cache alone, and \`${option}\` asks the site: they cannot be combined`
      context.addIssue({ code: 'custom', path: ['scrapeOptions', name], message })
    }
  }

/** Refuses a crawl by sitemap alone if no request, not even for the sitemap, leaves the machine. @internal */
function refuseSitemapWithLockdown({ sitemap, scrapeOptions }: CacheQuestion, context: core.$RefinementCtx): void {
  if (sitemap !== 'only' || scrapeOptions?.lockdown !== true) return
  const message = "'only' needs a sitemap, and with `scrapeOptions.lockdown` none is read"
  context.addIssue({ code: 'custom', path: ['sitemap'], message })
}
