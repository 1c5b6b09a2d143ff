import { modelBudgetOf } from '../../accounting/budget.js'
import type { ConvertFormat } from '../../convert/convert.js'
import * as convertFormats from '../../convert/formats/index.js'
import type { ListFormat } from '../../enrich/formats/list.js'
import { type EnrichPlan, findNeeds } from '../../enrich/enrich.js'
import type { ChangeTrackingFormat } from '../../enrich/formats/change-tracking.js'
import { type AnswerSchema, holdSchema } from '../../enrich/json-schema/answer-schema.js'
import { type ListPlan, MAX_ROWS } from '../../extract/list/page-list.js'
import type { ProxyChoice } from '../../fetch/proxy-route.js'
import type { FormatItem } from '../../options/fields/formats.js'
import { scrapeDefaults, scrapeDefinitions, type ScrapeOptions, slowTimeouts } from '../../options/scrape-options.js'
import { deepFreeze } from '../deep-freeze.js'
import { fillSlice } from '../fill-slice.js'
import type { PlanDefaults } from '../plan-defaults.js'
import type { ScrapePlan } from '../scrape-plan.js'
import { planBrowser } from './plan-browser.js'
import { hasActions, hasHeaders, planCache } from './plan-cache.js'
import { planParse } from './plan-parse.js'

/**
 * Plans the scraping of a page, from checked options.
 *
 * @param isCrawl true if pages need a fingerprint, because they are compared with each other
 */
export function planScrape(options: ScrapeOptions, defaults: PlanDefaults, isCrawl = false): ScrapePlan {
  const skipTlsVerification =
    options.skipTlsVerification ?? (scrapeDefaults.skipTlsVerification && !mayCarryCredentials(options))
  const browserPlan = planBrowser(options)
  const formats = pickEnrichFormats(options.formats ?? [])
  const { text, facts, media, model, mayAsk } = findNeeds(formats)
  const timeoutMs = options.timeout ?? defaultTimeout(options, { media, model }, defaults)
  const cached = options.fastMode === true ? { ...options, storeInCache: false } : options
  return deepFreeze({
    cache: { ...planCache(cached, skipTlsVerification, browserPlan, defaults), timeoutMs },
    fetch: {
      headers: { ...options.headers },
      ...(options.headersFor && { headerScope: { hosts: [...options.headersFor] } }),
      skipTlsVerification,
      timeoutMs,
      fetcher: options.fastMode === true ? 'http' : defaults.fetcher,
      proxy: planProxy(options.proxy),
      ...browserPlan,
    },
    digest: {
      parse: { ...planParse(options, defaults.parse), ...(media && { mayBeMedia: true }) },
      extract: {
        ...fillSlice(options, scrapeDefinitions, 'extract'),
        includeTags: [...(options.includeTags ?? [])],
        excludeTags: [...(options.excludeTags ?? [])],
        ...(options.trace && { trace: true }),
        ...(!showsContent(options, text) && { fidelity: false }),
        ...planList(options.formats ?? []),
      },
      convert: {
        formats: pickConvertFormats(options.formats ?? scrapeDefaults.formats),
        ...fillSlice(options, scrapeDefinitions, 'convert'),
      },
      fingerprint: isCrawl,
      ...((text || facts || media) && { material: { text, facts, media, maxTokens: defaults.partTokens } }),
    },
    enrich: { formats, ...(mayAsk && { budget: modelBudgetOf(defaults.budget) }) },
    ...planWholeList(options.formats ?? []),
    ...defaults.features?.plan(options),
    ...(options.use && { permissions: { use: [...new Set(options.use)] } }),
    ...planSnapshot(options.formats ?? scrapeDefaults.formats, defaults),
  })
}

const defaultTimeout = (
  { expand, formats = [] }: ScrapeOptions,
  { media, model }: Pick<ReturnType<typeof findNeeds>, 'media' | 'model'>,
  { timeoutMs }: PlanDefaults,
): number => {
  if (media) return slowTimeouts.media
  if (expand || findListFormat(formats)?.all) return slowTimeouts.list
  return model ? slowTimeouts.model : timeoutMs
}

const findListFormat = (items: readonly FormatItem[]): ListFormat | undefined =>
  listFormats(items).find((one): one is ListFormat => one.type === 'list')

/** Plans the reading of a page's list to its end, for `all` of format `list`. */
function planWholeList(items: readonly FormatItem[]): Pick<ScrapePlan, 'list'> {
  const { all, most = MAX_ROWS } = findListFormat(items) ?? {}
  return all === true ? { list: { maxRows: most } } : {}
}

/** Plans the reading of a page's lists, for format `list`. */
function planList(items: readonly FormatItem[]): { readonly list?: ListPlan } {
  const item = findListFormat(items)
  if (item === undefined) return {}
  const { lists, most } = item
  return { list: { ...(lists === 'all' && { all: true }), ...(most !== undefined && { most }) } }
}

/**
 * Plans the snapshot of a page: with format `changeTracking`, and with setting `snapshots` for every page with format
 * `markdown`.
 *
 * @see docs/compatibility.md#change-tracking
 */
function planSnapshot(items: readonly FormatItem[], defaults: PlanDefaults): Pick<ScrapePlan, 'snapshot'> {
  const tracking = listFormats(items).find((item): item is ChangeTrackingFormat => item.type === 'changeTracking')
  if (tracking) {
    const { modes = [], tag = null } = tracking
    const pieces = modes.includes('json') ? { pieces: defaults.partTokens } : {}
    return { snapshot: { tag, compares: true, diff: modes.includes('git-diff'), ...pieces } }
  }
  const isSaved = defaults.keepsSnapshots && listFormats(items).some(({ type }) => type === 'markdown')
  return isSaved ? { snapshot: { tag: null, compares: false, diff: false } } : {}
}

/** Formats that show the content itself. */
const CONTENT_FORMATS: ReadonlySet<string> = new Set(['markdown', 'html', 'chunks', 'changeTracking'])

/**
 * Tests whether a document shows or describes the content of its page, and not only its links, its images or the raw
 * page. Only then is the content compared with the page, for `fidelity` and for warnings about incomplete lists.
 *
 * @param isRead true if a language model reads the content
 */
function showsContent(
  { formats = scrapeDefaults.formats, parsers = [], trace }: ScrapeOptions,
  isRead: boolean,
): boolean {
  const isInParts = parsers.some(
    (item) => typeof item === 'object' && item.type === 'pdf' && (item.pages === true || item.blocks === true),
  )
  return isRead || trace === true || isInParts || listFormats(formats).some(({ type }) => CONTENT_FORMATS.has(type))
}

const planProxy = (proxy: ScrapeOptions['proxy'] = scrapeDefaults.proxy): ProxyChoice =>
  proxy === 'stealth' ? 'enhanced' : proxy

/**
 * Returns true if requests may carry credentials, which need a verified connection.
 *
 * @see docs/compatibility.md#page-options
 */
const mayCarryCredentials = (options: ScrapeOptions): boolean => hasHeaders(options) || hasActions(options)

const convertTypes: ReadonlySet<string> = new Set(Object.values(convertFormats).map(({ type }) => type))

const isConvertFormat = (item: { type: string }): item is ConvertFormat => convertTypes.has(item.type)

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
function wrapSchema(item: { type: string; schema?: AnswerSchema | undefined }): { type: string } {
  const { schema, ...others } = item
  return schema === undefined ? others : Object.assign(others, { schema: holdSchema(schema) })
}
