import type { SearchNotes } from './goal-note.js'
import type { FoundLink } from '../../content/extract/extracted-page.js'
import { messageOf, TrawlError } from '../../base/errors.js'
import { isSuccess } from '../../base/http/site-file.js'
import { pageKey } from '../../kernel/frontier/duplicates/same-page.js'
import { isOnSite, refuse } from '../../kernel/frontier/scope/scope.js'
import { relate } from '../../kernel/frontier/scope/site-relation.js'
import type { UrlCandidate } from '../../kernel/ledger/ledger.js'
import { addressOf } from './site-search/reading/search-template.js'
import { searchLimits, type SearchPage } from './site-search/search-page.js'
import { indexLimits, type SiteIndexFiles } from './site-search/site-index.js'
import type { JobContext } from '../../kernel/job/job-context.js'
import { askSearchPages, isOfSite, type SearchRules } from './ask-search-page.js'
import type { CrawlGoal, RatedPage } from './crawl-goal.js'
import { findingsOf } from './goal-reader.js'
import { readIndexAside } from './run-aside.js'
import type { GoalNotes, NotedIndex, NotedSearch } from './goal-note.js'

/**
 * Time for which the links of a page wait for the site's search that the page names. Milliseconds. A page of 20,000 links is read
 * in a second, and in more than five on a machine that is busy.
 */
const HOLD_LINKS_MS = 15_000
/** Maximum number of search pages of a crawl that are considered, until one may be asked. */
const MAX_SEARCH_PAGES = 20

/** A page that names an index or a search page. */
interface NamingPage {
  readonly url: string
  /** Discovery depth. */
  readonly depth: number
}

type ReadPage = { readonly found: unknown; readonly links: readonly FoundLink[] } & {
  readonly document: { readonly metadata: { readonly nofollow?: boolean } }
}

/** Finds the pages that the site's search finds. */
type Load = () => Promise<UrlCandidate[]>

/** Describes why an index was not used. The limit of its size is no setting. */
const describeFault = (error: unknown, what: string, maxBytes: number): string =>
  error instanceof TrawlError && error.code === 'SCRAPE_BODY_TOO_LARGE'
    ? `${what} more than ${maxBytes} bytes`
    : messageOf(error).replace(/\.$/, '')

/** Asks the search indexes of a crawl's site, and its search page, for the pages that fit its goal. */
export class CrawlSearch {
  readonly #goal: CrawlGoal
  readonly #crawl: SearchRules
  /** Indexes by the URLs of the pages that named them first. */
  readonly #named = new Map<string, NotedIndex>()
  /** Search pages by the URL of the page because of which they are asked: the one search of the crawl. */
  readonly #asked = new Map<string, NotedSearch>()
  /** Addresses of the search pages that were considered. */
  readonly #addresses = new Set<string>()

  /** @param crawl its rules, which may change */
  constructor(goal: CrawlGoal, crawl: SearchRules) {
    this.#goal = goal
    this.#crawl = crawl
  }

  /**
   * Reads the index that a page names, unless the crawl knows it, or asks the search page that it declares, unless the crawl asked one.
   * Waits for it for at most five seconds, so that the links of the page are scored with it. A later one is read in the background.
   *
   * @returns a function that admits the pages that are found, after the links of the page; undefined if there is no new search
   */
  async read(page: NamingPage, read: ReadPage, context: JobContext): Promise<(() => Promise<void>) | undefined> {
    const load = this.#choose(page, read, context)
    if (!load) return undefined
    let [found, isLate] = [[] as UrlCandidate[], false]
    await new Promise<void>((resolve) => {
      const cancel = context.tools.setTimer(HOLD_LINKS_MS, () => {
        isLate = true
        resolve()
      })
      context.background.run(async () => {
        try {
          found = await load()
          if (isLate) await this.#admit(found, context)
        } finally {
          cancel()
          resolve()
        }
      })
    })
    return async () => (isLate ? undefined : await this.#admit(found, context))
  }

  /** Notes of the searches that a page was the first to name. */
  notedFor(url: string): SearchNotes {
    const [siteIndex, siteSearch] = [this.#named.get(url), this.#asked.get(url)]
    return { siteIndex, siteSearch }
  }

  /**
   * Reads an index again that an earlier process knew, in the background. The pages that it finds are in the ledger already. A search
   * page is asked again only if there was no answer yet.
   */
  restore({ siteIndex, siteSearch }: GoalNotes, page: NamingPage, context: JobContext): void {
    if (siteIndex) this.#restoreIndex(siteIndex, page, context)
    if (!siteSearch || this.#asked.size > 0) return
    this.#asked.set(page.url, siteSearch)
    if (siteSearch.found) {
      const found = siteSearch.found.map(([url, score]) => ({ url, score }))
      return this.#goal.search.addFound(found, this.#keyOf)
    }
    context.background.run(async () => {
      await this.#admit(await this.#ask(siteSearch.pages, page, new Set(), context), context)
    })
  }

  #restoreIndex({ counts, ...index }: NotedIndex, page: NamingPage, context: JobContext): void {
    if (!this.#goal.search.note(index)) return
    if (counts) this.#goal.addCounts(counts)
    context.background.run(async () => {
      await this.#load(index, page, context, counts !== undefined)
    })
  }

  /** Chooses what to ask: the index that a page names, or the search page that it declares. */
  #choose(page: NamingPage, { found, links, document }: ReadPage, context: JobContext): Load | undefined {
    const { index, searchPages = [] } = findingsOf({ found }) ?? {}
    const { scope, plan } = this.#crawl
    if (plan.robots.obeyMeta && document.metadata.nofollow === true) return undefined
    if (index) {
      const isInScope = index.files.every((file) => isOnSite(relate(new URL(file), new URL(scope.start)), scope))
      if (!isInScope || !this.#goal.search.note(index)) return undefined
      this.#named.set(page.url, index)
      return () => this.#load(index, page, context)
    }
    const pages = searchPages.filter(({ url }) => this.#isNew(url))
    if (pages.length === 0) return undefined
    for (const { url } of pages) this.#addresses.add(addressOf(url))
    this.#asked.set(page.url, { pages })
    const linked = new Set(links.map(({ url }) => url))
    return () => this.#ask(pages, page, linked, context)
  }

  /** Tests for a search page of the site, of a crawl that has asked none, which was not considered before. */
  #isNew(url: string): boolean {
    if (this.#asked.size > 0 || this.#addresses.size >= MAX_SEARCH_PAGES) return false
    return !this.#addresses.has(addressOf(url)) && isOfSite(url, this.#crawl)
  }

  readonly #keyOf = (url: string): string => pageKey(new URL(url), this.#crawl.scope)

  async #ask(
    pages: readonly SearchPage[],
    page: NamingPage,
    linked: ReadonlySet<string>,
    context: JobContext,
  ): Promise<UrlCandidate[]> {
    const rules = this.#crawl
    try {
      const { isAsked, url, results } = await askSearchPages(pages, { goal: this.#goal, rules, context, linked })
      // Another page may declare a search page that robots.txt allows.
      if (!isAsked) this.#asked.delete(page.url)
      else this.#asked.set(page.url, { pages, found: [] })
      if (url === undefined) return []
      const depth = page.depth + 1
      const { found, rated } = this.#goal.addResults(results, { depth, keyOf: this.#keyOf })
      this.#asked.set(page.url, { pages, found: found.map((one) => [one.url, one.score]) })
      // The URL has the words of the goal.
      const foundOn = rules.plan.page.zeroDataRetention === true ? page.url : url
      return rated.map((one) => this.#toCandidate(one, foundOn, page))
    } catch (error) {
      context.signal.throwIfAborted()
      const fault = describeFault(error, 'its answer has', searchLimits.bytes)
      context.warn(`The search page ${addressOf(pages[0]?.url ?? '')} was not used: ${fault}.`)
      return []
    }
  }

  async #admit(candidates: readonly UrlCandidate[], context: JobContext): Promise<void> {
    this.#goal.addLinks(await context.admit(candidates))
  }

  async #load(
    index: SiteIndexFiles,
    page: NamingPage,
    context: JobContext,
    isCounted = false,
  ): Promise<UrlCandidate[]> {
    const { terms } = this.#goal
    try {
      const files = await this.#fetch(index, context)
      if (files.length === 0) return []
      const answer = await readIndexAside({ index, terms, files }, context.tools, context.signal)
      if (answer === undefined) throw new Error('reading it took too much time or memory')
      if (typeof answer === 'string') throw new Error(answer)
      const { found, counts } = answer
      if (counts) this.#named.set(page.url, { ...index, counts })
      const rated = this.#goal.addIndex(index, isCounted ? { found } : answer, {
        depth: page.depth + 1,
        keyOf: this.#keyOf,
      })
      return rated.map((one) => this.#toCandidate(one, index.files[0] ?? index.root, page))
    } catch (error) {
      context.signal.throwIfAborted()
      context.warn(
        `The search index ${index.files[0] ?? ''} was not used: ${describeFault(error, 'its files have', indexLimits.bytes)}.`,
      )
      return []
    }
  }

  /** Fetches the files of an index. @returns those that exist; none if robots.txt forbids them */
  async #fetch({ files }: SiteIndexFiles, { tools, getFile, signal }: JobContext) {
    const { robots } = this.#crawl.plan
    const fetched: { url: string; body: Uint8Array }[] = []
    let bytes = 0
    for (const url of files) {
      if (robots.obey && !(await tools.robots.judge(new URL(url), robots.agent, signal)).allowed) continue
      const file = await getFile(url, signal, indexLimits.bytes - bytes)
      if (!isSuccess(file)) continue
      bytes += file.body.byteLength
      fetched.push({ url, body: file.body })
    }
    return fetched
  }

  #toCandidate({ url: href, title, rating }: RatedPage, foundOn: string, page: NamingPage): UrlCandidate {
    const { scope, plan } = this.#crawl
    const url = new URL(href)
    const depth = page.depth + 1
    const refused = refuse({ url, via: 'search', depth, from: new URL(page.url) }, scope)
    return {
      key: pageKey(url, scope),
      url: url.href,
      via: 'search',
      depth,
      foundOn,
      anchor: title === '' || plan.page.zeroDataRetention ? undefined : title,
      ...rating,
      refused,
    }
  }
}
