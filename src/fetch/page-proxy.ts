import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { callbackify } from 'node:util'
import type { Dial, DialTarget } from './dial.js'
import { isLostConnection } from './http-errors.js'
import type { Meter } from './meter.js'

/** The only way from a page in the browser to the outside. */
export interface PageProxy {
  /** E.g. `http://127.0.0.1:40123`. */
  readonly server: string
  /** What kept this URL's host from being reached, as it was thrown; undefined when nothing did. */
  troubleAt(url: string): unknown
  /** Whether the page asked for more than `wireBytes`: it is given no more. */
  readonly isExhausted: boolean
  /** Ends every connection. */
  close(): void
}

export interface PageProxyOptions {
  readonly dial: Dial
  /** Bytes that a page may receive over all its connections, TLS included. */
  readonly wireBytes: number
  /** Bytes of response headers. */
  readonly headerBytes: number
  /** @default nobody is told */
  readonly meter?: Meter | undefined
}

/** Hosts whose trouble is remembered: a page can make up names without end. */
const MOST_TROUBLES = 200

/** Headers that end at a proxy. @see RFC 9110 section 7.6.1 */
const hopHeaders = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/**
 * Opens an HTTP proxy on loopback for one page.
 *
 * The browser resolves no name and connects nowhere else, so that what `dial` refuses is refused for every request of
 * the page: redirects, frames, workers, WebSockets. Encrypted connections pass through unread (CONNECT). A port for
 * each page tells pages apart without a password, which would cost a round trip for each request.
 */
export async function openPageProxy({ dial, wireBytes, headerBytes, meter }: PageProxyOptions): Promise<PageProxy> {
  const closing = new AbortController()
  const sockets = new Set<Socket>()
  const troubles = new Map<string, unknown>()
  let received = 0
  let isExhausted = false

  const note = (target: DialTarget, trouble: unknown): void => {
    if (troubles.size < MOST_TROUBLES) troubles.set(nameOf(target), trouble)
  }
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const connect = async (target: DialTarget): Promise<Socket> => {
    if (isExhausted) throw new Error('the page has received all that it may')
    const socket = await dial(target, closing.signal)
    keep(socket)
    if (closing.signal.aborted) socket.destroy()
    return socket
  }
  const count = (chunk: Uint8Array): void => {
    received += chunk.length
    meter?.received(chunk.length)
    if (received <= wireBytes || isExhausted) return
    isExhausted = true
    for (const socket of sockets) socket.destroy()
  }

  const connectAndNote = async (target: DialTarget): Promise<Socket> => {
    try {
      return await connect(target)
    } catch (error) {
      note(target, error)
      throw error
    }
  }

  const agent = new Agent({ keepAlive: true })
  const open = callbackify(connectAndNote)
  agent.createConnection = ({ host, port }, done = () => undefined) => {
    const target = { hostname: bare(String(host)), port: Number(port) }
    open(target, (error, socket) => done(error, error ? new Socket() : socket))
    return undefined
  }

  const server = createServer({ insecureHTTPParser: true, requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 })
  server.on('connection', keep)
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => void tunnel(request, client, head))
  server.on('request', (request, response) => forward(request, response, false))

  async function tunnel(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    const target = readAuthority(request.url ?? '')
    if (!target) return void client.destroy()
    try {
      const upstream = await connectAndNote(target)
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      upstream.on('data', count)
      // Either side ends the other; what became of the connection is the browser's to tell.
      pipeline(client, upstream, client, () => undefined)
    } catch {
      // Noted by `connectAndNote`: the page's error is made of it.
      client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
    }
  }

  function forward(request: IncomingMessage, response: ServerResponse, isRetry: boolean): void {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined
    if (url?.protocol !== 'http:') return void response.destroy()
    const { method = 'GET' } = request
    const target = { hostname: bare(url.hostname), port: Number(url.port) || 80 }
    const upstream = sendRequest({
      agent,
      method,
      host: target.hostname,
      port: target.port,
      path: url.pathname + url.search,
      headers: withoutHops(request.rawHeaders),
      insecureHTTPParser: true,
      maxHeaderSize: headerBytes,
    })
    upstream.on('error', (error) => {
      // A server may close a kept connection at any time: RFC 9112 section 9.3.1.
      const mayRepeat = upstream.reusedSocket && isLostConnection(error) && !isRetry && method === 'GET'
      if (mayRepeat && !response.headersSent) {
        forward(request, response, true)
        return
      }
      if (!troubles.has(nameOf(target))) note(target, error)
      response.destroy()
    })
    upstream.on('response', (answer) => {
      try {
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', withoutHops(answer.rawHeaders))
      } catch (error) {
        note(target, error)
        upstream.destroy()
        return
      }
      answer.on('data', count)
      pipeline(answer, response, () => undefined)
    })
    response.once('close', () => upstream.destroy())
    if (isRetry || method === 'GET' || method === 'HEAD') upstream.end()
    else pipeline(request, upstream, () => undefined)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server: `http://127.0.0.1:${port}`,
    troubleAt: (url) => {
      const { hostname, port: named, protocol } = new URL(url)
      return troubles.get(
        nameOf({ hostname: bare(hostname), port: Number(named) || (protocol === 'http:' ? 80 : 443) }),
      )
    },
    get isExhausted() {
      return isExhausted
    },
    close() {
      closing.abort(new Error('the page was closed'))
      server.close()
      agent.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const nameOf = ({ hostname, port }: DialTarget): string => `${hostname}:${port}`

/** An IPv6 address without its brackets. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** What CONNECT names: a host and a port. */
function readAuthority(authority: string): DialTarget | undefined {
  const [, hostname = '', port] = /^(.+):(\d{1,5})$/.exec(authority) ?? []
  // Through the URL parser, so that `2130706433` is seen to be an address.
  const url = `http://${hostname}/`
  return URL.canParse(url) ? { hostname: bare(new URL(url).hostname), port: Number(port) } : undefined
}

function withoutHops(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!hopHeaders.test(name)) kept.push(name, value)
  }
  return kept
}
