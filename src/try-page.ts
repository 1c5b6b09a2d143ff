import { toTrawlError, type TrawlError } from './errors.js'
import type { PageRequest } from './fetch/fetcher.js'
import type { AttemptOutcome } from './fetch/retry.js'
import type { ScrapedPage } from './pipeline.js'
import type { ScrapePlan } from './plan/scrape-plan.js'

/** What trying a page takes. */
export interface TryTools {
  /** The page's whole journey. */
  scrape(request: PageRequest, plan: ScrapePlan, signal: AbortSignal): Promise<ScrapedPage>
  /** How long to wait before another try; undefined when there is to be none. */
  retryDelayMs(outcome: AttemptOutcome): number | undefined
}

/** What a try came to, and in how many milliseconds another may come to more. */
export type Tried =
  | { readonly page: ScrapedPage; readonly error?: undefined; readonly retryDelayMs: number | undefined }
  | { readonly page?: undefined; readonly error: TrawlError; readonly retryDelayMs: number | undefined }

/** Tries a page once. Never rejects. @param attempt 1 for the first try */
export async function tryPage(
  request: PageRequest,
  plan: ScrapePlan,
  tools: TryTools,
  attempt: number,
  signal: AbortSignal,
): Promise<Tried> {
  try {
    const page = await tools.scrape(request, plan, signal)
    const { statusCode } = page.document.metadata
    // A stored error page was asked for as it is: only a fetched one may be a passing trouble.
    if (page.fetcher === 'cache') return { page, retryDelayMs: undefined }
    return { page, retryDelayMs: tools.retryDelayMs({ attempt, statusCode, retryAfterMs: page.visit?.retryAfterMs }) }
  } catch (thrown) {
    const error = toTrawlError(thrown, request.url)
    const { code, retryAfterMs } = error
    return { error, retryDelayMs: signal.aborted ? undefined : tools.retryDelayMs({ attempt, code, retryAfterMs }) }
  }
}
