import { Readable } from 'node:stream'
import type * as impit from 'impit'
import { type ErrorCode, messageOf, TrawlError } from '../../../base/errors.js'
import { checkHeaderSize } from '../../../base/http/header-limit.js'
import { toFetchError } from '../../../base/http/http-errors.js'
import { openPageProxy } from '../proxy/page-proxy.js'
import { defaultHeaders } from '../../../base/http/request-headers.js'
import { defaultUserAgent } from '../../../base/http/default-user-agent.js'
import { IMPERSONATED_BROWSER } from '../../../kernel/fetch/user-agent.js'
import { type HttpResponse, makeHeaders, type Transport } from '../../../base/http/transport.js'
import type { Dial } from '../../../base/network/dial.js'
import { isInstalled, loadPackage } from '../../../base/runtime/optional-package.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { joinHeader } from '../../../base/http/header-values.js'

/**
 * Tests whether `impit` is installed, which speaks TLS and HTTP/2 as Chrome does. It has a binary for each platform.
 */
export const canImpersonate = (): boolean => isInstalled('impit')

interface ImpersonationOptions {
  readonly dial: Dial
  readonly verifyCertificates: boolean
  readonly wireBytes: number
  readonly headerBytes: number
}

/**
 * Opens a transport for one page that is indistinguishable from Chrome in TLS, HTTP/2 and the order of headers. Its
 * connections go through a loopback proxy of trawl's, as a browser's do, so that the egress policy and upstream proxies
 * apply.
 *
 * @throws errors of loading the library's binary
 */
export async function openImpersonation({
  dial,
  verifyCertificates,
  wireBytes,
  headerBytes,
}: ImpersonationOptions): Promise<Transport> {
  const vendor = loadPackage('impit') as typeof impit
  const proxy = await openPageProxy({ dial, wireBytes, sendsSocksPassword: true })
  const { username = '', password = '' } = proxy.credentials ?? {}
  const client = new vendor.Impit({
    browser: IMPERSONATED_BROWSER,
    // `socks5h` sends names to the proxy; `socks5` would resolve them before, bypassing the egress policy.
    proxyUrl: proxy.server.replace('socks5://', `socks5h://${username}:${password}@`),
    ignoreTlsErrors: !verifyCertificates,
    followRedirects: false,
  })
  const explain = (error: unknown, url: URL): TrawlError => {
    if (error instanceof TrawlError) return error
    if (proxy.isExhausted) {
      const message = `The page is larger than \`limits.wireBytes\` (${wireBytes} bytes)`
      return new TrawlError('SCRAPE_BODY_TOO_LARGE', message, { url: url.href })
    }
    const trouble = proxy.errorFor(url.href)
    return trouble === undefined ? toTlsOrSiteError(error, url) : toFetchError(trouble, url)
  }
  const send: Transport['post'] = async ({ url, form }, headers, signal, sent) => {
    try {
      sent?.()
      const body = form === undefined ? {} : { method: 'POST' as const, body: form }
      // The library notices the abort late; closing the proxy ends its connections.
      const fetching = client.fetch(url.href, { ...body, headers: withoutDefaults(makeHeaders(headers)), signal })
      const answer = await untilAborted(fetching, signal)
      const fault = checkHeaderSize(answer.headers.entries(), headerBytes, url)
      if (fault) throw fault
      // No request asks for another protocol.
      if (answer.status < 200) throw new Error(`the status ${answer.status} is no answer`)
      return readHead(answer, (error) => explain(error, url))
    } catch (error) {
      signal.throwIfAborted()
      throw explain(error, url)
    }
  }
  return {
    get: (url, headers, signal, sent) => send({ url }, headers, signal, sent),
    post: send,
    close: async (reason) => proxy.close(reason),
  }
}

/**
 * Removes trawl's default headers, and keeps the caller's headers, cookies and languages: the library adds Chrome's.
 */
function withoutDefaults(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own: Readonly<Record<string, string>> = {
    ...defaultHeaders,
    'accept-language': '',
    'user-agent': defaultUserAgent,
  }
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => own[name] !== value))
}

type ImpitResponse = Awaited<ReturnType<impit.Impit['fetch']>>

function readHead(
  { status, statusText, headers, body }: ImpitResponse,
  explain: (error: unknown) => TrawlError,
): HttpResponse {
  // The library has decoded the body.
  const {
    'content-encoding': _encoding,
    'content-length': _length,
    ...rest
  } = Object.fromEntries(Array.from(headers.entries(), ([name, value]) => [name, joinHeader(name, [value])] as const))
  const stream = Readable.from(readChunks(body, explain), { objectMode: false })
  // Destroying an unread body emits an error that nobody listens to.
  stream.on('error', () => undefined)
  const dump = async (): Promise<void> => void stream.destroy()
  return {
    statusCode: status,
    statusText,
    headers: rest,
    setCookies: headers.getSetCookie(),
    body: Object.assign(stream, { dump }),
  }
}

async function* readChunks(
  body: AsyncIterable<Uint8Array>,
  explain: (error: unknown) => TrawlError,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw explain(error)
  }
}

type ErrorRow = readonly [pattern: RegExp, code: ErrorCode, explain: (host: string, what: string) => string]

/**
 * Errors of the library by what its message contains, which is the debug output of its parts. The first match applies; the
 * word after it is what happened.
 */
const libraryErrors: readonly ErrorRow[] = [
  [
    /\bInvalidCertificate\(/,
    'SCRAPE_SSL_ERROR',
    (host, what) => `The certificate of \`${host}\` was refused (${what}); \`skipTlsVerification: true\` accepts it`,
  ],
  [
    /\b(?:AlertReceived|InvalidMessage|PeerIncompatible|PeerMisbehaved)\(/,
    'SCRAPE_SSL_ERROR',
    (host, what) => `The TLS handshake with \`${host}\` failed (${what})`,
  ],
  [
    // A compressed body that ends early is an error of its decoder.
    /IncompleteBody|IncompleteMessage|UnexpectedEof|Remote protocol error/,
    'SCRAPE_SITE_ERROR',
    (host) => `\`${host}\` closed the connection before the page was complete`,
  ],
  // The library wraps each error of a body in one of decoding, also that of a connection.
  [/hyper::Error\(Body/, 'SCRAPE_SITE_ERROR', (host) => `The body that \`${host}\` sent could not be received`],
  [
    /kind: Decode,/,
    'SCRAPE_ENCODING_ERROR',
    (host) => `The body that \`${host}\` sent is not in the coding that it claims`,
  ],
  [
    /\bParse\(\s*TooLarge\b/,
    'SCRAPE_HEADERS_TOO_LARGE',
    (host) => `\`${host}\` sent more response headers than can be read`,
  ],
  [/\bParse\(/, 'SCRAPE_SITE_ERROR', (host) => `The response of \`${host}\` is not valid HTTP`],
]

function toTlsOrSiteError(error: unknown, url: URL): TrawlError {
  const message = messageOf(error)
  const options = { url: url.href, cause: error }
  for (const [pattern, code, explain] of libraryErrors) {
    const found = pattern.exec(message)
    if (!found) continue
    const [what = ''] = message
      .slice(found.index + found[0].length)
      .trimStart()
      .split(/\W/, 1)
    return new TrawlError(code, explain(url.host, what), options)
  }
  const isTls = /certificate|tls|handshake/i.test(message)
  const what = isTls ? 'The certificate or the TLS handshake of' : 'The connection to'
  const [first = ''] = message.split('\n')
  const why = `${what} \`${url.host}\` failed: ${first.slice(0, 200)}`
  return new TrawlError(isTls ? 'SCRAPE_SSL_ERROR' : 'SCRAPE_SITE_ERROR', why, options)
}
