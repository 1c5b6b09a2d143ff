import { compact } from '../../base/collections/compact.js'
import type { PageCookies } from '../../base/http/cookies.js'
import { openDeadline } from '../../base/concurrency/deadline.js'
import type { Fetchers } from '../fetch/engine-fetchers.js'
import { fetchPage } from '../fetch/fetch.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { FetchPlan, RedirectRule, UsageMeter } from '../fetch/fetcher.js'
import type { ParentSpan } from '../../base/tracing/spans.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { withoutFragment } from '../../base/url.js'
import { RefusalError } from './feature-steps.js'
import type { ChangedRequest, FeatureRunner } from './page-context.js'
import { planFile } from './plan-further.js'

/** Tools for fetching a file. */
interface FileTools {
  readonly fetchers: Fetchers
}

/** The caller that a file is fetched for. */
export interface FileCaller {
  /** Cookies that the file shares with pages. @default none */
  readonly cookies?: PageCookies
  readonly meter?: UsageMeter
  /** The span that the fetch belongs to. @default none */
  readonly span?: ParentSpan
}

/** Options of fetching a file for a job. */
interface JobFileCaller extends FileCaller {
  readonly signal: AbortSignal
  /** Maximum size of the body. Bytes. @default that of a page */
  readonly maxBytes?: number
}

/** Options of fetching one file. */
interface SiteFileOptions extends FileCaller {
  readonly signal: AbortSignal
  /** Milliseconds. @default {@link SITE_FILE_TIMEOUT_MS} */
  readonly timeoutMs?: number
  /** Checks the target of each redirect. @default all are followed */
  readonly redirectRule?: RedirectRule
}

/** Timeout of a file about a site: its robots.txt, a sitemap. */
const SITE_FILE_TIMEOUT_MS = 20_000

/** Fetches a file about a site. It is neither cached nor digested. */
export async function fetchSiteFile(
  url: string,
  plan: Omit<FetchPlan, 'timeoutMs'>,
  tools: FileTools,
  { signal, timeoutMs = SITE_FILE_TIMEOUT_MS, ...caller }: SiteFileOptions,
): Promise<FetchedPage> {
  // A browser adds nothing to a file.
  const fetchPlan: FetchPlan = {
    ...plan,
    timeoutMs,
    fetcher: 'http',
    needsBrowser: [],
    mayBeBlocked: true,
  }
  using deadline = openDeadline(url, timeoutMs, signal)
  const request = { url, sourceURL: url, ...caller }
  return await fetchPage(request, fetchPlan, tools.fetchers, deadline.signal)
}

/** Fetches a file about a site for a job, such as a sitemap: features change and refuse the request as those for pages. Their list may need a login too. */
export async function fetchJobFile(
  url: string,
  page: ScrapePlan,
  tools: FileTools & { readonly features: Pick<FeatureRunner, 'changeRequest' | 'guardRedirects'> },
  { signal, maxBytes, ...caller }: JobFileCaller,
): Promise<FetchedPage> {
  const { plan, cookies }: Partial<ChangedRequest> & { readonly plan: ScrapePlan } = page.changesRequests
    ? await tools.features.changeRequest({ url, plan: page, signal })
    : { plan: page }
  const fetch = maxBytes === undefined ? plan.fetch : { ...plan.fetch, maxBodyBytes: maxBytes }
  const redirectRule = tools.features.guardRedirects({ url, plan: page, signal }, undefined)
  await redirectRule?.check(new URL(url))
  return await fetchSiteFile(url, fetch, tools, { ...caller, cookies, signal, redirectRule })
}

/** A file that a page shows, such as a picture. */
export interface ShownFile {
  readonly url: string
  /** URL of the page after redirects. */
  readonly pageUrl: string
  /** Maximum size of the file. Bytes. */
  readonly maxBytes: number
  /** Validators of an earlier answer: the request is conditional. */
  readonly validators?: { readonly etag?: string | undefined; readonly lastModified?: string | undefined } | undefined
}

/** The crawl that such a file is fetched for. */
interface ShownFileCaller {
  readonly signal: AbortSignal
  /** URL that the caller asked for, to whose host headers and credentials belong. */
  readonly askedUrl: string
  /** Judges the targets of redirects besides the features. @default they alone do */
  readonly redirectRule?: RedirectRule | undefined
}

/**
 * Fetches a file that a page shows. Features refuse and change the request as that for a page; headers and credentials go to their own host.
 *
 * @throws TrawlError what the fetch throws; RefusalError
 */
export async function fetchShownFile(
  { url: address, pageUrl, maxBytes, validators }: ShownFile,
  page: ScrapePlan,
  tools: FileTools & { readonly features: Pick<FeatureRunner, 'changeRequest' | 'guardRedirects' | 'refuse'> },
  { signal, askedUrl, redirectRule }: ShownFileCaller,
): Promise<FetchedPage> {
  const wanted = { url: address, plan: page, signal }
  const refused = await tools.features.refuse(wanted)
  if (refused) throw new RefusalError(refused, address)
  const { plan, cookies }: Partial<ChangedRequest> & { readonly plan: ScrapePlan } = page.changesRequests
    ? await tools.features.changeRequest(wanted)
    : { plan: page }
  const { url, fetch } = planFile(plan.fetch, { url: address, pageUrl, askedUrl })
  const { timeoutMs } = fetch
  const conditions = validators && { validators: { url: withoutFragment(new URL(url)).href, ...compact(validators) } }
  return await fetchSiteFile(url, { ...fetch, ...conditions, maxBodyBytes: maxBytes }, tools, {
    signal,
    timeoutMs,
    cookies,
    redirectRule: tools.features.guardRedirects(wanted, redirectRule),
  })
}

/** Timeout of one attempt at a robots.txt: a second one ends within the default `timeout` of a page. */
const ROBOTS_TIMEOUT_MS = 12_000

/** Fetches a robots.txt, which is the same for everybody: without a caller's headers, and without verifying the certificate. */
export const fetchRobotsFile = (url: string, tools: FileTools, signal: AbortSignal): Promise<FetchedPage> =>
  fetchSiteFile(url, { headers: {}, skipTlsVerification: true }, tools, { signal, timeoutMs: ROBOTS_TIMEOUT_MS })

/** Fetches a file about a site for a feature as a robots.txt, with limits of its own. */
export const fetchFeatureFile = (
  url: string,
  { timeoutMs, maxBytes: maxBodyBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
  tools: FileTools,
  signal: AbortSignal,
): Promise<FetchedPage> =>
  fetchSiteFile(url, { headers: {}, skipTlsVerification: true, maxBodyBytes }, tools, { signal, timeoutMs })

/** Fetches a filter list as text. @throws Error for a status that is no success */
export async function fetchList(url: string, tools: FileTools, signal: AbortSignal): Promise<string> {
  const { statusCode, body } = await fetchSiteFile(url, { headers: {}, skipTlsVerification: false }, tools, { signal })
  if (statusCode < 200 || statusCode > 299) throw new Error(`it answered ${statusCode}`)
  return new TextDecoder().decode(body)
}
