import { slowDownStatuses } from '../http/statuses.js'
import { toTrawlError, type TrawlError } from '../errors.js'
import type { PageRequest } from '../fetch/fetcher.js'
import type { AttemptOutcome } from '../fetch/retry.js'
import type { ScrapedPage } from './pipeline.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'

/** What trying a page takes. */
export interface TryTools {
  /** The page's whole journey. */
  scrape(request: PageRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage>
  /** How long to wait before another try; undefined when there is to be none. */
  retryDelayMs(outcome: AttemptOutcome): number | undefined
}

/** What a try came to, and in how many milliseconds another may come to more. */
export type AttemptResult =
  | { readonly page: ScrapedPage; readonly error?: undefined; readonly retryDelayMs: number | undefined }
  | { readonly page?: undefined; readonly error: TrawlError; readonly retryDelayMs: number | undefined }

/** Tries a page once. Never rejects. @param attempt 1 for the first try */
export async function attemptPage(
  request: PageRequest,
  plan: ScrapePlan,
  tools: TryTools,
  attempt: number,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const maxWaitMs = plan.fetch.timeoutMs
  try {
    const page = await tools.scrape(request, plan, signal)
    const { statusCode } = page.document.metadata
    const retryAfterMs = page.visit?.retryAfterMs
    // A stored error page was asked for as it is: only a fetched one may be a passing trouble.
    if (page.fetcher === 'cache') return { page, retryDelayMs: undefined }
    const retryDelayMs = tools.retryDelayMs({ attempt, statusCode, retryAfterMs, maxWaitMs })
    const isNotAwaited = retryAfterMs !== undefined && retryAfterMs > maxWaitMs && slowDownStatuses.has(statusCode)
    return { page: isNotAwaited ? warnOfWait(page, retryAfterMs, maxWaitMs) : page, retryDelayMs }
  } catch (thrown) {
    const error = toTrawlError(thrown, request.url)
    const { code, retryAfterMs } = error
    const outcome = { attempt, code, retryAfterMs, maxWaitMs }
    return { error, retryDelayMs: signal.aborted ? undefined : tools.retryDelayMs(outcome) }
  }
}

function warnOfWait({ document, ...page }: ScrapedPage, retryAfterMs: number, maxWaitMs: number): ScrapedPage {
  const asked = `The site asks to be left alone for ${Math.ceil(retryAfterMs / 1000)} s, longer than the page's \`timeout\` of ${maxWaitMs} ms`
  const warning = [document.warning, `${asked}: it was not tried again.`].filter(Boolean).join(' ')
  return { ...page, document: { ...document, warning } }
}
