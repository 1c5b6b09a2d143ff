import { messageOf, TrawlError } from '../../errors.js'
import { isSuccess } from '../../frontier/site-file.js'
import { pageKey } from '../../frontier/duplicates/same-page.js'
import { isOnSite, refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import { relate } from '../../frontier/scope/site-relation.js'
import type { UrlCandidate } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import { indexLimits, type SiteIndexFiles } from '../../site-search/site-index.js'
import type { JobContext } from '../job-context.js'
import type { CrawlGoal, RatedPage } from './crawl-goal.js'
import type { NotedIndex } from './crawl-note.js'

/** Time for which the links of a page wait for the index that the page names. Milliseconds. */
const HOLD_LINKS_MS = 5000

/** Rules of the crawl, as they are when an index is read. */
export interface SearchRules {
  readonly scope: ScopePlan
  readonly plan: Pick<CrawlPlan, 'robots' | 'page'>
}

/** A page that names an index. */
export interface NamingPage {
  readonly url: string
  /** Discovery depth. */
  readonly depth: number
}

type ReadPage = Pick<ScrapedPage, 'goal'> & {
  readonly document: { readonly metadata: { readonly nofollow?: boolean } }
}

/** Describes why an index was not used. The limit of its size is no setting. */
const describeFault = (error: unknown): string =>
  error instanceof TrawlError && error.code === 'SCRAPE_BODY_TOO_LARGE'
    ? `its files have more than ${indexLimits.bytes} bytes`
    : messageOf(error).replace(/\.$/, '')

/** Asks the search indexes of a crawl's site for the pages that fit its goal. */
export class CrawlSearch {
  readonly #goal: CrawlGoal
  readonly #rules: () => SearchRules
  /** Indexes by the URLs of the pages that named them first. */
  readonly #named = new Map<string, NotedIndex>()

  constructor(goal: CrawlGoal, rules: () => SearchRules) {
    this.#goal = goal
    this.#rules = rules
  }

  /**
   * Reads the index that a page names, unless the crawl knows it. Waits for it for at most five seconds, so that the links of the
   * page are scored with it. A later one is read in the background.
   *
   * @returns a function that admits the pages that it finds, after the links of the page; undefined if there is no new index
   */
  async read(
    page: NamingPage,
    { goal, document }: ReadPage,
    context: JobContext,
  ): Promise<(() => Promise<void>) | undefined> {
    const index = goal?.index
    const { scope, plan } = this.#rules()
    if (!index || (plan.robots.obeyMeta && document.metadata.nofollow === true)) return undefined
    const isInScope = index.files.every((file) => isOnSite(relate(new URL(file), new URL(scope.start)), scope))
    if (!isInScope || !this.#goal.search.note(index)) return undefined
    this.#named.set(page.url, index)
    let [found, isLate] = [[] as UrlCandidate[], false]
    await new Promise<void>((resolve) => {
      const cancel = context.tools.setTimer(HOLD_LINKS_MS, () => {
        isLate = true
        resolve()
      })
      context.background.run(async () => {
        try {
          found = await this.#load(index, page, context)
          if (isLate) await this.#admit(found, context)
        } finally {
          cancel()
          resolve()
        }
      })
    })
    return async () => (isLate ? undefined : await this.#admit(found, context))
  }

  /** The index that a page was the first to name. */
  namedBy(url: string): NotedIndex | undefined {
    return this.#named.get(url)
  }

  /** Reads an index again that an earlier process knew, in the background. The pages that it finds are in the ledger already. */
  restore({ counts, ...index }: NotedIndex, page: NamingPage, context: JobContext): void {
    if (!this.#goal.search.note(index)) return
    if (counts) this.#goal.addCounts(counts)
    context.background.run(async () => {
      await this.#load(index, page, context, counts !== undefined)
    })
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
    const { scope } = this.#rules()
    const { terms } = this.#goal
    try {
      const files = await this.#fetch(index, context)
      if (files.length === 0) return []
      const answer = await context.tools.readSiteIndex({ index, terms, files }, context.signal)
      if (answer === undefined) throw new Error('reading it took too much time or memory')
      if (typeof answer === 'string') throw new Error(answer)
      const { found, counts } = answer
      if (counts) this.#named.set(page.url, { ...index, counts })
      const rated = this.#goal.addIndex(index, isCounted ? { found } : answer, {
        depth: page.depth + 1,
        keyOf: (url) => pageKey(new URL(url), scope),
      })
      return rated.map((one) => this.#toCandidate(one, index, page))
    } catch (error) {
      context.signal.throwIfAborted()
      context.record.warnings.add(`The search index ${index.files[0] ?? ''} was not used: ${describeFault(error)}.`)
      return []
    }
  }

  /** Fetches the files of an index. @returns those that exist; none if robots.txt forbids them */
  async #fetch({ files }: SiteIndexFiles, { tools, getFile, signal }: JobContext) {
    const { robots } = this.#rules().plan
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

  #toCandidate({ url: href, title, rating }: RatedPage, index: SiteIndexFiles, page: NamingPage): UrlCandidate {
    const { scope, plan } = this.#rules()
    const url = new URL(href)
    const depth = page.depth + 1
    const refused = refuse({ url, via: 'search', depth, from: new URL(page.url) }, scope)
    return {
      key: pageKey(url, scope),
      url: url.href,
      via: 'search',
      depth,
      foundOn: index.files[0] ?? index.root,
      ...(title !== '' && plan.page.zeroDataRetention !== true && { anchor: title }),
      ...rating,
      ...(refused && { refused }),
    }
  }
}
