import { once } from 'node:events'
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { TrawlError } from '../../errors.js'
import { withTimeout } from '../../concurrency/deadline.js'
import type { Dial, DialTarget } from '../dial.js'
import type { Lookup } from './egress.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** How long a host may take to accept a connection, and again for the TLS handshake. */
const CONNECT_TIMEOUT_MS = 10_000

export interface ConnectOptions {
  /** Opens the plain connection. */
  readonly dial: Dial
  /** Does the TLS handshake on a connected socket, for https. @default none: the plain socket is given */
  readonly secure?: buildConnector.connector
  /** Gives the attempt up. */
  readonly signal: AbortSignal
}

/**
 * Opens one connection, and does the TLS handshake.
 *
 * @throws TrawlError `SCRAPE_SITE_ERROR` after ten seconds; what dialling throws; what the TLS library throws; the
 * signal's reason
 */
export async function openConnection(target: buildConnector.Options, options: ConnectOptions): Promise<Socket> {
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
  const socket = await options.dial({ hostname: target.hostname, port }, options.signal)
  const { secure } = options
  if (target.protocol !== 'https:' || !secure) return socket
  using attempt = withTimeout(options.signal, CONNECT_TIMEOUT_MS, () =>
    connectTimeoutError(target.host ?? target.hostname),
  )
  try {
    return await untilAborted(openTls({ ...target, httpSocket: socket }, secure), attempt.signal)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/**
 * Opens a TCP connection to one of the addresses that `resolve` gives for a host. The socket is ours from the start, so
 * that an abort ends it in whichever step it is.
 *
 * @throws TrawlError `SCRAPE_ADDRESS_REFUSED`, `SCRAPE_SITE_ERROR` after ten seconds; what the system throws; the
 * signal's reason
 */
export async function openSocket(
  { hostname, port }: DialTarget,
  resolve: Lookup,
  signal: AbortSignal,
): Promise<Socket> {
  using attempt = withTimeout(signal, CONNECT_TIMEOUT_MS, () => connectTimeoutError(`${hostname}:${port}`))
  const addresses = await untilAborted(resolve(hostname), attempt.signal)
  const socket = connect({ host: hostname, port, lookup: lookupReturning(addresses), autoSelectFamily: true })
  // Callers listen for errors only while they wait: an error between two steps must not be thrown.
  socket.on('error', () => undefined)
  try {
    await untilAborted(once(socket, 'connect'), attempt.signal)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Connects straight to the site, at an address that `resolve` allows. */
export const createDirectDial =
  (resolve: Lookup): Dial =>
  (target, signal) =>
    openSocket(target, resolve, signal)

const openTls = (target: buildConnector.Options, secure: buildConnector.connector): Promise<Socket> =>
  new Promise((resolve, reject) => secure(target, (error, socket) => (error ? reject(error) : resolve(socket))))

/** A resolver for `net.connect` that knows the answer already: the name is not looked up a second time. */
const lookupReturning =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (options.all || !first) callback(null, found)
    else callback(null, first.address, first.family)
  }

const connectTimeoutError = (host: string): TrawlError =>
  new TrawlError('SCRAPE_SITE_ERROR', `\`${host}\` accepted no connection within ${CONNECT_TIMEOUT_MS} ms`)
