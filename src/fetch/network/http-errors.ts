import { errors } from 'undici'
import { messageOf, type ErrorCode, TrawlError } from '../../errors.js'
import { withoutCredentials } from '../../url.js'
import { ownValue } from '../../collections/own-value.js'

/** What is known of an error that Node or undici threw. */
interface NetworkFailure {
  readonly host: string
  /** E.g. `ECONNRESET`, `UND_ERR_SOCKET`, `CERT_HAS_EXPIRED`. */
  readonly code: string
  readonly message: string
}

type ErrorRule = readonly [pattern: RegExp, code: ErrorCode, explain: (trouble: NetworkFailure) => string]

/** The first row whose pattern matches the trouble's code says what it is. */
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
    /^(ERR_TLS_|ERR_SSL_|EPROTO$)/,
    'SCRAPE_SSL_ERROR',
    ({ host, code }) => `The TLS handshake with \`${host}\` failed (${code})`,
  ],
  [
    /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    'SCRAPE_HEADERS_TOO_LARGE',
    ({ host }) => `\`${host}\` sent more response headers than \`limits.headerBytes\``,
  ],
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
  // undici's parser takes any three digits for a status, and asserts afterwards that they are one.
  ERR_ASSERTION: 'The answer breaks the rules of HTTP',
  ETIMEDOUT: 'The connection timed out',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  UND_ERR_SOCKET: 'The connection was closed before the page was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The connection was closed before the page was complete',
}

/**
 * What went wrong on the wire, as a {@link TrawlError} with the code that fits; an error of unknown kind is a
 * defect and becomes `UNKNOWN_ERROR`.
 *
 * @param url what was being fetched; its credentials are in neither the message nor the error's `url`
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

/** Whether a connection that had worked before was gone: what a server does to one that idled too long. */
export const isLostConnection = (thrown: unknown): boolean => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(thrown))

function codeOf(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code
  // undici 7 names the code of a parser error after a table that has no such row.
  return thrown instanceof errors.HTTPParserError ? 'HPE_INVALID' : ''
}
