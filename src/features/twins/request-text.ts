import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { transientStatuses } from '../../base/http/statuses.js'
import { planFurther } from '../../kernel/page/list/plan-further.js'
import { type FurtherPlan, sendFurther } from '../../kernel/page/list/request-further.js'
import type { PageContext } from '../../kernel/page/page-context.js'
import { findAnswerDenial } from '../../page/page-permissions.js'

/** Maximum size of a text. Bytes. */
const MAX_BYTES = 2_097_152
const TEXT_TYPE = /^\s*text\/(?:markdown|x-markdown|plain)\s*(?:;|$)/i

/** A text of a site. */
export interface SiteText {
  /** URL after redirects. */
  readonly url: string
  readonly body: Uint8Array
}

/**
 * A text; or `none` if the site has answered that there is none; `failed` if it has not answered; `refused` if it was not to be
 * asked.
 */
export type TextAnswer = SiteText | 'none' | 'failed' | 'refused'

/**
 * Requests a text of the origin of a page once, by the rules of the page's job. An answer of another origin is none.
 *
 * @throws the signal's reason
 */
export async function requestText(
  context: PageContext,
  url: string,
  accept: string,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const isText = (page: FetchedPage): boolean =>
    TEXT_TYPE.test(page.contentType ?? '') && new URL(page.url).origin === new URL(url).origin
  const plan = { ...planText(context, url, accept), mayStore: isText }
  const read = async (obtained: Parameters<typeof findAnswerDenial>[1]): Promise<TextAnswer> => {
    const { page } = obtained
    if (!isText(page)) return 'none'
    const denial = await findAnswerDenial(context, obtained, signal)
    return denial === undefined ? { url: page.url, body: page.body } : 'refused'
  }
  try {
    const answer = await sendFurther(context, plan, { attempt: 1, signal }, read)
    if (typeof answer === 'string') return 'refused'
    if ('result' in answer) return answer.result
    const { statusCode = 0 } = answer
    return statusCode >= 400 && statusCode < 500 && !transientStatuses.has(statusCode) ? 'none' : 'failed'
  } catch {
    signal.throwIfAborted()
    return 'failed'
  }
}

function planText({ plan, request }: PageContext, url: string, accept: string): FurtherPlan {
  const { cache, fetch, ...further } = planFurther(plan, request.url, url)
  const { prefersBrowser: _, ...fetchPlan } = fetch
  return {
    ...further,
    // The page itself is in the cache under the same URL.
    cache: { ...cache, variant: `${cache.variant} ${accept}` },
    fetch: { ...fetchPlan, fetcher: 'http', maxBodyBytes: MAX_BYTES, headers: { ...fetch.headers, accept } },
  }
}
