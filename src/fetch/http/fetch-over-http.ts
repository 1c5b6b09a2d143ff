import { createCookieJar } from '../profiles/cookies.js'
import { acceptLanguage, defaultEmulation } from '../identity/emulation.js'
import { httpUserAgent } from '../identity/user-agent.js'
import type { FetchedPage } from '../fetched-page.js'
import type { FetchLimits, FetchPlan, PageRequest } from '../fetcher.js'
import { openProfile } from '../profiles/open-profile.js'
import type { RequestSigner } from '../identity/request-signer.js'
import type { ProfileStore } from '../profiles/profile.js'
import type { Transport } from './transport.js'
import { followRedirects } from './follow-redirects.js'

export interface HttpFetchTools {
  /** Name of the fetcher. */
  readonly fetcher: string
  readonly transport: Transport
  readonly limits: FetchLimits
  /** The engine's user agent. */
  readonly userAgent: string
  readonly profiles: ProfileStore | undefined
  readonly signer: RequestSigner | undefined
  readonly now: () => number
}

/**
 * Fetches a page over a transport, with the cookies of its profile.
 *
 * @throws TrawlError of {@link followRedirects}, `SCRAPE_PROFILE_ERROR`; the signal's reason
 */
export async function fetchOverHttp(
  request: PageRequest,
  { emulation = defaultEmulation, headers, headerScope, browser, validators, maxBodyBytes }: FetchPlan,
  { fetcher, transport, limits, userAgent, profiles, signer, now }: HttpFetchTools,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const profile = await openProfile(browser?.profile, profiles, now(), signal)
  const jar = createCookieJar(profile?.state?.cookies)
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
    meter: request.meter,
    now,
  }
  const visit = followRedirects(new URL(request.url), headers, tools, signal)
  const { permit, clock } = request
  const page = await (permit ? permit.wait(visit, { signal, clock }) : visit)
  const warning = await profile?.save({ cookies: jar.list(), origins: profile.state?.origins ?? [] })
  const warnings = [...(profile?.warnings ?? []), ...(warning === undefined ? [] : [warning])]
  return warnings.length === 0 ? page : { ...page, warnings }
}

const lowerLimits = (limits: FetchLimits, maxBodyBytes: number): FetchLimits => ({
  ...limits,
  bodyBytes: Math.min(limits.bodyBytes, maxBodyBytes),
  wireBytes: Math.min(limits.wireBytes, maxBodyBytes),
})
