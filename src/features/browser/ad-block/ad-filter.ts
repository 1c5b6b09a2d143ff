import type * as adblocker from '@ghostery/adblocker'
import { getDomain, getHostname } from 'tldts'
import { compileFilters } from './compile-filters.js'
import { ConsentDismisser } from './consent.js'
import { isInstalled, loadPackage, resolvePackage } from '../../../base/runtime/optional-package.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import type { IdsAndClasses } from '../injected/page-functions.js'
import type { ConsentPage, AdMatcher, PageSubRequest, RequestFilter } from './request-filter.js'
import { matchSmallAdList, smallAdList, smallAdPatterns } from './small-ad-list.js'
import { ownValue } from '../../../base/collections/own-value.js'
import { messageOf } from '../../../base/errors.js'
import { readFile } from 'node:fs/promises'

type Library = typeof adblocker

interface AdFilterOptions {
  /** Further lists in the syntax of EasyList: paths of files, or URLs. */
  readonly adLists: readonly string[]
  readonly getList: GetList
  readonly now: () => number
}

/** The filter of an engine. Nothing is loaded before the first page needs it. */
export interface AdFilterSource {
  /** Returns the filter with lists not older than a day, or with older ones while newer ones load. */
  load(signal: AbortSignal): Promise<RequestFilter>
  /** Cancels the loading of lists. */
  close(): void
}

/** Time until lists are loaded again. Milliseconds. */
const FRESH_MS = 24 * 60 * 60 * 1000
/** Time until lists that failed to load are tried again. Milliseconds. */
const RETRY_MS = 10 * 60 * 1000

type Types = NonNullable<Parameters<Library['Request']['fromRawDetails']>[0]['type']>

/** Types of requests in filter lists, by Playwright's names, where the two differ. */
const types: Readonly<Record<string, Types>> = {
  document: 'sub_frame',
  eventsource: 'eventsource',
  manifest: 'other',
  texttrack: 'other',
}

/** Creates the filter of an engine: the built-in list, and the lists of `adLists`. */
export function createAdFilter({ adLists, getList, now }: AdFilterOptions): AdFilterSource {
  const closing = new AbortController()
  const consent = new ConsentDismisser()
  let current: { readonly filter: AdFilter; readonly untilMs: number } | undefined
  let loading: Promise<AdFilter> | undefined
  let isMissingReported = false

  async function make(): Promise<AdFilter> {
    if (!isInstalled(LIBRARY)) {
      const problems = adLists.length > 0 ? [`\`adLists\` needs a package: npm install ${LIBRARY}`] : []
      const filter = new AdFilter(matchSmallAdList(), consent, smallAdPatterns, problems)
      current = { filter, untilMs: Infinity }
      return filter
    }
    const { signal } = closing
    const library = loadPackage(LIBRARY) as Library
    const { texts, problems } = await readAdLists(adLists, getList, signal)
    const engine =
      texts.length === 0
        ? library.FiltersEngine.parse(smallAdList())
        : await compile([smallAdList(), ...texts], library.FiltersEngine, signal)
    // The URL patterns of other lists cannot be listed, so every request is checked.
    const patterns = texts.length === 0 ? smallAdPatterns : ['*']
    const filter = new AdFilter(matchLists(engine, library.Request), consent, patterns, problems)
    current = { filter, untilMs: now() + (problems.length > 0 ? RETRY_MS : FRESH_MS) }
    return filter
  }

  async function find(signal: AbortSignal): Promise<AdFilter> {
    if (current && (adLists.length === 0 || now() < current.untilMs)) return current.filter
    loading ??= make().finally(() => (loading = undefined))
    if (!current) return await untilAborted(loading, signal)
    // Yesterday's lists are used until today's are loaded.
    loading.catch(() => undefined)
    return current.filter
  }

  return {
    async load(signal) {
      const filter = await find(signal)
      // Reported with the engine's first page in the browser only.
      const missing = isMissingReported ? undefined : findMissing()
      isMissingReported = true
      return missing === undefined ? filter : filter.with(missing)
    },
    close: () => closing.abort(new Error('the engine was closed')),
  }
}

const LIBRARY = '@ghostery/adblocker'

/**
 * Returns a warning that names the missing optional packages and the effect of their absence; undefined if none is
 * missing.
 */
function findMissing(): string | undefined {
  const missing = [LIBRARY, '@duckduckgo/autoconsent'].filter((name) => !isInstalled(name))
  if (missing.length === 0) return undefined
  return (
    'Optional packages for `blockAds` are missing: advertisements are blocked by a small list of hosts only, and cookie ' +
    `banners are removed without an answer. Run \`npm install ${missing.join(' ')}\`, or set \`blockAds: false\`.`
  )
}

/** Compiles lists on a worker thread; on this thread if none can be started, which blocks the host once. */
async function compile(
  lists: readonly string[],
  engine: typeof adblocker.FiltersEngine,
  signal: AbortSignal,
): Promise<adblocker.FiltersEngine> {
  try {
    return engine.deserialize(await compileFilters({ library: resolvePackage(LIBRARY), lists }, signal))
  } catch {
    signal.throwIfAborted()
    return engine.parse(lists.join('\n'))
  }
}

/** Maximum length of the start of a URL that is matched, because rules may take quadratic time. Characters. */
const MAX_LENGTH = 4096

/** Matches lists that the library has compiled. */
const matchLists = (engine: adblocker.FiltersEngine, request: Library['Request']): AdMatcher => ({
  matches: (url, sourceUrl, type) =>
    engine.match(request.fromRawDetails({ url, sourceUrl, type: type as Types })).match,
  styleFor(pageUrl, { ids, classes }) {
    const hostname = getHostname(pageUrl) ?? ''
    const domain = siteOf(pageUrl)
    const place = { url: pageUrl, hostname, domain, ids: [...ids], classes: [...classes] }
    const { styles } = engine.getCosmeticsFilters({ ...place, getInjectionRules: false, getExtendedRules: false })
    return styles === '' ? undefined : styles
  },
})

class AdFilter implements RequestFilter {
  readonly patterns: readonly string[]
  readonly problems: readonly string[]
  readonly #matcher: AdMatcher
  readonly #consent: ConsentDismisser

  constructor(matcher: AdMatcher, consent: ConsentDismisser, patterns: readonly string[], problems: readonly string[]) {
    this.#matcher = matcher
    this.#consent = consent
    this.patterns = patterns
    this.problems = problems
  }

  /** Returns the same filter with one more problem. */
  with(problem: string): AdFilter {
    return new AdFilter(this.#matcher, this.#consent, this.patterns, [...this.problems, problem])
  }

  blocks({ url, pageUrl, resourceType }: PageSubRequest): boolean {
    // Requests to the page's own site are never blocked, because they may load content.
    if (!/^(?:https?|wss?):/i.test(url) || siteOf(url) === siteOf(pageUrl)) return false
    return this.#matcher.matches(url.slice(0, MAX_LENGTH), pageUrl, ownValue(types, resourceType) ?? resourceType)
  }

  styleFor(pageUrl: string, parts: IdsAndClasses): string | undefined {
    return this.#matcher.styleFor(pageUrl, parts)
  }

  mayAskConsent(html: string): boolean {
    return /cookie|consent|gdpr/i.test(html)
  }

  answerConsent(page: ConsentPage, signal: AbortSignal): Promise<boolean> {
    return this.#consent.dismiss(page, signal)
  }
}

/** Returns the registrable domain of a URL, or its host if it has none. */
const siteOf = (url: string): string => getDomain(url) ?? getHostname(url) ?? ''

/** Fetches a list from the web. */
type GetList = (url: string, signal: AbortSignal) => Promise<string>

/** The texts of filter lists, and the problems of those that could not be read. */
interface AdLists {
  readonly texts: readonly string[]
  readonly problems: readonly string[]
}

/** Maximum length of a filter list. Characters. */
const MAX_LIST_LENGTH = 64 * 1024 * 1024

/** Reads lists from files or URLs. A list that cannot be read is a problem, not an error. */
async function readAdLists(places: readonly string[], get: GetList, signal: AbortSignal): Promise<AdLists> {
  const texts: string[] = []
  const problems: string[] = []
  for (const place of places) {
    try {
      const text = /^https?:\/\//i.test(place)
        ? await get(place, signal)
        : await readFile(place, { encoding: 'utf8', signal })
      if (text.length > MAX_LIST_LENGTH) throw new Error(`it has more than ${MAX_LIST_LENGTH} characters`)
      if (/^\s*<(?:!doctype|html)/i.test(text)) throw new Error('it is an HTML page')
      texts.push(text)
    } catch (error) {
      signal.throwIfAborted()
      const why = messageOf(error)
      problems.push(`The list \`${place}\` of \`adLists\` could not be read: ${why}.`)
    }
  }
  return { texts, problems }
}
