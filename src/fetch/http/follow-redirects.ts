import { STATUS_CODES } from 'node:http'
import { TrawlError } from '../../errors.js'
import { withoutCredentials, withoutFragment } from '../../url.js'
import type { CookieJar } from '../profiles/cookies.js'
import type { FetchedPage, Redirect } from '../fetched-page.js'
import type { FetchLimits, Validators, UsageMeter } from '../fetcher.js'
import { toFetchError } from '../network/http-errors.js'
import type { HeaderScope } from '../header-scope.js'
import { readBody } from './read-body.js'
import { findRedirect } from './redirect.js'
import { buildRequestHeaders } from '../identity/request-headers.js'
import type { HttpResponse, Transport } from './transport.js'

/** What a visit needs of its fetcher. */
export interface FollowTools {
  readonly transport: Transport
  readonly limits: FetchLimits
  /** Takes what the site sets on the way. */
  readonly jar: CookieJar
  readonly userAgent: string
  /** See `buildRequestHeaders`. @default the page's own host */
  readonly headerScope?: Partial<HeaderScope> | undefined
  readonly acceptLanguage: string
  /** What makes the request for one URL conditional. @default none */
  readonly validators?: Validators | undefined
  /** @default nobody is told */
  readonly meter?: UsageMeter | undefined
  readonly now: () => number
}

/** The body of a redirect is read up to this, so that its connection can be used again. */
const MAX_REDIRECT_BODY_BYTES = 65_536

/**
 * Follows a page's redirects, and reads the page at their end.
 *
 * @param callerHeaders see `buildRequestHeaders`
 * @returns a page without its `fetcher`
 * @throws TrawlError `SCRAPE_TOO_MANY_REDIRECTS`, and what the parts of a visit throw; the signal's reason
 */
export async function followRedirects(
  pageUrl: URL,
  callerHeaders: Readonly<Record<string, string>>,
  tools: FollowTools,
  signal: AbortSignal,
): Promise<Omit<FetchedPage, 'fetcher'>> {
  const { transport, limits, jar, userAgent, headerScope, acceptLanguage, validators, meter, now } = tools
  const own = { pageUrl, callerHeaders, headerScope, userAgent, acceptLanguage }
  const redirects: Redirect[] = []
  const answers: HttpResponse[] = []
  const seen = new Set<string>()
  let url = withoutCredentials(pageUrl)
  try {
    for (;;) {
      const cookies = jar.header(url)
      // A gate that sets a cookie and sends its visitor back to where it came from is no loop.
      const visit = `${url.href} ${cookies}`
      if (seen.has(visit)) throw tooManyRedirects('The redirects go in a circle', redirects)
      seen.add(visit)
      const headers = buildRequestHeaders({ ...own, url, cookies })
      const sent = (): void => meter?.sent()
      const answer = await transport.get(url, { ...headers, ...conditionsFor(url, validators) }, signal, sent)
      answers.push(answer)
      jar.store(url, answer.setCookies, now())
      const next = findRedirect(url, answer.statusCode, answer.headers['location'])
      if (!next) return describePage(url, redirects, answer, await readBody(answer, limits, signal, meter), now())
      redirects.push({ url: url.href, statusCode: answer.statusCode })
      if (redirects.length > limits.redirects) {
        throw tooManyRedirects(`More redirects than \`limits.redirects\` (${limits.redirects})`, redirects)
      }
      void answer.body.dump({ limit: MAX_REDIRECT_BODY_BYTES })
      url = next
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw toFetchError(error, url)
  } finally {
    // What was not read to its end, e.g. the slow body of a redirect, must not outlive the page.
    for (const { body } of answers) body.destroy()
  }
}

/** Both, where there are both: a server that knows entity tags looks at those alone. @see RFC 9111 section 4.3.1 */
function conditionsFor(url: URL, validators: Validators | undefined): Record<string, string> {
  if (validators?.url !== withoutFragment(url).href) return {}
  const { etag, lastModified } = validators
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

const tooManyRedirects = (what: string, redirects: readonly Redirect[]): TrawlError =>
  new TrawlError('SCRAPE_TOO_MANY_REDIRECTS', `${what}: ${redirects.map(({ url }) => url).join(' → ')}`)

function describePage(
  url: URL,
  redirects: readonly Redirect[],
  { statusCode, statusText, headers }: HttpResponse,
  body: Uint8Array,
  fetchedAtMs: number,
): Omit<FetchedPage, 'fetcher'> {
  const isSuccess = statusCode >= 200 && statusCode < 300
  const contentType = headers['content-type']
  return {
    url: url.href,
    redirects,
    statusCode,
    ...(isSuccess ? {} : { error: statusText.trim() || STATUS_CODES[statusCode] || `HTTP ${statusCode}` }),
    headers,
    ...(contentType === undefined ? {} : { contentType }),
    body,
    fetchedAtMs,
  }
}
