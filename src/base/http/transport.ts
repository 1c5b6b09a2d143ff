import { setImmediate } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { followSignals } from '../concurrency/deadline.js'
import { PassingMap } from '../concurrency/passing-map.js'
import type { TrawlError } from '../errors.js'
import { openConnection } from '../network/connect.js'
import type { Dial } from '../network/dial.js'
import { isLostConnection, isMalformedHead, toFetchError } from './http-errors.js'
import { LenientRequests } from './lenient-requests.js'
import { joinHeader } from './header-values.js'
import { type HostTlsSource, createConnector } from './client-certificates.js'
import { Agent } from './http-client.js'
import { type ReceivedResponse, receiveResponse, type ResponseBody } from './receive-response.js'

export interface TransportOptions {
  /** Opens the TCP connections. */
  readonly dial: Dial
  readonly verifyCertificates: boolean
  /** Client certificates and authorities of hosts. @default none */
  readonly hostTls?: HostTlsSource
  /** Concurrent connections to one origin; further requests wait. @default no limit */
  readonly connections?: number
  /** Maximum size of response headers. Bytes. */
  readonly headerBytes: number
  /** Maximum size of a body, which is received as fast as it comes. Bytes. */
  readonly wireBytes: number
}

/** The head of a response, with its body still to be read. */
export interface HttpResponse {
  readonly statusCode: number
  /** The reason phrase, which may be empty. */
  readonly statusText: string
  /** Lower-case names; repeated ones are joined by {@link joinHeader}. */
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly body: ResponseBody
}

/** Headers of a request, or a function that makes them. */
type SentHeaders = Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)

/** Returns the headers to send now. */
export const makeHeaders = (headers: SentHeaders): Readonly<Record<string, string>> =>
  typeof headers === 'function' ? headers() : headers

/**
 * Sends GET requests, and forms, over persistent connections. Redirects are returned as responses.
 *
 * HTTP/1.1 only. With HTTP/2, undici 7.30 takes a body that the server aborted (RST_STREAM) as complete, fails requests
 * in flight on GOAWAY, never closes an idle connection, and throws an unhandled error when one closes cleanly. Its
 * HTTP/1.1 made twice the requests per second on the same machine.
 */
export interface Transport {
  /**
   * Sends a request and waits for the head of the response. The caller reads the body or destroys it.
   *
   * @param headers a function makes them for each time the request is sent, for headers that must not be sent twice
   * @param sent called each time the request is sent, which is twice when a persistent connection was lost.
   * @default none
   * @throws TrawlError as converted by {@link toFetchError}; the signal's reason
   */
  get(url: URL, headers: SentHeaders, signal: AbortSignal, sent?: () => void): Promise<HttpResponse>
  /** Sends a form, once. Throws as `get` does. */
  post(asked: SentForm, headers: SentHeaders, signal: AbortSignal, sent?: () => void): Promise<HttpResponse>
  /** Closes all connections; requests in flight fail with `reason`. */
  close(reason?: TrawlError): Promise<void>
}

/** A request without its headers. */
interface SentForm {
  readonly url: URL
  /** Body of a POST, URL-encoded. @default a GET */
  readonly form?: string
}

const describeRequest = (
  { url: { origin, pathname, search }, form }: SentForm,
  headers: Readonly<Record<string, string>>,
) => {
  const request = { origin, path: pathname + search, headers }
  return form === undefined
    ? { ...request, method: 'GET' as const }
    : { ...request, method: 'POST' as const, body: form }
}

/** A request handed to undici. */
interface PendingRequest {
  readonly origin: string
  readonly signal: AbortSignal
  /** True when undici opened a new connection for it. */
  opened: boolean
}

const open = callbackify(openConnection)

/**
 * Makes the error that a connection for no request is refused with. A request fails with it whose connection was lost
 * before it was sent, because the server spoke first. undici would connect again and again for its own `SocketError`.
 */
const lostConnection = (): Error =>
  Object.assign(new Error('no request is pending for this connection'), { code: 'EPIPE' })

export function createTransport(options: TransportOptions): Transport {
  const closing = new AbortController()
  const secure = createConnector(options)
  const lenient = new LenientRequests({ ...options, secure, closing: closing.signal })

  // undici connects within the dispatch that needs a connection, so that the attempt can be aborted with its request.
  // It also connects at other times: when a persistent connection broke as it was taken, for no particular request, and
  // after each aborted request, for none, which is refused.
  let current: PendingRequest | undefined
  const waiting = new PassingMap<number, PendingRequest>()
  let requests = 0
  const isAwaited = (origin: string) => [...waiting].some(([, own]) => own.origin === origin && !own.opened)

  const agent = new Agent({
    connections: options.connections ?? null,
    maxHeaderSize: options.headerBytes,
    maxResponseSize: options.wireBytes,
    // The page's deadline is the only timeout: undici's own have a resolution of half a second.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      if (current) current.opened = true
      else if (!isAwaited(`${target.protocol}//${target.host}`)) return callback(lostConnection(), null)
      const until = followSignals(...(current ? [current.signal] : []), closing.signal)
      open(target, { dial: options.dial, secure, signal: until.signal }, (error, socket) => {
        until[Symbol.dispose]()
        if (error) callback(error, null)
        else callback(null, socket)
      })
    },
  })

  const dispatch = (asked: SentForm, headers: Readonly<Record<string, string>>, own: PendingRequest) => {
    current = own
    try {
      return receiveResponse(agent, describeRequest(asked, headers), own.signal)
    } finally {
      current = undefined
    }
  }

  const send = async (asked: SentForm, headers: SentHeaders, signal: AbortSignal, sent?: () => void) => {
    const { url, form } = asked
    const number = requests++
    let isLenient = form === undefined && lenient.isNeeded(url.origin)
    for (let retries = 0; ; retries++) {
      const own: PendingRequest = { origin: url.origin, signal, opened: isLenient }
      try {
        // undici frees a connection one turn of the event loop after its last byte: without this wait, a sequential
        // crawl would open a second connection to each host.
        await setImmediate()
        signal.throwIfAborted()
        waiting.set(number, own)
        sent?.()
        if (isLenient) return readHead(await lenient.get(url, makeHeaders(headers), signal))
        return readHead(await dispatch(asked, makeHeaders(headers), own))
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (form === undefined && !isLenient && isMalformedHead(error)) {
          isLenient = true
          continue
        }
        // A server may close a persistent connection at any time: a request is sent again (RFC 9110 section 9.2.2).
        const isStale = form === undefined && !own.opened && isLostConnection(error)
        if (!isStale || retries > 0) throw toFetchError(error, url)
      } finally {
        waiting.delete(number)
      }
    }
  }

  return {
    get: (url, headers, signal, sent) => send({ url }, headers, signal, sent),
    post: send,
    async close(reason) {
      closing.abort(reason)
      await agent.destroy(reason ?? null)
    },
  }
}

/** Joins the lines of repeated headers, and takes the cookies out. */
export function readHead({ statusCode, statusText, headers: lines, body }: ReceivedResponse): HttpResponse {
  const headers: Record<string, string> = {}
  for (const name of Object.keys(lines)) {
    const value = lines[name] ?? ''
    const joined = joinHeader(name, typeof value === 'string' ? [value] : value)
    // A header with the name of a setter is a field as well.
    if (name === '__proto__') Object.defineProperty(headers, name, { value: joined, enumerable: true })
    else headers[name] = joined
  }
  const cookies = lines['set-cookie'] ?? []
  return { statusCode, statusText, headers, setCookies: typeof cookies === 'string' ? [cookies] : cookies, body }
}
