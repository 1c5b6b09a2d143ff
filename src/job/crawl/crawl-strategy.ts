import type { Document } from '../../page/document.js'
import { TrawlError } from '../../errors.js'
import type { RobotsVerdict } from '../../frontier/robots/robots.js'
import { isOnSite, refuse } from '../../frontier/scope/scope.js'
import { relate } from '../../frontier/scope/site-relation.js'
import type { UrlCandidate, JobLedger, LedgerRow, Refusal, SkipReason } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import { isSameHost, siteOf, withoutFragment } from '../../url.js'
import { cutLongUrl, pageKey } from '../../frontier/duplicates/same-page.js'
import { CrawlContent, type ContentSight } from './crawl-content.js'
import type { CrawlPromptResolution } from './resolve-crawl-prompt.js'
import { CrawlMemory, type RecordedPage } from './crawl-memory.js'
import { LinkJudge } from '../discovery/crawl-links.js'
import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import { readSitemaps, SITEMAP_PLACE } from './crawl-sitemaps.js'
import { refuseByLine } from '../discovery/describe-verdict.js'
import { MIN_PAGES } from '../boilerplate/template-group.js'
import type { JobStrategy, JobContext, Verdict } from '../job-strategy.js'
import { judgeInTime } from './judge-robots.js'
import { rebaseScope } from '../discovery/rebase-scope.js'
import { hintAtScope, START_REFUSED_BY_ROBOTS } from '../discovery/scope-hints.js'

/** What a crawl notes of a page, for when it goes on in another process. */
interface CrawlNote {
  /** What was looked at of its content, or that it only led to a page that was known. */
  readonly sight?: ContentSight | 'repeat'
  /** What stands in the record of the crawl. */
  readonly recorded?: RecordedPage
}

/** A page of an earlier process. */
interface PastPage {
  readonly row: LedgerRow
  readonly note: unknown
}

type Decision = Omit<Verdict, 'note'> & Pick<CrawlNote, 'sight'>

/** How long one slow page may keep the crawl from going deeper. */
const HOLD_LEVEL_MS = 5000

/** A crawl: one start URL, and every page in scope that can be reached from it. */
export function createCrawlStrategy(course: CrawlPromptResolution): JobStrategy {
  let { plan } = course
  let { scope } = plan
  /** Pages that may still be fetched for their links alone. */
  let through = plan.discoverThrough
  /** Why the start URL itself gave no document. */
  let startRefused: SkipReason | undefined
  const content = new CrawlContent()
  const links = new LinkJudge()
  const key = (url: URL): string => pageKey(url, scope)
  const keyOf = (url: URL): string => key(withoutFragment(url))
  const start = withoutFragment(new URL(plan.start))
  const { memory: remembering } = plan
  const memory =
    remembering &&
    new CrawlMemory(
      () => plan.memory ?? remembering,
      start.href,
      (url) => keyOf(new URL(url)),
    )

  function beginSitemaps(stage: JobContext): void {
    if (plan.sitemap === 'skip') return
    stage.besides(() => readSitemaps(scope, stage, memory && ((candidate) => memory.seeDate(candidate, stage))))
  }

  async function askBeforeFetch(row: LedgerRow, stage: JobContext): Promise<Refusal | undefined> {
    return (plan.robots.obey ? await askRobots(row, stage) : undefined) ?? content.refuse(row)
  }

  async function askRobots(row: LedgerRow, stage: JobContext): Promise<Refusal | undefined> {
    const verdict = await judgeInTime(row, { ...plan.robots, timeoutMs: plan.page.fetch.timeoutMs }, stage)
    if (verdict.failure) throw new TrawlError(verdict.failure.code, verdict.failure.message, { url: row.url })
    if (verdict.crawlDelayMs !== undefined) stage.keepCrawlDelay(siteOf(new URL(row.url)), verdict.crawlDelayMs)
    return refuseByRobots(row, verdict, stage)
  }

  /** What stands in the ledger when the job has ended is complete: of a page that was not reached robots.txt is asked, too. */
  async function refuseLeft(row: LedgerRow, stage: JobContext): Promise<Refusal | undefined> {
    if (!plan.robots.obey || row.attempts.length > 0) return undefined
    const verdict = await stage.robots.judgeKnown(new URL(row.url), plan.robots.agent)
    return verdict && !verdict.failure ? refuseByRobots(row, verdict, stage) : undefined
  }

  function refuseByRobots(row: LedgerRow, verdict: RobotsVerdict, stage: JobContext): Refusal | undefined {
    if (verdict.allowed) return undefined
    if (row.via === 'seed') stage.warn(START_REFUSED_BY_ROBOTS)
    else stage.warn('robots.txt kept the crawl away from some pages: `errors()` lists them as `robotsBlocked`.')
    return refuseByLine(verdict)
  }

  /** What redirected here is this page: it counts as seen from now on, and as a duplicate if it was seen before. */
  async function followRedirect(row: LedgerRow, finalUrl: URL, stage: JobContext): Promise<Refusal | undefined> {
    if (key(finalUrl) === row.key) return undefined
    if (row.via === 'seed') {
      if (!isSameHost(finalUrl, start)) moveTo(finalUrl, stage)
    } else {
      const question = { url: finalUrl, via: 'redirect', depth: row.depth, from: new URL(row.url) } as const
      const refusal = refuse(question, scope)
      if (refusal) return { ...refusal, message: `redirects to ${cutLongUrl(finalUrl.href)}: ${refusal.message}` }
    }
    const refused = refuseDuplicate(`scraped as ${row.url}, which redirects here`)
    const [url, depth, foundOn] = [cutLongUrl(finalUrl.href), row.depth, row.url]
    const claim = await stage.claim({ key: key(finalUrl), url, via: 'redirect', depth, foundOn, refused })
    // A page that failed under its own URL, and now came in under another, is not given up.
    if (claim.outcome !== 'taken' || claim.row.outcome === 'failed') return undefined
    // This very page has claimed it, in a process that did not come to its end.
    if (claim.row.refusal?.message === refused.message) return undefined
    return { reason: 'DUPLICATE', message: `redirects to ${finalUrl.href}, which this crawl knows already` }
  }

  /** The start page redirected to another host: the crawl goes on there, below the same path, with its sitemaps. */
  function moveTo(finalUrl: URL, stage: JobContext): void {
    scope = rebaseScope(scope, finalUrl)
    beginSitemaps(stage)
  }

  async function review(row: LedgerRow, page: ScrapedPage, stage: JobContext): Promise<Verdict> {
    const { sight, ...verdict } = await decide(row, page, stage)
    const recorded = await memory?.note(row, page, !verdict.refusal, stage)
    const note: CrawlNote = { ...(sight && { sight }), ...(recorded && { recorded }) }
    return { ...verdict, note }
  }

  /** What the crawl knew before its process ended. Sitemaps are read again, and robots.txt is asked again. */
  async function restore(rows: readonly LedgerRow[], notes: AsyncIterable<PastPage>): Promise<void> {
    const [first] = rows
    startRefused = first?.refusal?.reason
    const moved = first?.finalUrl === undefined ? undefined : new URL(first.finalUrl)
    if (moved && !isSameHost(moved, start)) scope = rebaseScope(scope, moved)
    through -= rows.filter(({ linksOnly }) => linksOnly).length
    for await (const { row, note } of notes) {
      const { sight, recorded } = note as CrawlNote
      if (sight === 'repeat') content.noteRepeat(row)
      else if (sight) content.look(row, sight)
      if (recorded) await memory?.restore(row, recorded)
    }
    for (const row of rows) if (row.refusal?.reason === 'TRAP') content.refuse(row)
  }

  async function decide(row: LedgerRow, page: ScrapedPage, stage: JobContext): Promise<Decision> {
    const finalUrl = new URL(page.document.metadata.url)
    const denied = await followRedirect(row, finalUrl, stage)
    if (denied) {
      if (denied.reason !== 'DUPLICATE') return { refusal: denied }
      content.noteRepeat(row)
      return { refusal: denied, sight: 'repeat' }
    }
    // What only the record knows is no part of the site as it is now, and neither is what it links to.
    if (row.via !== 'previous' && plan.sitemap !== 'only' && isOnSite(relate(finalUrl, new URL(scope.start)), scope)) {
      await admitLinks(row, page, stage)
    }
    if (row.linksOnly) {
      return { refusal: { reason: 'INCLUDE_PATTERN', message: 'fetched for its links alone: `discoverThrough`' } }
    }
    if (plan.robots.obeyMeta && page.document.metadata.noindex) {
      return { refusal: { reason: 'NOINDEX', message: 'the page asks not to be indexed' } }
    }
    // The start page is there to find the others; whether it is itself wanted is asked last.
    const unwanted = row.via === 'seed' ? refuse({ url: finalUrl, via: 'seed', depth: 0 }, scope) : undefined
    if (!unwanted) return compareContent(row, page)
    startRefused = unwanted.reason
    return { refusal: unwanted }
  }

  async function compareContent(row: LedgerRow, page: ScrapedPage): Promise<Decision> {
    const similarity = page.unchanged === undefined ? undefined : await memory?.similarityOf(row)
    const { url, statusCode } = page.document.metadata
    const sight: ContentSight = {
      url,
      statusCode,
      canonicalKey: canonicalKey(page, row),
      ...(similarity === undefined ? page.fingerprint && { fingerprint: page.fingerprint } : { similarity }),
    }
    const likeness = content.look(row, sight)
    if (!likeness) return { sight }
    const { duplicateOf, isOnePage } = likeness
    const message = isOnePage
      ? `is by its canonical URL the same page as ${duplicateOf}`
      : `has the content of ${duplicateOf}`
    const isRefused = isOnePage || plan.deduplicateContent
    return { sight, duplicateOf, ...(isRefused && { refusal: refuseDuplicate(message) }) }
  }

  /** The key of the URL that a page names as its own, if that is one of its site. */
  function canonicalKey({ document }: ScrapedPage, row: LedgerRow): string {
    const { canonicalUrl, url } = document.metadata
    if (typeof canonicalUrl !== 'string' || !URL.canParse(canonicalUrl)) return row.key
    const canonical = withoutFragment(new URL(canonicalUrl))
    return isSameHost(canonical, new URL(url)) ? key(canonical) : row.key
  }

  async function admitLinks(row: LedgerRow, page: ScrapedPage, stage: JobContext): Promise<void> {
    const rules = { scope, obeyMeta: plan.robots.obeyMeta, dropsText: plan.page.keepsNothing === true }
    for (const some of links.judge(row, page, rules)) {
      const candidates = through === 0 ? some : letThrough(some, through)
      const added = await stage.admit(candidates)
      through -= added.filter(({ linksOnly }) => linksOnly).length
      await yieldIfHeld()
    }
  }

  /** Without its start page, and any other, a crawl has failed, for the reason that the start page did. */
  async function findFailure(ledger: JobLedger<Document>): Promise<TrawlError | undefined> {
    const failure = (await ledger.row(key(start)))?.failure
    if (!failure || (await ledger.counts()).done > 0) return undefined
    return new TrawlError(failure.code, failure.error, { url: start.href })
  }

  return {
    kind: 'crawl',
    rules: {
      get limit() {
        return plan.limit
      },
      // With a depth to stay within, a page found by a longer way first would be lost: then the order is strict.
      get holdLevelMs() {
        return Number.isFinite(plan.scope.maxDiscoveryDepth) ? Infinity : HOLD_LEVEL_MS
      },
    },
    pace: {
      get delayMs() {
        return plan.pace.delayMs
      },
      get maxConcurrency() {
        return plan.pace.maxConcurrency
      },
    },
    budget: plan.budget,
    ...(plan.webhook && { webhook: plan.webhook }),
    get page() {
      return plan.page
    },
    promptResolution: course,
    async prepare(stage) {
      await course.settle(stage)
      plan = course.plan
      scope = plan.scope
      through = plan.discoverThrough
    },
    get seeds(): UrlCandidate[] {
      const sources = [{ order: 0, url: plan.sourceURL }]
      return [{ key: key(start), url: start.href, via: 'seed', depth: 0, place: [SITEMAP_PLACE - 1, 0], sources }]
    },
    keyOf,
    async judge(url, robots) {
      const refusal = refuse({ url: withoutFragment(url), via: 'link', depth: 1, from: new URL(scope.start) }, scope)
      if (refusal || !plan.robots.obey) return refusal
      const verdict = await robots.judge(url, plan.robots.agent)
      return verdict.allowed ? undefined : (verdict.failure ?? refuseByLine(verdict))
    },
    restore,
    async begin(stage) {
      for (const warning of plan.warnings ?? []) stage.warn(warning)
      await memory?.begin(stage)
      beginSitemaps(stage)
    },
    refuse: askBeforeFetch,
    ...(memory && {
      recall: (row, stage) => memory.recall(row, stage),
      revisit: (stage) => memory.admitHidden((url, depth) => refuse({ url, via: 'previous', depth }, scope), stage),
      conclude: (stage) => memory.write(stage),
    }),
    refuseLeft,
    findFailure,
    learnsFrom: () => plan.learnBoilerplate && plan.limit >= MIN_PAGES,
    review,
    describe: ({ changeTracking, ...document }, row) => ({
      ...document,
      ...(changeTracking && {
        changeTracking: row.via === 'previous' ? { ...changeTracking, visibility: 'hidden' } : changeTracking,
      }),
      metadata: {
        ...document.metadata,
        depth: row.depth,
        ...(row.foundOn === undefined ? {} : { discoveredFrom: row.foundOn }),
      },
    }),
    ...(plan.page.keepsNothing && { keepsNothing: true }),
    ...(!plan.retain && { forgetsDocuments: true }),
    ...(memory && { leavesRecord: true }),
    hint: (pages, refused) => hintAtScope({ scope, pages, refused, startRefused }),
    startFields: {},
  }
}

/** The first so many candidates that only `includePaths` refuses are to be fetched for their links. */
function letThrough(candidates: readonly UrlCandidate[], most: number): UrlCandidate[] {
  let left = most
  return candidates.map((candidate) => {
    if (candidate.refused?.reason !== 'INCLUDE_PATTERN' || left === 0) return candidate
    left -= 1
    const { refused: _, ...found } = candidate
    return { ...found, linksOnly: true }
  })
}

const refuseDuplicate = (message: string): Refusal => ({ reason: 'DUPLICATE', message })
