import type { SnapshotPlan } from '../../snapshot/snapshot.js'
import { modelBudgetOf } from '../../../base/accounting/budget.js'
import { type ConvertFormat, isConvertFormat, isText } from '../../../content/convert/convert.js'
import type { EnrichPlan } from '../../enrich/enrich.js'
import type { NeededLists, NeededSnapshot } from '../../enrich/format.js'
import { type AnswerSchema, holdSchema } from '../../../base/json-schema/answer-schema.js'
import type { ListPlan } from '../../../content/extract/list/page-list.js'
import type { ProxyChoice } from '../../../base/network/proxy-route.js'
import type { FormatSet } from '../../options/format-set.js'
import { describeWithoutEffect } from '../../options/client-options.js'
import { type FormatItem, itemType } from '../../options/fields/formats.js'
import { scrapeDefaults, scrapeDefinitions, type ScrapeOptions, slowTimeouts } from '../../options/scrape-options.js'
import { deepFreeze } from '../../../base/collections/deep-freeze.js'
import { type FeaturesInPage, formatsOf } from '../feature-plan.js'
import { fillSlice } from '../fill-slice.js'
import type { PlanDefaults } from '../plan-defaults.js'
import type { ScrapePlan } from '../scrape-plan.js'
import { planBrowser, type BrowserParts } from './plan-browser.js'
import type { CachePlan } from '../../cache/cache.js'
import { DEFAULT_COUNTRY } from '../../options/fields/location.js'
import type { EnrichFormats } from '../../enrich/enrich-formats.js'
import type { ParserItem, PdfParser } from '../../options/fields/parsers.js'
import type { ParsePlan, PdfPlan } from '../../../content/parse/parser.js'

/**
 * Plans the scraping of a page, from checked options.
 *
 * @param isCrawl true if pages need a fingerprint, because they are compared with each other
 */
export function planScrape(options: ScrapeOptions, defaults: PlanDefaults, isCrawl = false): ScrapePlan {
  const { scripts, rewrite, ...planned }: FeaturesInPage = defaults.features?.plan(options, defaults) ?? {}
  const mayHaveCredentials = mayCarryCredentials(options) || planned.changesRequests !== undefined
  const skipTlsVerification = options.skipTlsVerification ?? (scrapeDefaults.skipTlsVerification && !mayHaveCredentials)
  const known = formatsOf(defaults)
  const browserPlan = planBrowser(options, known, scripts)
  const formats = pickEnrichFormats(options.formats ?? [])
  const convertFormats = pickConvertFormats(options.formats ?? scrapeDefaults.formats)
  const { text, facts, media, model, mayAsk } = known.findNeeds(formats)
  const lists = known.findLists(formats)
  const timeoutMs =
    options.timeout ?? defaultTimeout(options, { media, model, isWholeList: lists?.isWhole === true }, defaults)
  // The raw page has what is rewritten.
  const cached = options.fastMode === true || rewrite ? { ...options, storeInCache: false } : options
  const unused = describeWithoutEffect(options)
  return deepFreeze({
    cache: { ...planCache(cached, skipTlsVerification, browserPlan, defaults), timeoutMs },
    fetch: {
      headers: { ...options.headers },
      headerScope: options.headersFor && { hosts: [...options.headersFor] },
      skipTlsVerification,
      timeoutMs,
      fetcher: options.fastMode === true ? 'http' : defaults.fetcher,
      proxy: planProxy(options.proxy),
      ...browserPlan,
    },
    digest: {
      parse: { ...planParse(options, defaults.parse, known), mayBeMedia: media || undefined },
      extract: {
        ...fillSlice(options, scrapeDefinitions, 'extract'),
        includeTags: [...(options.includeTags ?? [])],
        excludeTags: [...(options.excludeTags ?? [])],
        trace: options.trace || undefined,
        fidelity: showsContent(options, text, known) ? undefined : false,
        ...planList(lists),
      },
      convert: {
        formats: convertFormats,
        ...fillSlice(options, scrapeDefinitions, 'convert'),
      },
      fingerprint: isCrawl,
      rewrite,
      material: text || facts || media ? { text, facts, media, maxTokens: defaults.partTokens } : undefined,
    },
    enrich: { ...planEnrich(formats, known), budget: mayAsk ? modelBudgetOf(defaults.budget) : undefined },
    enhancedCredits: defaults.enhancedCredits,
    warnings: unused === undefined ? undefined : [unused],
    ...planned,
    ...planSnapshot(known.findSnapshot(formats), convertFormats.some(isText), defaults),
  })
}

const defaultTimeout = (
  { expand }: ScrapeOptions,
  { media, model, isWholeList }: { readonly media: boolean; readonly model: boolean; readonly isWholeList: boolean },
  { timeoutMs }: PlanDefaults,
): number => {
  if (media) return slowTimeouts.media
  if (expand || isWholeList) return slowTimeouts.list
  return model ? slowTimeouts.model : timeoutMs
}

/** Plans the formats that need more than the page, with what else reads of them. */
function planEnrich(formats: EnrichPlan['formats'], known: FormatSet): EnrichPlan {
  const work = known.findWork(formats)
  return {
    formats,
    work: work.length > 0 ? work : undefined,
  }
}

/** Plans the reading of a page's lists, for a format that needs them. */
function planList(lists: NeededLists | undefined): { readonly list?: ListPlan } {
  if (lists === undefined) return {}
  const { isEach, most } = lists
  return { list: { all: isEach || undefined, most } }
}

/**
 * Plans the snapshot of a page: for a format that compares, and with setting `snapshots` for every page whose text is
 * asked for.
 *
 * @see docs/compatibility/documents.md#change-tracking
 */
function planSnapshot(
  needed: NeededSnapshot | undefined,
  hasText: boolean,
  { partTokens, keepsSnapshots }: PlanDefaults,
): { readonly snapshot?: SnapshotPlan } {
  if (needed) {
    const { tag, diff, texts } = needed
    return { snapshot: { tag, compares: true, diff, pieces: texts ? partTokens : undefined } }
  }
  return keepsSnapshots && hasText ? { snapshot: { tag: null, compares: false, diff: false } } : {}
}

/**
 * Tests whether a document shows or describes the content of its page, and not only its links, its images or the raw
 * page. Only then is the content compared with the page, for `fidelity` and for warnings about incomplete lists.
 *
 * @param isRead true if a language model reads the content
 */
function showsContent(
  { formats = scrapeDefaults.formats, parsers = [], trace }: ScrapeOptions,
  isRead: boolean,
  known: FormatSet,
): boolean {
  const isInParts = parsers.some(
    (item) => typeof item === 'object' && item.type === 'pdf' && (item.pages === true || item.blocks === true),
  )
  const isShown = formats.some((item) => known.factsOf(itemType(item))?.showsContent)
  return isRead || trace === true || isInParts || isShown
}

const planProxy = (proxy: ScrapeOptions['proxy'] = scrapeDefaults.proxy): ProxyChoice =>
  proxy === 'stealth' ? 'enhanced' : proxy

/**
 * Returns true if requests may carry credentials, which need a verified connection.
 *
 * @see docs/compatibility/requests.md#page-options
 */
const mayCarryCredentials = (options: ScrapeOptions): boolean => hasHeaders(options) || hasActions(options)

/** Lists the items as objects, each type once. Of several items of one type, the last one applies. */
const listFormats = (items: readonly FormatItem[]): { type: string }[] => [
  ...new Map(
    items.map((item) => (typeof item === 'string' ? { type: item } : { ...item })).map((item) => [item.type, item]),
  ).values(),
]

/** Picks the formats that are made from the page alone. */
const pickConvertFormats = (items: readonly FormatItem[]): ConvertFormat[] => listFormats(items).filter(isConvertFormat)

/** Picks the formats that `enrich` makes. */
const pickEnrichFormats = (items: readonly FormatItem[]): EnrichPlan['formats'] =>
  listFormats(items)
    .filter((item) => !isConvertFormat(item))
    .map(wrapSchema)

/** Wraps the schema of a format: plans are frozen, and the caller's object must not be. */
export function wrapSchema(item: { type: string; schema?: AnswerSchema }): { type: string } {
  const { schema, ...others } = item
  return schema === undefined ? others : Object.assign(others, { schema: holdSchema(schema) })
}

/** Default of `maxAge` with `lockdown`. */
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1000

/**
 * Plans the use of the cache for a page.
 *
 * A page with headers, actions or a profile may contain the caller's data, so it is neither read from the cache nor
 * written to it. The same holds for a page that scripts of features change, and for one whose screenshot has a viewport or quality of
 * its own. Without `maxAge`, `minAge` accepts any greater age, and `lockdown` two years.
 * @see docs/compatibility/fetching.md#cache
 */
function planCache(
  options: ScrapeOptions,
  skipTlsVerification: boolean,
  { needsBrowser, browser }: BrowserParts,
  defaults: PlanDefaults,
): CachePlan {
  const known = formatsOf(defaults)
  const { staleIfErrorMs } = defaults
  const { minAge, lockdown = scrapeDefaults.lockdown, formats = [] } = options
  const { maxAge = lockdown ? TWO_YEARS_MS : minAge === undefined ? scrapeDefaults.maxAge : Infinity } = options
  const {
    captures: { screenshot },
    scripts,
  } = browser
  const isPersonal = hasHeaders(options) || hasActions(options) || options.profile !== undefined
  const isUncacheable =
    isPersonal || scripts !== undefined || screenshot?.viewport !== undefined || screenshot?.quality !== undefined
  const needsFreshPage = formats.some((item) => known.hasTrait(itemType(item), 'fresh'))
  return {
    read: !isUncacheable && !needsFreshPage && maxAge > 0,
    maxAgeMs: maxAge,
    ...(minAge !== undefined && { minAgeMs: minAge }),
    ...(lockdown && { lockdown }),
    staleIfErrorMs: staleIfErrorMs > 0 ? staleIfErrorMs : undefined,
    write: !isUncacheable && (options.storeInCache ?? scrapeDefaults.storeInCache),
    rendered: needsBrowser.length === 0 ? undefined : { waitForMs: browser.waitForMs, captures: browser.captures },
    verifiesCertificates: skipTlsVerification ? undefined : true,
    variant: describeVariant(options),
  }
}

/** Tests for request headers. */
const hasHeaders = ({ headers = {} }: ScrapeOptions): boolean => Object.keys(headers).length > 0

/** Tests for actions. */
const hasActions = ({ actions = [] }: ScrapeOptions): boolean => actions.length > 0

/** Describes the options that distinguish cached pages of one URL: those to which sites adapt their pages, and `expand`. */
function describeVariant({
  mobile = scrapeDefaults.mobile,
  blockAds = scrapeDefaults.blockAds,
  proxy,
  location = {},
  expand,
}: ScrapeOptions): string {
  const country = (location.country ?? DEFAULT_COUNTRY).toLowerCase()
  const stealth = proxy === 'enhanced' || proxy === 'stealth'
  const facts = [mobile, blockAds, stealth, country, location.languages ?? []]
  return JSON.stringify(expand === true ? [...facts, 'expand'] : facts)
}

/**
 * Plans the parsing of files, from checked options. Without `parsers`, each file is read by the parser for its type.
 *
 * @see docs/compatibility/requests.md#parsers
 */
export function planParse(
  { parsers, formats = [], visibleOnly }: ScrapeOptions,
  given: ParsePlan,
  known: EnrichFormats,
): ParsePlan {
  const keepsUnread = formats.some((item) => known.hasTrait(itemType(item), 'original')) || undefined
  const bounds: ParsePlan = { ...given, keepsUnread, keepsHidden: visibleOnly === false || undefined }
  // Raw output needs no parsing.
  const isRaw = formats.some((item) => known.hasTrait(itemType(item), 'raw'))
  if (isRaw || parsers?.length === 0) return { ...bounds, asBase64: 'all' }
  if (!parsers) return { ...bounds }
  const types = new Set(parsers.map(itemType))
  const pdf = planPdf(parsers)
  return {
    ...bounds,
    asBase64: types.has('pdf') ? undefined : 'pdf',
    skipsImages: types.has('image') ? undefined : true,
    pdf,
  }
}

/** Plans the parsing of PDF files. Of several items, the last one applies. */
function planPdf(parsers: readonly ParserItem[]): PdfPlan | undefined {
  const item = parsers.findLast(
    (candidate): candidate is PdfParser => typeof candidate === 'object' && candidate.type === 'pdf',
  )
  if (!item) return undefined
  const { mode, maxPages, pageMarkers, pageMarkdown, pages = pageMarkdown, blocks } = item
  return {
    mode,
    maxPages,
    pageMarkers,
    pages,
    blocks,
  }
}
