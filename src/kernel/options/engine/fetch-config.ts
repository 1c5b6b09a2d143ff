import { FETCHER_CHOICES, type FetcherChoice, type FetchLimits } from '../../fetch/fetcher.js'
import { defaultRetrySettings, type RetrySettings } from '../../fetch/retry.js'
import type { FeatureFetcher } from '../../fetch/feature-fetcher.js'
import { hasMethods } from './value-tests.js'
import { optionalBoolean, wholeNumber } from '../fields/basic-schemas.js'
import { isObject } from '../../../base/collections/is-object.js'
import type { Variables } from '../../../base/runtime/ask-secret.js'
import { type TlsByHost, tlsSchema } from '../fields/host-tls.js'
import { type IdentityConfig, identitySchema } from '../fields/identity.js'
import { type ProxiesConfig, proxyDefinitions } from '../fields/proxies.js'
import { mustBe } from '../../../base/issues/describe-issue.js'
import { nestDefinitions, type OptionDefinitions } from '../option-definition.js'

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
   * `browser` loads every page in one. An object answers in the place of the network, such as that of `replay(…)`: it says which URLs are
   * its own.
   * @default 'auto'
   */
  fetcher?: FetcherChoice | FeatureFetcher
  /**
   * Identity with which requests are signed, so that sites can tell that they are yours: Web Bot Auth.
   * @default none: requests are not signed
   */
  identity?: IdentityConfig
  /** Proxies that pages are fetched through. @default none: direct connections */
  proxies?: ProxiesConfig
  /**
   * TLS by host (`example.com`, `example.com:8443`, `*.example.com`): a client certificate, as `cert` and `key` or as `pfx`, with a
   * `passphrase`; and `ca`, the authorities to trust. `passphrase`, and `key` if it is no text, are a function or `{ env }`. Such a host is
   * always verified, and is requested over HTTP alone: a browser shows no certificate. Nothing of it is stored.
   * @default none
   */
  tls?: TlsByHost
  /** Variables that `{ env }` of a secret names, such as `process.env`. @default none */
  env?: Readonly<Record<string, string | undefined>>
  /** Limits on what remote servers can cost; each has its own error code. */
  limits?: { readonly [Name in keyof FetchLimits]?: FetchLimits[Name] | undefined }
  /** Number and delays of retries of temporary failures, and the statuses that count as such. */
  retry?: { readonly [Name in keyof RetrySettings]?: RetrySettings[Name] | undefined }
}

const MIB = 1024 * 1024

const FETCHER_NAMES = Object.keys(FETCHER_CHOICES) as FetcherChoice[]

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
  statusCodes: {
    schema: (z) => z.array(z.number().multipleOf(1).min(400).max(599)).optional(),
    default: defaultRetrySettings.statusCodes,
    flag: 'retry-status-codes',
    help: 'Statuses after which a page is tried again, 400 to 599, in place of the default',
  },
} as const satisfies OptionDefinitions<NonNullable<FetchConfig['retry']>>

/** Message for what is no fetcher. */
const FETCHER_NEEDED = mustBe(
  `one of ${FETCHER_NAMES.join(', ')}, or a fetcher with the methods \`handles\` and \`fetch\``,
)

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
        .regex(/^[\t\x20-\x7e]+$/, mustBe('the value of a header: printable ASCII, at least 1 character'))
        .optional(),
    help: 'User-Agent header, unless --headers has one. Default: trawl/<version>',
  },
  fetcher: {
    schema: (z) =>
      z
        .union([z.enum(FETCHER_NAMES), z.custom<FeatureFetcher>(hasMethods('handles', 'fetch'), FETCHER_NEEDED)])
        .optional(),
    default: 'auto',
    help: 'auto, http or browser; auto starts a browser only for pages that need one',
  },
  identity: {
    schema: (z) => identitySchema(z).optional(),
    help: 'Key and directory that sign requests: {"key":"identity-key.pem","directoryUrl":"https://bot.example.com"}. Default: none',
  },
  proxies: nestDefinitions(proxyDefinitions),
  tls: { schema: (z) => tlsSchema(z).optional(), help: false },
  env: { schema: (z) => z.custom<Variables>(isObject, 'not an object (not shown)').optional(), help: false },
  limits: nestDefinitions(limitsDefinitions),
  retry: nestDefinitions(retryDefinitions),
} as const satisfies OptionDefinitions<FetchConfig>
