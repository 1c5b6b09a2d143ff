import { setTimeout as sleep } from 'node:timers/promises'
import { openDeadline } from '../../base/concurrency/deadline.js'
import type { TrawlError } from '../../base/errors.js'
import type { ScrapeRequest } from '../page/scrape-request.js'
import type { CreditAccount } from '../../base/accounting/credit-account.js'
import { PagePermit } from '../job/run/page-permit.js'
import type { PageSlots } from '../../base/concurrency/page-slots.js'
import type { ScrapedPage } from '../page/pipeline.js'
import { channels, endSpan, failureOf, runInSpan, startSpan } from '../../base/tracing/channels.js'
import type { EventLog } from '../../base/tracing/event-log.js'
import type { AttemptSpan, PageSpan } from '../../base/tracing/spans.js'
import { withoutSecrets } from '../../base/tracing/without-secrets.js'
import { withoutCredentials } from '../../base/url.js'
import { estimatePageCredits } from '../plan/page-credits.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { RefusalError } from '../page/feature-steps.js'
import type { FeatureRunner } from '../page/page-context.js'
import { type AttemptTools, evaluateError, evaluatePage } from '../page/attempt-page.js'

/** Tools of the engine for a single page. */
interface OnceTools extends AttemptTools {
  readonly slots: PageSlots
  readonly credits: CreditAccount
  readonly features: FeatureRunner
  readonly log: EventLog | undefined
  /** Opens the fetchers of features. Does not reject. */
  openFetchers(signal: AbortSignal): Promise<void>
  now(): number
}

/**
 * Scrapes one page outside a job. It is retried as in a job, as long as its `timeout` allows.
 *
 * @throws TrawlError that of the last attempt, that of a feature that refuses the page, `SCRAPE_TIMEOUT` or `INSUFFICIENT_CREDITS`; the signal's reason
 */
export function scrapeOnce(
  request: ScrapeRequest,
  plan: ScrapePlan,
  tools: OnceTools,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  const scraped = scrapeTraced(request, plan, tools, signal)
  return tools.log ? logResult(scraped, request, tools.log, signal) : scraped
}

async function logResult(
  scraped: Promise<ScrapedPage>,
  request: ScrapeRequest,
  log: EventLog,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  const url = () => withoutSecrets(request.url)
  try {
    const page = await scraped
    const { creditsUsed: credits } = page.document.metadata
    log.write('debug', 'page done', () => ({ url: url(), documents: 1, credits }))
    return page
  } catch (error) {
    // What the caller cancels has not failed.
    if (!signal.aborted) log.write('warn', 'page failed', () => ({ url: url(), ...failureOf(error) }))
    throw error
  }
}

function scrapeTraced(
  request: ScrapeRequest,
  plan: ScrapePlan,
  tools: OnceTools,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  if (!channels.page.hasSubscribers) return scrapeWithRetries(request, plan, tools, signal)
  const span: PageSpan = { url: withoutCredentials(new URL(request.url)).href, positions: 1 }
  const scrape = async (): Promise<ScrapedPage> => {
    span.outcome = 'failed'
    const page = await scrapeWithRetries({ ...request, span }, plan, tools, signal)
    span.outcome = 'done'
    return page
  }
  return runInSpan(channels.page, span, scrape, ({ document }) => ({
    documents: 1,
    credits: document.metadata.creditsUsed,
  }))
}

async function scrapeWithRetries(
  asked: ScrapeRequest,
  plan: ScrapePlan,
  tools: OnceTools,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  await tools.openFetchers(signal)
  using deadline = openDeadline(asked.url, plan.fetch.timeoutMs, signal)
  const endMs = performance.now() + plan.fetch.timeoutMs
  const request = { ...asked, visit: {}, cookies: {} }

  async function scrapeUntilDone(permit: PagePermit): Promise<ScrapedPage> {
    for (let number = 1; ; number++) {
      const attempt = { number, plan, tools }
      const span = startAttempt(request, number)
      const { page, error, retryDelayMs } = await tools
        .scrape({ ...request, permit, span }, plan, deadline.signal)
        .then((scraped) => evaluatePage(scraped, attempt))
        .catch((thrown: unknown) => evaluateError(thrown, request.url, attempt, deadline.signal))
      const isLast = retryDelayMs === undefined || performance.now() + retryDelayMs >= endMs
      if (span) {
        const refused = page?.refused && new RefusalError(page.refused, request.url)
        endAttempt(span, page, error ?? refused, isLast ? undefined : retryDelayMs)
      }
      if (isLast) {
        if (page?.refused) throw new RefusalError(page.refused, request.url)
        if (!error) return page
        // If the caller aborted, its reason is thrown instead of the error that the abort caused.
        signal.throwIfAborted()
        throw error
      }
      tools.log?.write('debug', 'page retried', () => ({
        url: withoutSecrets(request.url),
        attempt: number,
        code: error?.code,
        statusCode: page?.document.metadata.statusCode,
        retryDelayMs,
      }))
      await permit
        .wait(sleep(retryDelayMs, undefined, { signal: deadline.signal }), deadline)
        .catch(() => deadline.signal.throwIfAborted())
    }
  }

  return await tools.credits.charge(estimatePageCredits(plan), deadline.signal, async () => {
    await tools.slots.acquire(deadline.signal)
    const permit = new PagePermit(tools)
    try {
      const asking = tools.features.refuse({ url: request.url, plan, visit: request.visit, signal: deadline.signal })
      const refused = await permit.wait(asking, deadline)
      if (refused) throw new RefusalError(refused, request.url)
      return await scrapeUntilDone(permit)
    } finally {
      permit.end(tools.now())
    }
  })
}

/** Starts the span of an attempt. @returns undefined without subscribers */
function startAttempt({ url, span: parent }: ScrapeRequest, number: number): AttemptSpan | undefined {
  if (!channels.attempt.hasSubscribers) return undefined
  // The parent is the span of the page: see `scrapeOnce`.
  return startSpan(channels.attempt, {
    parent: parent && 'positions' in parent ? parent : undefined,
    url: withoutCredentials(new URL(url)).href,
    number,
  })
}

function endAttempt(
  span: AttemptSpan,
  page: ScrapedPage | undefined,
  error: TrawlError | undefined,
  retryDelayMs: number | undefined,
): void {
  const { fetcher, fetcherReason, document } = page ?? {}
  endSpan(channels.attempt, span, {
    outcome: retryDelayMs === undefined ? (error ? 'failed' : 'done') : 'retry',
    fetcher,
    fetcherReason,
    statusCode: document?.metadata.statusCode,
    code: error?.code,
    retryDelayMs,
  })
}
