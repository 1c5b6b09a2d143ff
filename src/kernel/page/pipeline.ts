import type { CachedPage } from '../cache/recall.js'
import { openDeadline, type Deadline } from '../../base/concurrency/deadline.js'
import type { Digest } from '../../content/digest/digest.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { fillGivenPage } from '../fetch/fetch-with-escalation.js'
import { keepLeftPages } from '../fetch/http/left-page.js'
import { Spending } from '../../base/llm/spending.js'
import { withoutFurther } from '../plan/feature-plan.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { detectUnchanged } from '../snapshot/detect-unchanged.js'
import type { LoadedSnapshot } from '../snapshot/load-snapshot.js'
import { assembleDocument } from './assemble-document.js'
import { type DigestedPage, digestOrKeep, digestPage, digestSuspect } from './digest-page.js'
import type { Document } from './document.js'
import { enrichPage } from './enrich-page.js'
import { type ObtainedPage, obtainPage, type SiteResponse, useGivenPage } from './obtain-page.js'
import type { ChangedRequest, FeaturesOfPage, PageContext, PageTools } from './page-context.js'
import { openPageModel, type PageModelLease } from './page-model.js'
import { finishDocument } from './page-rewriter.js'
import { loadPrevious, trackChanges, saveCurrent } from './page-snapshot.js'
import { MendableError, RefusalError } from './feature-steps.js'
import { withoutRefusedScrapes } from './refuse-further.js'
import { type ScrapedPage, toRefusedPage, toScrapedPage, toUnchangedPage, withWarnings } from './scraped-page.js'
import type { ScrapeRequest } from './scrape-request.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'

export type { ScrapedPage }

/**
 * Scrapes one page: calls the stations in order.
 *
 * @throws TrawlError what the stations throw; the signal's reason
 */
export async function scrapePage(
  request: ScrapeRequest,
  plan: ScrapePlan,
  tools: PageTools,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal, request.clock)
  const {
    plan: changed,
    warnings,
    cookies,
  }: Partial<ChangedRequest> & { readonly plan: ScrapePlan } = plan.changesRequests
    ? await change(request, plan, tools, deadline)
    : { plan }
  const page = toContext(cookies ? { ...request, cookies } : request, changed, tools, deadline)
  using model = openPageModel(page)
  try {
    using obtained = await obtainPage(page.request, changed, tools, deadline.signal)
    return await readScraped(page, obtained, { plan, warnings, model })
  } catch (error) {
    if (!(error instanceof MendableError)) throw error
    const { permit, clock } = page.request
    const mending = error.mend(deadline.signal)
    // What is mended for all pages takes no time from this one.
    await deadline.clock.pauseDuring(permit?.wait(mending, { signal: deadline.signal, clock }) ?? mending)
    return await scrapePage(
      { ...page.request, redirectRule: request.redirectRule, clock: deadline.clock },
      plan,
      tools,
      deadline.signal,
    )
  }
}

/** Plan and model of a page that is read. */
interface ScrapeParts {
  readonly plan: ScrapePlan
  readonly warnings?: readonly string[]
  readonly model: PageModelLease
}

/** Reads a page that was obtained, unless it is the one seen last. */
async function readScraped(
  page: PageContext,
  obtained: ObtainedPage,
  { plan, warnings, model }: ScrapeParts,
): Promise<ScrapedPage> {
  const { request, deadline, tools } = page
  try {
    const unchanged = request.lastSeen && (await findUnchanged(page, obtained))
    // Under the same deadline: the page has its time once.
    if (unchanged === 'fetch again')
      return await scrapePage({ ...withoutValidators(request), clock: deadline.clock }, plan, tools, deadline.signal)
    if (unchanged) return withWarnings(unchanged, warnings)

    const previous = page.plan.snapshot && (await loadPrevious(page))
    const read = await readObtained(page, obtained, previous)
    return await completePage(page, obtained, { ...read, previous, model, warnings })
  } catch (error) {
    throw keepLeftPages(error, request.url, obtained.page.leftPages)
  }
}

/** A page that was obtained and digested, for the engine that makes its document. Plain data. */
export interface PageReading {
  readonly page: FetchedPage
  readonly cached: CachedPage
  readonly siteResponse?: SiteResponse
  readonly digest: Digest
  readonly warnings: readonly (string | undefined)[]
  /** Time that the page has taken, by its clock. Milliseconds. */
  readonly spentMs: number
}

/**
 * Obtains and digests a page for another engine: the first half of {@link scrapePage}. The raw page is stored in the cache of
 * this engine.
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
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal, request.clock)
  const context = toContext(request, plan, tools, deadline)
  using obtained = await obtainPage(context.request, plan, tools, deadline.signal)
  const unchanged = await findUnchanged(context, obtained)
  if (unchanged === 'fetch again') {
    const again = { ...withoutValidators(request), clock: deadline.clock }
    return await readPage(again, plan, tools, deadline.signal)
  }
  if (unchanged) return unchanged

  const { run, digest, failure } = await readObtained(context, obtained, undefined)
  if (failure !== undefined) {
    await run?.afterDigest(digest)
    if (!run?.refused) throw keepLeftPages(failure, request.url, obtained.page.leftPages)
  }
  // The page is stored after all else: a cache that hangs takes no time from the formats.
  const spentMs = performance.now() - startedAtMs - deadline.clock.pausedMs
  const warnings = await rememberPage(context, obtained, digest)
  const { page, siteResponse } = obtained
  const { stale: _, ...cached } = obtained.cached
  return { page, cached, siteResponse, digest, warnings, spentMs }
}

/** A page whose document needs the model, the files or the stores of this engine, and that another engine reads. */
export interface RemotePage {
  readonly request: ScrapeRequest
  readonly plan: ScrapePlan
  /** Reads the page, by {@link readPage}, in another engine. @returns undefined when none can */
  read(plan: ScrapePlan): Promise<PageReading | ScrapedPage | undefined>
}

/**
 * Scrapes a page that another engine reads: the second half of {@link scrapePage}, with the model, the files and the stores of
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
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal, request.clock)
  const { clock } = deadline
  const context = toContext(request, plan, tools, deadline)
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
  const run = tools.features.begin({ context, obtained, signal: deadline.signal })
  await run?.beforeDigest()
  return await completePage(context, obtained, { run, digest, previous, model, warnings })
}

/**
 * Makes the document of a page that the caller supplied: calls the stations after fetching.
 *
 * @throws TrawlError what the stations throw; the signal's reason
 */
export async function parsePage(
  supplied: FetchedPage,
  plan: ScrapePlan,
  tools: PageTools,
  signal: AbortSignal,
): Promise<Document> {
  const { url } = supplied
  using deadline = openDeadline(url, plan.fetch.timeoutMs, signal)
  const fetched = await fillGivenPage(supplied, tools.hydrate, deadline.signal)
  const { rewrite } = plan.digest
  const rewriter = rewrite && (await tools.features.openRewriter(rewrite, { url }))
  const request = { url, sourceURL: url, spending: new Spending(plan.enrich.budget), rewriter }
  const page = toContext(request, plan, tools, deadline)
  using model = openPageModel(page)
  using given = useGivenPage(fetched)

  const previous = await loadPrevious(page)
  const digest = await digestPage(page, given, trackChanges(plan, previous), deadline.signal)
  const run = tools.features.begin({ context: page, obtained: given, signal: deadline.signal, isGiven: true })
  await run?.afterDigest(digest, model.model)
  if (run?.refused) throw new RefusalError(run.refused, url)
  const results = run?.results
  const extras = await enrichPage(page, fetched, { digest, previous, model: model.model, results, mayFetch: false })
  const warnings = [...(run?.warnings ?? []), ...(await rememberPage(page, given, digest))]
  const terms = { enhanced: 0, redaction: rewrite ? true : undefined }
  // The caller supplied the page: there are no proxies to pay for, and no facts of robots.txt to report.
  const parts = { digest, extras, model: model.usage, warnings, robotsFacts: {}, terms, added: results }
  const document = assembleDocument(page, given, parts)
  if (!rewriter) return document
  await rewriter.read(document, deadline.signal)
  return finishDocument(document, rewriter, request)
}

/** Lets features change the request of a page, which lends its slot meanwhile. */
function change({ url, visit, permit }: ScrapeRequest, plan: ScrapePlan, { features }: PageTools, deadline: Deadline) {
  const { signal, clock } = deadline
  const changing = features.changeRequest({ url, plan, visit, signal })
  return permit?.wait(changing, { signal, clock }) ?? changing
}

function toContext(request: ScrapeRequest, plan: ScrapePlan, tools: PageTools, deadline: Deadline): PageContext {
  const visit = request.visit ?? {}
  const { signal, clock } = deadline
  const redirectRule = tools.features.guardRedirects({ url: request.url, plan, visit, signal }, request.redirectRule)
  return { request: { ...request, visit, clock, redirectRule }, plan, tools, deadline }
}

/** Tests if the page is the one seen last, which is not read. @returns undefined for a page to read */
async function findUnchanged(
  page: PageContext,
  obtained: ObtainedPage,
): Promise<ScrapedPage | 'fetch again' | undefined> {
  const { lastSeen } = page.request
  const check = lastSeen && (await detectUnchanged(obtained.page, lastSeen))
  if (!check || check === 'fetch again') return check
  const refused = await page.tools.features.judgeAnswer({ context: page, obtained, signal: page.deadline.signal })
  return toUnchangedPage(page, obtained, lastSeen, { ...check, refused })
}

/** Results of reading a page that was obtained. */
interface ReadPage extends DigestedPage {
  /** Undefined for a page that asks for no feature. */
  readonly run: FeaturesOfPage | undefined
}

async function readObtained(
  page: PageContext,
  obtained: ObtainedPage,
  previous: LoadedSnapshot | undefined,
): Promise<ReadPage> {
  page.request.permit?.enter?.('digest')
  const run = page.tools.features.begin({ context: page, obtained, signal: page.deadline.signal })
  await run?.beforeDigest()
  const plan = page.plan.snapshot ? trackChanges(page.plan, previous) : page.plan.digest
  if (!run?.suspicion) obtained.sheets = await run?.findSheets()
  if (!run?.suspicion) return { run, digest: await digestOrKeep(page, obtained, plan) }
  return { run, ...(await digestSuspect(page, obtained, plan, run.suspicion)) }
}

/** Inputs of the document of a page beside the raw page. */
interface CompletedParts extends ReadPage {
  readonly previous: LoadedSnapshot | undefined
  readonly model: PageModelLease
  /** Warnings of the engine that read the page, and of what came before. @default none */
  readonly warnings?: readonly (string | undefined)[]
}

/** Completes a page that was read, here or in another engine: the stations after the digest. */
async function completePage(
  page: PageContext,
  obtained: ObtainedPage,
  { run, digest, failure, previous, model, warnings = [] }: CompletedParts,
): Promise<ScrapedPage> {
  await run?.afterDigest(digest, model.model)
  if (run?.refused)
    return toRefusedPage(page, obtained, digest, {
      refused: run.refused,
      refusedLinks: run.refusedLinks,
      found: run.results,
    })
  if (failure) throw failure
  page.request.permit?.enter?.('enrich')
  await run?.enrich()
  const permitted = obtained.page.actions ? await withoutRefusedScrapes(page, obtained.page) : undefined
  const extras = await enrichPage(page, permitted?.page ?? obtained.page, {
    digest,
    previous,
    model: model.model,
    results: run?.results,
    mayFetch: true,
  })
  const remembered = await rememberPage(page, obtained, digest)
  return toScrapedPage(page, obtained, {
    digest,
    added: run?.results,
    refusedLinks: run?.refusedLinks,
    extras,
    model: model.usage,
    warnings: [...warnings, ...(run?.warnings ?? []), ...(permitted?.warnings ?? []), ...remembered],
  })
}

const NO_FORMATS: ScrapePlan['enrich'] = { formats: [] }

/** Returns the plan by which another engine reads a page: without everything that the document needs of this engine. */
const toReadingPlan = (plan: ScrapePlan): ScrapePlan => {
  const { cache, fetch, digest, enhancedCredits, agent, features, judges, starts } = withoutFurther(plan)
  return {
    cache,
    fetch,
    digest,
    enrich: NO_FORMATS,
    enhancedCredits,
    agent,
    features,
    judges,
    starts,
  }
}

/**
 * Removes the validators from a request, because the site answered 304 for another URL, for example after a redirect.
 */
const withoutValidators = (request: ScrapeRequest): ScrapeRequest => ({
  ...request,
  lastSeen: { bodyHash: request.lastSeen?.bodyHash ?? '', url: request.lastSeen?.url },
})

const UNCACHED = 'the page could not be cached in time'
const UNSAVED = 'The page’s snapshot could not be stored in time.'

/** Stores a page that was fetched: the raw page in the cache, and its snapshot. @returns warnings of what failed */
export function rememberPage(
  context: PageContext,
  obtained: ObtainedPage,
  digest: Digest,
): Promise<readonly (string | undefined)[]> {
  // The document is complete by now. If a store does not answer, the page waits for its deadline and gets a warning.
  const untilDeadline = (storing: Promise<string | undefined>, late: string): Promise<string | undefined> =>
    untilAborted(storing, context.deadline.signal).catch(() => late)
  return Promise.all([
    obtained.remember && untilDeadline(obtained.remember(), UNCACHED),
    obtained.cached.page || !context.plan.snapshot
      ? undefined
      : untilDeadline(saveCurrent(context, obtained.page, digest), UNSAVED),
  ])
}
