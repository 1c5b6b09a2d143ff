import { once, setMaxListeners } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Dial, DialTarget } from '../../../base/network/dial.js'
import type { UsageMeter } from '../../../kernel/fetch/fetcher.js'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import { acceptHttpClient } from './http-proxy-client.js'
import { withoutBrackets } from '../../../base/network/ip-address.js'
import { createCredentials, type ProxyClient, type ProxyCredentials } from './proxy-client.js'
import { type OwnerLookup, systemOwners } from './socket-owner.js'
import { acceptSocksClient } from './socks-client.js'

/** A proxy that carries all connections of a page. */
export interface PageProxy {
  /** For example `socks5://127.0.0.1:40123`, or `http://127.0.0.1:40123`. */
  readonly server: string
  /** Credentials that the client must send. @default none: its user is known */
  readonly credentials?: ProxyCredentials
  /** Returns the error with which connecting to this URL's host failed; undefined when it did not fail. */
  errorFor(url: string): unknown
  /** True when the page has received `wireBytes` and is sent no more. */
  readonly isExhausted: boolean
  /**
   * Closes all connections.
   *
   * @param reason ends those that are being opened. @default an error
   */
  close(reason?: unknown): void
}

interface PageProxyOptions {
  readonly dial: Dial
  /** Tests whether the page may connect to a host. @default true for all hosts */
  readonly admits?: (hostname: string) => Promise<boolean>
  /** Maximum bytes that the page receives over all its connections, TLS included. */
  readonly wireBytes: number
  /** @default none */
  readonly meter?: UsageMeter
  /** Id of a second user whose processes may connect. @default only the user of this process */
  readonly otherUser?: number
  /** Finds the users of connections. @default as the system reports them */
  readonly owners?: OwnerLookup
  /** True for a client that can send a password to a SOCKS proxy, as opposed to Chromium. @default false */
  readonly sendsSocksPassword?: boolean
  /** Is given what closes the proxy, before anything is waited for. @default the caller closes the proxy once it is open */
  readonly own?: (close: PageProxy['close']) => void
}

/** Maximum number of hosts whose errors are recorded, because a page can invent any number of names. */
const MAX_RECORDED_ERRORS = 200

/** A client that has not sent its request within this time is disconnected. Milliseconds. */
const REQUEST_MS = 10_000

/** The way in which clients of a proxy show that they are the page. */
interface ProxyAccess {
  readonly protocol: 'socks5' | 'http'
  /** Undefined where the user of a connection is known and decides. */
  readonly credentials?: ProxyCredentials
}

/**
 * Opens a proxy on loopback for one page.
 *
 * The browser resolves no name and connects nowhere else, so that `dial` applies to all connections of the page:
 * redirects, frames, workers, WebSockets. Data passes through unchanged. Processes of other users are refused. Where the
 * system reports the user of a connection, the proxy speaks SOCKS 5 and reads no data. Elsewhere it asks for a secret.
 * Browsers cannot send one to a SOCKS proxy, so that theirs is an HTTP proxy then.
 */
export async function openPageProxy(options: PageProxyOptions): Promise<PageProxy> {
  let connections: PageConnections | undefined
  const server = createServer((client) => {
    if (connections) void connections.serve(client).catch(() => client.destroy())
    else client.destroy()
  })
  // If the check fails, the connection is closed, which the client notices.
  server.on('error', () => undefined)
  const close = (reason?: unknown): void => {
    server.close()
    connections?.close(reason)
  }
  options.own?.(close)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const access = await chooseAccess(port, options)
  const own = (connections = new PageConnections(options, access))
  return {
    server: `${access.protocol}://127.0.0.1:${port}`,
    credentials: access.credentials,
    errorFor: (url) => own.errorFor(url),
    get isExhausted() {
      return own.isExhausted
    },
    close,
  }
}

async function chooseAccess(
  port: number,
  { owners = systemOwners, sendsSocksPassword = false }: PageProxyOptions,
): Promise<ProxyAccess> {
  if (sendsSocksPassword) return { protocol: 'socks5', credentials: createCredentials() }
  // Some sandboxes of Linux do not report the owner either.
  return (await owners.reportsOwners(port))
    ? { protocol: 'socks5' }
    : { protocol: 'http', credentials: createCredentials() }
}

/** The connections of one page, from the browser to the proxy and from the proxy to sites. */
class PageConnections {
  isExhausted = false
  readonly #options: PageProxyOptions
  readonly #access: ProxyAccess
  readonly #closing = new AbortController()
  readonly #sockets = new Set<Socket>()
  readonly #errors = new Map<string, unknown>()
  #receivedBytes = 0

  constructor(options: PageProxyOptions, access: ProxyAccess) {
    this.#options = options
    this.#access = access
    // Each connection that is being opened adds a listener.
    setMaxListeners(0, this.#closing.signal)
  }

  async serve(client: Socket): Promise<void> {
    const { admits } = this.#options
    this.#track(client)
    if (!(await this.#isAllowed(client))) return void client.destroy()
    const request = await this.#accept(client)
    if (!request) return
    try {
      if (admits && !(await admits(request.target.hostname))) throw new Error('the host is blocked')
      const upstream = await this.#connect(request.target)
      // A client that has already disconnected emits no `close` event.
      client.once('close', () => upstream.destroy())
      if (client.destroyed) return void upstream.destroy()
      upstream.on('data', (chunk) => this.#count(chunk))
      request.join(upstream, this.#closing.signal)
    } catch {
      request.refuse()
    }
  }

  errorFor(url: string): unknown {
    const { hostname, port, protocol } = new URL(url)
    const defaultPort = /^(?:http|ws):$/.test(protocol) ? 80 : 443
    return this.#errors.get(addressOf({ hostname: withoutBrackets(hostname), port: Number(port) || defaultPort }))
  }

  close(reason: unknown = new Error('the page was closed')): void {
    this.#closing.abort(reason)
    this.#destroyAll()
  }

  /** Tells whether a client belongs to a user who may connect, or to an unknown user and must send credentials. */
  async #isAllowed(client: Socket): Promise<boolean> {
    const { otherUser, owners = systemOwners } = this.#options
    const users = await owners.findOwners(client)
    if (!users) return this.#access.credentials !== undefined
    return users.client === users.server || (users.client !== undefined && users.client === otherUser)
  }

  async #accept(client: Socket): Promise<ProxyClient | undefined> {
    const { protocol, credentials } = this.#access
    using deadline = withTimeout(this.#closing.signal, REQUEST_MS)
    return protocol === 'http' && credentials
      ? await acceptHttpClient(client, credentials, deadline.signal)
      : await acceptSocksClient(client, credentials, deadline.signal)
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
