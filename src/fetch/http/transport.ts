import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { TrawlError } from '../../errors.js'
import { openConnection } from '../network/connect.js'
import type { Dial } from '../dial.js'
import { isLostConnection, toFetchError } from '../network/http-errors.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

export interface TransportOptions {
  /** Opens the plain connections. */
  readonly dial: Dial
  readonly verifyCertificates: boolean
  /** Connections at once to one origin; more requests wait. @default no limit */
  readonly connections?: number | undefined
  /** Bytes of response headers. */
  readonly headerBytes: number
}

/** The head of an answer, and its body still to come. */
export interface HttpResponse {
  readonly statusCode: number
  /** The reason phrase, which may be empty. */
  readonly statusText: string
  /** Lower-case names; repeated ones joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly body: Readable & { dump(options?: { limit: number }): Promise<void> }
}

/**
 * GET requests over kept connections. Redirects are answers.
 *
 * HTTP/1.1 only: undici 7.30 gives a body that an HTTP/2 server broke off (RST_STREAM) for a whole one, fails a page
 * in flight when a server says goodbye (GOAWAY), never closes an idle connection, and throws past all handlers when
 * one closes without an error. Its HTTP/1.1 did twice the requests in a second on the same machine.
 */
export interface Transport {
  /**
   * Sends a request and waits for the head of its answer. The caller reads the body or destroys it.
   *
   * @param sent called for each time that the request is sent: again, when a kept connection was lost with it. @default nobody is told
   * @throws TrawlError as {@link toFetchError} says; the signal's reason
   */
  get(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    sent?: () => void,
  ): Promise<HttpResponse>
  /** Ends every connection; requests under way fail with `reason`. */
  close(reason?: TrawlError): Promise<void>
}

/** A request on its way into undici. */
interface PendingRequest {
  readonly origin: string
  readonly signal: AbortSignal
  /** Whether it had to open a connection, and did not find one open. */
  opened: boolean
}

const open = callbackify(openConnection)

export function createTransport(options: TransportOptions): Transport {
  const closing = new AbortController()
  const secure = buildConnector({ rejectUnauthorized: options.verifyCertificates, timeout: 0 })

  // undici connects within the dispatch that needs a connection, so that the attempt can be given up with its request.
  // It does so at other times too: when a kept connection broke as it was taken, which is nobody's in particular, and
  // after every request that was aborted, which is for nobody and refused.
  let current: PendingRequest | undefined
  const waiting = new Set<PendingRequest>()
  const isAwaited = (origin: string) => [...waiting].some((own) => own.origin === origin && !own.opened)

  const agent = new Agent({
    connections: options.connections ?? null,
    maxHeaderSize: options.headerBytes,
    // The page's deadline is the only clock: undici's own are half a second coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      if (current) current.opened = true
      else if (!isAwaited(`${target.protocol}//${target.host}`)) {
        return callback(new Error('nobody waits for this connection'), null)
      }
      const signal = current?.signal ?? closing.signal
      open(target, { dial: options.dial, secure, signal }, (error, socket) =>
        error ? callback(error, null) : callback(null, socket),
      )
    },
  })

  const dispatch = (url: URL, headers: Readonly<Record<string, string>>, own: PendingRequest) => {
    current = own
    try {
      const { origin, pathname, search } = url
      return agent.request({ origin, path: pathname + search, method: 'GET', headers, signal: own.signal })
    } finally {
      current = undefined
    }
  }

  return {
    async get(url, headers, signal, sent) {
      for (let retries = 0; ; retries++) {
        const own: PendingRequest = { origin: url.origin, signal, opened: false }
        try {
          // undici frees a connection one turn of the event loop after its last byte: going ahead of that, a crawl of
          // one page at a time would open a second connection to each host.
          await setImmediate()
          signal.throwIfAborted()
          waiting.add(own)
          sent?.()
          // undici heeds the signal only once there is a connection.
          return readHead(await untilAborted(dispatch(url, headers, own), signal))
        } catch (error) {
          if (signal.aborted) throw signal.reason
          // A server may close a kept connection at any time; a request lost to that is sent again (RFC 9110 9.2.2).
          const isStale = !own.opened && isLostConnection(error)
          if (!isStale || retries > 0) throw toFetchError(error, url)
        } finally {
          waiting.delete(own)
        }
      }
    },
    async close(reason) {
      closing.abort(reason)
      await agent.destroy(reason ?? null)
    },
  }
}

function readHead({ statusCode, statusText, headers, body }: Dispatcher.ResponseData): HttpResponse {
  // Destroying a body emits an error, and nobody listens to one that is not read.
  body.on('error', () => undefined)
  const joined = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')] as const)
  const setCookies = [headers['set-cookie'] ?? []].flat()
  return { statusCode, statusText, headers: Object.fromEntries(joined), setCookies, body }
}
