import { TEXT_FORMAT } from '../../content/convert/convert.js'
import type { SchemaBuilder, OptionSchemas } from '../../content/convert/format.js'
import { connectionHeaders } from '../../base/http/connection-headers.js'
import { clientDefinitions, type ClientOptions } from './client-options.js'
import { type Action, actionsSchema } from './fields/actions.js'
import type { FeaturePageOptions } from './feature-options.js'
import { optionalBoolean, wholeNumber } from './fields/basic-schemas.js'
import { type FormatItem, formatsSchema } from './fields/formats.js'
import { hostsSchema, headersSchema } from './fields/headers.js'
import { type Location, locationSchema } from './fields/location.js'
import { type ParserItem, parsersSchema } from './fields/parsers.js'
import { selectorsSchema } from './fields/selectors.js'
import { collectDefaults, type DefaultsOf, NO_FEATURE_OPTIONS, type OptionDefinitions } from './option-definition.js'

declare const ofFormats: unique symbol

/**
 * Any formats. Together with the type that is inferred from a call, editors complete the names of formats and their options, and the
 * compiler refuses options that a format does not have: an inferred type accepts all that it is inferred from.
 */
interface FormatList {
  readonly [index: number]: FormatItem
  /**
   * One method of lists, and not all: by the return type of a method the compiler finds options that an item does not have, and the message
   * of its error repeats each method that differs.
   */
  pop?(): FormatItem | undefined
  /** Never there. Without it, the compiler takes a plain list for this type, and infers nothing. */
  readonly [ofFormats]?: never
}

/**
 * Options of scraping a page.
 *
 * @typeParam Formats the requested `formats`, which decide the type of the document
 * @see docs/compatibility/requests.md#page-options
 */
export interface ScrapeOptions<Formats extends readonly FormatItem[] = readonly FormatItem[]>
  extends FeaturePageOptions, ClientOptions {
  /** Formats of the output. @default ['markdown'] */
  formats?: Formats & FormatList
  /** Keep only the main content: no header, navigation or footer. @default true */
  onlyMainContent?: boolean
  /**
   * List the parts of the page that are not in the content, with size and reason, in `trace` of the document.
   * @default false
   */
  trace?: boolean
  /**
   * Leave out text that no reader sees: transparent, too small, in the colour of its background, off the page, in characters that
   * are not shown, hidden in a file. `hidden` of the document lists it. `rawHtml` and `links` have it. @default true
   */
  visibleOnly?: boolean
  /** CSS selectors of elements to keep; without any, everything is kept. */
  includeTags?: readonly string[]
  /** CSS selectors of elements to leave out; `*word*` matches elements with the word in their tag, class or id. */
  excludeTags?: readonly string[]
  /** Maximum age of a cached page, in milliseconds; 0 always asks the site. @default 172800000 (2 days) */
  maxAge?: number
  /**
   * Read only from the cache: a page at least this old, and at most `maxAge` old if that is given. Milliseconds; 1
   * accepts any age. A page that is not cached fails with `SCRAPE_NO_CACHED_DATA`.
   */
  minAge?: number
  /** Store the page in the cache. Has no effect with `headers`, `actions` or a `profile`. @default true */
  storeInCache?: boolean
  /** Read only from the cache: no request leaves the machine. @default false */
  lockdown?: boolean
  /**
   * Request headers. They are sent only to the host that the request names, with or without `www.`: for a crawl the host
   * of its `url`, for a batch and a single page the host of each page's own URL. This holds for pages, what pages load,
   * sitemaps and files, and after redirects. Requests for robots.txt never have them. Where the request names an https
   * URL, they are not sent over plain http, unless `headersFor` names the host with `http://`. In the browser, a
   * `User-Agent` in `headers` is sent to all hosts.
   */
  headers?: Readonly<Record<string, string>>
  /**
   * Further hosts that `headers` are sent to: `example.com`, `example.com:8443`, or `*.example.com` for all hosts below a
   * domain. `http://example.com` receives them over plain http as well. At most 100. @default none
   */
  headersFor?: readonly string[]
  /** Time to wait before the content is read, in milliseconds, 0 to 60000. @default 0 */
  waitFor?: number
  /** Emulate a mobile device. @default false */
  mobile?: boolean
  /** Accept any certificate. @default true; false when `headers` or `actions` are given */
  skipTlsVerification?: boolean
  /**
   * Time limit of the whole page, in milliseconds, 1000 to 300000.
   * @default 30000; 60000 with a format that asks a model, 120000 with `expand`, `audio`, `video`, or `all` of `list`
   */
  timeout?: number
  /**
   * Kinds of files that are parsed. With an empty list, a file is returned as base64.
   * @default all kinds that have a parser; images if the engine has an `imageParser`
   */
  parsers?: readonly ParserItem[]
  /**
   * Actions on the page before its content is read. At most 50; together with `waitFor`, they wait at most 60 seconds.
   */
  actions?: readonly Action[]
  /** Emulated location of the visitor. */
  location?: Location
  /** Leave the data of inline images out of the Markdown. @default true */
  removeBase64Images?: boolean
  /**
   * Load the whole list of a page in a browser before its content is read: scroll, click "load more", keep the rows of a
   * virtual list, and open tabs and accordions that load when they are clicked. Stops after 10,000 rows, after two
   * attempts that bring nothing, or shortly before the `timeout`, then with a `warning`. @default false
   */
  expand?: boolean
  /**
   * Never use a browser. A page that seems to need one is returned as HTTP delivers it, with a `warning`, and is not
   * cached. Cannot be combined with options that need a browser: `actions`, `waitFor`, `expand`, `profile`, and the
   * formats `screenshot` and `branding`. @default false
   */
  fastMode?: boolean
  /** Block advertisements and cookie pop-ups. @default true */
  blockAds?: boolean
  /** Kind of proxy; `auto` tries `basic` first. `stealth` is an alias of `enhanced`. @default 'auto' */
  proxy?: 'basic' | 'enhanced' | 'stealth' | 'auto'
  /** Browser storage that pages share under a name. */
  profile?: Profile
}

/** Options of scraping a single page. */
export interface ScrapeCallOptions<
  Formats extends readonly FormatItem[] = readonly FormatItem[],
> extends ScrapeOptions<Formats> {
  /**
   * Store nothing of the page: no cache, no snapshot. Refused with what cannot do without, as in a job.
   * @default false
   */
  zeroDataRetention?: boolean
}

const milliseconds = (z: SchemaBuilder, min = 0) => wholeNumber(z, 'milliseconds', min)

/** Definitions of {@link ScrapeOptions}; `scrape-schema.ts` has the rules across them. @internal */
export const scrapeDefinitions = {
  ...clientDefinitions,
  formats: {
    schema: (z, { formats } = NO_FEATURE_OPTIONS) => formatsSchema(z, formats).optional(),
    default: [TEXT_FORMAT],
    help: 'Output format, by name or as an object with options',
  },
  onlyMainContent: {
    schema: optionalBoolean,
    default: true,
    help: 'Return only the main content: no header, navigation, footer',
    slice: 'extract',
  },
  trace: { schema: optionalBoolean, default: false, help: 'List the dropped content, with the reasons' },
  visibleOnly: {
    schema: optionalBoolean,
    default: true,
    help: 'Leave out text that no reader sees',
    slice: 'extract',
  },
  includeTags: {
    schema: (z) => selectorsSchema(z).optional(),
    help: 'CSS selector of content to keep. Default: everything',
  },
  excludeTags: {
    schema: (z) => selectorsSchema(z).optional(),
    help: 'CSS selector of content to drop; *word* matches elements with the word in tag, class or id',
  },
  maxAge: {
    schema: (z) => milliseconds(z).optional(),
    default: 172_800_000,
    help: 'Maximum age of a cached page. Milliseconds; see --cache',
  },
  minAge: {
    schema: (z) => milliseconds(z).optional(),
    help: 'Use the cache only, with pages at least this old. Milliseconds; see --cache',
  },
  storeInCache: { schema: optionalBoolean, default: true, help: 'Write the page to the cache, if there is a --cache' },
  lockdown: { schema: optionalBoolean, default: false, help: 'Use the cache only (see --cache); send no request' },
  headers: {
    schema: (z) => headersSchema(z, [...connectionHeaders]).optional(),
    help: 'Request header, sent to the host of URL only; or all of them as a JSON object',
  },
  headersFor: {
    schema: (z) => hostsSchema(z).optional(),
    help: 'Further host that receives --headers: example.com, example.com:8443, *.example.com. Default: none',
  },
  waitFor: {
    schema: (z) => milliseconds(z).max(60_000).optional(),
    default: 0,
    help: 'Delay before the content is taken. Milliseconds, 0 to 60000',
  },
  mobile: { schema: optionalBoolean, default: false, help: 'Emulate a mobile device' },
  skipTlsVerification: {
    schema: optionalBoolean,
    default: true,
    help: 'Accept any certificate. Default: on; off with --headers or --actions',
  },
  timeout: {
    schema: (z) => milliseconds(z, 1000).max(300_000).optional(),
    default: 30_000,
    help: 'Timeout of a page. Milliseconds, 1000 to 300000',
  },
  parsers: {
    schema: (z) => parsersSchema(z).optional(),
    help: 'Kind of file to parse: pdf, image; [] returns files as base64. Default: all supported ones',
  },
  actions: {
    schema: (z) => actionsSchema(z).optional(),
    help: 'Action on the page before its content is taken, at most 50: {"type":"click","selector":"#more"}',
  },
  location: {
    schema: (z) => locationSchema(z).optional(),
    help: 'Location to emulate: {"country":"DE","languages":["de"]}',
  },
  removeBase64Images: {
    schema: optionalBoolean,
    default: true,
    help: 'Leave the data of inline images out of the Markdown',
    slice: 'convert',
  },
  expand: {
    schema: optionalBoolean,
    default: false,
    help: 'Load the whole list of a page in a browser: scroll, click "load more", open tabs',
  },
  fastMode: {
    schema: optionalBoolean,
    default: false,
    help: 'Never use a browser, even for a page that seems to need one',
  },
  blockAds: {
    schema: optionalBoolean,
    default: true,
    help: 'Block advertisements and cookie pop-ups',
    slice: 'browser',
  },
  proxy: {
    schema: (z) => z.enum(['basic', 'enhanced', 'stealth', 'auto']).optional(),
    default: 'auto',
    help: 'Kind of proxy; auto tries basic first',
  },
  profile: {
    schema: (z) => profileSchema(z).optional(),
    help: 'Browser storage shared under a name: {"name":"shop","saveChanges":true}',
  },
} as const satisfies OptionDefinitions<Omit<ScrapeOptions, keyof FeaturePageOptions>>

/** Defaults of page options. @internal */
export const scrapeDefaults: DefaultsOf<typeof scrapeDefinitions> = collectDefaults(scrapeDefinitions)

/** Defaults of `timeout` for formats and options that take longer. Milliseconds. */
export const slowTimeouts = {
  /** Timeout of a page with formats that ask a model. */
  model: 60_000,
  /** Timeout of a page whose audio or video is downloaded. */
  media: 120_000,
  /** Timeout of a page whose list is read to its end. */
  list: 120_000,
} as const

/**
 * Cookies, local storage and session data of a browser. They are stored under a name, and shared by all pages with this
 * name. Stored are up to 4 MiB of local storage and 4 MiB of databases for each site, 16 MiB of databases in all, and 20
 * sites.
 */
export interface Profile {
  /** Name, 1 to 128 characters. */
  name: string
  /** Save the changes that the page makes; otherwise the profile is only read. @default true */
  saveChanges?: boolean
}

/** Creates the schema of a {@link Profile}. @see docs/compatibility/requests.md#profiles @internal */
export const profileSchema = (z: SchemaBuilder) =>
  z.strictObject({
    name: z.string().min(1).max(128),
    saveChanges: z.boolean().optional(),
  } satisfies OptionSchemas<Profile>)
