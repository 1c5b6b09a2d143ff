/**
 * Reason for which a URL was not scraped, or its page not kept. The comments are the text of the generated reference.
 *
 * @see docs/reference/skip-reasons.md
 */
export type SkipReason =
  /** The URL is neither http nor https. */
  | 'NON_WEB_PROTOCOL'
  /**
   * The extension is that of a file without a page: images, audio, video, fonts, archives, programs, scripts. Images
   * are read with an `imageParser` and `parsers` that name `image`.
   */
  | 'FILE_TYPE'
  /** The host is not that of the crawl: see `allowSubdomains` and `allowExternalLinks`. */
  | 'EXTERNAL_LINK'
  /** The path is not below that of the start URL: see `crawlEntireDomain`. */
  | 'BACKWARD_CRAWLING'
  /** The path has more segments than `maxDepth` of version 1. */
  | 'DEPTH_LIMIT'
  /** The page is more links away from the start page than `maxDiscoveryDepth`. */
  | 'DISCOVERY_DEPTH'
  /** A pattern of `excludePaths` matches. */
  | 'EXCLUDE_PATTERN'
  /** No pattern of `includePaths` matches. */
  | 'INCLUDE_PATTERN'
  /** A line of robots.txt disallows the URL; the message quotes it. */
  | 'ROBOTS_TXT'
  /** The page asks not to be indexed, and `respectMetaRobots` is set. */
  | 'NOINDEX'
  /** The page, or the link, asks not to be followed, and `respectMetaRobots` is set. */
  | 'NOFOLLOW'
  /**
   * The URL belongs to pages that only repeat others (calendars, filters, circles of links), or has more than 8000
   * characters.
   */
  | 'TRAP'
  /** The job has the page: by a redirect, by canonical URL and content, or by its content with `deduplicateContent`. */
  | 'DUPLICATE'
  /** The job reached `limit` before the URL had its turn, or more URLs were queued than `limit` lets the job scrape. */
  | 'LIMIT'
  /** The job was cancelled, or failed, before the URL had its turn. */
  | 'CANCELLED'
  /** A feature of your own refuses the page; the message has its name and its reason. */
  | 'FEATURE_REFUSED'
  | keyof FeatureSkipReasons

/** Skip reasons of features. A feature adds its own by declaration merging, so that they go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureSkipReasons {}

/** Words for the ends of jobs that features add, likewise. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureStops {}

/** Words of features for jobs that end early, by the skip reason of the URLs that are left. */
export type StopWords = Readonly<Partial<Record<SkipReason, keyof FeatureStops>>>

/**
 * All reasons of trawl itself. Files have their positions: a new one goes to the end, and none moves. Files of an earlier version had
 * `KNOWN` there, of which no abridged row was kept. One that is no error of a fetched page is also in `harmlessReasons`.
 */
export const skipReasons = [
  'NON_WEB_PROTOCOL',
  'FILE_TYPE',
  'EXTERNAL_LINK',
  'BACKWARD_CRAWLING',
  'DEPTH_LIMIT',
  'DISCOVERY_DEPTH',
  'EXCLUDE_PATTERN',
  'INCLUDE_PATTERN',
  'ROBOTS_TXT',
  'NOINDEX',
  'NOFOLLOW',
  'TRAP',
  'DUPLICATE',
  'LIMIT',
  'CANCELLED',
  'FEATURE_REFUSED',
] as const satisfies readonly SkipReason[]
