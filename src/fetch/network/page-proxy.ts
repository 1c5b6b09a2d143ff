import { once, setMaxListeners } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Dial, DialTarget } from '../dial.js'
import type { UsageMeter } from '../fetcher.js'
import { withoutBrackets } from './ip-address.js'
import { readExactly } from './read-exactly.js'
import { findOwners } from './socket-owner.js'
import { CONNECT, IPV4, IPV6, NAME, NO_CREDENTIALS, SOCKS_VERSION } from './socks-protocol.js'

/** A proxy that carries all connections of a page. */
export interface PageProxy {
  /** For example `socks5://127.0.0.1:40123`. */
  readonly server: string
  /** Returns the error with which connecting to this URL's host failed; undefined when it did not fail. */
  errorFor(url: string): unknown
  /** True when the page has received `wireBytes` and is sent no more. */
  readonly isExhausted: boolean
  /** Closes all connections. */
  close(): void
}

export interface PageProxyOptions {
  readonly dial: Dial
  /** Tests whether the page may connect to a host. @default true for all hosts */
  readonly admits?: (hostname: string) => Promise<boolean>
  /** Maximum bytes that the page receives over all its connections, TLS included. */
  readonly wireBytes: number
  /** @default none */
  readonly meter?: UsageMeter | undefined
  /** Id of a second user whose processes may connect. @default only the user of this process */
  readonly otherUser?: number | undefined
  /** Finds the users at both ends of a connection. @default as the system reports them */
  readonly ownersOf?: typeof findOwners
}

/** Maximum number of hosts whose errors are recorded, because a page can invent any number of names. */
const MAX_RECORDED_ERRORS = 200

/** SOCKS replies to the client. Errors are reported by `errorFor`; a browser blames the proxy for other reply codes. */
const [OPEN, UNREACHABLE] = [0, 4]
const reply = (code: number): Buffer => Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0])

/**
 * Opens a SOCKS 5 proxy on loopback for one page.
 *
 * The browser resolves no name and connects nowhere else, so that `dial` applies to all connections of the page:
 * redirects, frames, workers, WebSockets. Data passes through unchanged. Pages are told apart by port, because browsers
 * cannot send a password to a SOCKS proxy; processes of other users are refused instead, where the system reports the
 * owner of a connection.
 *
 * @see RFC 1928
 */
export async function openPageProxy(options: PageProxyOptions): Promise<PageProxy> {
  const connections = new PageConnections(options)
  const server = createServer((client) => void connections.serve(client).catch(() => client.destroy()))
  // If the check fails, the connection is closed, which the client notices.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server: `socks5://127.0.0.1:${port}`,
    errorFor: (url) => connections.errorFor(url),
    get isExhausted() {
      return connections.isExhausted
    },
    close() {
      server.close()
      connections.close()
    },
  }
}

/** The connections of one page, from the browser to the proxy and from the proxy to sites. */
class PageConnections {
  isExhausted = false
  readonly #options: PageProxyOptions
  readonly #closing = new AbortController()
  readonly #sockets = new Set<Socket>()
  readonly #errors = new Map<string, unknown>()
  #receivedBytes = 0

  constructor(options: PageProxyOptions) {
    this.#options = options
    // Each connection that is being opened adds a listener.
    setMaxListeners(0, this.#closing.signal)
  }

  async serve(client: Socket): Promise<void> {
    const { admits, otherUser, ownersOf = findOwners } = this.#options
    this.#track(client)
    const owners = await ownersOf(client)
    if (owners && owners.client !== owners.server && owners.client !== otherUser) return void client.destroy()
    const target = await readTarget(client, this.#closing.signal)
    try {
      if (admits && !(await admits(target.hostname))) throw new Error('the host is blocked')
      const upstream = await this.#connect(target)
      // A client that has already disconnected emits no `close` event.
      client.once('close', () => upstream.destroy())
      if (client.destroyed) return void upstream.destroy()
      client.write(reply(OPEN))
      upstream.on('data', (chunk) => this.#count(chunk))
      // When one side closes, so does the other. Errors are ignored, because the browser reports them.
      pipeline(client, upstream, client, () => undefined)
    } catch {
      // Unread data would hide the client's `close` event.
      client.resume().end(reply(UNREACHABLE))
    }
  }

  errorFor(url: string): unknown {
    const { hostname, port, protocol } = new URL(url)
    const defaultPort = /^(?:http|ws):$/.test(protocol) ? 80 : 443
    return this.#errors.get(addressOf({ hostname: withoutBrackets(hostname), port: Number(port) || defaultPort }))
  }

  close(): void {
    this.#closing.abort(new Error('the page was closed'))
    this.#destroyAll()
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket))
  }

  async #connect(target: DialTarget): Promise<Socket> {
    const { signal } = this.#closing
    try {
      if (this.isExhausted) throw new Error('the page has received `wireBytes`')
      const socket = await this.#options.dial(target, signal)
      this.#track(socket)
      if (signal.aborted) socket.destroy()
      return socket
    } catch (error) {
      if (this.#errors.size < MAX_RECORDED_ERRORS) this.#errors.set(addressOf(target), error)
      throw error
    }
  }

  #count(chunk: Uint8Array): void {
    const { wireBytes, meter } = this.#options
    this.#receivedBytes += chunk.length
    meter?.received(chunk.length)
    if (this.#receivedBytes <= wireBytes || this.isExhausted) return
    this.isExhausted = true
    this.#destroyAll()
  }

  #destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

const addressOf = ({ hostname, port }: DialTarget): string => `${hostname}:${port}`

/** Reads the target of a SOCKS 5 client. @throws Error for another protocol, or without a host */
async function readTarget(client: Socket, signal: AbortSignal): Promise<DialTarget> {
  const [version, methods = 0] = await readExactly(client, 2, signal)
  if (version !== SOCKS_VERSION) throw new Error('the client does not speak SOCKS 5')
  const offered = await readExactly(client, methods, signal)
  if (!offered.includes(NO_CREDENTIALS)) throw new Error('the client requires authentication')
  client.write(Buffer.from([SOCKS_VERSION, NO_CREDENTIALS]))
  const [, command, , kind] = await readExactly(client, 4, signal)
  if (command !== CONNECT) throw new Error('the client sent a command other than CONNECT')
  const hostname = await readHost(client, kind, signal)
  const port = (await readExactly(client, 2, signal)).readUInt16BE()
  return { hostname, port }
}

async function readHost(client: Socket, kind: number | undefined, signal: AbortSignal): Promise<string> {
  if (kind === IPV4) return (await readExactly(client, 4, signal)).join('.')
  if (kind === IPV6) {
    const groups = (await readExactly(client, 16, signal)).toString('hex').match(/.{4}/g) ?? []
    return withoutBrackets(new URL(`http://[${groups.join(':')}]/`).hostname)
  }
  if (kind !== NAME) throw new Error('the client names no host')
  const [length = 0] = await readExactly(client, 1, signal)
  const name = (await readExactly(client, length, signal)).toString()
  // The URL parser detects that `2130706433` is an address. Chromium sends an IPv6 address as a name, without brackets.
  const url = isIPv6(name) ? `http://[${name}]/` : `http://${name}/`
  if (!URL.canParse(url)) throw new Error('the client names no host')
  return withoutBrackets(new URL(url).hostname)
}
