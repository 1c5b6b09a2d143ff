import { isHtmlType } from '../../../base/http/header-values.js'
import { isSuccessStatus } from '../../../base/http/statuses.js'
import { withoutCredentials, withoutFragment } from '../../../base/url.js'
import type { CookieJar } from '../../../base/http/cookies.js'
import type { FetchedPage, LeftPage, Redirect } from '../fetched-page.js'
import type { FetchLimits, RedirectRule, Validators, UsageMeter } from '../fetcher.js'
import { toFetchError, tooManyRedirects } from '../../../base/http/http-errors.js'
import type { HeaderScope } from '../../../base/http/header-scope.js'
import { readReason } from '../../../base/http/reason-phrase.js'
import { readBody, readErrorBody } from '../../../base/http/read-body.js'
import { keepLeftPages, readLeftPage } from './left-page.js'
import { findRedirect, findRefreshTarget, otherType } from './redirect.js'
import { buildRequestHeaders } from '../../../base/http/request-headers.js'
import type { RequestSigner } from '../../../base/http/request-signer.js'
import type { HttpResponse, Transport } from '../../../base/http/transport.js'

/** Tools of the fetcher. */
interface FollowTools {
  /** Name of the fetcher. */
  readonly fetcher: string
  readonly transport: Transport
  readonly limits: FetchLimits
  /** Stores the cookies of responses. */
  readonly jar: CookieJar
  readonly userAgent: string
  /** The hosts that receive the caller's headers. @default the page's host */
  readonly headerScope?: Partial<HeaderScope>
  readonly acceptLanguage: string
  /** Signs each request. @default none is signed */
  readonly signer?: RequestSigner
  /** Makes the request to one URL conditional. @default none */
  readonly validators?: Validators
  /** Checks the target of each redirect. @default all are followed */
  readonly redirectRule?: RedirectRule
  /** Told of each page that leads on by a refresh. @default nobody is told */
  readonly onLeft?: (page: LeftPage) => void
  readonly onlyHtml?: boolean
  /** Fields of a form that the page is sent. @default none */
  readonly form?: string
  /** Counts requests and bytes. @default none */
  readonly meter?: UsageMeter
  /** The time for the body of an answer that is no success, from now. Milliseconds. */
  readonly errorBodyMs: () => number
  readonly now: () => number
}

/** Bytes read of a redirect's body, so that its connection can be reused. */
const MAX_REDIRECT_BODY_BYTES = 65_536

/**
 * Requests a page, follows redirects, and reads the page at their end.
 *
 * @param callerHeaders see `buildRequestHeaders`
 * @throws TrawlError `SCRAPE_TOO_MANY_REDIRECTS`; errors of `redirectRule`, redirects, headers, body and network; the signal's reason
 */
export async function followRedirects(
  pageUrl: URL,
  callerHeaders: Readonly<Record<string, string>>,
  tools: FollowTools,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { transport, limits, jar, userAgent, headerScope, acceptLanguage, validators, signer, meter, now } = tools
  const own = { pageUrl, callerHeaders, headerScope, userAgent, acceptLanguage }
  const redirects: Redirect[] = []
  const leftPages: LeftPage[] = []
  const responses: HttpResponse[] = []
  const seen = new Set<string>()
  let url = withoutCredentials(pageUrl)
  let hasReloaded = false
  let { form } = tools
  try {
    for (;;) {
      const cookies = jar.isEmpty ? '' : await jar.header(url, now())
      // A page that sets a cookie and redirects to the same URL is no loop.
      const request = `${form === undefined ? '' : 'POST '}${url.href} ${cookies}`
      if (seen.has(request)) throw tooManyRedirects('The redirects form a loop', urlsOf(redirects))
      seen.add(request)
      const built = buildRequestHeaders({ ...own, url, cookies })
      const headers = form === undefined ? built : { ...built, ...FORM_HEADERS, origin: pageUrl.origin }
      const sent = (): void => meter?.sent()
      const unsigned = validators ? { ...headers, ...conditionsFor(url, validators) } : headers
      const [target, method] = [url, form === undefined ? 'GET' : 'POST'] as const
      const signed = signer ? () => ({ ...unsigned, ...signer.sign(method, target) }) : unsigned
      const response = await (form === undefined
        ? transport.get(url, signed, signal, sent)
        : transport.post({ url, form }, signed, signal, sent))
      responses.push(response)
      if (response.setCookies.length > 0) await jar.store(url, response.setCookies, now())
      const next = findRedirect(url, response.statusCode, response.headers['location'])
      if (!next) {
        if (tools.onlyHtml && isSuccessStatus(response.statusCode) && !isHtmlType(response.headers['content-type']))
          throw otherType(url.href)
        const { body, problem } = isSuccessStatus(response.statusCode)
          ? { body: await readBody(response, limits, signal, meter) }
          : await readErrorBody(response, limits, { signal, meter, limitMs: tools.errorBodyMs() })
        const moved = redirects.length < limits.redirects ? findRefreshTarget(url, response, body) : undefined
        const isReload = moved === url
        // A page that leads to itself is the page, unless it has set a cookie: then it is loaded again, once.
        if (moved && !(isReload && hasReloaded) && !seen.has(`${moved.href} ${await jar.header(moved, now())}`)) {
          hasReloaded ||= isReload
          const left = isReload ? undefined : readLeftPage(url, { headers: response.headers, body }, moved)
          if (left) {
            leftPages.push(left)
            tools.onLeft?.(left)
          }
          redirects.push({ url: url.href, statusCode: response.statusCode })
          await tools.redirectRule?.check(moved)
          // As in a browser, a page that leads on is left by GET: what was sent to it is for nobody else.
          ;[form, url] = [undefined, moved]
          continue
        }
        const page = describePage(
          { url, redirects, leftPages, body, fetcher: tools.fetcher, fetchedAtMs: now() },
          response,
        )
        return problem === undefined ? page : { ...page, warnings: [describeProblem(page, problem)] }
      }
      // @see RFC 9110 section 15.4: a redirect turns a form into a page, but for 307 and 308, and then for its own site alone.
      if (!KEEPS_METHOD.has(response.statusCode) || next.origin !== url.origin) form = undefined
      redirects.push({ url: url.href, statusCode: response.statusCode })
      if (redirects.length > limits.redirects) {
        throw tooManyRedirects(`More redirects than \`limits.redirects\` (${limits.redirects})`, urlsOf(redirects))
      }
      void response.body.dump({ limit: MAX_REDIRECT_BODY_BYTES })
      await tools.redirectRule?.check(next)
      url = next
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw keepLeftPages(toFetchError(error, url), pageUrl, leftPages)
  } finally {
    // An unread body, such as the slow one of a redirect, must not outlive the page.
    for (const { body } of responses) body.destroy()
  }
}

const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308])

const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' } as const

/**
 * Builds the headers of a conditional request. Both validators are sent, because a server that supports `ETag` ignores
 * the date.
 * @see RFC 9111 section 4.3.1
 */
function conditionsFor(url: URL, validators: Validators): Record<string, string> {
  if (validators.url !== withoutFragment(url).href) return {}
  const { etag, lastModified } = validators
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

const describeProblem = ({ statusCode, error = '' }: FetchedPage, problem: string): string =>
  `The body of the answer ${`${statusCode} ${error}`.trim()} could not be read whole: ${problem.replace(/\.$/, '')}.`

const urlsOf = (redirects: readonly Redirect[]): string[] => redirects.map(({ url }) => url)

/** The page at the end of the redirects, as it was read. */
interface LastPage {
  readonly url: URL
  readonly redirects: readonly Redirect[]
  readonly leftPages: readonly LeftPage[]
  readonly body: Uint8Array
  readonly fetcher: string
  readonly fetchedAtMs: number
}

const describePage = (
  { url, redirects, leftPages, body, fetcher, fetchedAtMs }: LastPage,
  { statusCode, statusText, headers }: HttpResponse,
): FetchedPage => ({
  url: url.href,
  redirects,
  leftPages: leftPages.length > 0 ? leftPages : undefined,
  statusCode,
  error: isSuccessStatus(statusCode) ? undefined : readReason(statusCode, statusText),
  headers,
  contentType: headers['content-type'],
  body,
  fetcher,
  fetchedAtMs,
})
