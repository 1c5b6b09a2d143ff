import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { TrawlError } from '../../base/errors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PartOptions } from './feature-steps.js'
import { obtainPage } from './obtain-page.js'
import type { AnsweredPage } from './page-context.js'
import { planFurther } from './plan-further.js'

/**
 * Obtains a file that a page is shown with, such as a style sheet, as a browser does within the turn of the page: once, over HTTP, by the
 * page's proxies and with the caller's headers for their hosts, without its cookies. The cache has it as long as the page. For a page of
 * the cache nothing is requested.
 *
 * @returns undefined if it may not be requested
 * @throws TrawlError if it is not answered, or not in the cache, or redirects to what may not be requested; the signal's reason
 */
export async function obtainPart(
  { context, obtained }: AnsweredPage,
  url: string,
  { maxBytes, timeoutMs, mayRequest, signal }: PartOptions,
): Promise<FetchedPage | undefined> {
  const { request, plan, tools } = context
  const { cache, fetch } = planFurther(plan, request.url, url)
  const { prefersBrowser: _, ...fetchPlan } = fetch
  const isAllowed = async (target: URL): Promise<boolean> =>
    (await mayRequest(target)) &&
    (await tools.features.refuse({ url: target.href, plan, visit: request.visit, signal })) === undefined
  const check = async (target: URL): Promise<void> => {
    if (!(await isAllowed(target)))
      throw new TrawlError('SCRAPE_REDIRECT_ERROR', 'It may not be requested', { url: target.href })
  }
  const isCached = obtained.cached.page !== undefined
  if (!isCached) {
    request.refuseSuspended?.()
    if (!(await isAllowed(new URL(url)))) return undefined
  }
  const rule = { name: 'part', check }
  const { meter, span } = request
  using part = await obtainPage(
    { url, sourceURL: url, meter, span, redirectRule: rule },
    {
      cache: { ...cache, variant: `${cache.variant} part`, lockdown: isCached || cache.lockdown || undefined },
      fetch: { ...fetchPlan, fetcher: 'http', timeoutMs, maxBodyBytes: maxBytes, mayBeBlocked: true, needsBrowser: [] },
    },
    tools,
    signal,
  )
  await (part.remember && untilAborted(part.remember(), signal))
  return part.page
}
