import type { JobBudget } from '../accounting/budget.js'
import type { PageCache } from '../cache/cache.js'
import type { LanguageModel } from '../llm/llm.js'
import type { ModelSettings } from '../llm/model-client.js'
import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import type { BrowserOptions } from '../fetch/browser-process/browser-options.js'
import { FETCHER_CHOICES, type FetcherChoice, type FetchLimits } from '../fetch/fetcher.js'
import type { ProfileStore } from '../fetch/profiles/profile.js'
import type { RetrySettings } from '../fetch/retry.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Ocr } from '../ocr/ocr.js'
import type { MediaSink } from '../media/media.js'
import type { MediaExtractor } from '../media/media-extractor.js'
import type { ImageParser } from '../parse/image-parser.js'
import type { Store } from '../store/store.js'
import { urlToString, type UrlLike } from '../url.js'
import { inUnit } from './issues/describe-issue.js'
import { budgetSchema } from './fields/budget.js'
import { type ProxiesConfig, proxiesSchema } from './fields/proxies.js'

/** Configuration of an engine. Every field has a default. */
export interface EngineConfig {
  /**
   * Pages at once over all jobs; a job's own `maxConcurrency` holds as well. 1 to 1000. Where neither is given, up to
   * 60 pages more that have only waited for their sites for some seconds, so that pages that hang hold no others up.
   *
   * @default 10
   */
  maxConcurrency?: number | undefined
  /** Pages at once on one site (host and port), over all jobs. 1 to 1000. @default maxConcurrency */
  maxConcurrencyPerSite?: number | undefined
  /**
   * Allows pages on private, loopback and link-local addresses. Leave it off wherever strangers can choose URLs: it
   * keeps them out of the host's network.
   * @default false
   */
  allowPrivateNetworks?: boolean | undefined
  /** `User-Agent` of requests whose `headers` name none. @default 'trawl/<version>' */
  userAgent?: string | undefined
  /**
   * Cache of raw pages: the path of a folder (`fileCache` has more options), a cache, or false for none.
   * @default memoryCache(), which holds 64 MiB
   */
  cache?: PageCache | string | false | undefined
  /**
   * Storage of jobs, with the outcome of each URL and the documents: `sqlite('crawl.db')`, so that they outlive the
   * process, or `memoryLedger(…)`, which can be given a bound. The engine closes it: each engine has one of its own.
   * @default memoryLedger(), which holds all of it and ends with the process
   */
  ledger?: Ledger | undefined
  /**
   * Storage of page snapshots, which format `changeTracking` compares with: a folder, by its path, where they
   * outlive the process and are never forgotten, or a store such as `keyvStore(…)`. When it is given, every page whose
   * `markdown` was asked for leaves a snapshot, and not only those that are compared.
   * @default the engine's own memory, 64 MiB of it
   */
  snapshots?: Store | string | undefined
  /**
   * Time after `maxAge` during which a cached page is used if the site fails: it cannot be reached, takes four fifths
   * of the page's `timeout`, or answers 500, 502, 503 or 504. Its document has a `warning`. Not for a page that was
   * sent with `must-revalidate` or `no-cache`. Milliseconds.
   * @default 0
   * @see RFC 5861 section 4
   */
  staleIfErrorMs?: number | undefined
  /**
   * Number of worker threads for parsing and converting. 0 runs both on the host's thread in slices, which yield between the
   * steps of a page and the pages of a file; a `timeout` takes effect only there.
   * @default the number of cores minus one, at least 1
   */
  threads?: number | undefined
  /**
   * Time limit of reading a file that is not a web page, such as PDF, in milliseconds. Beyond it, the page fails with
   * `SCRAPE_FILE_TOO_COMPLEX`; a shorter `timeout` of the page applies first, with `SCRAPE_TIMEOUT`. Without threads, reading
   * ends between two steps.
   * @default 60000
   */
  fileTimeoutMs?: number | undefined
  /**
   * Recognises the text of images, for scanned PDF files: `tesseractOcr()`, or a function of your own.
   * @default none: such files fail with `SCRAPE_PDF_OCR_REQUIRED`
   */
  ocr?: Ocr | undefined
  /** Limits on what remote servers can cost; each has its own error code. */
  limits?: { readonly [Name in keyof FetchLimits]?: FetchLimits[Name] | undefined } | undefined
  /**
   * Fetcher of pages: `auto` is HTTP, with a browser for pages and options that need one; `http` never starts a browser;
   * `browser` loads every page in one.
   * @default 'auto'
   */
  fetcher?: FetcherChoice | undefined
  /** Choice and size of the browser. Nothing is searched for or started before a page needs it. */
  browser?: { readonly [Name in keyof BrowserOptions]?: BrowserOptions[Name] | undefined } | undefined
  /**
   * Destination of screenshots, PDF, audio and video files: a folder, or a function that stores a file and returns its
   * URL for the document.
   * @default none: they are inlined in the document as `data:` URIs, audio and video of up to 8 MiB
   */
  media?: string | MediaSink | undefined
  /**
   * Program with which format `audio` extracts audio from video and converts it to MP3: its path, or its name in the system's
   * folders. False for none. It reads and writes pipes only, and is killed after `fileTimeoutMs`.
   * @default 'ffmpeg'; without it audio stays in its format, and audio of videos is not available
   */
  ffmpeg?: string | false | undefined
  /**
   * Finds the audio and video of pages whose markup does not name it, such as those of hosting sites, for formats `audio` and
   * `video`: `ytDlp()`, or a function of your own. @default none: such pages fail
   */
  mediaExtractor?: MediaExtractor | undefined
  /**
   * Converts an image to the Markdown of its page: for every image, unless a request's `parsers` omit `image`. A crawl
   * follows links to images only if its `parsers` contain `image`.
   * @default none: an image fails with `SCRAPE_UNSUPPORTED_FILE_ERROR`
   */
  imageParser?: ImageParser | undefined
  /**
   * The language model of formats `json`, `summary`, `question`, `highlights` and `query`, and of mode `json` of
   * `changeTracking`: `openAiCompatible(…)`, `aiSdk(…)`, or a function of one's own. @default none: asking for these
   * is refused
   */
  model?: LanguageModel | undefined
  /** Settings and prices of the model. */
  modelOptions?: { readonly [Name in keyof ModelSettings]?: ModelSettings[Name] | undefined } | undefined
  /**
   * Budget of each job; a job's own `budget` replaces it as a whole. Single pages keep to `modelTokens` and
   * `modelCost` of it.
   * @default no limit
   */
  budget?: JobBudget | undefined
  /**
   * The most credits that the jobs and single pages of this engine may cost together, from when it is made. Where not
   * even one page fits in what is left, jobs and pages are refused with `INSUFFICIENT_CREDITS` (402), and running jobs
   * end with that as their `error`: see `stoppedBy` of their status. Room is kept for what each page under way may
   * cost. Beyond it goes only what cannot be known before: further pages of PDF files, and of the last page alone the
   * surcharge for an enhanced proxy.
   * @default no limit
   * @see {@link Engine.credits}
   */
  creditLimit?: number | undefined
  /** Proxies that pages are fetched through. @default none: direct connections */
  proxies?: ProxiesConfig | undefined
  /**
   * Storage of profiles: a folder, by its path, or a store such as `memoryProfiles()`, which engines
   * may share.
   * @default the engine's own memory
   */
  profiles?: ProfileStore | string | undefined
  /**
   * Filter lists for `blockAds` beside the small one of trawl's own, in the syntax of EasyList: paths of files, or URLs,
   * which are read again after a day.
   * @default none
   */
  adLists?: readonly string[] | undefined
  /** Number and delays of retries of temporary failures. */
  retry?: { readonly [Name in keyof RetrySettings]?: RetrySettings[Name] | undefined } | undefined
  /**
   * Size of unread documents at which a job starts no further page, in bytes.
   * @default 33554432 (32 MiB)
   */
  maxWaitingBytes?: number | undefined
  /**
   * Reports to webhooks are signed with it: `X-Firecrawl-Signature: sha256=…`, the HMAC-SHA256 of the body in hex. It is
   * stored nowhere.
   * @default none: they are not signed
   */
  webhookSecret?: string | undefined
  /**
   * URL of a server around this engine: the first part of a job's `url`. @default 'trawl://engine'
   */
  baseUrl?: UrlLike | undefined
  /** Time for which a job is kept after its end, in milliseconds. @default 86400000 (24 hours) */
  retentionMs?: number | undefined
  /** Clock: returns milliseconds since the epoch. @default Date.now */
  now?: (() => number) | undefined
}

const MODEL_NEEDED = 'not a language model: give `openAiCompatible({ … })`, `aiSdk(model)` or a function'

const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && names.every((name) => name in value)

const isCache = hasMethods('get', 'set', 'delete', 'close')
const isLedger = hasMethods('open', 'forget', 'close')
const isProfileStore = hasMethods('read', 'save')

const whole = (z: SchemaBuilder, unit: string, from: number) => z.number(inUnit(unit)).multipleOf(1).min(from)

const limitsSchema = (z: SchemaBuilder) =>
  z.strictObject({
    wireBytes: whole(z, 'bytes', 1).optional(),
    bodyBytes: whole(z, 'bytes', 1).optional(),
    redirects: whole(z, 'redirects', 0).optional(),
    headerBytes: whole(z, 'bytes', 1).optional(),
  } satisfies OptionSchemas<NonNullable<EngineConfig['limits']>>)

const browserSchema = (z: SchemaBuilder) =>
  z.strictObject({
    executablePath: z.string().min(1).optional(),
    cdpEndpoint: z.url('not a URL').optional(),
    maxPages: whole(z, 'pages at once', 1).max(1000).optional(),
    pagesPerBrowser: whole(z, 'pages', 1).optional(),
    sandbox: z.boolean().optional(),
  } satisfies OptionSchemas<NonNullable<EngineConfig['browser']>>)

const modelOptionsSchema = (z: SchemaBuilder) =>
  z.strictObject({
    maxConcurrency: whole(z, 'requests at once', 1).max(1000).optional(),
    timeoutMs: whole(z, 'milliseconds', 1).optional(),
    maxRetries: whole(z, 'retries', 0).optional(),
    backoffMs: whole(z, 'milliseconds', 0).optional(),
    contextTokens: whole(z, 'tokens', 2048).optional(),
    maxOutputTokens: whole(z, 'tokens', 16).optional(),
    cacheBytes: whole(z, 'bytes', 0).optional(),
    price: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).optional(),
  } satisfies OptionSchemas<NonNullable<EngineConfig['modelOptions']>>)

const retrySchema = (z: SchemaBuilder) =>
  z.strictObject({
    maxRetries: whole(z, 'retries', 0).optional(),
    backoffMs: whole(z, 'milliseconds', 0).optional(),
    maxBackoffMs: whole(z, 'milliseconds', 0).optional(),
  } satisfies OptionSchemas<NonNullable<EngineConfig['retry']>>)

/** Creates the schema of an {@link EngineConfig}. @internal */
export function engineConfigSchema(z: SchemaBuilder) {
  const config = z.strictObject({
    maxConcurrency: whole(z, 'pages at once', 1).max(1000).optional(),
    maxConcurrencyPerSite: whole(z, 'pages at once', 1).max(1000).optional(),
    allowPrivateNetworks: z.boolean().optional(),
    userAgent: z
      .string()
      .regex(/^[\t\x20-\x7e]+$/, 'not the value of a header')
      .optional(),
    cache: z
      .union([
        z.literal(false),
        z.string().min(1),
        z.custom<PageCache>(isCache, 'not a cache: it needs `get`, `set`, `delete` and `close`'),
      ])
      .optional(),
    ledger: z.custom<Ledger>(isLedger, 'not a ledger: it needs `open`, `forget` and `close`').optional(),
    snapshots: z
      .union([z.string().min(1), z.custom<Store>(isCache, 'not a store: it needs `get`, `set`, `delete` and `close`')])
      .optional(),
    staleIfErrorMs: whole(z, 'milliseconds', 0).optional(),
    threads: whole(z, 'threads', 0).max(256).optional(),
    fileTimeoutMs: whole(z, 'milliseconds', 1).optional(),
    ocr: z.custom<Ocr>((value) => typeof value === 'function', 'not a function').optional(),
    limits: limitsSchema(z).optional(),
    fetcher: z.enum(FETCHER_CHOICES).optional(),
    browser: browserSchema(z).optional(),
    media: z
      .union([
        z.string().min(1),
        z.custom<MediaSink>((value) => typeof value === 'function', 'neither the path of a folder nor a function'),
      ])
      .optional(),
    ffmpeg: z.union([z.literal(false), z.string().min(1)]).optional(),
    mediaExtractor: z.custom<MediaExtractor>((value) => typeof value === 'function', 'not a function').optional(),
    imageParser: z.custom<ImageParser>((value) => typeof value === 'function', 'not a function').optional(),
    model: z.custom<LanguageModel>((value) => typeof value === 'function', MODEL_NEEDED).optional(),
    modelOptions: modelOptionsSchema(z).optional(),
    budget: budgetSchema(z).optional(),
    creditLimit: whole(z, 'credits', 0).optional(),
    proxies: proxiesSchema(z).optional(),
    profiles: z
      .union([
        z.string().min(1),
        z.custom<ProfileStore>(isProfileStore, 'not a store of profiles: it needs `read` and `save`'),
      ])
      .optional(),
    adLists: z.array(z.string().min(1)).optional(),
    retry: retrySchema(z).optional(),
    maxWaitingBytes: whole(z, 'bytes', 0).optional(),
    webhookSecret: z
      .string({ error: 'not a string (not shown)' })
      .refine((secret) => secret !== '', 'empty: leave it out where reports are not to be signed')
      .optional(),
    baseUrl: z.preprocess(urlToString, z.url('not a URL')).optional(),
    retentionMs: whole(z, 'milliseconds', 0).optional(),
    now: z
      .custom<() => number>((value) => typeof value === 'function', 'not a function')
      // With an invalid clock, every wait of a job would never end.
      .refine((now) => typeof now !== 'function' || Number.isFinite(now()), 'gives no number of milliseconds')
      .optional(),
  } satisfies OptionSchemas<EngineConfig>)
  return config.superRefine(({ budget, modelOptions }, context) => {
    if (budget?.modelCost === undefined || modelOptions?.price) return
    context.addIssue({ code: 'custom', path: ['budget', 'modelCost'], message: NO_PRICE })
  })
}

const NO_PRICE = 'nothing is known of what tokens cost: give `modelOptions.price`'
