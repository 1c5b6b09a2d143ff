import { createPageClock, startCountdown } from '../../../base/concurrency/pausable-clock.js'
import { CookieJar } from '../../../base/http/cookies.js'
import { acceptLanguage, defaultEmulation, httpUserAgent } from '../user-agent.js'
import type { FetchedPage } from '../fetched-page.js'
import type { FetchLimits, FetchPlan, PageRequest } from '../fetcher.js'
import type { RequestSigner } from '../../../base/http/request-signer.js'
import type { OpenCookies } from '../renderer.js'
import type { Transport } from '../../../base/http/transport.js'
import { followRedirects } from './follow-redirects.js'

interface HttpFetchTools {
  /** Name of the fetcher. */
  readonly fetcher: string
  readonly transport: Transport
  readonly limits: FetchLimits
  /** The engine's user agent. */
  readonly userAgent: string
  readonly openCookies: OpenCookies | undefined
  readonly signer: RequestSigner | undefined
  readonly now: () => number
}

/** Share of a page's remaining time for the body of an error: its status is known, and the rest is for the document. */
const ERROR_BODY_SHARE = 0.5
/** Time for the body of an error in place of a file such as robots.txt: only a challenge in it matters. Milliseconds. */
const SITE_FILE_ERROR_MS = 1_000

/**
 * Fetches a page over a transport, with the cookies that are kept for it.
 *
 * @throws TrawlError of {@link followRedirects}, `SCRAPE_PROFILE_ERROR`; the signal's reason
 */
export async function fetchOverHttp(
  request: PageRequest,
  plan: FetchPlan,
  { fetcher, transport, limits, userAgent, openCookies, signer, now }: HttpFetchTools,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { emulation = defaultEmulation, headers, headerScope, browser, validators, maxBodyBytes, mayBeBlocked } = plan
  const leftMs = startCountdown(plan.timeoutMs, request.clock ?? createPageClock())
  const kept = browser?.profile && openCookies && (await openCookies(browser.profile, now(), signal))
  const shared = kept ? undefined : request.cookies
  const jar = shared?.jar ?? new CookieJar(kept?.cookies)
  if (shared) shared.jar = jar
  const tools = {
    fetcher,
    transport,
    limits: maxBodyBytes === undefined ? limits : lowerLimits(limits, maxBodyBytes),
    jar,
    userAgent: httpUserAgent(emulation, userAgent),
    headerScope,
    acceptLanguage: acceptLanguage(emulation.languages),
    validators,
    signer,
    redirectRule: request.redirectRule,
    onLeft: request.onLeft,
    onlyHtml: request.onlyHtml,
    meter: request.meter,
    form: request.form,
    errorBodyMs: mayBeBlocked ? () => SITE_FILE_ERROR_MS : () => leftMs() * ERROR_BODY_SHARE,
    now,
  }
  const visit = followRedirects(new URL(request.url), headers, tools, signal)
  const { permit, clock } = request
  const page = await (permit ? permit.wait(visit, { signal, clock }) : visit)
  const isKept = kept && ((await browser?.profile?.mayKeep?.(page)) ?? true)
  const warning = isKept ? await kept.save(jar.list()) : undefined
  const warnings = [...(kept?.warnings ?? []), ...(warning === undefined ? [] : [warning])]
  return warnings.length === 0 ? page : { ...page, warnings }
}

const lowerLimits = (limits: FetchLimits, maxBodyBytes: number): FetchLimits => ({
  ...limits,
  bodyBytes: Math.min(limits.bodyBytes, maxBodyBytes),
  wireBytes: Math.min(limits.wireBytes, maxBodyBytes),
})
