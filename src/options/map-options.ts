import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import { type CrawlOptions, crawlRules, crawlShape } from './crawl-options.js'
import { inUnit } from './issues/describe-issue.js'

/** The rules of a crawl that say which URLs are its own. */
const shared = [
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

/**
 * Lists the URLs of a site without scraping them.
 *
 * @example
 * const { links } = await engine.map({ url: 'https://example.com', search: 'docs' })
 */
export interface MapRequest extends Pick<CrawlOptions, (typeof shared)[number]> {
  /** Only URLs that have all these words in them, or in the text of a link to them; any case. */
  search?: string | undefined
  /**
   * Use of sitemaps: in addition to the links of the start page, not at all, or instead.
   * @default 'include'
   */
  sitemap?: 'include' | 'skip' | 'only' | undefined
  /** Most URLs that are given, 1 to 100000. @default 5000 */
  limit?: number | undefined
}

/** Defaults of a map that differ from those of a crawl. */
export const mapDefaults = { sitemap: 'include', limit: 5000 } as const

/** The schema of a {@link MapRequest}. @internal */
export function mapSchema(z: SchemaBuilder) {
  const names = Object.fromEntries(shared.map((name) => [name, true])) as Record<(typeof shared)[number], true>
  return z
    .strictObject({
      ...z.strictObject(crawlShape(z)).pick(names).shape,
      search: z.string().max(1000).optional(),
      sitemap: z.enum(['include', 'skip', 'only']).optional(),
      limit: z.number(inUnit('URLs')).multipleOf(1).min(1).max(100_000).optional(),
    } satisfies OptionSchemas<MapRequest>)
    .check(...crawlRules(z))
}
