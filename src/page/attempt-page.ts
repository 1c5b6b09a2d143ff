import { toTrawlError, type TrawlError } from '../errors.js'
import type { AttemptOutcome } from '../fetch/retry.js'
import { slowDownStatuses } from '../http/statuses.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { ScrapedPage } from './scraped-page.js'
import type { ScrapeRequest } from './scrape-request.js'

/** Tools for trying to scrape a page. */
export interface TryTools {
  /** Scrapes the page: see `scrapePage`. */
  scrape(request: ScrapeRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage>
  /** Calculates the delay before another attempt. Milliseconds; undefined when there is to be none. */
  retryDelayMs(outcome: AttemptOutcome): number | undefined
}

/** Result of an attempt, and the delay before another one that may do better. Milliseconds. */
export type AttemptResult =
  | { readonly page: ScrapedPage; readonly error?: undefined; readonly retryDelayMs: number | undefined }
  | { readonly page?: undefined; readonly error: TrawlError; readonly retryDelayMs: number | undefined }

/** Tries once to scrape a page. Never rejects. @param attempt 1 for the first attempt */
export function attemptPage(
  request: ScrapeRequest,
  plan: ScrapePlan,
  tools: TryTools,
  attempt: number,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const maxWaitMs = plan.fetch.timeoutMs
  const judgePage = (page: ScrapedPage): AttemptResult => {
    const { statusCode } = page.document.metadata
    const retryAfterMs = page.visit?.retryAfterMs
    // A stored error page was asked for as it is: only a fetched one may be a passing trouble.
    if (page.fetcher === 'cache') return { page, retryDelayMs: undefined }
    const retryDelayMs = tools.retryDelayMs({ attempt, statusCode, retryAfterMs, maxWaitMs })
    const isTooLong = retryAfterMs !== undefined && retryAfterMs > maxWaitMs && slowDownStatuses.has(statusCode)
    return { page: isTooLong ? warnOfWait(page, retryAfterMs, maxWaitMs) : page, retryDelayMs }
  }
  const judgeError = (thrown: unknown): AttemptResult => {
    const error = toTrawlError(thrown, request.url)
    const { code, retryAfterMs } = error
    const outcome = { attempt, code, retryAfterMs, maxWaitMs }
    return { error, retryDelayMs: signal.aborted ? undefined : tools.retryDelayMs(outcome) }
  }
  return tools.scrape(request, plan, signal).then(judgePage).catch(judgeError)
}

function warnOfWait({ document, ...page }: ScrapedPage, retryAfterMs: number, maxWaitMs: number): ScrapedPage {
  const asked = `The site asks to be left alone for ${Math.ceil(retryAfterMs / 1000)} s, longer than the page's \`timeout\` of ${maxWaitMs} ms`
  const warning = [document.warning, `${asked}: it was not tried again.`].filter(Boolean).join(' ')
  return { ...page, document: { ...document, warning } }
}
