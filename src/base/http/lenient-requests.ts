import { type IncomingMessage, request } from 'node:http'
import type { buildConnector } from 'undici'
import { followSignals } from '../concurrency/deadline.js'
import type { ReceivedResponse } from './receive-response.js'
import type { Dial } from '../network/dial.js'
import { openConnection } from '../network/connect.js'
import { withoutBrackets } from '../network/ip-address.js'
import { RepairedConnection } from './repair-head.js'

interface LenientRequestOptions {
  readonly dial: Dial
  readonly secure: buildConnector.connector
  /** Maximum size of response headers. Bytes. */
  readonly headerBytes: number
  /** Ends all requests. */
  readonly closing: AbortSignal
}

/** Maximum number of origins that are remembered. */
const MAX_ORIGINS = 1000

/**
 * Sends GET requests whose responses may break the rules of HTTP/1.1 as far as browsers accept it.
 *
 * Each connection carries one response: where its end is in doubt, no other response can be taken from what follows, which is
 * what the rules are for.
 */
export class LenientRequests {
  readonly #options: LenientRequestOptions
  readonly #origins = new Set<string>()

  constructor(options: LenientRequestOptions) {
    this.#options = options
  }

  /** Tells whether an origin has sent such a response, so that it is asked once for each page. */
  isNeeded(origin: string): boolean {
    return this.#origins.has(origin)
  }

  /** @throws errors of the network; the signal's reason */
  async get(url: URL, headers: Readonly<Record<string, string>>, aborted: AbortSignal): Promise<ReceivedResponse> {
    const { dial, secure, headerBytes, closing } = this.#options
    const { host, hostname, port, protocol, origin } = url
    const follower = followSignals(aborted, closing)
    const { signal } = follower
    const target = { host, hostname: withoutBrackets(hostname), port, protocol }
    const socket = await openConnection(target, { dial, secure, signal }).catch((error: unknown) => {
      follower[Symbol.dispose]()
      throw error
    })
    const connection = new RepairedConnection(socket, headerBytes)
    connection.once('close', () => follower[Symbol.dispose]())
    const response = await receive(url, { headers, headerBytes, connection }, signal)
    if (this.#origins.size < MAX_ORIGINS) this.#origins.add(origin)
    return describe(response, connection)
  }
}

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly headerBytes: number
  readonly connection: RepairedConnection
}

/** Sends a request over a connection, and waits for the head of its response. */
const receive = (
  url: URL,
  { headers, headerBytes, connection }: SentRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => connection,
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers, connection: 'close' },
      insecureHTTPParser: true,
      // The repaired head may be longer by its line ends.
      maxHeaderSize: headerBytes * 2,
      signal,
    })
    sent.once('response', (response) => {
      // Destroying an unread body emits an error that nobody listens to.
      response.on('error', () => undefined)
      resolve(response)
    })
    sent.on('error', (error) => {
      connection.destroy()
      reject(signal.aborted ? (signal.reason as Error) : error)
    })
    sent.end()
  })

function describe(response: IncomingMessage, connection: RepairedConnection): ReceivedResponse {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = response.rawHeaders.slice(at, at + 2)
    ;(headers[name.toLowerCase()] ??= []).push(value)
  }
  response.once('close', () => connection.destroy())
  const dump = async (): Promise<void> => void response.destroy()
  const { statusCode = 0, statusMessage: statusText = '' } = response
  return { statusCode, statusText, headers, body: Object.assign(response, { dump }) }
}
