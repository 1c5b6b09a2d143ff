import type { FiltersEngine, Request } from '@ghostery/adblocker'
import type { Page } from 'playwright'
import { getDomain, getHostname } from 'tldts'
import { adHosts, adPlaces, adSigns } from './ad-hosts.js'
import { type GetList, readAdLists } from './ad-lists.js'
import { compileFilters } from './compile-filters.js'
import { ConsentDesk } from './consent.js'
import { untilAborted } from '../until-aborted.js'
import type { PageParts, PageSubRequest, RequestFilter } from './request-filter.js'

export interface AdFilterOptions {
  /** Further lists in the syntax of EasyList: paths of files, or URLs. */
  readonly adLists: readonly string[]
  readonly getList: GetList
  readonly now: () => number
}

/** The filter of an engine. Nothing is loaded before the first page needs it. */
export interface AdFilterSource {
  /** The filter with lists that are not older than a day. Never waits for newer ones when it has some. */
  load(signal: AbortSignal): Promise<RequestFilter>
  /** Ends what is being loaded. */
  close(): void
}

/** After so long lists are read again. Milliseconds. */
const FRESH_MS = 24 * 60 * 60 * 1000
/** After so long lists that could not be read are tried again. Milliseconds. */
const AGAIN_MS = 10 * 60 * 1000

type Types = NonNullable<Parameters<typeof Request.fromRawDetails>[0]['type']>

/** What Playwright calls a request, in the words of filter lists. */
const types: Readonly<Record<string, Types>> = {
  document: 'sub_frame',
  eventsource: 'eventsource',
  manifest: 'other',
  texttrack: 'other',
}

/** The list that every engine has. */
const ownList = (): string =>
  [
    ...adHosts.map((place) => `||${place}${place.includes('/') ? '' : '^'}$third-party`),
    ...adSigns.map(({ rule }) => rule),
    ...adPlaces.map((selector) => `##${selector}`),
  ].join('\n')

/** Which URLs that list may be about, where it is not about all of a host. A place may have `*` in it. */
const ownPatterns: readonly string[] = [
  ...adHosts.filter((place) => place.includes('/')).map((place) => `*${place}*`),
  ...adSigns.flatMap(({ urls = [] }) => urls),
]

/** Makes the filter of an engine: a list of its own, and those that it is told of. */
export function createAdFilter({ adLists, getList, now }: AdFilterOptions): AdFilterSource {
  const closing = new AbortController()
  const consent = new ConsentDesk()
  let current: { readonly filter: RequestFilter; readonly untilMs: number } | undefined
  let loading: Promise<RequestFilter> | undefined

  async function make(): Promise<RequestFilter> {
    const { signal } = closing
    const vendor = await import('@ghostery/adblocker')
    const { texts, problems } = await readAdLists(adLists, getList, signal)
    const engine =
      texts.length === 0
        ? vendor.FiltersEngine.parse(ownList())
        : await compile([ownList(), ...texts], vendor.FiltersEngine, signal)
    // What others' lists are about is not known.
    const patterns = texts.length === 0 ? ownPatterns : ['*']
    const filter = new AdFilter(engine, vendor.Request, consent, patterns, problems)
    current = { filter, untilMs: now() + (problems.length > 0 ? AGAIN_MS : FRESH_MS) }
    return filter
  }

  return {
    async load(signal) {
      if (current && (adLists.length === 0 || now() < current.untilMs)) return current.filter
      loading ??= make().finally(() => (loading = undefined))
      if (!current) return await untilAborted(loading, signal)
      // The lists of yesterday do until those of today are there.
      loading.catch(() => undefined)
      return current.filter
    },
    close: () => closing.abort(new Error('the engine was closed')),
  }
}

/** On a thread; here where none can be started, which holds the host up once. */
async function compile(
  lists: readonly string[],
  engine: typeof FiltersEngine,
  signal: AbortSignal,
): Promise<FiltersEngine> {
  try {
    return engine.deserialize(await compileFilters(lists, signal))
  } catch {
    signal.throwIfAborted()
    return engine.parse(lists.join('\n'))
  }
}

/** So much of a URL is looked at: rules may take the square of a length. Characters. */
const MOST_LENGTH = 4096

class AdFilter implements RequestFilter {
  readonly patterns: readonly string[]
  readonly problems: readonly string[]
  readonly #engine: FiltersEngine
  readonly #Request: typeof Request
  readonly #consent: ConsentDesk

  constructor(
    engine: FiltersEngine,
    request: typeof Request,
    consent: ConsentDesk,
    patterns: readonly string[],
    problems: readonly string[],
  ) {
    this.#engine = engine
    this.#Request = request
    this.#consent = consent
    this.patterns = patterns
    this.problems = problems
  }

  blocks({ url, pageUrl, resourceType }: PageSubRequest): boolean {
    // A site's own is what a reader comes for, whatever it is called.
    if (!/^(?:https?|wss?):/i.test(url) || siteOf(url) === siteOf(pageUrl)) return false
    const type = types[resourceType] ?? (resourceType as Types)
    const begin = url.slice(0, MOST_LENGTH)
    return this.#engine.match(this.#Request.fromRawDetails({ url: begin, sourceUrl: pageUrl, type })).match
  }

  styleFor(pageUrl: string, { ids, classes }: PageParts): string | undefined {
    const hostname = getHostname(pageUrl) ?? ''
    const domain = siteOf(pageUrl)
    const place = { url: pageUrl, hostname, domain, ids: [...ids], classes: [...classes] }
    const { styles } = this.#engine.getCosmeticsFilters({ ...place, getInjectionRules: false, getExtendedRules: false })
    return styles === '' ? undefined : styles
  }

  mayAskConsent(html: string): boolean {
    return /cookie|consent|gdpr/i.test(html)
  }

  answerConsent(page: Page, signal: AbortSignal): Promise<boolean> {
    return this.#consent.answer(page, signal)
  }
}

/** What one owner has: the registrable domain, else the host. */
const siteOf = (url: string): string => getDomain(url) ?? getHostname(url) ?? ''
