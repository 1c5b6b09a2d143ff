import type { BrowserOptions } from '../../../features/browser/process/browser-options.js'
import { FETCHER_CHOICES, type FetcherChoice, type FetchLimits } from '../../fetch/fetcher.js'
import type { ProfileStore } from '../../../features/browser/profiles/profile.js'
import { defaultRetrySettings, type RetrySettings } from '../../fetch/retry.js'
import { optionalBoolean, wholeNumber } from '../fields/basic-schemas.js'
import { type IdentityConfig, identitySchema } from '../fields/identity.js'
import { type ProxiesConfig, proxyDefinitions } from '../fields/proxies.js'
import { mustBe } from '../issues/describe-issue.js'
import { nestDefinitions, type OptionDefinitions } from '../option-definition.js'
import { hasMethods } from './value-tests.js'

/** Settings of an engine for fetching pages. */
export interface FetchConfig {
  /**
   * Maximum number of pages at once over all jobs, 1 to 1000; a job's `maxConcurrency` applies as well. If neither is
   * given, up to 60 further pages may wait for their sites: a page that has waited for some seconds does not count, so that
   * slow sites do not delay other pages.
   *
   * @default 10
   */
  maxConcurrency?: number
  /** Maximum number of pages at once on one site (host and port), over all jobs, 1 to 1000. @default maxConcurrency */
  maxConcurrencyPerSite?: number
  /**
   * Allow pages on private, loopback and link-local addresses. Leave it off where strangers can choose URLs, because pages
   * of the host's network could be read.
   * @default false
   */
  allowPrivateNetworks?: boolean
  /** `User-Agent` of requests whose `headers` name none. @default 'trawl/<version>' */
  userAgent?: string
  /**
   * Fetcher of pages: `auto` uses HTTP, and a browser for pages and options that need one; `http` never starts a browser;
   * `browser` loads every page in one.
   * @default 'auto'
   */
  fetcher?: FetcherChoice
  /** Choice and size of the browser. It is searched for and started when a page first needs it. */
  browser?: { readonly [Name in keyof BrowserOptions]?: BrowserOptions[Name] | undefined }
  /**
   * Identity with which requests are signed, so that sites can tell that they are yours: Web Bot Auth.
   * @default none: requests are not signed
   */
  identity?: IdentityConfig
  /** Proxies that pages are fetched through. @default none: direct connections */
  proxies?: ProxiesConfig
  /**
   * Storage of profiles: the path of a folder, or a store such as `memoryProfiles()`, which engines may share, or
   * `storeProfiles(store)`, which machines may share.
   * @default the engine's own memory
   */
  profiles?: ProfileStore | string
  /** Limits on what remote servers can cost; each has its own error code. */
  limits?: { readonly [Name in keyof FetchLimits]?: FetchLimits[Name] | undefined }
  /** Number and delays of retries of temporary failures. */
  retry?: { readonly [Name in keyof RetrySettings]?: RetrySettings[Name] | undefined }
  /**
   * Filter lists for `blockAds`, in addition to the small list that trawl contains, in the syntax of EasyList: paths of
   * files, or URLs, which are downloaded again after a day.
   * @default none
   */
  adLists?: readonly string[]
}

const MIB = 1024 * 1024

const FETCHER_NAMES = Object.keys(FETCHER_CHOICES) as FetcherChoice[]

const isProfileStore = hasMethods('read', 'save')

const browserDefinitions = {
  executablePath: {
    schema: (z) => z.string().min(1).optional(),
    flag: 'browser-path',
    help: 'Chromium or Chrome executable. Default: the first one found',
  },
  cdpEndpoint: {
    schema: (z) => z.url('not a URL (not shown)').optional(),
    flag: 'browser-endpoint',
    help: 'DevTools URL of a running browser',
  },
  maxPages: {
    schema: (z) => wholeNumber(z, 'pages at once', 1).max(1000).optional(),
    flag: 'browser-pages',
    help: 'Concurrent pages in the browser. Default: two per core',
  },
  pagesPerBrowser: {
    schema: (z) => wholeNumber(z, 'pages', 1).optional(),
    default: 100,
    help: 'Pages after which a browser is replaced',
  },
  sandbox: {
    schema: optionalBoolean,
    flag: 'browser-sandbox',
    help: "Chromium's own sandbox. Default: where it works",
  },
} as const satisfies OptionDefinitions<NonNullable<FetchConfig['browser']>>

const limitsDefinitions = {
  wireBytes: {
    schema: (z) => wholeNumber(z, 'bytes', 1).optional(),
    default: 50 * MIB,
    flag: 'max-wire-bytes',
    help: 'Maximum bytes of a body as transferred',
  },
  bodyBytes: {
    schema: (z) => wholeNumber(z, 'bytes', 1).optional(),
    default: 100 * MIB,
    flag: 'max-body-bytes',
    help: 'Maximum bytes of a body after decompression',
  },
  redirects: {
    schema: (z) => wholeNumber(z, 'redirects', 0).optional(),
    default: 10,
    flag: 'max-redirects',
    help: 'Maximum redirects for one page',
  },
  headerBytes: {
    schema: (z) => wholeNumber(z, 'bytes', 1).optional(),
    default: 64 * 1024,
    flag: 'max-header-bytes',
    help: 'Maximum bytes of response headers',
  },
} as const satisfies OptionDefinitions<NonNullable<FetchConfig['limits']>>

const retryDefinitions = {
  maxRetries: {
    schema: (z) => wholeNumber(z, 'retries', 0).optional(),
    default: defaultRetrySettings.maxRetries,
    help: 'Retries after temporary failures',
  },
  backoffMs: {
    schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(),
    default: defaultRetrySettings.backoffMs,
    help: 'Delay before the first retry, doubled before each further one. Milliseconds',
  },
  maxBackoffMs: {
    schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(),
    default: defaultRetrySettings.maxBackoffMs,
    help: 'Maximum delay, whatever the site asks for. Milliseconds',
  },
} as const satisfies OptionDefinitions<NonNullable<FetchConfig['retry']>>

/** Definitions of {@link FetchConfig}. @internal */
export const fetchDefinitions = {
  maxConcurrency: {
    schema: (z) => wholeNumber(z, 'pages at once', 1).max(1000).optional(),
    default: 10,
    // A command has the flag of its job's option of this name.
    help: false,
  },
  maxConcurrencyPerSite: {
    schema: (z) => wholeNumber(z, 'pages at once', 1).max(1000).optional(),
    help: 'Concurrent pages of one site. Default: --max-concurrency',
  },
  allowPrivateNetworks: {
    schema: optionalBoolean,
    default: false,
    flag: 'private-networks',
    help: 'Allow pages on private and loopback addresses. Default: on, as this is your own machine; off for work and mcp, whose URLs others choose',
  },
  userAgent: {
    schema: (z) =>
      z
        .string()
        .regex(/^[\t\x20-\x7e]+$/, mustBe('the value of a header: it has other characters than printable ASCII'))
        .optional(),
    help: 'User-Agent header, unless --headers has one. Default: trawl/<version>',
  },
  fetcher: {
    schema: (z) => z.enum(FETCHER_NAMES).optional(),
    default: 'auto',
    help: 'auto, http or browser; auto starts a browser only for pages that need one',
  },
  browser: nestDefinitions(browserDefinitions),
  identity: {
    schema: (z) => identitySchema(z).optional(),
    help: 'Key and directory that sign requests: {"key":"identity-key.pem","directoryUrl":"https://bot.example.com"}. Default: none',
  },
  proxies: nestDefinitions(proxyDefinitions),
  profiles: {
    schema: (z) =>
      z
        .union([
          z.string().min(1),
          z.custom<ProfileStore>(
            isProfileStore,
            mustBe('the path of a folder, or a store of profiles with `read` and `save`'),
          ),
        ])
        .optional(),
    help: 'Folder of browser profiles. Default: memory, until the command ends',
  },
  limits: nestDefinitions(limitsDefinitions),
  retry: nestDefinitions(retryDefinitions),
  adLists: {
    schema: (z) => z.array(z.string().min(1)).optional(),
    help: 'File or URL of a filter list in EasyList syntax, for --block-ads',
  },
} as const satisfies OptionDefinitions<FetchConfig>
