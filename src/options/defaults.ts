import { defaultRetrySettings } from '../fetch/retry.js'

/*
 * Every default that is a value, once. Plans take theirs from here; a test holds the doc comments, and with them the
 * reference, and the help of the command line to it.
 */

const MIB = 1024 * 1024

/** Defaults of page options. */
export const scrapeDefaults = {
  formats: ['markdown'],
  onlyMainContent: true,
  onlyCleanContent: false,
  trace: false,
  maxAge: 172_800_000,
  storeInCache: true,
  lockdown: false,
  waitFor: 0,
  mobile: false,
  skipTlsVerification: true,
  timeout: 30_000,
  removeBase64Images: true,
  fastMode: false,
  blockAds: true,
  proxy: 'auto',
  redactPII: false,
} as const

/** Default of `timeout` for formats that take longer. Milliseconds. */
export const slowTimeouts = {
  /** For pages with formats that ask a model. */
  model: 60_000,
  /** For a page whose audio or video is downloaded. */
  media: 120_000,
} as const

/** Default of `location.country`. */
export const DEFAULT_COUNTRY = 'us-generic'

/** Defaults of options that every job has. */
export const jobDefaults = {
  learnBoilerplate: true,
  retain: true,
  zeroDataRetention: false,
} as const

/** Defaults of a batch, beside those of its pages. */
export const batchDefaults = { ignoreInvalidURLs: true } as const

/** Defaults of a crawl. */
export const crawlDefaults = {
  sitemap: 'include',
  limit: 10_000,
  regexOnFullURL: false,
  maxDiscoveryDepth: Infinity,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  ignoreRobotsTxt: false,
  robotsUserAgent: 'trawl',
  respectMetaRobots: false,
  deduplicateContent: false,
  discoverThrough: 0,
} as const

/** Defaults of a map that differ from those of a crawl. */
export const mapDefaults = { sitemap: 'include', limit: 5000 } as const

/** Defaults of a version 1 crawl that differ from those of version 2. */
export const v1Defaults = { maxDepth: 10, ignoreSitemap: false } as const

/** Defaults of version 1 page options that differ from those of version 2. */
export const v1ScrapeDefaults = {
  formats: ['markdown'],
  maxAge: 0,
  skipTlsVerification: false,
  proxy: 'basic',
  parsePDF: true,
} as const

/** Defaults of an engine. Those that depend on the machine are computed in its plan. */
export const engineDefaults = {
  maxConcurrency: 10,
  allowPrivateNetworks: false,
  staleIfErrorMs: 0,
  fileTimeoutMs: 60_000,
  limits: { wireBytes: 50 * MIB, bodyBytes: 100 * MIB, redirects: 10, headerBytes: 64 * 1024 },
  fetcher: 'auto',
  browser: { pagesPerBrowser: 100 },
  ffmpeg: 'ffmpeg',
  modelOptions: {
    maxConcurrency: 4,
    timeoutMs: 60_000,
    maxRetries: 2,
    backoffMs: 1000,
    contextTokens: 32_768,
    maxOutputTokens: 4096,
    cacheBytes: 8 * MIB,
  },
  creditLimit: Infinity,
  retry: defaultRetrySettings,
  maxWaitingBytes: 32 * MIB,
  baseUrl: 'trawl://engine',
  retentionMs: 24 * 60 * 60 * 1000,
} as const
