import type { z } from 'zod'
import type { SchemaBuilder } from '../convert/format.js'
import { MAX_PROMPT_LENGTH } from '../enrich/json-schema/answer-schema.js'
import { patternLimits } from '../frontier/scope/path-pattern.js'
import { inUnit } from './issues/describe-issue.js'
import type { FormatItem } from './fields/formats.js'
import { jobDefinitions, type JobOptions } from './job-options.js'
import { createShape, collectDefaults, type OptionDefinitions } from './option-definition.js'
import { refuseRetention } from './zero-retention.js'
import { refuseBadPattern, refuseTooManyPatterns } from './fields/patterns.js'
import { areValid, type ScrapeOptions, scrapeSchema } from './scrape-options.js'
import { urlSchema } from './fields/url-field.js'
import type { PatternLike } from './normalize-request.js'
import type { UrlLike } from '../url.js'

/** Options of a crawl in both versions of the interface. */
export interface CrawlOptions extends JobOptions {
  /** Start URL of the crawl. */
  url: UrlLike
  /**
   * Patterns of which one must be found in a URL's path. RE2 syntax, searched anywhere: write `^/docs/` for a start. A
   * `RegExp` is taken by its source, with its flags `i`, `m` and `s`. At most 1000, of 2000 characters each. They
   * apply to the start page as well: if it does not match, it gives no document, but its links are followed.
   */
  includePaths?: Iterable<PatternLike> | undefined
  /** Patterns of which none may be found in a URL's path; they win over `includePaths`. */
  excludePaths?: Iterable<PatternLike> | undefined
  /** Match the patterns against the full URL with its query. @default false */
  regexOnFullURL?: boolean | undefined
  /** Maximum number of links between the start page and a page; 0 is the start page alone. @default no limit */
  maxDiscoveryDepth?: number | undefined
  /** Treat URLs that differ only in their query as one page. @default false */
  ignoreQueryParameters?: boolean | undefined
  /** Treat spellings with and without `www.`, a trailing slash, an index file or TLS as one page. @default true */
  deduplicateSimilarURLs?: boolean | undefined
  /** Maximum number of pages that the crawl returns, from 1. @default 10000 */
  limit?: number | undefined
  /** Follow any link on the host, not only those to child paths of `url`. @default false */
  crawlEntireDomain?: boolean | undefined
  /** Follow links to other sites, one step. @default false */
  allowExternalLinks?: boolean | undefined
  /** Follow links to other hosts of the same domain. @default false */
  allowSubdomains?: boolean | undefined
  /** Fetch pages that robots.txt disallows. @default false */
  ignoreRobotsTxt?: boolean | undefined
  /** Product token that robots.txt rules are selected by; text after the token is ignored. @default 'trawl' */
  robotsUserAgent?: string | undefined
  /**
   * Drop pages that ask not to be indexed, and follow no link that a page asks not to be followed: meta robots,
   * `X-Robots-Tag`, `rel="nofollow"`. Without it they are only named in the metadata. Not in the interface. @default false
   */
  respectMetaRobots?: boolean | undefined
  /**
   * Drop a page whose content is that of an earlier page, or nearly; without it such a page is kept, with
   * `metadata.duplicateOf`. Not in the interface. @default false
   */
  deduplicateContent?: boolean | undefined
  /**
   * Maximum number of pages outside `includePaths` that are fetched for their links only, to reach matching pages
   * deeper in the site. They give no document and do not count towards `limit`. Not in the interface. @default 0
   */
  discoverThrough?: number | undefined
  /** Pause between two pages. Seconds, above 0 and at most 60. Makes the crawl fetch one page at a time. */
  delay?: number | undefined
}

/**
 * Crawls a site from one URL.
 *
 * @see docs/compatibility.md#crawl-request
 * @example
 * engine.crawl({ url: 'https://example.com/docs/', limit: 100, scrapeOptions: { formats: ['markdown'] } })
 */
export interface CrawlRequest<Formats extends readonly FormatItem[] = readonly FormatItem[]> extends CrawlOptions {
  /**
   * Description of the crawl in words. Before the crawl begins, the engine's model generates options from it and from
   * some of the site's URLs. Options that are given win, also where they equal the default. `url` is never generated,
   * nor a `limit` above 10,000; of `scrapeOptions` only `formats` that need no model, `onlyMainContent`, `waitFor` and
   * `location`. Generated options are checked like any request. What cannot be used, or a model that fails, adds a
   * `warning`, and the crawl runs without it. At most 10,000 characters; an empty text has no effect.
   *
   * @see {@link CrawlJob.prepared}, docs/compatibility.md#crawl-prompt
   */
  prompt?: string | undefined
  /** Use of sitemaps: in addition to links, not at all, or instead of links. @default 'include' */
  sitemap?: 'include' | 'skip' | 'only' | undefined
  /**
   * Go by what an earlier crawl left: the id of its job, or `'last'` for the newest one of this `url` (and `tag`, with
   * `changeTracking`). A page that is unchanged by the date in its sitemap is not fetched; one of which its site says so
   * (304, to `If-None-Match` or `If-Modified-Since`), or which comes in again byte for byte, is not read. For each there is
   * a document **without formats**: metadata, and `changeTracking` with `changeStatus: 'same'`; it costs no credits.
   * All else is crawled as usual, and the links of unchanged pages are followed as they were. The cache is not asked.
   *
   * Crawls with `since` or with `changeTracking` leave a record, and all others of an engine with `snapshots`; of each
   * `url` and `tag` the last ten are kept, where `snapshots` are. An id that is known to have left none is refused at the
   * call; one that the store turns out not to have fails the job, with `error` in its status. Not in the interface.
   */
  since?: string | undefined
  /** Options of each page. */
  scrapeOptions?: ScrapeOptions<Formats> | undefined
}

const flag = (z: SchemaBuilder) => z.boolean().optional()
const patterns = (z: SchemaBuilder) =>
  z.array(z.string().superRefine(refuseBadPattern)).max(patternLimits.patterns).optional()

/** Definitions of {@link CrawlOptions}, without those of every job. @internal */
export const crawlOptionDefinitions = {
  url: { schema: (z) => urlSchema(z), help: false },
  includePaths: {
    schema: patterns,
    help: 'Pattern (RE2) that must match somewhere in the path; several are alternatives. Default: all paths',
  },
  excludePaths: { schema: patterns, help: 'Pattern (RE2) of paths to exclude; takes precedence over --include-paths' },
  regexOnFullURL: {
    schema: flag,
    default: false,
    help: 'Match the patterns against the full URL with its query',
    slice: 'scope',
  },
  maxDiscoveryDepth: {
    schema: (z) => z.number().min(0).optional(),
    default: Infinity,
    help: 'Maximum links away from the start page; 0 is the start page alone',
    slice: 'scope',
  },
  ignoreQueryParameters: {
    schema: flag,
    default: false,
    help: 'Treat URLs that differ only in their query as one page',
    slice: 'scope',
  },
  deduplicateSimilarURLs: {
    schema: flag,
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
    schema: flag,
    default: false,
    help: 'Follow any link on the host, not only those below URL',
    slice: 'scope',
  },
  allowExternalLinks: { schema: flag, default: false, help: 'Follow links to other sites, one step', slice: 'scope' },
  allowSubdomains: {
    schema: flag,
    default: false,
    help: 'Follow links to other hosts of the same domain',
    slice: 'scope',
  },
  ignoreRobotsTxt: { schema: flag, default: false, help: 'Fetch pages that robots.txt disallows' },
  respectMetaRobots: { schema: flag, default: false, help: 'Obey noindex and nofollow of pages' },
  deduplicateContent: {
    schema: flag,
    default: false,
    help: 'Drop a page with the same content as an earlier page',
    slice: 'crawl',
  },
  discoverThrough: {
    schema: (z) => z.number(inUnit('pages')).multipleOf(1).min(0).optional(),
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

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Definitions of {@link CrawlRequest}, without those of {@link CrawlOptions}. @internal */
export const crawlRequestDefinitions = {
  prompt: {
    schema: (z) => z.string().max(MAX_PROMPT_LENGTH).optional(),
    help: 'Description of the crawl, from which a language model sets the options not given. At most 10000 characters',
  },
  sitemap: {
    schema: (z) => z.enum(['include', 'skip', 'only']).optional(),
    default: 'include',
    help: "Use the site's sitemaps as well as links, not at all, or alone",
  },
  since: {
    schema: (z) =>
      z
        .string()
        .refine((since) => since === 'last' || UUID.test(since), "neither 'last' nor the id of a job")
        .optional(),
    help: 'Report only changes since an earlier crawl: its job id, or last; requires --snapshots. Default: every page is new',
  },
  scrapeOptions: { schema: (z) => scrapeSchema(z).optional(), help: false },
} as const satisfies OptionDefinitions<Omit<CrawlRequest, keyof CrawlOptions>>

/** Defaults of a crawl. */
export const crawlDefaults = { ...collectDefaults(crawlOptionDefinitions), ...collectDefaults(crawlRequestDefinitions) }

/** Creates the schemas of {@link CrawlOptions}. @internal */
export const crawlShape = (z: SchemaBuilder) => createShape({ ...jobDefinitions, ...crawlOptionDefinitions }, z)

/** Rules across the fields of {@link CrawlOptions}. @internal */
export const crawlRules = (z: SchemaBuilder) => [
  z.superRefine(refuseTooManyPatterns, { when: areValid('includePaths', 'excludePaths') }),
]

/** Creates the schema of a {@link CrawlRequest}. @internal */
export const crawlSchema = (z: SchemaBuilder) =>
  z
    .strictObject({
      ...crawlShape(z),
      ...createShape(crawlRequestDefinitions, z),
    })
    .check(
      ...crawlRules(z),
      z.superRefine(refuseRetention(false), { when: areValid('zeroDataRetention', 'since', 'scrapeOptions') }),
      z.superRefine(refuseSitemapWithLockdown, { when: areValid('sitemap', 'scrapeOptions') }),
      z.superRefine(refuseSinceWithCacheOnly, { when: areValid('since', 'scrapeOptions') }),
    )

/** Refuses `since` with options that read only from the cache, as no site is asked for changes then. */
function refuseSinceWithCacheOnly({ since, scrapeOptions = {} }: CrawlRequest, context: z.core.$RefinementCtx): void {
  if (since === undefined) return
  const { lockdown, minAge } = scrapeOptions
  for (const [name, isGiven] of [
    ['lockdown', lockdown === true],
    ['minAge', minAge !== undefined],
  ] as const) {
    if (!isGiven) continue
    const message = `asks the cache alone, and \`since\` asks the site: they cannot be combined`
    context.addIssue({ code: 'custom', path: ['scrapeOptions', name], message })
  }
}

function refuseSitemapWithLockdown({ sitemap, scrapeOptions }: CrawlRequest, context: z.core.$RefinementCtx): void {
  if (sitemap !== 'only' || scrapeOptions?.lockdown !== true) return
  const message = "'only' has no sitemap to go by: with `scrapeOptions.lockdown` none is read"
  context.addIssue({ code: 'custom', path: ['sitemap'], message })
}
