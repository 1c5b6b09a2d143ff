import type { Mutable } from '../../../base/collections/mutable.js'
import { countFailure } from '../../../base/accounting/credits.js'
import type { Document } from '../../page/document.js'
import { toTrawlError, TrawlError } from '../../../base/errors.js'
import type { UsageMeter } from '../../fetch/fetcher.js'
import type { PageCookies } from '../../../base/http/cookies.js'
import type { SiteAnswer } from '../../frontier/politeness.js'
import type { Attempt, Ending, LedgerRow, Refusal } from '../../ledger/ledger.js'
import { type AttemptResult, evaluateError, evaluatePage } from '../../page/attempt-page.js'
import type { KnownPage } from '../../page/known-page.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import { RefusalError } from '../../page/feature-steps.js'
import { findLeftLinks } from '../../page/scraped-page.js'
import type { ScrapeRequest } from '../../page/scrape-request.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'
import { openDeadline } from '../../../base/concurrency/deadline.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type { PageClock } from '../../../base/concurrency/pausable-clock.js'
import type { ParentSpan } from '../../../base/tracing/spans.js'
import { siteOf } from '../../../base/url.js'
import type { JobContext, JobPermit } from '../job-context.js'
import type { JobStrategy, ReviewVerdict } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { PageTime } from './page-time.js'

/** The end of a row by an attempt at it, with what is recorded of it. */
export interface EndedRow {
  readonly ending: Ending<Document>
  /** Absent when the page was refused before a request, or a defect of trawl ended the attempt at its beginning. */
  readonly attempt?: Attempt
  /** Latency and status of the site's response. */
  readonly siteResponse: SiteAnswer
  /** URL that answered, when it differs from the requested one. */
  readonly finalUrl?: string
  /** URL of an earlier page with the same, or nearly the same, content. */
  readonly duplicateOf?: string
  /** The scraped page, from which its document can be rebuilt. */
  readonly reviewed?: ReviewedPage
  /** Plain data for the strategy's `restore`, when the job resumes in another process. */
  readonly note?: unknown
}

/** An attempt after which the row is tried again. */
interface RetriedRow extends AttemptFacts {
  readonly ending: 'retry'
}

/** Result of one attempt at a row. */
export type RowAttempt = EndedRow | RetriedRow

/** A page that gave a document. */
interface ReviewedPage {
  readonly page: ScrapedPage
  /** Creates the ending of the row with this document. */
  createEnding(document: Document): Ending<Document>
}

/** An attempt that was made. */
interface AttemptFacts {
  readonly attempt: Attempt
  readonly siteResponse: SiteAnswer
}

/** The last attempt at a row, with its page as the job knows it. */
interface JudgedAttempt {
  readonly result: AttemptResult
  readonly page: ScrapedPage | undefined
  readonly attempted: AttemptFacts
}

/** Everything that an attempt needs in addition to the row. */
export interface AttemptOptions {
  readonly strategy: JobStrategy
  readonly tools: JobTools
  readonly context: JobContext
  readonly plan: ScrapePlan
  readonly permit: JobPermit
  readonly meter?: UsageMeter
  /** Cookies that the attempts at the page share. */
  readonly cookies: PageCookies
  /**
   * Waits until the page may be processed, in a job that processes its pages in order. Called at most once, not before a
   * retry. Resolves to false when the job ends before.
   */
  readonly awaitTurn: (siteResponse: SiteAnswer) => Promise<boolean> | undefined
}

/** Credits that an attempt costs. */
export const creditsOf = ({ ending }: RowAttempt): number =>
  ending === 'retry' || ending.outcome === 'skipped' ? 0 : (ending.credits ?? 0)

/** Decision about a page that its job keeps as it is. */
const NO_VERDICT: ReviewVerdict = {}

/** Response of a site that was sent no request. */
export const NO_RESPONSE: SiteAnswer = {
  latencyMs: undefined,
  statusCode: undefined,
  retryAfterMs: undefined,
}

const unansweredAfter = (latencyMs: number, { retryAfterMs }: TrawlError): SiteAnswer => ({
  latencyMs,
  statusCode: undefined,
  retryAfterMs,
})

/** Fetches and reviews the page of a row, once. Never rejects: a defect, or a cancelled job, fails the page. */
export function attemptRow(row: LedgerRow, job: AttemptOptions): Promise<RowAttempt> {
  const { tracer } = job.context
  const span = tracer.startAttempt(row)
  const attempted = span ? attemptInSpan(row, job, span) : attemptOnce(row, job)
  return attempted.catch((defect: unknown) => ({ ending: createFailure(defect), siteResponse: NO_RESPONSE }))
}

async function attemptInSpan(row: LedgerRow, job: AttemptOptions, span: ParentSpan): Promise<RowAttempt> {
  const { tracer } = job.context
  try {
    const result = await attemptOnce(row, { ...job, span })
    tracer.endAttempt(span, result)
    return result
  } catch (error) {
    tracer.failAttempt(span, error)
    throw error
  }
}

/** Tests whether all features let a page be taken as an earlier job has left it. */
async function mayReuse(row: LedgerRow, { hooks }: JobContext): Promise<boolean> {
  for (const hook of hooks) if ((await hook.mayReuse?.(row)) === false) return false
  return true
}

async function attemptOnce(
  row: LedgerRow,
  whole: AttemptOptions & { readonly span?: ParentSpan },
): Promise<RowAttempt> {
  const time = new PageTime(row.attempts, whole.plan.fetch.timeoutMs)
  const job = { ...whole, plan: time.planRest(whole.plan), clock: time.clock }
  const { strategy, tools, context, plan, permit } = job
  const visit = {}
  const beganAtMs = tools.waitNow()
  let known: KnownPage | undefined
  let onAnswer: KnownPage['onAnswer']
  try {
    const isJudged = strategy.refuse !== undefined || plan.judges !== undefined
    const refusal = isJudged ? await permit.wait(refuseRow(row, job, visit), context) : undefined
    if (refusal) {
      await job.awaitTurn(NO_RESPONSE)
      return { ending: { outcome: 'skipped', refusal }, siteResponse: NO_RESPONSE }
    }
    known = await strategy.crawl?.memory?.recall(row, context)
    onAnswer = known?.onAnswer
    if (known?.gaveDocument && !(await mayReuse(row, context))) known = undefined
  } catch (error) {
    const { code, message } = toTrawlError(error)
    onAnswer?.(undefined)
    await job.awaitTurn(NO_RESPONSE)
    return {
      ending: createFailure(error),
      attempt: { startedAtMs: beganAtMs, endedAtMs: tools.waitNow(), code, error: message },
      siteResponse: NO_RESPONSE,
    }
  }

  const startedAtMs = tools.waitNow()
  const facts = { number: row.attempts.length + 1, plan: whole.plan, tools }
  let result: AttemptResult
  let page: ScrapedPage | undefined
  let answer: ScrapedPage | undefined
  // The pipeline is awaited in this function: each further async function would add a frame to every async stack that
  // Playwright captures.
  try {
    result =
      known?.unchanged === undefined
        ? evaluatePage(await tools.scrape(createRequest(row, job, known, visit), plan, context.signal), facts)
        : { page: known.restore(), retryDelayMs: undefined }
    answer = result.page
    page = answer && known && answer.unchanged !== undefined ? known.restore(answer) : answer
  } catch (error) {
    result = evaluateError(time.describe(error), row.url, facts, context.signal)
  }
  // Before its turn: pages that come before it may wait for the answer.
  onAnswer?.(answer)
  const { error } = result
  const endedAtMs = tools.waitNow()
  const retryDelayMs = time.allows(result.retryDelayMs) ? result.retryDelayMs : undefined
  const screenshot = await context.saveErrorSnapshot(error, row.url, context.signal)
  const attempt: Mutable<Attempt> = { startedAtMs, endedAtMs }
  if (time.waitedMs > 0) attempt.waitedMs = time.waitedMs
  if (retryDelayMs !== undefined) attempt.retryAtMs = endedAtMs + retryDelayMs
  if (screenshot !== undefined) attempt.screenshot = screenshot
  if (error) Object.assign(attempt, { code: error.code, error: error.message })
  else if (page) addFetch(attempt, page)
  const siteResponse = error ? unansweredAfter(endedAtMs - startedAtMs, error) : (page?.siteResponse ?? NO_RESPONSE)

  if (retryDelayMs !== undefined) return { ending: 'retry', attempt, siteResponse }
  const isTurn = await job.awaitTurn(siteResponse)
  // Its links would be admitted out of turn, and the process that resumes the job fetches the page again.
  if (isTurn === false) return { ending: createFailure(context.signal.reason), attempt, siteResponse }
  try {
    return await judgeResult(row, { result, page, attempted: { attempt, siteResponse } }, job)
  } catch (thrown) {
    return { ending: createFailure(thrown), attempt, siteResponse }
  }
}

/** Finds how a row ends with the result of its last attempt. */
async function judgeResult(
  row: LedgerRow,
  { result, page, attempted }: JudgedAttempt,
  job: AttemptOptions,
): Promise<EndedRow> {
  const { strategy, context } = job
  const { error } = result
  const failure = error && (await followLeft(row, error, job))
  const refused = error instanceof RefusalError ? error.refusal : undefined
  const skipped = refused ?? (context.signal.aborted ? undefined : strategy.crawl?.files.judge(row, result))
  if (skipped) return { ...attempted, ending: { outcome: 'skipped', refusal: skipped } }
  if (error?.code === 'CRAWL_DENIAL' && strategy.crawl)
    return { ...attempted, ending: { outcome: 'skipped', refusal: strategy.crawl.refuseRedirect(row, error, context) } }
  if (error || !page) return { ...attempted, ending: createFailure(failure) }
  const { url } = page.document.metadata
  const finalUrl = url === row.url ? undefined : url
  try {
    const { refusal: refusedBy, note, ...found } = (await strategy.review?.(row, page, context)) ?? NO_VERDICT
    const refusal = refusedBy ?? page.refused?.refusal
    const facts = { ...attempted, finalUrl, note, ...found }
    if (refusal) return { ...facts, ending: { outcome: 'skipped', refusal } }
    const createEnding = endingWith(row, strategy, found)
    // An unchanged page was not parsed, so that its document cannot be rebuilt.
    const reviewed = page.unchanged === undefined ? { page, createEnding } : undefined
    return { ...facts, ending: createEnding(page.document), reviewed }
  } catch (thrown) {
    return { ...attempted, finalUrl, ending: createFailure(thrown) }
  }
}

/** Follows the links of the pages that led on to one that failed. @returns the error that the row fails with */
async function followLeft(
  row: LedgerRow,
  error: TrawlError,
  { strategy, context, plan }: AttemptOptions,
): Promise<unknown> {
  try {
    if (!context.signal.aborted) await strategy.crawl?.followLeft(row, findLeftLinks(error, row.url, plan), context)
    return error
  } catch (thrown) {
    return thrown
  }
}

/**
 * Refuses a row right before it would be fetched: by features that judge its address alone, then by the rules of the job, for which
 * robots.txt may be requested, then by the other features.
 */
async function refuseRow(row: LedgerRow, options: AttemptOptions, visit: object): Promise<Refusal | undefined> {
  const { strategy, context, plan } = options
  const denied = plan.judges && (await refuseByFeatures(row, options, visit, true))
  const refusal = denied ?? (await strategy.refuse?.(row, context))
  // No request ends the turn of the event loop then, and thousands of rows may be refused one after another.
  if (refusal) await yieldIfHeld()
  return refusal ?? (plan.judges && (await refuseByFeatures(row, options, visit, false)))
}

async function refuseByFeatures(
  { url }: LedgerRow,
  { tools, context, plan }: AttemptOptions,
  visit: object,
  byAddress: boolean,
): Promise<Refusal | undefined> {
  using deadline = openDeadline(url, plan.fetch.timeoutMs, context.signal)
  return (await tools.features.refuse({ url, plan, visit, signal: deadline.signal }, byAddress))?.refusal
}

function createRequest(
  row: LedgerRow,
  {
    strategy,
    tools,
    context,
    plan,
    permit,
    meter,
    cookies,
    span,
    clock,
  }: AttemptOptions & { readonly span?: ParentSpan; readonly clock: PageClock },
  known: KnownPage | undefined,
  visit: object,
): ScrapeRequest {
  return {
    url: row.url,
    visit,
    sourceURL: row.sources?.[0]?.url ?? row.url,
    rendering: context.rendering,
    spending: context.budgetTracker.spending,
    learntRules: context.learntRules,
    permit,
    cookies,
    clock,
    refuseSuspended: () => refuseSuspendedSite(row.url, tools),
    redirectRule: strategy.crawl?.createRedirectRule(context),
    isForLinks: row.linksOnly,
    onlyHtml: strategy.crawl?.files.isUncertain(row),
    further: plan.asksFurther && context.permitFurther(row, permit),
    meter,
    span,
    lastSeen: known?.lastSeen,
  }
}

/** Refuses a request to a site that has stayed overloaded for too long. @throws TrawlError `SCRAPE_RATE_LIMITED` */
export function refuseSuspendedSite(url: string, { politeness, waitNow }: JobTools): void {
  if (!politeness.hasSuspended) return
  const parsed = new URL(url)
  const nowMs = waitNow()
  const suspended = politeness.suspendedSite(siteOf(parsed), nowMs)
  if (!suspended) return
  const { statusCode, untilMs } = suspended
  const until = new Date(untilMs).toISOString()
  const message = `\`${parsed.host}\` has answered ${statusCode} repeatedly, and no page is requested from it before ${until}`
  throw new TrawlError('SCRAPE_RATE_LIMITED', message, { url, retryAfterMs: untilMs - nowMs })
}

function createFailure(thrown: unknown): Ending<Document> {
  const { code, message } = toTrawlError(thrown)
  const credits = countFailure(code)
  return { outcome: 'failed', code, error: message, credits: credits > 0 ? credits : undefined }
}

function addFetch(
  attempt: Mutable<Attempt>,
  { fetcher, fetcherReason, blockedBy, ofFeatures, document, unchanged, siteResponse }: ScrapedPage,
): void {
  attempt.fetcher = fetcher
  if (fetcherReason !== undefined) attempt.fetcherReason = fetcherReason
  const { statusCode, proxyUsed } = document.metadata
  if (unchanged === undefined) attempt.statusCode = statusCode
  else if (siteResponse?.statusCode !== undefined) attempt.statusCode = siteResponse.statusCode
  if (proxyUsed === 'stealth') attempt.proxyUsed = 'stealth'
  if (blockedBy !== undefined) attempt.blocks = blockedBy
  if (ofFeatures) Object.assign(attempt, ofFeatures)
}

/** Creates the function that makes the ending of a row with a document. @param found what the job has found out about its page */
function endingWith(row: LedgerRow, strategy: JobStrategy, found: ReviewVerdict): ReviewedPage['createEnding'] {
  const sources = row.sources?.map((source) => source.url) ?? [row.url]
  const isNoted = Object.keys(found).length > 0
  return (base) => {
    const documents = sources.map((sourceURL, index) => {
      const document = strategy.describe(base, row, sourceURL)
      if (index === 0 && !isNoted) return document
      // A page listed twice is charged once.
      const charge = index === 0 ? {} : { creditsUsed: 0 }
      return { ...document, metadata: { ...document.metadata, ...found, ...charge } }
    })
    const { creditsUsed: credits } = base.metadata
    return { outcome: 'done', documents, bytes: estimateBytes(base), credits }
  }
}

/** Estimates the memory of plain data: the lengths of its strings, and a few bytes for each value. */
function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 16
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) bytes += estimateBytes(inner)
  return bytes
}
