import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { DialTarget } from '../../../base/network/dial.js'
import { withoutBrackets } from '../../../base/network/ip-address.js'
import { isSameSecret, type ProxyClient, type ProxyCredentials } from './proxy-client.js'
import { readSome } from '../../../base/network/read-exactly.js'
import { parseUrl } from '../../../base/url.js'

/** Maximum size of a request's head. Bytes. */
const MAX_HEAD_BYTES = 16_384
const HEAD_END = '\r\n\r\n'

/**
 * Length of the start of a response that its status is read from. Bytes: up to four that Chromium skips before the
 * status line, and `HTTP/1.1 407`.
 */
const STATUS_BYTES = 20
const PROXY_AUTHENTICATION = /^[^]{0,4}http\/\d\.\d +407/i

/** A request of a client, whose head was read. */
interface ProxyRequest {
  readonly isTunnel: boolean
  readonly target: DialTarget
  readonly url: string
  /** The head as the site receives it; empty for a tunnel. */
  readonly head: Buffer
  /** Length of the body that follows. */
  readonly bodyBytes: number
}

/** State that all requests of a connection share. */
interface Reading {
  readonly client: Socket
  /** The value of `Proxy-Authorization`. */
  readonly authorization: Buffer
}

/**
 * Reads the request of a client that uses the page's proxy as an HTTP proxy with a password, which Chromium can send, as
 * opposed to one of SOCKS. WebSockets and https come as tunnels, http as requests, which are passed on as they would come
 * without a proxy.
 *
 * @returns undefined when the request was answered here: without the credentials with 407, the URL for the login with 204
 * @throws Error for another protocol; the signal's reason
 * @see RFC 9110 section 9.3.6, RFC 9112 section 3.2.2, RFC 7617
 */
export async function acceptHttpClient(
  client: Socket,
  { username, password, loginUrl }: ProxyCredentials,
  signal: AbortSignal,
): Promise<ProxyClient | undefined> {
  const authorization = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  const reading: Reading = { client, authorization }
  const lines = await readHead(client, signal)
  if (lines === undefined) return answer(client, '431 Request Header Fields Too Large')
  if (!isAuthorized(lines, authorization)) {
    return answer(client, '407 Proxy Authentication Required', 'Proxy-Authenticate: Basic realm="page"')
  }
  const request = parseRequest(lines)
  if (request.url === loginUrl) return answer(client, '204 No Content')
  return {
    target: request.target,
    join(upstream, pageSignal) {
      if (!request.isTunnel) return exchange(reading, request, upstream, pageSignal)
      client.write(`HTTP/1.1 200 OK${HEAD_END}`)
      // When one side closes, so does the other. Errors are ignored, because the client reports them.
      pipeline(client, upstream, client, () => undefined)
    },
    refuse() {
      // A response to a request for a page would be shown as the page.
      if (request.isTunnel) answer(client, '502 Bad Gateway')
      else client.resume().end()
    },
  }
}

function answer(client: Socket, status: string, ...headers: readonly string[]): undefined {
  client.end([`HTTP/1.1 ${status}`, ...headers, 'Connection: close', 'Content-Length: 0', '', ''].join('\r\n'))
  client.destroySoon()
}

/** Passes requests on to a site, and its responses back. */
function exchange(reading: Reading, request: ProxyRequest, upstream: Socket, signal: AbortSignal): void {
  const { client } = reading
  let start: string | undefined
  // A browser would take a site's 407 for the proxy's, and forget the credentials.
  upstream.on('data', (chunk: Buffer) => {
    if (start === undefined) return
    start += chunk.toString('latin1', 0, STATUS_BYTES)
    if (PROXY_AUTHENTICATION.test(start)) client.destroy()
    if (start.length >= STATUS_BYTES) start = undefined
  })
  const onRequest = (): void => void (start = '')
  pipeline(readRequests(reading, request, onRequest, signal), upstream, client, () => undefined)
}

/** Reads the requests of a connection, one after the other. @throws Error for one to another target */
async function* readRequests(
  { client, authorization }: Reading,
  first: ProxyRequest,
  onRequest: () => void,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  for (let request = first; ;) {
    onRequest()
    yield request.head
    for (let left = request.bodyBytes; left > 0;) {
      const chunk = await readSome(client, left, signal)
      left -= chunk.length
      yield chunk
    }
    const lines = await readHead(client, signal)
    if (lines === undefined || !isAuthorized(lines, authorization)) throw new Error('the client sent no credentials')
    request = parseRequest(lines)
    const { hostname, port } = request.target
    if (request.isTunnel || hostname !== first.target.hostname || port !== first.target.port) {
      throw new Error('the client changed its target')
    }
  }
}

/**
 * Reads the lines of a request's head; undefined when it is too large.
 *
 * @throws Error when the connection ends, or when it is not HTTP
 */
async function readHead(client: Socket, signal: AbortSignal): Promise<string[] | undefined> {
  const head = Buffer.allocUnsafe(MAX_HEAD_BYTES)
  for (let size = 0; size < MAX_HEAD_BYTES;) {
    const chunk = await readSome(client, MAX_HEAD_BYTES - size, signal)
    chunk.copy(head, size)
    const before = size
    size += chunk.length
    const end = head.subarray(0, size).indexOf(HEAD_END, Math.max(0, before - HEAD_END.length))
    if (end !== -1) {
      const rest = head.subarray(end + HEAD_END.length, size)
      if (rest.length > 0) client.unshift(rest)
      const lines = head.toString('latin1', 0, end).split('\r\n')
      if (lines.some((line) => /[\r\n]/.test(line))) throw new Error('the client does not speak HTTP')
      return lines
    }
    if (!/^[!-~]/.test(head.toString('latin1', 0, 1))) throw new Error('the client does not speak HTTP')
  }
  return undefined
}

const isAuthorized = ([, ...headers]: readonly string[], authorization: Buffer): boolean =>
  valuesOf(headers, 'proxy-authorization').some((value) => isSameSecret(Buffer.from(value), authorization))

const isNamed = (header: string, name: string): boolean => header.slice(0, name.length + 1).toLowerCase() === `${name}:`

const valuesOf = (headers: readonly string[], name: string): string[] =>
  headers.filter((header) => isNamed(header, name)).map((header) => header.slice(name.length + 1).trim())

/** @throws Error for what a browser does not send to a proxy */
function parseRequest([line = '', ...headers]: readonly string[]): ProxyRequest {
  const [, tunnel] = /^CONNECT ([^\s/?#@\\]+) HTTP\/1\.1$/.exec(line) ?? []
  const [, method = '', authority = tunnel ?? '', path = ''] =
    /^([!-~]+) http:\/\/([^\s/?#@\\]+)(\/\S*) HTTP\/1\.1$/.exec(line) ?? []
  // The URL parser detects that `2130706433` is an address.
  const url = authority === '' ? undefined : parseUrl(`http://${authority}/`)
  if (!url) throw new Error('the client names no host')
  const { hostname, port } = url
  const target = { hostname: withoutBrackets(hostname), port: Number(port) || 80 }
  if (tunnel !== undefined) return { isTunnel: true, target, url: '', head: Buffer.alloc(0), bodyBytes: 0 }
  const kept = headers
    .filter((header) => !isNamed(header, 'proxy-authorization'))
    .map((header) => header.replace(/^proxy-connection:/i, 'Connection:'))
  const head = [`${method} ${path} HTTP/1.1`, ...kept, '', ''].join('\r\n')
  return {
    isTunnel: false,
    target,
    url: `http://${authority}${path}`,
    head: Buffer.from(head, 'latin1'),
    bodyBytes: readBodyBytes(kept),
  }
}

/** Reads the length of a body. @throws Error for a body without a length, which browsers send over HTTP/2 only */
function readBodyBytes(headers: readonly string[]): number {
  const lengths = valuesOf(headers, 'content-length')
  const [length = '0'] = lengths
  const isUnknown = lengths.length > 1 || valuesOf(headers, 'transfer-encoding').length > 0
  if (isUnknown || !/^\d{1,15}$/.test(length)) throw new Error('the body has no length')
  return Number(length)
}
