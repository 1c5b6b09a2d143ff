import { captures } from '../enrich/enrich.js'
import type { z } from 'zod'
import type { SchemaBuilder } from '../convert/format.js'
import { connectionHeaders } from '../fetch/identity/request-headers.js'
import { type Action, actionsSchema } from './fields/actions.js'
import { inUnit } from './issues/describe-issue.js'
import { type FormatItem, formatsSchema } from './fields/formats.js'
import { headerHostsSchema, headersSchema } from './fields/headers.js'
import { type Location, locationSchema } from './fields/location.js'
import { type ParserItem, parsersSchema } from './fields/parsers.js'
import { type Profile, profileSchema } from './fields/profile.js'
import { type Redaction, redactionSchema } from './fields/redaction.js'
import { selectorsSchema } from './fields/selectors.js'
import { createShape, type DefaultsOf, collectDefaults, type OptionDefinitions } from './option-definition.js'
import type { WaitAction } from '../fetch/action-options.js'

/**
 * Options of scraping a page.
 *
 * @typeParam Formats the `formats` asked for: the document's type follows them
 * @see docs/compatibility.md#page-options
 */
export interface ScrapeOptions<Formats extends readonly FormatItem[] = readonly FormatItem[]> {
  /** Formats of the output. @default ['markdown'] */
  formats?: Formats | undefined
  /** Keep only the main content: no header, navigation or footer. @default true */
  onlyMainContent?: boolean | undefined
  /** Remove remaining boilerplate from the Markdown with a language model. @default false */
  onlyCleanContent?: boolean | undefined
  /**
   * List the parts that were left out of the content, with size and reason, in `trace` of the document. @default false
   */
  trace?: boolean | undefined
  /** CSS selectors of elements to keep; without any, everything is kept. */
  includeTags?: readonly string[] | undefined
  /** CSS selectors of elements to leave out; `*word*` matches elements with the word in their tag, class or id. */
  excludeTags?: readonly string[] | undefined
  /** Maximum age of a cached page, in milliseconds; 0 always asks the site. @default 172800000 (2 days) */
  maxAge?: number | undefined
  /**
   * Read only from the cache, a page at least this old, and at most `maxAge` old if that is given.
   * Milliseconds; 1 accepts any. A page that is not there fails with `SCRAPE_NO_CACHED_DATA`.
   */
  minAge?: number | undefined
  /** Store the page in the cache. Has no effect with `headers`, `actions` or a `profile`. @default true */
  storeInCache?: boolean | undefined
  /** Read only from the cache: no request leaves the machine. @default false */
  lockdown?: boolean | undefined
  /**
   * Sent to the host that the request names, with or without `www.`, and to no other: for a crawl the host of its `url`,
   * for a batch and a single page the host of each page's own URL. This holds for pages, what pages load, sitemaps and
   * files, and after redirects; a robots.txt is asked for without them. Where the request names an https URL, they never
   * go over plain http, unless `headersFor` names the host with `http://`. In the browser, a `User-Agent` in `headers` is sent to all hosts.
   */
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * Further hosts that `headers` are sent to: `example.com`, `example.com:8443`, or `*.example.com` for all below a domain.
   * `http://example.com` receives them over plain http as well. At most 100. @default none
   */
  headersFor?: readonly string[] | undefined
  /** Time to wait before the content is read, in milliseconds, 0 to 60000. @default 0 */
  waitFor?: number | undefined
  /** Emulate a mobile device. @default false */
  mobile?: boolean | undefined
  /** Accept any certificate. @default true; false when `headers` or `actions` are given */
  skipTlsVerification?: boolean | undefined
  /**
   * Time limit of the whole page, in milliseconds, 1000 to 300000. @default 30000; 60000 with a format that asks a
   * model, 120000 with `audio` or `video`
   */
  timeout?: number | undefined
  /**
   * Kinds of file that are read; with an empty list a file is given as base64.
   * @default every file that has a parser is read, images if the engine has an `imageParser`
   */
  parsers?: readonly ParserItem[] | undefined
  /**
   * Steps on the page before its content is read; at most 50, which wait at most 60 seconds together with `waitFor`.
   */
  actions?: readonly Action[] | undefined
  /** Emulated location of the visitor. */
  location?: Location | undefined
  /** Leave the data of inline images out of the Markdown. @default true */
  removeBase64Images?: boolean | undefined
  /**
   * Leave the browser out, also for a page that seems to need one: it is taken as it comes by HTTP, with a `warning`,
   * and is not kept in the cache. Not with `actions`, `waitFor`, `profile`, and the formats `screenshot` and
   * `branding`, which need one. @default false
   */
  fastMode?: boolean | undefined
  /** Block advertisements and cookie pop-ups. @default true */
  blockAds?: boolean | undefined
  /** Kind of proxy; `auto` tries `basic` first. `stealth` is an alias of `enhanced`. @default 'auto' */
  proxy?: 'basic' | 'enhanced' | 'stealth' | 'auto' | undefined
  /** Browser storage shared under a name. */
  profile?: Profile | undefined
  /** Remove personal data from the output. @default false */
  redactPII?: boolean | Redaction | undefined
}

const flag = (z: SchemaBuilder) => z.boolean().optional()
const wholeMs = (z: SchemaBuilder, from = 0) => z.number(inUnit('milliseconds')).multipleOf(1).min(from)

/** Definitions of {@link ScrapeOptions}; {@link scrapeRules} has the rules across them. @internal */
export const scrapeDefinitions = {
  formats: {
    schema: (z) => formatsSchema(z).optional(),
    default: ['markdown'],
    help: 'Output format, by name or as an object with options',
  },
  onlyMainContent: {
    schema: flag,
    default: true,
    help: 'Return only the main content: no header, navigation, footer',
    slice: 'extract',
  },
  onlyCleanContent: { schema: flag, default: false, help: 'Let a language model remove remaining boilerplate' },
  trace: { schema: flag, default: false, help: 'List the dropped content, with the reasons' },
  includeTags: {
    schema: (z) => selectorsSchema(z).optional(),
    help: 'CSS selector of content to keep. Default: everything',
  },
  excludeTags: {
    schema: (z) => selectorsSchema(z).optional(),
    help: 'CSS selector of content to drop; *word* matches elements with the word in tag, class or id',
  },
  maxAge: {
    schema: (z) => wholeMs(z).optional(),
    default: 172_800_000,
    help: 'Maximum age of a cached page. Milliseconds; see --cache',
  },
  minAge: {
    schema: (z) => wholeMs(z).optional(),
    help: 'Use the cache only, with pages at least this old. Milliseconds; see --cache',
  },
  storeInCache: { schema: flag, default: true, help: 'Write the page to the cache, if there is a --cache' },
  lockdown: { schema: flag, default: false, help: 'Use the cache only (see --cache); send no request' },
  headers: {
    schema: (z) => headersSchema(z, [...connectionHeaders]).optional(),
    help: 'Request header, sent to the host of URL only; or all of them as a JSON object',
  },
  headersFor: {
    schema: (z) => headerHostsSchema(z).optional(),
    help: 'Further host that receives --headers: example.com, example.com:8443, *.example.com. Default: none',
  },
  waitFor: {
    schema: (z) => wholeMs(z).max(60_000).optional(),
    default: 0,
    help: 'Delay before the content is taken. Milliseconds, 0 to 60000',
  },
  mobile: { schema: flag, default: false, help: 'Emulate a mobile device' },
  skipTlsVerification: {
    schema: flag,
    default: true,
    help: 'Accept any certificate. Default: on; off with --headers or --actions',
  },
  timeout: {
    schema: (z) => wholeMs(z, 1000).max(300_000).optional(),
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
    schema: flag,
    default: true,
    help: 'Leave the data of inline images out of the Markdown',
    slice: 'convert',
  },
  fastMode: { schema: flag, default: false, help: 'Never use a browser, even for a page that seems to need one' },
  blockAds: { schema: flag, default: true, help: 'Block advertisements and cookie pop-ups', slice: 'browser' },
  proxy: {
    schema: (z) => z.enum(['basic', 'enhanced', 'stealth', 'auto']).optional(),
    default: 'auto',
    help: 'Kind of proxy; auto tries basic first',
  },
  profile: {
    schema: (z) => profileSchema(z).optional(),
    help: 'Browser storage shared under a name: {"name":"shop","saveChanges":true}',
  },
  redactPII: {
    schema: (z) => redactionSchema(z).optional(),
    default: false,
    help: 'Remove personal data; =JSON for options: {"mode":"fast","entities":["EMAIL"]}',
  },
} as const satisfies OptionDefinitions<ScrapeOptions>

/** Defaults of page options. @internal */
export const scrapeDefaults: DefaultsOf<typeof scrapeDefinitions> = collectDefaults(scrapeDefinitions)

/** Default of `timeout` for formats that take longer. Milliseconds. */
export const slowTimeouts = {
  /** For pages with formats that ask a model. */
  model: 60_000,
  /** For a page whose audio or video is downloaded. */
  media: 120_000,
} as const

/** Creates the schema of each field. @internal */
export const scrapeShape = (z: SchemaBuilder) => createShape(scrapeDefinitions, z)

interface WaitingOptions extends Pick<ScrapeOptions, 'waitFor' | 'timeout' | 'actions' | 'fastMode' | 'profile'> {
  formats?: readonly (string | { readonly type: string })[] | undefined
}

const MAX_WAITING_MS = 60_000
/** Time that waiting for an element counts as, in milliseconds. */
const SELECTOR_WAIT_MS = 1000

/** Returns the time of a wait; a wait for an element and a time counts both. */
const countWaitMs = ({ milliseconds = 0, selector }: WaitAction): number =>
  milliseconds + (selector === undefined ? 0 : SELECTOR_WAIT_MS)

/**
 * Creates the rules across the fields of scrape options. A rule runs if the fields that it reads are valid. @internal
 */
export function scrapeRules(z: SchemaBuilder): z.core.$ZodCheck<WaitingOptions>[] {
  return [
    z.superRefine(refuseWaitOverTimeout, { when: areValid('waitFor', 'timeout') }),
    z.superRefine(refuseLongTotalWait, { when: areValid('waitFor', 'actions') }),
    z.superRefine(refuseBrowserNeeds, { when: areValid('fastMode', 'waitFor', 'actions', 'formats', 'profile') }),
  ]
}

/** Creates the schema of standalone {@link ScrapeOptions}. @internal */
export const scrapeSchema = (z: SchemaBuilder) => z.strictObject(scrapeShape(z)).check(...scrapeRules(z))

/** Creates a test for an object in which none of these fields has an issue. @internal */
export const areValid =
  (...fields: string[]) =>
  ({ issues, value }: z.core.ParsePayload): boolean =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !issues.some(({ path }) => fields.includes(String(path?.[0])))

function refuseWaitOverTimeout({ waitFor, timeout }: WaitingOptions, context: z.core.$RefinementCtx): void {
  if (waitFor === undefined || timeout === undefined || waitFor <= timeout / 2) return
  const message = `${waitFor} is more than half of \`timeout\`, which is ${timeout}`
  context.addIssue({ code: 'custom', path: ['waitFor'], message })
}

function refuseBrowserNeeds(
  {
    fastMode = scrapeDefaults.fastMode,
    waitFor = scrapeDefaults.waitFor,
    actions = [],
    formats = [],
    profile,
  }: WaitingOptions,
  context: z.core.$RefinementCtx,
): void {
  if (!fastMode) return
  const captured = formats
    .map((item) => (typeof item === 'string' ? item : item.type))
    .filter((type) => captures.has(type))
  const needs = [
    ...(waitFor > 0 ? ['`waitFor`'] : []),
    ...(actions.length > 0 ? ['`actions`'] : []),
    ...(profile ? ['`profile`'] : []),
    ...captured.map((type) => `format \`${type}\``),
  ]
  if (needs.length === 0) return
  const message = `leaves the browser out, which ${needs.join(', ')} ${needs.length > 1 ? 'need' : 'needs'}: they cannot be combined`
  context.addIssue({ code: 'custom', path: ['fastMode'], message })
}

function refuseLongTotalWait(
  { waitFor = scrapeDefaults.waitFor, actions = [] }: WaitingOptions,
  context: z.core.$RefinementCtx,
): void {
  const waits = actions.flatMap((action) => (action.type === 'wait' ? [countWaitMs(action)] : []))
  const total = waits.reduce((sum, wait) => sum + wait, waitFor)
  if (waits.length === 0 || total <= MAX_WAITING_MS) return
  const message = `waits of ${total} milliseconds, \`waitFor\` included, are too long: at most ${MAX_WAITING_MS} together`
  context.addIssue({ code: 'custom', path: ['actions'], message })
}
