import type { CacheLookup } from '../../cache/recall.js'
import { openDeadline } from '../../concurrency/deadline.js'
import type { Digest } from '../../digest/digest.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'
import { detectUnchanged } from '../../snapshot/detect-unchanged.js'
import { digestPage } from '../digest-page.js'
import { enrichPage } from '../enrich-page.js'
import { obtainPage, type SiteResponse } from '../obtain-page.js'
import type { PageContext, PageTools } from '../page-context.js'
import {
  findAnswerDenial,
  findPermissions,
  findSiteStatements,
  withoutDeniedScrapes,
  withPolicyBudget,
} from '../page-permissions.js'
import { openPageModel } from '../page-model.js'
import { loadPrevious, trackChanges } from '../page-snapshot.js'
import { withoutValidators } from '../pipeline.js'
import { rememberPage } from '../remember-page.js'
import { prepareLists } from '../learnt-lists.js'
import { type ScrapedPage, toDeniedPage, toScrapedPage, toUnchangedPage } from '../scraped-page.js'
import type { ScrapeRequest } from '../scrape-request.js'

/** A page that was obtained and digested, for the engine that makes its document. Plain data. */
export interface PageReading {
  readonly page: FetchedPage
  readonly cached: Omit<CacheLookup, 'stale'>
  readonly siteResponse?: SiteResponse
  readonly digest: Digest
  readonly warnings: readonly (string | undefined)[]
  /** Time that the page has taken, by its clock. Milliseconds. */
  readonly spentMs: number
}

/** A page whose document needs the model, the files or the stores of this engine, and that another engine reads. */
export interface RemotePage {
  readonly request: ScrapeRequest
  readonly plan: ScrapePlan
  /** Reads the page, by {@link readPage}, in another engine. @returns undefined when none can */
  read(plan: ScrapePlan): Promise<PageReading | ScrapedPage | undefined>
}

const NO_FORMATS: ScrapePlan['enrich'] = { formats: [] }

/** Returns the plan by which another engine reads a page: without everything that the document needs of this engine. */
const toReadingPlan = ({ cache, fetch, digest, permissions }: ScrapePlan): ScrapePlan => ({
  cache,
  fetch,
  digest,
  enrich: NO_FORMATS,
  ...(permissions && { permissions }),
})

/**
 * Obtains and digests a page: the first half of `scrapePage`. The raw page is stored in the cache of this engine.
 *
 * @returns a scraped page when the page is unchanged
 * @throws TrawlError what the stations throw; the signal's reason
 */
export async function readPage(
  request: ScrapeRequest,
  plan: ScrapePlan,
  tools: PageTools,
  signal: AbortSignal,
): Promise<PageReading | ScrapedPage> {
  const startedAtMs = performance.now()
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal)
  const { clock } = deadline
  const context: PageContext = { request: { ...withPolicyBudget(request, plan), clock }, plan, tools, deadline }
  using obtained = await obtainPage(context.request, plan, tools, deadline.signal)
  const { lastSeen } = request
  const check = lastSeen && (await detectUnchanged(obtained.page, lastSeen))
  if (check === 'fetch again') return await readPage(withoutValidators(request), plan, tools, signal)
  if (check && lastSeen) {
    const denied = await findAnswerDenial(context, obtained, deadline.signal)
    return toUnchangedPage(context, obtained, lastSeen, {
      ...check,
      ...(denied !== undefined && { notPermitted: denied }),
    })
  }

  const site = await findSiteStatements(context, obtained)
  const { failure, ...digest } = await digestPage(context, obtained, undefined, site)
  if (failure !== undefined) {
    const { denial } = await findPermissions(context, obtained, digest, site)
    if (denial === undefined) throw failure
  }
  // The page is stored after all else: a cache that hangs takes no time from the formats.
  const spentMs = performance.now() - startedAtMs - clock.pausedMs
  const warnings = await rememberPage(context, obtained, digest)
  const { page, siteResponse } = obtained
  const { stale: _, ...cached } = obtained.cached
  return { page, cached, ...(siteResponse && { siteResponse }), digest, warnings, spentMs }
}

/**
 * Scrapes a page that another engine reads: the second half of `scrapePage`, with the model, the files and the stores of
 * this engine.
 *
 * @returns undefined when no other engine can read it
 * @throws TrawlError what the stations throw; the signal's reason
 */
export async function scrapeRemotePage(
  { request, plan, read }: RemotePage,
  tools: PageTools,
  signal: AbortSignal,
): Promise<ScrapedPage | undefined> {
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal)
  const { clock } = deadline
  const context: PageContext = { request: { ...withPolicyBudget(request, plan), clock }, plan, tools, deadline }
  using model = openPageModel(context)
  const previous = await loadPrevious(context)
  const readingPlan = toReadingPlan({ ...plan, digest: trackChanges(plan, previous) })
  const reading = await clock.pauseDuring(read(readingPlan))
  if (reading === undefined || !('digest' in reading)) return reading
  clock.advance(reading.spentMs)

  const { digest, warnings, spentMs: _, ...rest } = reading
  // By the clock of this engine, as its snapshots are.
  const page = rest.cached.page ? rest.page : { ...rest.page, fetchedAtMs: tools.now() }
  const obtained = { ...rest, page, mayBeKept: false, [Symbol.dispose]: () => undefined }
  const site = await findSiteStatements(context, obtained)
  const { permissions, denial } = await findPermissions(context, obtained, digest, site)
  if (denial !== undefined) return toDeniedPage(context, obtained, digest, { permissions, denial })
  const list = await tools.readWholeList(context, obtained, digest)
  const twin = await tools.readTwin(context, obtained, digest)
  const permitted = await withoutDeniedScrapes(context, page)
  const extras = await enrichPage(context, permitted.page, {
    digest,
    previous,
    model: model.model,
    list,
    mayFetch: true,
  })
  const later = await rememberPage(context, obtained, digest)
  return toScrapedPage(context, obtained, {
    digest,
    list,
    twin,
    extras,
    model: model.usage,
    warnings: [...warnings, ...permitted.warnings, ...later],
    permissions,
    learnt: await prepareLists(digest, plan.enrich),
  })
}
