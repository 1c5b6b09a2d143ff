import { setTimeout as sleep } from 'node:timers/promises'
import { toTrawlError } from '../../../base/errors.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { isSuccessStatus } from '../../../base/http/statuses.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'
import { type ObtainedPage, obtainPage } from '../obtain-page.js'
import { refuseFurther } from '../refuse-further.js'
import type { PageContext } from '../page-context.js'

/** A further request for a list. */
export interface FurtherPlan extends Pick<ScrapePlan, 'cache' | 'fetch'> {
  readonly url: string
  /** Tests whether an answer may be stored in the cache. @default every answer may */
  readonly mayStore?: (page: FetchedPage) => boolean
}

/** A response or an error that may be temporary, with the delay after which it is tried again. */
interface Failure {
  readonly why: string
  /** Status of the response; undefined for an error. */
  readonly statusCode?: number
  readonly retryDelayMs: number | undefined
}

/** Maximum `Retry-After` of a further request. Milliseconds. */
const MAX_WAIT_MS = 30_000

/**
 * Sends a further request for a list, by the rules of the job of the page, and again if it fails for the time being.
 *
 * @param read reads the page that was obtained
 * @returns the reason if it may not be sent or is not answered
 * @throws the signal's reason
 */
export async function requestFurther<Result extends object>(
  context: PageContext,
  plan: FurtherPlan,
  signal: AbortSignal,
  read: (obtained: ObtainedPage) => Promise<Result>,
): Promise<Result | string> {
  for (let attempt = 1; ; attempt++) {
    const sent = sendFurther(context, plan, { attempt, signal }, read)
    const answer = await sent.catch((error: unknown): Failure => {
      signal.throwIfAborted()
      const { code, message, retryAfterMs } = toTrawlError(error)
      const retryDelayMs = context.tools.retryDelayMs({ attempt, code, retryAfterMs, maxWaitMs: MAX_WAIT_MS })
      return { why: `${plan.url} could not be read: ${message}`, retryDelayMs }
    })
    if (typeof answer === 'string') return answer
    if ('result' in answer) return answer.result
    if (answer.retryDelayMs === undefined) return answer.why
    await sleep(answer.retryDelayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/**
 * Sends a further request once, by the rules of the job of the page.
 *
 * @returns the result, a failure, or the reason if it may not be sent
 * @throws TrawlError what `obtainPage` throws; the signal's reason
 */
export async function sendFurther<Result>(
  context: PageContext,
  { url, mayStore = () => true, ...plan }: FurtherPlan,
  { attempt, signal }: { attempt: number; signal: AbortSignal },
  read: (obtained: ObtainedPage) => Promise<Result>,
): Promise<{ result: Result } | Failure | string> {
  const { request, tools } = context
  request.admit?.()
  const denial = await refuseFurther(context, url, signal)
  if (denial !== undefined) return `${url}: ${denial}`
  const refusal = await request.further?.begin(url, signal)
  if (refusal !== undefined) return refusal
  const { lastSeen: _, ...rest } = request
  using obtained = await obtainPage({ ...rest, url, sourceURL: url }, plan, tools, signal).catch((error: unknown) => {
    request.further?.end(url, undefined)
    throw error
  })
  request.further?.end(url, obtained.siteResponse)
  if (mayStore(obtained.page)) await obtained.remember?.()
  const { statusCode } = obtained.page
  if (isSuccessStatus(statusCode)) return { result: await read(obtained) }
  const retryAfterMs = obtained.siteResponse?.retryAfterMs
  const retryDelayMs = tools.retryDelayMs({ attempt, statusCode, retryAfterMs, maxWaitMs: MAX_WAIT_MS })
  return { why: `${url} answered ${statusCode}.`, statusCode, retryDelayMs }
}
