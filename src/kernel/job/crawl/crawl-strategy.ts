import { compact } from '../../../base/collections/compact.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type { TrawlError } from '../../../base/errors.js'
import type { RedirectRule } from '../../fetch/fetcher.js'
import { cutLongUrl, pageKey } from '../../frontier/duplicates/same-page.js'
import type { Robots, RobotsFailure } from '../../frontier/robots/robots.js'
import { moveScope } from '../../frontier/scope/move-scope.js'
import {
  foldersOf,
  isOnOtherSite,
  isOnSite,
  listSites,
  refuse,
  type ScopePlan,
  startOf,
} from '../../frontier/scope/scope.js'
import { relate } from '../../frontier/scope/site-relation.js'
import type { LedgerRow, LedgerRules, Refusal, SkipReason, UrlCandidate } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import type { LeftLinks } from '../../page/scraped-page.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import { isSameHost, parseUrl, withoutCredentials, withoutFragment } from '../../../base/url.js'
import {
  LEFT_CUT,
  type LinkedPage,
  LinkJudge,
  type LinkRules,
  permitForLinks,
  toLeftPage,
} from '../discovery/judge-links.js'
import { FileTrials } from '../discovery/file-trials.js'
import { describeNamedAbove, suggestScopeChanges } from '../discovery/scope-hints.js'
import { createRedirectRule, refuseByRobotsVerdict } from '../discovery/robots-refusal.js'
import type { JobContext } from '../job-context.js'
import type { CrawlParts, JobPast, JobStrategy, ReviewVerdict, PromptResolution } from '../job-strategy.js'
import { CrawlContent, createSample, refuseDuplicate, refuseMatch } from './crawl-content.js'
import type { CrawlGuide, OpenGuide, CrawlNote } from './crawl-guide.js'
import type { CrawlMemory, OpenMemory } from './crawl-memory.js'
import { refuseByCachedRobots, refuseByRobots, refuseRedirect, refuseTarget } from './crawl-robots.js'
import { readSitemaps, SITEMAP_POSITION } from './crawl-sitemaps.js'
import type { Document } from '../../page/document.js'

/** Refuses a page that was fetched only for its links. */
const LINKS_ONLY: Refusal = {
  reason: 'INCLUDE_PATTERN',
  message: 'fetched only for its links: `discoverThrough`',
}

const LEADS_ELSEWHERE = 'redirects to '

const leadsHere = (url: string): string => `scraped as ${url}, which redirects here`

interface Decision {
  readonly refusal?: Refusal
  readonly duplicateOf?: string
  readonly sample?: CrawlNote['sight']
}

/** Parts of a crawl that features have. */
export interface CrawlFeatures {
  /** Opens the guide that the plan names. @default pages in order of depth */
  readonly openGuide?: OpenGuide
  /** Opens its memory. @default it leaves nothing for a later crawl */
  readonly openMemory?: OpenMemory
}

/** Strategy of a crawl: scrapes every page in scope that can be reached from its start URLs. */
export class CrawlStrategy implements JobStrategy, CrawlParts {
  readonly kind = 'crawl'
  readonly crawl: CrawlParts = this
  readonly rules: LedgerRules = createLiveRules(this)
  readonly describe = describePage
  readonly prompt: PromptResolution | undefined
  readonly guide: CrawlGuide | undefined
  readonly memory: CrawlMemory | undefined
  files: FileTrials
  readonly #requested: CrawlPlan
  readonly #start: URL
  #content = new CrawlContent()
  #links = new LinkJudge()
  /** Scope of the crawl; moved to where the start page leads. */
  #scope: ScopePlan
  /** Number of further pages that may be fetched only for their links (`discoverThrough`). */
  #discoveryLeft: number
  /** Reason why the start URL itself gave no document. */
  #startRefused: SkipReason | undefined

  /** @param prompt resolution of its `prompt`. @default the plan is that of the request */
  constructor(requested: CrawlPlan, prompt?: PromptResolution, { openGuide, openMemory }: CrawlFeatures = {}) {
    this.#requested = requested
    this.prompt = prompt
    const { plan } = this
    this.#scope = plan.scope
    this.#discoveryLeft = plan.discoverThrough
    this.#start = withoutFragment(new URL(plan.start))
    this.files = new FileTrials(plan.scope)
    this.guide = this.#openGuide(openGuide)
    this.memory = openMemory?.(() => this.plan, {
      start: this.#start.href,
      keyOf: (url) => this.keyOf(new URL(url)),
      refuse: (url, depth) => refuse({ url, via: 'previous', depth }, this.#scope),
    })
  }

  #openGuide(openGuide: OpenGuide | undefined): CrawlGuide | undefined {
    const scopeOf = (): ScopePlan => this.#scope
    const planOf = (): CrawlPlan => this.plan
    const crawl = {
      get scope() {
        return scopeOf()
      },
      get plan() {
        return planOf()
      },
    }
    return openGuide?.(this.plan, crawl)
  }

  /** The plan in force: that of the request, then that of the resolved `prompt`. */
  get plan(): CrawlPlan {
    return this.prompt?.plan ?? this.#requested
  }

  get seeds(): readonly UrlCandidate[] {
    const { sourceURL, otherStarts = [] } = this.plan
    const first = { url: this.#start.href, sourceURL }
    return [first, ...otherStarts].map(({ url, sourceURL: written }, order) => ({
      key: this.keyOf(new URL(url)),
      url: withoutFragment(new URL(url)).href,
      via: 'seed',
      depth: 0,
      place: this.guide?.start ?? [SITEMAP_POSITION - 1, order],
      sources: [{ order, url: written }],
    }))
  }

  keyOf(url: URL): string {
    return this.#pageKey(withoutFragment(url))
  }

  #pageKey(url: URL): string {
    return pageKey(url, this.#scope)
  }

  async prepare(context: JobContext): Promise<void> {
    await this.prompt?.resolve(context)
    this.#scope = this.plan.scope
    this.#discoveryLeft = this.plan.discoverThrough
    this.guide?.begin(context)
  }

  async begin(context: JobContext): Promise<void> {
    for (const warning of this.plan.warnings ?? []) context.warn(warning)
    await this.memory?.load(context)
    this.#beginSitemaps(context)
  }

  /** @param moved the scope whose site is read. @default all */
  #beginSitemaps(context: JobContext, moved?: ScopePlan): void {
    const { sitemap: use, robots, limit } = this.plan
    if (use === 'skip') return
    const onCandidate = (candidate: UrlCandidate, index: number): UrlCandidate => {
      this.memory?.addSitemapDate(candidate, context)
      const rating = this.guide?.rate({ url: candidate.url, text: '' }, { depth: 1, index, key: candidate.key })
      const [tried = candidate] = this.files.permit([candidate], this.#scope, this.#start)
      return rating ? { ...tried, ...rating } : tried
    }
    const { others, crawlEntireDomain } = this.#scope
    const only = { start: startOf(this.#scope), folders: crawlEntireDomain ? ['/'] : foldersOf(this.#scope) }
    for (const site of others === undefined ? [only] : listSites(this.#scope, moved)) {
      context.background.run(() => readSitemaps({ use, robots, scope: this.#scope, site, limit, onCandidate }, context))
    }
  }

  async judge(url: URL, robots: Robots): Promise<Refusal | RobotsFailure | undefined> {
    const plan = this.plan
    const question = { url: withoutFragment(url), via: 'link', depth: 1, from: startOf(this.#scope) } as const
    const refusal = refuse(question, this.#scope)
    if (refusal || !plan.robots.obey) return refusal
    const verdict = await robots.judge(url, plan.robots.agent)
    return verdict.allowed ? undefined : (verdict.failure ?? refuseByRobotsVerdict(verdict))
  }

  async refuse(row: LedgerRow, context: JobContext): Promise<Refusal | undefined> {
    const refusal = this.files.refuse(row) ?? (await refuseByRobots(row, this.plan, context))
    return refusal ?? this.#content.refuse(row)
  }

  async refuseRemaining(row: LedgerRow, context: JobContext): Promise<Refusal | undefined> {
    return refuseByCachedRobots(row, this.plan, context)
  }

  createRedirectRule({ tools }: JobContext): RedirectRule | undefined {
    return createRedirectRule(this.plan.robots, tools.robots)
  }

  refuseRedirect(row: LedgerRow, error: TrawlError, context: JobContext): Refusal {
    return refuseRedirect(row, error, context)
  }

  /** Restores what the crawl knew about its pages. Sitemaps, robots.txt and search indexes are read again. */
  async restore(rows: readonly LedgerRow[], past: JobPast | undefined): Promise<void> {
    const [first] = rows
    this.#startRefused = first?.refusal?.reason
    // A start page that the robots.txt of its target refused or failed has not moved the crawl.
    const hasMoved = first?.outcome !== 'failed' && first?.refusal?.reason !== 'ROBOTS_TXT'
    // The row of a start page that waits for others has no final URL yet, and pages that it links to may be read before it.
    const target = first?.finalUrl ?? findClaimed(rows, this.#start.href)
    if (hasMoved && target !== undefined) this.#scope = moveScope(this.#scope, new URL(target))
    for (const [at, { url }] of (this.plan.otherStarts ?? []).entries()) {
      const key = this.keyOf(new URL(url))
      const row = rows.find((one) => one.key === key)
      const finalUrl = row?.refusal?.reason === 'ROBOTS_TXT' ? undefined : row?.finalUrl
      if (finalUrl !== undefined) this.#moveStart(at + 1, new URL(finalUrl))
    }
    if (!past) return
    this.#discoveryLeft -= rows.filter(({ linksOnly }) => linksOnly).length
    const done = new Set(rows.flatMap(({ outcome, finalUrl, url }) => (outcome === 'done' ? [finalUrl ?? url] : [])))
    for await (const { row, note } of past.notes) {
      const { sight: sample, recorded } = note as CrawlNote
      this.guide?.restore(note as CrawlNote, row, past.context)
      if (sample === 'repeat') this.#content.noteRepeat(row)
      // A copy of a page that has not ended is left out: that page is fetched again, and would be refused as the copy of its copy, so
      // that neither gave a document.
      else if (sample && (row.duplicateOf === undefined || done.has(row.duplicateOf)))
        this.#content.findMatch(row, sample)
      if (recorded) await this.memory?.restore(row, recorded)
    }
    for (const row of rows) if (row.refusal?.reason === 'TRAP') this.#content.refuse(row)
  }

  async review(row: LedgerRow, page: ScrapedPage, context: JobContext): Promise<ReviewVerdict> {
    const read = await this.guide?.addPage(page)
    const { sample, ...verdict } = await this.#decide(row, page, context, read)
    const guided = this.guide?.endPage(row, read)
    const recorded = await this.memory?.record(row, page, !verdict.refusal, context)
    const note: CrawlNote = compact({ sight: sample, recorded, ...guided })
    return { ...verdict, note }
  }

  async #decide(row: LedgerRow, page: ScrapedPage, context: JobContext, read?: unknown): Promise<Decision> {
    const plan = this.plan
    const finalUrl = withoutFragment(new URL(page.document.metadata.url))
    const denied = await this.#followRedirect(row, finalUrl, context).catch(async (error: unknown) => {
      await this.followLeft(row, page, context, read)
      throw error
    })
    const isFollowed = this.#isFollowed(row)
    const scope = this.#scope
    const isPartOfSite =
      isOnSite(relate(finalUrl, startOf(scope)), scope) ||
      (scope.others !== undefined && isOnOtherSite(finalUrl, scope))
    const hasOwnLinks = isPartOfSite && (!denied || denied === LINKS_ONLY)
    if (!hasOwnLinks) await this.followLeft(row, page, context, read)
    if (denied && denied !== LINKS_ONLY) {
      if (denied.reason !== 'DUPLICATE') return { refusal: denied }
      this.#content.noteRepeat(row)
      return { refusal: denied, sample: 'repeat' }
    }
    // A page found only in the record of an earlier crawl is no longer part of the site, and neither are its links.
    if (isFollowed && hasOwnLinks) {
      const admitFound = await this.guide?.findPages(row, page, context)
      await this.#admitLinks(row, page, context, read)
      await admitFound?.()
    }
    if (row.linksOnly) return { refusal: LINKS_ONLY }
    if (page.refused) return { refusal: page.refused.refusal }
    if (plan.robots.obeyMeta && page.document.metadata.noindex) {
      return { refusal: { reason: 'NOINDEX', message: 'the page asks not to be indexed' } }
    }
    // The start page is fetched for its links in any case. Only now its own URL is judged.
    const unwanted = row.via === 'seed' ? refuse({ url: finalUrl, via: 'seed', depth: 0 }, this.#scope) : undefined
    if (!unwanted) return this.#compareContent(row, page, context)
    if (row.key === this.#pageKey(this.#start)) this.#startRefused = unwanted.reason
    return { refusal: unwanted }
  }

  /** Claims the final URL of a redirect for this row. Refuses the row when the final URL is out of scope, forbidden or known. */
  async #followRedirect(row: LedgerRow, finalUrl: URL, context: JobContext): Promise<Refusal | undefined> {
    const key = this.#pageKey(finalUrl)
    if (key === row.key) return undefined
    const refusal = await refuseTarget(row, finalUrl, { plan: this.plan, scope: this.#scope }, context)
    if (refusal) return refusal
    if (row.via === 'seed') this.#moveTo(row, finalUrl, context)
    const refused = refuse({ url: finalUrl, via: 'link', depth: row.depth, from: new URL(row.url) }, this.#scope)
    return claimTarget(row, { key, url: cutLongUrl(finalUrl.href), refused }, context)
  }

  /** Moves the crawl to where a start page leads, and reads the sitemaps by that scope. */
  #moveTo(row: LedgerRow, finalUrl: URL, context: JobContext): void {
    const others = this.plan.otherStarts ?? []
    const at = 1 + others.findIndex(({ url }) => this.keyOf(new URL(url)) === row.key)
    const moved = this.#moveStart(at, finalUrl)
    if (moved) this.#beginSitemaps(context, moved)
  }

  /** Moves the scope of a start URL: of the first one with 0. @returns the new one; undefined if it stays */
  #moveStart(at: number, finalUrl: URL): ScopePlan | undefined {
    const { others = [] } = this.#scope
    const scope = at === 0 ? this.#scope : others[at - 1]
    const moved = scope && moveScope(scope, finalUrl)
    if (!moved || moved === scope) return undefined
    this.#scope = at === 0 ? moved : Object.freeze({ ...this.#scope, others: others.with(at - 1, moved) })
    return moved
  }

  async #compareContent(row: LedgerRow, page: ScrapedPage, context: JobContext): Promise<Decision> {
    const similarity = page.unchanged === undefined ? undefined : await this.memory?.similarityOf(row, context)
    const canonical = canonicalKeyOf(page, row, (url) => this.#pageKey(url))
    const sample = createSample(page, canonical, similarity)
    const match = this.#content.findMatch(row, sample)
    if (!match) return { sample }
    const isRefused = match.isOnePage || this.plan.deduplicateContent
    return { sample, duplicateOf: match.duplicateOf, refusal: isRefused ? refuseMatch(match) : undefined }
  }

  #isFollowed({ via }: LedgerRow): boolean {
    return via !== 'previous' && this.plan.sitemap !== 'only'
  }

  async followLeft(row: LedgerRow, left: LeftLinks, context: JobContext, read?: unknown): Promise<void> {
    const { leftLinks, isLeftCut } = left
    if (!this.#isFollowed(row) || (!leftLinks && !isLeftCut)) return
    await this.#admitLinks(row, toLeftPage(left, row.url), context, read)
  }

  async #admitLinks(row: LedgerRow, page: LinkedPage, context: JobContext, read?: unknown): Promise<void> {
    if (page.isLeftCut) context.warn(LEFT_CUT)
    const { guide } = this
    const rules: LinkRules = {
      scope: this.#scope,
      ledger: guide || this.#discoveryLeft > 0 ? undefined : context.ledger,
      obeyMeta: this.plan.robots.obeyMeta,
      dropsText: this.plan.page.zeroDataRetention,
      rate: guide && ((link, at) => guide.rate(link, at, read)),
    }
    const from = new URL(row.url)
    for (const judged of this.#links.judge(row, page, rules)) {
      const slice = this.files.permit(judged, this.#scope, from)
      const candidates = this.#discoveryLeft === 0 ? slice : permitForLinks(slice, this.#discoveryLeft)
      const added = candidates.length === 0 ? [] : await context.admit(candidates)
      guide?.addLinks(added)
      this.#discoveryLeft -= added.filter(({ linksOnly }) => linksOnly).length
      await yieldIfHeld()
    }
  }

  async conclude(context: JobContext, cancelled: AbortSignal): Promise<void> {
    await this.memory?.write(context, cancelled)
    if (this.#scope.includePaths.length > 0 && !cancelled.aborted) {
      const warning = await describeNamedAbove(this.#scope, context.ledger, cancelled)
      if (warning !== undefined) context.warn(warning)
    }
    // A job may stay after its end, with reports or documents that nobody has taken.
    ;[this.#content, this.#links] = [new CrawlContent(), new LinkJudge()]
    this.files = new FileTrials(this.#scope)
  }

  readonly hint: CrawlParts['hint'] = (pages, refused, isUnread) =>
    suggestScopeChanges({
      scope: this.#scope,
      pages,
      refused,
      startRefused: this.#startRefused,
      isUnread,
      asked: this.#start,
    })
}

/** Finds the URL that a page claimed at its redirect, also one whose row has not ended. */
const findClaimed = (rows: readonly LedgerRow[], url: string): string | undefined =>
  rows.find(({ refusal }) => refusal?.reason === 'DUPLICATE' && refusal.message === leadsHere(url))?.url

/**
 * Claims for a row the URL at which its page has arrived.
 *
 * @param target the URL, refused if a link to it would be
 * @returns the refusal of the row when the page belongs to another row
 */
async function claimTarget(
  row: LedgerRow,
  target: { readonly key: string; readonly url: string; readonly refused?: Refusal },
  context: JobContext,
): Promise<Refusal | undefined> {
  const candidate = { ...target, via: 'redirect', depth: row.depth, foundOn: row.url } as const
  // The page is wanted as a document, which is not made of one fetched for its links: it gets a row of its own.
  const isMissing = row.linksOnly === true && !target.refused
  if (isMissing && (await context.admit([candidate])).length > 0) return LINKS_ONLY
  // The URL of a page is without the user name that it was requested with.
  const isMoved = withoutCredentials(new URL(row.url)).href !== target.url
  const refused = refuseDuplicate(isMoved ? leadsHere(row.url) : `scraped as ${row.url}, which adds a user name`)
  const claim = await context.claim({ ...candidate, refused })
  if (claim.outcome !== 'taken') return undefined
  const { outcome, refusal } = claim.row
  // The request of the other row failed, or led elsewhere, as of two pages that redirect to each other: this page is then kept.
  if (outcome === 'failed' || refusal?.message.startsWith(LEADS_ELSEWHERE)) return undefined
  // The same row claimed the URL in an earlier process, which ended before the row did.
  if (refusal?.message === refused.message) return undefined
  const relation = isMoved ? LEADS_ELSEWHERE : 'adds a user name to '
  return refuseDuplicate(`${relation}${target.url}, which this crawl has already found`)
}

/** Returns the key of a page's canonical URL, if that lies on the same host; otherwise the row's own key. */
function canonicalKeyOf({ document }: ScrapedPage, row: LedgerRow, keyOf: (url: URL) => string): string {
  const { canonicalUrl, url } = document.metadata
  const parsed = typeof canonicalUrl === 'string' ? parseUrl(canonicalUrl) : undefined
  if (!parsed) return row.key
  const canonical = withoutFragment(parsed)
  return isSameHost(canonical, new URL(url)) ? keyOf(canonical) : row.key
}

/** Adds the fields of a document that only the crawl knows: its depth, the page that links to it, and its visibility. */
function describePage(document: Document, { via, depth, foundOn }: LedgerRow): Document {
  const found = foundOn === undefined ? {} : { discoveredFrom: foundOn }
  const described = { ...document, metadata: { ...document.metadata, depth, ...found } }
  const { changeTracking } = document
  return via === 'previous' && changeTracking
    ? { ...described, changeTracking: { ...changeTracking, visibility: 'hidden' } }
    : described
}

/** Maximum time for which a slow page keeps the crawl from fetching deeper pages. Milliseconds. */
const HOLD_LEVEL_MS = 5000

/**
 * Creates the rules of a crawl. They read the plan on each access, because the ledger is opened with them before the `prompt` is
 * resolved.
 */
const createLiveRules = (crawl: { readonly plan: CrawlPlan }): LedgerRules => ({
  get limit() {
    return crawl.plan.limit
  },
  // With a depth limit the order must be strict: a page that is found first by a longer path would be refused for its
  // depth.
  get holdLevelMs() {
    const { scope, guide } = crawl.plan
    return Number.isFinite(scope.maxDiscoveryDepth) && guide === undefined ? Infinity : HOLD_LEVEL_MS
  },
  get order() {
    return crawl.plan.guide === undefined ? 'depth' : 'place'
  },
})
