import { slowDownStatuses } from '../../base/http/statuses.js'
import { toTrawlError, type TrawlError } from '../../base/errors.js'
import type { ScrapeRequest } from './scrape-request.js'
import type { AttemptOutcome } from '../fetch/retry.js'
import type { ScrapedPage } from './scraped-page.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'

/** Functions that an attempt at a page needs. */
export interface AttemptTools {
  /** Runs the page pipeline. */
  scrape(request: ScrapeRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage>
  /** Delay before the next attempt, in milliseconds; undefined when the page is not retried. */
  retryDelayMs(outcome: AttemptOutcome): number | undefined
}

/** A page or an error, with the delay after which a retry may do better. Milliseconds; undefined for no retry. */
export type AttemptResult =
  | { readonly page: ScrapedPage; readonly error?: undefined; readonly retryDelayMs: number | undefined }
  | { readonly page?: undefined; readonly error: TrawlError; readonly retryDelayMs: number | undefined }

/** An attempt at a page. */
interface PageAttempt {
  /** 1 for the first attempt. */
  readonly number: number
  readonly plan: ScrapePlan
  readonly tools: AttemptTools
}

/** Decides if a fetched page is retried: an error page may be temporary. */
export function evaluatePage(page: ScrapedPage, { number, plan, tools }: PageAttempt): AttemptResult {
  const maxWaitMs = plan.fetch.timeoutMs
  const { statusCode } = page.document.metadata
  const retryAfterMs = page.siteResponse?.retryAfterMs
  // Only a fetched error page may be temporary. One from the cache was requested explicitly (`minAge`).
  if (page.fetcher === 'cache') return { page, retryDelayMs: undefined }
  const retryDelayMs = tools.retryDelayMs({ attempt: number, statusCode, retryAfterMs, maxWaitMs })
  const isTooLong = retryAfterMs !== undefined && retryAfterMs > maxWaitMs && slowDownStatuses.has(statusCode)
  return { page: isTooLong ? warnOfWait(page, retryAfterMs, maxWaitMs) : page, retryDelayMs }
}

/** Decides if a failed page is retried. A page whose signal was aborted is not. */
export function evaluateError(
  thrown: unknown,
  url: string,
  { number, plan, tools }: PageAttempt,
  signal: AbortSignal,
): AttemptResult {
  const error = toTrawlError(thrown, url)
  const { code, retryAfterMs } = error
  const outcome = { attempt: number, code, retryAfterMs, maxWaitMs: plan.fetch.timeoutMs }
  return { error, retryDelayMs: signal.aborted ? undefined : tools.retryDelayMs(outcome) }
}

function warnOfWait({ document, ...page }: ScrapedPage, retryAfterMs: number, maxWaitMs: number): ScrapedPage {
  const asked = `The site asks to be left alone for ${Math.ceil(retryAfterMs / 1000)} s, longer than the page's \`timeout\` of ${maxWaitMs} ms`
  const warning = [document.warning, `${asked}: it was not tried again.`].filter(Boolean).join(' ')
  return { ...page, document: { ...document, warning } }
}
