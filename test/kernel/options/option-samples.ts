import {
  type BatchScrapeRequest,
  type CrawlRequest,
  type EngineConfig,
  memoryCache,
  memoryLedger,
  memoryStore,
  type ScrapeOptions,
  type V1CrawlRequest,
  type V1ScrapeOptions,
} from '../../../src/index.js'
import type {
  FeatureConfig,
  FeatureCrawlOptions,
  FeatureJobOptions,
  FeaturePageOptions,
  FeatureV1Options,
} from '../../../src/kernel/options/feature-options.js'

/** Options without those of features, which test their own. */
type KernelOptions<Options> = Omit<
  Options,
  keyof (FeaturePageOptions & FeatureJobOptions & FeatureCrawlOptions & FeatureConfig) | 'features'
>

/** A value for each option that differs from its default: the compiler asks for an option that is missing. */
export type Samples<Options> = { readonly [Name in keyof Required<Options>]: NonNullable<Options[Name]> }

export const page = {
  formats: ['html'],
  onlyMainContent: false,
  trace: true,
  visibleOnly: false,
  includeTags: ['main'],
  excludeTags: ['nav'],
  maxAge: 5000,
  minAge: 1,
  storeInCache: false,
  lockdown: true,
  headers: { 'x-name': 'value' },
  headersFor: ['example.org'],
  waitFor: 100,
  mobile: true,
  skipTlsVerification: false,
  timeout: 5000,
  parsers: [],
  actions: [{ type: 'scrape' }],
  location: { country: 'DE' },
  removeBase64Images: false,
  expand: true,
  fastMode: true,
  blockAds: false,
  proxy: 'basic',
  profile: { name: 'shop' },
  origin: 'test',
  integration: 'test',
  auditMetadata: { user: 'a' },
  useMock: 'test',
  threatProtection: { mode: 'strict' },
  domainTools: true,
  toolDetail: 'full',
  safeMode: true,
  knowledgeGraph: true,
  __experimental_cache: true,
  __experimental_engpicker: true,
  __experimental_omce: true,
  __experimental_omceDomain: 'example.org',
  __forceFirePDF: true,
  __searchPreviewToken: 'test',
} satisfies Samples<KernelOptions<ScrapeOptions>>

const job = {
  maxConcurrency: 2,
  retain: false,
  zeroDataRetention: true,
  budget: { requests: 10 },
  origin: 'test',
  integration: 'test',
}

const { origin: _, integration, ...jobAlone } = job
void integration

export const batch = {
  ...jobAlone,
  urls: ['https://example.com/other'],
  ignoreInvalidURLs: false,
  appendToId: '01a1fef9-ba5f-707e-9788-d88104e3b47e',
} satisfies Samples<KernelOptions<Omit<BatchScrapeRequest, keyof ScrapeOptions>>>

const crawlRules = {
  ...job,
  url: 'https://example.org/',
  includePaths: ['^/docs/'],
  excludePaths: ['^/blog/'],
  regexOnFullURL: true,
  maxDiscoveryDepth: 2,
  ignoreQueryParameters: true,
  deduplicateSimilarURLs: false,
  limit: 5,
  crawlEntireDomain: true,
  allowExternalLinks: true,
  allowSubdomains: true,
  ignoreRobotsTxt: true,
  robotsUserAgent: 'other',
  respectMetaRobots: true,
  deduplicateContent: true,
  discoverThrough: 3,
  delay: 1,
}

export const crawl = {
  ...crawlRules,
  urls: ['https://example.net/other/'],
  sitemap: 'skip',
  scrapeOptions: { formats: ['html'] },
} satisfies Samples<KernelOptions<CrawlRequest>>

export const v1Page = {
  onlyMainContent: false,
  includeTags: page.includeTags,
  excludeTags: page.excludeTags,
  headers: page.headers,
  headersFor: page.headersFor,
  waitFor: 100,
  mobile: true,
  timeout: 5000,
  actions: page.actions,
  location: page.location,
  removeBase64Images: false,
  blockAds: false,
  storeInCache: false,
  maxAge: 5000,
  skipTlsVerification: true,
  proxy: 'enhanced',
  formats: ['html'],
  parsePDF: false,
  origin: 'test',
  integration: 'test',
  auditMetadata: {},
} satisfies Samples<Omit<V1ScrapeOptions, keyof FeatureV1Options>>

export const v1 = {
  ...crawlRules,
  maxDepth: 2,
  ignoreSitemap: true,
  allowBackwardLinks: true,
  scrapeOptions: { formats: ['html'] },
} satisfies Samples<KernelOptions<V1CrawlRequest>>

const model = async (): Promise<{ text: string }> => ({ text: '' })
export const engine = {
  maxConcurrency: 3,
  maxConcurrencyPerSite: 2,
  allowPrivateNetworks: true,
  userAgent: 'other',
  cache: memoryCache(),
  ledger: memoryLedger(),
  snapshots: memoryStore(),
  staleIfErrorMs: 1,
  threads: 200,
  maxDocumentLength: 100_000,
  fileTimeoutMs: 5,
  ocr: async () => '',
  limits: { redirects: 1 },
  fetcher: 'http',
  media: async () => 'https://example.com/file',
  imageParser: async () => '',
  model,
  embed: async (texts: string[]) => texts.map(() => [1]),
  modelOptions: { maxRetries: 9 },
  budget: { requests: 10 },
  creditLimit: 10,
  enhancedCredits: 0,
  identity: {
    key: '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----',
    directoryUrl: 'https://bot.example.com',
  },
  proxies: { basic: ['http://proxy.example:8080'] },
  tls: { 'example.com': { ca: 'authority' } },
  // The name of a variable is no field: any word that the kernel reads.
  env: { url: 'value' },
  retry: { maxRetries: 9 },
  maxWaitingBytes: 1,
  resume: true,
  baseUrl: 'https://example.com',
  retentionMs: 1,
  logger: console,
  now: () => 1,
} satisfies Samples<KernelOptions<EngineConfig>>
