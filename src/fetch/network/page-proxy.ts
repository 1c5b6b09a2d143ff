import { once, setMaxListeners } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Dial, DialTarget } from '../dial.js'
import type { UsageMeter } from '../fetcher.js'
import { withoutBrackets } from './ip-address.js'
import { readExactly } from './read-exactly.js'
import { findOwners } from './socket-owner.js'
import { CONNECT, IPV4, IPV6, NAME, NO_CREDENTIALS, SOCKS_VERSION } from './socks-protocol.js'

/** The only way from a page in the browser to the outside. */
export interface PageProxy {
  /** E.g. `socks5://127.0.0.1:40123`. */
  readonly server: string
  /** What kept this URL's host from being reached, as it was thrown; undefined when nothing did. */
  errorFor(url: string): unknown
  /** Whether the page asked for more than `wireBytes`: it is given no more. */
  readonly isExhausted: boolean
  /** Ends every connection. */
  close(): void
}

export interface PageProxyOptions {
  readonly dial: Dial
  /** Asked about every host before it is connected to. @default all are */
  readonly admits?: (hostname: string) => Promise<boolean>
  /** Bytes that a page may receive over all its connections, TLS included. */
  readonly wireBytes: number
  /** @default nobody is told */
  readonly meter?: UsageMeter | undefined
  /** A user whose processes are served beside those of the user of this process, by its id. @default none */
  readonly otherUser?: number | undefined
  /** Finds the users at the ends of a connection. @default what the system says */
  readonly ownersOf?: typeof findOwners
}

/** Hosts whose trouble is remembered: a page can make up names without end. */
const MAX_RECORDED_ERRORS = 200

/** What a client is told. Of what was wrong the page is told elsewhere; a browser takes others to be the proxy's own fault. */
const [OPEN, UNREACHABLE] = [0, 4]
const reply = (code: number): Buffer => Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0])

/**
 * Opens a SOCKS 5 proxy on loopback for one page.
 *
 * The browser resolves no name and connects nowhere else, so that what `dial` refuses is refused for every request of
 * the page: redirects, frames, workers, WebSockets. What goes over a connection passes through unread. A port for each
 * page tells pages apart without a password, which browsers cannot give to a SOCKS proxy. Processes of other users are
 * refused instead, where the system says whose a connection is.
 *
 * @see RFC 1928
 */
export async function openPageProxy(options: PageProxyOptions): Promise<PageProxy> {
  const { dial, admits, wireBytes, meter, otherUser, ownersOf = findOwners } = options
  const closing = new AbortController()
  // Each connection that is being opened waits for it.
  setMaxListeners(0, closing.signal)
  const sockets = new Set<Socket>()
  const troubles = new Map<string, unknown>()
  let received = 0
  let isExhausted = false

  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  const connect = async (target: DialTarget): Promise<Socket> => {
    try {
      if (isExhausted) throw new Error('the page has received all that it may')
      const socket = await dial(target, closing.signal)
      keep(socket)
      if (closing.signal.aborted) socket.destroy()
      return socket
    } catch (error) {
      if (troubles.size < MAX_RECORDED_ERRORS) troubles.set(addressOf(target), error)
      throw error
    }
  }
  const count = (chunk: Uint8Array): void => {
    received += chunk.length
    meter?.received(chunk.length)
    if (received <= wireBytes || isExhausted) return
    isExhausted = true
    for (const socket of sockets) socket.destroy()
  }

  async function serve(client: Socket): Promise<void> {
    keep(client)
    const owners = await ownersOf(client)
    if (owners && owners.client !== owners.server && owners.client !== otherUser) return void client.destroy()
    const target = await readTarget(client, closing.signal)
    try {
      if (admits && !(await admits(target.hostname))) throw new Error('nothing is wanted from there')
      const upstream = await connect(target)
      // A client that went meanwhile closes nothing any more.
      client.once('close', () => upstream.destroy())
      if (client.destroyed) return void upstream.destroy()
      client.write(reply(OPEN))
      upstream.on('data', count)
      // Either side ends the other; what became of the connection is the browser's to tell.
      pipeline(client, upstream, client, () => undefined)
    } catch {
      // What is not read hides that a client goes.
      client.resume().end(reply(UNREACHABLE))
    }
  }

  const server = createServer((client) => void serve(client).catch(() => client.destroy()))
  // A connection that cannot be accepted is the client's trouble.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server: `socks5://127.0.0.1:${port}`,
    errorFor: (url) => {
      const { hostname, port: named, protocol } = new URL(url)
      return troubles.get(
        addressOf({
          hostname: withoutBrackets(hostname),
          port: Number(named) || (/^(?:http|ws):$/.test(protocol) ? 80 : 443),
        }),
      )
    },
    get isExhausted() {
      return isExhausted
    },
    close() {
      closing.abort(new Error('the page was closed'))
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const addressOf = ({ hostname, port }: DialTarget): string => `${hostname}:${port}`

/** Where a client wants to be connected to. @throws Error for what is no SOCKS 5, and no host */
async function readTarget(client: Socket, signal: AbortSignal): Promise<DialTarget> {
  const [version, methods = 0] = await readExactly(client, 2, signal)
  if (version !== SOCKS_VERSION) throw new Error('the client does not speak SOCKS 5')
  const offered = await readExactly(client, methods, signal)
  if (!offered.includes(NO_CREDENTIALS)) throw new Error('the client wants to log in')
  client.write(Buffer.from([SOCKS_VERSION, NO_CREDENTIALS]))
  const [, command, , kind] = await readExactly(client, 4, signal)
  if (command !== CONNECT) throw new Error('the client wants no connection')
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
  // Through the URL parser, so that `2130706433` is seen to be an address. Chromium gives one of IPv6 as a name, without brackets.
  const url = isIPv6(name) ? `http://[${name}]/` : `http://${name}/`
  if (!URL.canParse(url)) throw new Error('the client names no host')
  return withoutBrackets(new URL(url).hostname)
}
