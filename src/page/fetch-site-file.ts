import { openDeadline } from '../concurrency/deadline.js'
import type { Fetchers } from '../fetch/engine-fetchers.js'
import { fetchPage } from '../fetch/fetch.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { FetchPlan, UsageMeter } from '../fetch/fetcher.js'

/** What bringing a file in takes. */
interface FileTools {
  readonly fetchers: Fetchers
}

/** How long a site may take for a file about itself: its robots.txt, a sitemap. */
const SITE_FILE_TIMEOUT_MS = 20_000

/** A file about a site: fetched like a page, and neither cached nor digested. */
export async function fetchSiteFile(
  url: string,
  plan: Omit<FetchPlan, 'timeoutMs'>,
  tools: FileTools,
  signal: AbortSignal,
  { meter, timeoutMs = SITE_FILE_TIMEOUT_MS }: { meter?: UsageMeter | undefined; timeoutMs?: number } = {},
): Promise<FetchedPage> {
  // A browser has nothing to add to a file.
  const fetchPlan: FetchPlan = {
    ...plan,
    timeoutMs,
    fetcher: 'http',
    needsBrowser: [],
    mayBeBlocked: true,
  }
  using deadline = openDeadline(url, timeoutMs, signal)
  const request = { url, sourceURL: url, ...(meter && { meter }) }
  return await fetchPage(request, fetchPlan, tools.fetchers, deadline.signal)
}

/** One try at a robots.txt: short enough that a second one ends within the default `timeout` of a page. */
const ROBOTS_TIMEOUT_MS = 12_000

/** A robots.txt. It says the same to everybody: it is asked for without a caller's headers, and believed without proof. */
export const fetchRobotsFile = (url: string, tools: FileTools, signal: AbortSignal): Promise<FetchedPage> =>
  fetchSiteFile(url, { headers: {}, skipTlsVerification: true }, tools, signal, { timeoutMs: ROBOTS_TIMEOUT_MS })

/** A filter list of the host's choosing, as text. @throws Error for a status that is no success */
export async function fetchList(url: string, tools: FileTools, signal: AbortSignal): Promise<string> {
  const { statusCode, body } = await fetchSiteFile(url, { headers: {}, skipTlsVerification: false }, tools, signal)
  if (statusCode < 200 || statusCode > 299) throw new Error(`it answered ${statusCode}`)
  return new TextDecoder().decode(body)
}
