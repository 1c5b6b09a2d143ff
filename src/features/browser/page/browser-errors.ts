import { messageOf, type ErrorCode, TrawlError } from '../../../base/errors.js'
import { withoutCredentials } from '../../../base/url.js'
import { toFetchError } from '../../../base/http/http-errors.js'
import type { PageProxy } from '../proxy/page-proxy.js'

type Row = readonly [pattern: RegExp, code: ErrorCode, explain: (host: string, what: string) => string]

/**
 * Error codes by Chromium's names of network errors. The first matching row applies.
 *
 * @see https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h
 */
const rows: readonly Row[] = [
  [
    /^ERR_CERT_/,
    'SCRAPE_SSL_ERROR',
    (host, what) => `The certificate of \`${host}\` was refused (${what}); \`skipTlsVerification: true\` accepts it`,
  ],
  [/^ERR_(SSL|BAD_SSL)/, 'SCRAPE_SSL_ERROR', (host, what) => `The TLS handshake with \`${host}\` failed (${what})`],
  [/^ERR_TOO_MANY_REDIRECTS/, 'SCRAPE_TOO_MANY_REDIRECTS', (host) => `\`${host}\` redirects without end`],
  [
    /^ERR_(UNSAFE_REDIRECT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|INVALID_REDIRECT)/,
    'SCRAPE_REDIRECT_ERROR',
    (host) => `\`${host}\` redirects to an address that is not an http or https URL`,
  ],
  [
    /^ERR_ACCESS_DENIED/,
    'SCRAPE_REDIRECT_ERROR',
    (host) =>
      `A form was not sent to \`${host}\`: it may have what actions have filled in, and is sent neither by a redirect to another host nor ` +
      'from https to plain http, and to another site only if `headersFor` names it',
  ],
  [/^ERR_CONTENT_DECODING/, 'SCRAPE_ENCODING_ERROR', (host) => `The body that \`${host}\` sent cannot be decoded`],
  [
    /^ERR_RESPONSE_HEADERS_TOO_BIG/,
    'SCRAPE_HEADERS_TOO_LARGE',
    (host) => `\`${host}\` sent more response headers than the browser accepts`,
  ],
  [
    /^ERR_/,
    'SCRAPE_SITE_ERROR',
    (host, what) => `\`${host}\` could not be reached, or closed the connection early (${what})`,
  ],
]

/** An error that code on a page has thrown: that of a caller, or of the page itself. Its message may say anything. */
export class PageScriptError extends Error {}

/** Messages of Playwright and of the protocol for a document that is gone. */
const navigationSentences = [
  'Execution context was destroyed',
  'Cannot find context with specified id',
  'Inspected target navigated or closed',
  'No frame for given id found',
  'No frame with given id found',
  'Frame was detached',
  'Frame has been detached',
  'Promise was collected',
] as const

/** Messages for a page whose process is gone. The first is of this library, the others of Playwright. */
const pageCrashSentences = ['The page crashed', 'Target crashed', 'Page crashed'] as const

/** Messages for a page or a browser that is gone. The first is of this library, the others of Playwright. */
const crashSentences = [
  'The browser has been closed',
  ...pageCrashSentences,
  'Target page, context or browser has been closed',
  'Target closed',
  'Browser closed',
  'Browser has been closed',
  'Pipe has been closed',
  'Session already detached. Most likely the page has been closed',
  'Connection closed',
  'browser has disconnected',
] as const

/**
 * Returns the first line of a message, without the names of the methods that Playwright and the protocol put before it.
 * The other lines do not count: Playwright's log quotes the page, such as the classes of an element that covers another.
 */
function sentenceOf(error: Error): string {
  return withoutMethod(error.message.split('\n', 1)[0] ?? '').replace(/^Protocol error \([\w.]+\): /, '')
}

/** Removes the name of Playwright's method before a message: `page.click: `, `elementHandle.$$: `. */
export const withoutMethod = (line: string): string => line.replace(/^[a-zA-Z]+\.[\w$]+: /, '')

const startsWithOneOf = (error: unknown, sentences: readonly string[]): boolean => {
  if (!(error instanceof Error) || error instanceof TrawlError || error instanceof PageScriptError) return false
  const said = sentenceOf(error)
  return sentences.some((sentence) => said.startsWith(sentence))
}

/** Returns Chromium's name of the network error that a navigation failed with; undefined for any other error. */
export const netErrorOf = (error: unknown): string | undefined =>
  error instanceof Error ? /^net::(ERR_\w+)/.exec(sentenceOf(error))?.[1] : undefined

/** Tests whether a navigation failed because its response is a file to download. */
export const isDownload = (error: unknown): boolean => startsWithOneOf(error, ['Download is starting'])

/** Tests whether a call failed because the page navigated meanwhile. An error that code on a page throws is none. */
export const isNavigation = (error: unknown): boolean => startsWithOneOf(error, navigationSentences)

/** Tests whether a call failed because the page or its browser crashed or was closed. */
export const isCrash = (error: unknown): boolean =>
  startsWithOneOf(error, crashSentences) ||
  // The pipe to the browser.
  (error instanceof Error &&
    !(error instanceof PageScriptError) &&
    /^(?:read|write) ECONNRESET/.test(sentenceOf(error)))

/** Tests whether a page crashed in a process of its own, so that the other pages of its browser go on. */
export const isPageCrash = (error: unknown): boolean => startsWithOneOf(error, pageCrashSentences)

/**
 * Converts the failure of a page in the browser to a {@link TrawlError}. An error of the page's proxy takes precedence,
 * because it has more details about the connection.
 */
export function toBrowserError(thrown: unknown, url: string, proxy: PageProxy): TrawlError {
  if (thrown instanceof TrawlError) return thrown
  const at = new URL(url)
  const trouble = proxy.errorFor(url)
  if (trouble !== undefined) return toFetchError(trouble, at)
  const what = netErrorOf(thrown)
  const [, code, explain] = rows.find(([pattern]) => what !== undefined && pattern.test(what)) ?? []
  const bareUrl = withoutCredentials(at).href
  if (what !== undefined && code && explain) {
    return new TrawlError(code, explain(at.host, what), { url: bareUrl, cause: thrown })
  }
  const message = messageOf(thrown).split('\n')[0] ?? ''
  return new TrawlError('SCRAPE_BROWSER_ERROR', `The browser could not load the page: ${message}`, {
    url: bareUrl,
    cause: thrown,
  })
}
