import { messageOf, TrawlError } from '../../base/errors.js'
import { readReason } from '../../base/http/reason-phrase.js'
import type { UsageMeter } from '../../kernel/fetch/fetcher.js'
import type { ParentSpan } from '../../base/tracing/spans.js'
import { allowUnrequested, type RobotsFailure, type RobotsVerdict } from '../../kernel/frontier/robots/robots.js'
import { cutLongUrl, pageKey } from '../../kernel/frontier/duplicates/same-page.js'
import { moveScope } from '../../kernel/frontier/scope/move-scope.js'
import { listSites, refuse, type ScopePlan, type ScopeSite } from '../../kernel/frontier/scope/scope.js'
import { discoverSitemaps, sitemapLimits } from '../../kernel/frontier/sitemap/sitemap.js'
import { describeUnsearched, findUnreadRobots } from '../../kernel/frontier/sitemap/unread-robots.js'
import { MISSING, SitemapWarnings } from '../../kernel/frontier/sitemap/sitemap-warnings.js'
import type { SitemapEntry } from '../../content/sitemap/sitemap-finding.js'
import { deriveTemplate } from '../../base/url-template.js'
import type { Refusal, UrlCandidate } from '../../kernel/ledger/ledger.js'
import type { ScrapedPage } from '../../kernel/page/pipeline.js'
import { findLeftLinks } from '../../kernel/page/scraped-page.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import { withoutFragment } from '../../base/url.js'
import {
  LEFT_CUT,
  type LinkedPage,
  LinkJudge,
  toLeftPage,
  type LinkingRow,
} from '../../kernel/job/discovery/judge-links.js'
import { createRedirectRule, refuseByRobotsVerdict } from '../../kernel/job/discovery/robots-refusal.js'
import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { JobTools } from '../../kernel/job/job-tools.js'

/** A URL found by a survey, with the decision that a crawl would make about it. */
export type SurveyedUrl = Omit<UrlCandidate, 'place'> & {
  /** Set when the robots.txt of the URL's site could not be read, so that the page would fail. */
  readonly failure?: RobotsFailure
}

/** Facts about a site that are known without scraping it. */
export interface Survey {
  readonly scope: ScopePlan
  /** The start URLs, then the pages listed in sitemaps, then links of the fetched pages; each page once. */
  readonly urls: readonly SurveyedUrl[]
  readonly robots: RobotsVerdict
  /** Further start URLs that were looked at, with the decisions of robots.txt; empty without any. */
  readonly otherStarts: readonly { readonly url: string; readonly robots: RobotsVerdict }[]
  /** The start page; undefined when it could not be fetched, or robots.txt forbids it. */
  readonly startPage: ScrapedPage | undefined
  /** True if the start page did not answer, or with an error status, and nothing else names its URL. */
  readonly lacksStart: boolean
  /** Messages about files and pages that could not be read. */
  readonly problems: readonly string[]
}

/** Bounds of a survey. */
interface SurveyLimits {
  /** URLs read from sitemaps. */
  readonly sitemapUrls: number
  /**
   * Pages fetched, including the start page, and beside further ones. Two pages of one URL template are fetched only when no other
   * template is left.
   */
  readonly pages: number
}

/** Everything that a survey needs in addition to the plan of the crawl. */
interface SurveyOptions {
  readonly tools: JobTools
  readonly limits: SurveyLimits
  readonly signal: AbortSignal
  /** Records requests, bytes and browser time. */
  readonly meter?: UsageMeter
  /** The span of the job that the survey belongs to. @default none */
  readonly span?: ParentSpan
}

/** Surveys a site as a crawl with this plan would find it: reads robots.txt, sitemaps, the start page and a few more pages. */
export const surveySite = (plan: CrawlPlan, options: SurveyOptions): Promise<Survey> =>
  new SiteSurvey(plan, options).run()

/** Maximum number of further start URLs that are looked at. A crawl may have thousands. */
const MAX_OTHER_STARTS = 20

class SiteSurvey {
  readonly #plan: CrawlPlan
  readonly #options: SurveyOptions
  readonly #urls = new Map<string, SurveyedUrl>()
  /** Keys of the URLs that robots.txt was asked about. */
  readonly #judged = new Set<string>()
  readonly #problems: string[] = []
  readonly #links = new LinkJudge()
  readonly #start: URL
  /** Keys of start pages that did not answer, or with an error status. */
  readonly #failedStarts = new Set<string>()
  #scope: ScopePlan

  constructor(plan: CrawlPlan, options: SurveyOptions) {
    this.#plan = plan
    this.#options = options
    this.#start = withoutFragment(new URL(plan.start))
    this.#scope = plan.scope
  }

  async run(): Promise<Survey> {
    const { limits } = this.#options
    const plan = this.#plan
    const visited = new Set<string>()
    const robots = await this.#judgeStart(this.#start)
    const startPage = await this.#surveyStart(this.#start, robots, visited)
    const otherStarts: Survey['otherStarts'][number][] = []
    const others = plan.otherStarts ?? []
    for (const [at, { url }] of others.slice(0, MAX_OTHER_STARTS).entries()) {
      const start = withoutFragment(new URL(url))
      const verdict = await this.#judgeStart(start)
      otherStarts.push({ url: start.href, robots: verdict })
      await this.#surveyStart(start, verdict, visited, at)
    }
    if (others.length > MAX_OTHER_STARTS)
      this.#problems.push(
        `The first ${MAX_OTHER_STARTS + 1} of the ${others.length + 1} start URLs were looked at, and no further ones.`,
      )
    try {
      await this.#lookAround(visited, limits.pages + otherStarts.length)
    } catch (error) {
      const { signal } = this.#options
      const isLate = signal.aborted && isTimeout(signal.reason)
      if (!isLate || (startPage === undefined && this.#urls.size < 2)) throw error
      await this.#applyKnownRobots()
      const what = plan.sitemap === 'skip' ? 'links of the site' : 'sitemaps'
      this.#problems.push(`The time was up before the ${what} were read${MISSING}.`)
    }
    const urls = [...this.#urls.values()]
    return {
      scope: this.#scope,
      urls,
      robots,
      otherStarts,
      startPage,
      lacksStart: urls.some(({ key, via }, at) => at === 0 && via === 'seed' && this.#failedStarts.has(key)),
      problems: this.#problems,
    }
  }

  /** Reads the sitemaps, and pages up to a number. */
  async #lookAround(visited: Set<string>, pages: number): Promise<void> {
    const { sitemap } = this.#plan
    // What the start page links to is judged first: sitemaps may take all the time that there is.
    await this.#applyRobots()
    if (sitemap !== 'skip') for (const site of listSites(this.#scope)) await this.#readSitemaps(sitemap, site)
    for (let order = visited.size; order < pages; order++) {
      await this.#applyRobots()
      const next = pickNext(this.#urls, visited)
      if (!next) break
      visited.add(next.key)
      const denied = await this.#refuseByFeatures(next.url)
      if (denied) this.#urls.set(next.key, { ...next, refused: denied })
      else await this.#fetchPage(next.url, next.depth, order)
    }
    await this.#applyRobots()
  }

  #judgeStart(start: URL): Promise<RobotsVerdict> | RobotsVerdict {
    const { page, robots } = this.#plan
    const { tools, signal } = this.#options
    return page.cache.lockdown === true ? allowUnrequested(start) : tools.robots.judge(start, robots.agent, signal)
  }

  /** Adds a start URL, and fetches it once. @param at place among the further ones. @default the first one */
  async #surveyStart(start: URL, robots: RobotsVerdict, visited: Set<string>, at?: number) {
    const key = pageKey(start, this.#scope)
    if (visited.has(key)) return undefined
    visited.add(key)
    const denied = await this.#refuseByFeatures(start.href)
    const refused = denied ?? refuse({ url: start, via: 'seed', depth: 0 }, this.#scope)
    this.#add({ key, url: start.href, via: 'seed', depth: 0, refused })
    if (denied) {
      this.#problems.push(denied.message)
      return undefined
    }
    // If robots.txt cannot be read, the page is fetched all the same, because its error shows why the site fails.
    const isForbidden = this.#plan.robots.obey && !robots.allowed && robots.why === 'rule'
    const move = (target: URL): void => {
      this.#scope = moveStart(this.#scope, target, at)
      this.#judgeStartAt(key, target)
    }
    return isForbidden ? undefined : this.#fetchPage(start.href, 0, visited.size - 1, move)
  }

  /** Asks the features that judge URLs, right before one is requested. */
  async #refuseByFeatures(url: string): Promise<Refusal | undefined> {
    const { tools, signal } = this.#options
    const { page } = this.#plan
    return page.judges && (await tools.features.refuse({ url, plan: page, signal }))?.refusal
  }

  #add(found: SurveyedUrl): void {
    const before = this.#urls.get(found.key)
    // What robots.txt refuses is refused wherever it is found.
    const isRefused = before?.refused && before.refused.reason !== 'ROBOTS_TXT'
    const isFailed = before?.via === 'seed' && !before.refused && this.#failedStarts.has(found.key)
    if (!before || ((isRefused || isFailed) && !found.refused)) this.#urls.set(found.key, found)
  }

  /**
   * Fetches a page and adds its links. Undefined when the page could not be fetched, or must not be used.
   *
   * @param move called with the URL of a start page
   * @throws the signal's reason
   */
  async #fetchPage(
    url: string,
    depth: number,
    order: number,
    move?: (target: URL) => void,
  ): Promise<ScrapedPage | undefined> {
    const { tools, signal, meter, span } = this.#options
    const plan = this.#plan
    const redirectRule = createRedirectRule(plan.robots, tools.robots)
    try {
      const page = await tools.scrape({ url, sourceURL: url, redirectRule, meter, span }, plan.page, signal)
      const finalUrl = withoutFragment(new URL(page.document.metadata.url))
      if (await this.#refuseTarget(url, finalUrl)) {
        await this.#addLinks({ url, depth, order }, toLeftPage(page, url))
        return undefined
      }
      if (move && page.document.metadata.statusCode >= 400) this.#noteErrorStatus(url, page)
      move?.(finalUrl)
      await this.#addLinks({ url, depth, order }, page)
      return page
    } catch (error) {
      signal.throwIfAborted()
      await this.#addLinks({ url, depth, order }, toLeftPage(findLeftLinks(error, url, plan.page), url))
      if (error instanceof TrawlError && error.code === 'CRAWL_DENIAL')
        this.#refuse(url, error.url ?? url, { reason: 'ROBOTS_TXT', message: error.message })
      else {
        if (move) this.#failedStarts.add(pageKey(new URL(url), this.#scope))
        this.#problems.push(messageOf(error))
      }
      return undefined
    }
  }

  /** Notes a start page that answered with an error: a site that is down, or has no such page, looks else like one without links. */
  #noteErrorStatus(url: string, { document: { metadata } }: ScrapedPage): void {
    const { statusCode } = metadata
    this.#failedStarts.add(pageKey(new URL(url), this.#scope))
    this.#problems.push(`The start page ${cutLongUrl(url)} answered ${statusCode} ${readReason(statusCode, '')}.`)
  }

  async #addLinks(row: LinkingRow, page: LinkedPage): Promise<void> {
    const { sitemap, robots } = this.#plan
    if (sitemap === 'only') return
    if (page.isLeftCut && !this.#problems.includes(LEFT_CUT)) this.#problems.push(LEFT_CUT)
    for (const links of this.#links.judge(row, page, { scope: this.#scope, obeyMeta: robots.obeyMeta })) {
      for (const link of links) this.#add(link)
      await yieldIfHeld()
    }
  }

  /** Judges a start page by the URL that it redirects to, as a crawl does. */
  #judgeStartAt(key: string, finalUrl: URL): void {
    const found = this.#urls.get(key)
    if (!found) return
    const { refused: _, ...start } = found
    const refused = refuse({ url: finalUrl, via: 'seed', depth: 0 }, this.#scope)
    this.#urls.set(key, { ...start, refused })
  }

  /**
   * Refuses a page that ended up, by redirects, at a URL which is out of scope, unless it is the start page, or which robots.txt
   * forbids.
   *
   * @returns true for such a page
   */
  async #refuseTarget(url: string, finalUrl: URL): Promise<boolean> {
    const { robots } = this.#plan
    const key = pageKey(new URL(url), this.#scope)
    const found = this.#urls.get(key)
    if (!found || key === pageKey(finalUrl, this.#scope)) return false
    const { via, depth } = found
    const question = { url: finalUrl, via: 'redirect', depth, from: new URL(url) } as const
    const refusal = via === 'seed' ? undefined : refuse(question, this.#scope)
    if (refusal) this.#refuse(url, finalUrl.href, refusal)
    if (refusal || !robots.obey) return refusal !== undefined
    const verdict = await this.#options.tools.robots.judge(finalUrl, robots.agent, this.#options.signal)
    if (verdict.allowed) return false
    const { failure } = verdict
    if (failure && !this.#problems.includes(failure.message)) this.#problems.push(failure.message)
    if (failure) {
      // A crawl fails the page. Its links are listed: nothing is known against the page, which is here.
      this.#urls.set(key, { ...found, failure })
      return false
    }
    this.#refuse(url, finalUrl.href, refuseByRobotsVerdict(verdict))
    return true
  }

  /** Refuses a page because of the URL that it redirects to. */
  #refuse(url: string, target: string, { reason, message }: Refusal): void {
    const key = pageKey(new URL(url), this.#scope)
    const found = this.#urls.get(key)
    const refused = { reason, message: `redirects to ${cutLongUrl(target)}: ${message}` }
    if (found) this.#urls.set(key, { ...found, refused })
  }

  async #readSitemaps(use: 'include' | 'only', { start: base, folders }: ScopeSite): Promise<void> {
    const { tools, limits, signal, meter, span } = this.#options
    const unread = await findUnreadRobots(base, this.#plan.robots, tools.robots, signal)
    if (unread !== undefined) {
      this.#problems.push(describeUnsearched(base, unread))
      return
    }
    const findings = discoverSitemaps({
      start: base,
      folders,
      allowSubdomains: this.#scope.allowSubdomains,
      robotsSitemaps: await tools.robots.sitemapsOf(base.origin, signal),
      get: (url, fileSignal) => tools.getFile(url, this.#plan.page, fileSignal, { meter, span }),
      signal,
      limits: { fileEntries: Math.max(sitemapLimits.fileEntries, limits.sitemapUrls) },
    })
    const warnings = new SitemapWarnings(base, use, (message) => this.#problems.push(message))
    let left = limits.sitemapUrls
    for await (const finding of findings) {
      warnings.add(finding)
      if (finding.kind === 'problem') continue
      this.#addSitemapEntry(finding, base)
      left -= 1
      if (left === 0) break
      await yieldIfHeld()
    }
    warnings.conclude()
  }

  #addSitemapEntry(entry: SitemapEntry, base: URL): void {
    const url = withoutFragment(new URL(entry.url))
    const refused = refuse({ url, via: 'sitemap', depth: 0, from: base }, this.#scope)
    const { from: foundOn, lastmod } = entry
    this.#add({ key: pageKey(url, this.#scope), url: url.href, via: 'sitemap', depth: 0, foundOn, lastmod, refused })
  }

  /** Leaves out what robots.txt refuses, as far as it is known without a request, and URLs of other hosts about which nothing is. */
  async #applyKnownRobots(): Promise<void> {
    const { tools } = this.#options
    const { robots } = this.#plan
    if (!robots.obey) return
    for (const found of this.#urls.values()) {
      if (found.refused || this.#judged.has(found.key)) continue
      this.#judged.add(found.key)
      await yieldIfHeld()
      const verdict = await tools.robots.judgeCached(new URL(found.url), robots.agent)
      if (verdict === undefined) this.#urls.delete(found.key)
      else if (!verdict.allowed) this.#urls.set(found.key, { ...found, refused: refuseByRobotsVerdict(verdict) })
    }
  }

  /** Applies robots.txt to all URLs that the scope admits and that were found since the last call. */
  async #applyRobots(): Promise<void> {
    const { tools, signal } = this.#options
    const { robots } = this.#plan
    if (!robots.obey) return
    for (const found of this.#urls.values()) {
      if (found.refused || this.#judged.has(found.key)) continue
      this.#judged.add(found.key)
      await yieldIfHeld()
      const verdict = await tools.robots.judge(new URL(found.url), robots.agent, signal)
      if (verdict.allowed) continue
      const { failure } = verdict
      this.#urls.set(found.key, failure ? { ...found, failure } : { ...found, refused: refuseByRobotsVerdict(verdict) })
      if (failure && !this.#problems.includes(failure.message)) this.#problems.push(failure.message)
    }
  }
}

const isTimeout = (reason: unknown): boolean => reason instanceof TrawlError && reason.code === 'SCRAPE_TIMEOUT'

/** Moves the scope of a start URL, and of no other, to where its page leads. @param at place among the further ones. @default the first one */
function moveStart(scope: ScopePlan, target: URL, at: number | undefined): ScopePlan {
  if (at === undefined) return moveScope(scope, target)
  const others = scope.others?.map((other, index) => (index === at ? moveScope(other, target) : other))
  return Object.freeze({ ...scope, others })
}

/** The first URL whose template was not visited, else the first unvisited URL. */
function pickNext(urls: ReadonlyMap<string, SurveyedUrl>, visited: ReadonlySet<string>): SurveyedUrl | undefined {
  const open = [...urls.values()].filter(({ key, refused, failure }) => !refused && !failure && !visited.has(key))
  const templates = new Set([...visited].map((key) => templateOf(urls.get(key)?.url)))
  return open.find(({ url }) => !templates.has(templateOf(url))) ?? open[0]
}

const templateOf = (url: string | undefined): string =>
  url === undefined ? '' : (deriveTemplate(new URL(url)).names[0] ?? '')
