import { errors } from './http-client.js'
import { type ErrorCode, messageOf, TrawlError } from '../errors.js'
import { withoutCredentials } from '../url.js'
import { ownValue } from '../collections/own-value.js'
import { shortenText } from '../text/cut-text.js'

/** An error thrown by Node or undici. */
interface NetworkFailure {
  readonly host: string
  /** For example `ECONNRESET`, `UND_ERR_SOCKET`, `CERT_HAS_EXPIRED`. */
  readonly code: string
  readonly message: string
}

type ErrorRule = readonly [pattern: RegExp, code: ErrorCode, explain: (trouble: NetworkFailure) => string]

/** Rules that map codes of errors; the first matching rule applies. */
const errorRules: readonly ErrorRule[] = [
  [
    /^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_\w+)$/,
    'SCRAPE_DNS_RESOLUTION_ERROR',
    ({ host, code }) => `\`${host}\` does not resolve (${code})`,
  ],
  [
    /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_)/,
    'SCRAPE_SSL_ERROR',
    ({ host, code }) =>
      `The certificate of \`${host}\` was refused (${code}); \`skipTlsVerification: true\` accepts it`,
  ],
  [
    /^ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL$/,
    'SCRAPE_SSL_ERROR',
    ({ host }) => `\`${host}\` speaks no HTTP/1.1: its pages need a browser, or \`proxy: 'enhanced'\``,
  ],
  [
    /^(ERR_TLS_|ERR_SSL_|EPROTO$)/,
    'SCRAPE_SSL_ERROR',
    ({ host, code }) => `The TLS handshake with \`${host}\` failed (${code})`,
  ],
  [
    /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    'SCRAPE_HEADERS_TOO_LARGE',
    ({ host }) => `\`${host}\` sent more response headers than \`limits.headerBytes\``,
  ],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'SCRAPE_BODY_TOO_LARGE', () => 'The body is larger than `limits.wireBytes`'],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, 'ENGINE_CLOSED', () => 'The fetcher was closed'],
  [/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/, 'BAD_REQUEST', ({ message }) => `The request cannot be sent: ${message}`],
  [
    /^(E[A-Z]+|UND_ERR_\w+|HPE_\w+|ERR_HTTP2_\w+|ERR_ASSERTION)$/,
    'SCRAPE_SITE_ERROR',
    ({ host, code, message }) => `${ownValue(siteErrorMessages, code) ?? message} (\`${host}\`, ${code})`,
  ],
]

const siteErrorMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EPIPE: 'The connection was closed',
  // undici's parser accepts any three digits as a status, and a later assertion fails on invalid ones.
  ERR_ASSERTION: 'The response is not valid HTTP',
  ETIMEDOUT: 'The connection timed out',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  UND_ERR_SOCKET: 'The connection was closed before the page was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The connection was closed before the page was complete',
}

/**
 * Converts an error of the network into a {@link TrawlError}. An unknown error is a defect of trawl and becomes
 * `UNKNOWN_ERROR`.
 *
 * @param url the requested URL; its credentials are in neither the message nor the error's `url`
 */
export function toFetchError(thrown: unknown, url: URL): TrawlError {
  const bareUrl = withoutCredentials(url).href
  if (thrown instanceof TrawlError) {
    if (thrown.url !== undefined) return thrown
    return new TrawlError(thrown.code, thrown.message, { cause: thrown.cause, url: bareUrl })
  }
  const code = codeOf(thrown)
  const message = messageOf(thrown)
  const [, errorCode, explain] = errorRules.find(([pattern]) => pattern.test(code)) ?? unknownErrorRule
  return new TrawlError(errorCode, explain({ host: url.host, code, message }), { cause: thrown, url: bareUrl })
}

const unknownErrorRule: ErrorRule = [/^/, 'UNKNOWN_ERROR', ({ message }) => message]

/** Tests for an error of {@link toFetchError} that says that a server speaks HTTP/2 alone. */
export const needsHttp2 = (error: unknown): boolean =>
  error instanceof TrawlError && codeOf(error.cause) === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'

/** Tests for the loss of a connection that had worked, which servers close after some idle time. */
export const isLostConnection = (thrown: unknown): boolean => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(thrown))

/**
 * Tests for a response of HTTP whose head a strict parser refuses, for another reason than its size. undici reports some of them as
 * a body of another length, and an unexpected `100 Continue` as a lost connection.
 */
export const isMalformedHead = (thrown: unknown): boolean =>
  codeOf(thrown) === 'UND_ERR_SOCKET'
    ? messageOf(thrown) === 'bad response'
    : /^(?:HPE_(?!HEADER_OVERFLOW)\w+|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(codeOf(thrown)) &&
      // Another protocol, such as that of a mail server.
      !messageOf(thrown).includes('Expected HTTP/')

function codeOf(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code
  // undici 7 looks up the code of a parser error in a table that lacks it.
  return thrown instanceof errors.HTTPParserError ? 'HPE_INVALID' : ''
}

/** Maximum length of a URL in the message. Characters. A site chooses the URLs, and a job keeps the message of each page. */
const MAX_SHOWN_URL = 200

/** Creates the error of a page that redirects too often, with its chain of redirects. @param what begins the message */
export function tooManyRedirects(what: string, urls: readonly string[], pageUrl?: string): TrawlError {
  const chain = urls.map((url) => shortenText(url, MAX_SHOWN_URL)).join(' → ')
  return new TrawlError('SCRAPE_TOO_MANY_REDIRECTS', `${what}: ${chain}`, { url: pageUrl })
}
