import { once } from 'node:events'
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { TrawlError } from '../errors.js'
import { withTimeout } from '../concurrency/deadline.js'
import type { Dial, DialTarget } from './dial.js'
import type { AddressLookup } from './egress.js'
import { untilAborted } from '../concurrency/until-aborted.js'

/** Timeout for a TCP connection, and again for the TLS handshake. Milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000

interface ConnectOptions {
  /** Opens the TCP connection. */
  readonly dial: Dial
  /** Performs the TLS handshake for https. @default none: the TCP socket is returned */
  readonly secure?: buildConnector.connector
  /** Aborts the attempt. */
  readonly signal: AbortSignal
}

/**
 * Opens a connection, with TLS for https.
 *
 * @throws TrawlError `SCRAPE_SITE_ERROR` after ten seconds; errors of `dial` and of the TLS library; the signal's
 * reason
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
 * Opens a TCP connection to one of the addresses that `resolve` returns for a host. The socket belongs to this function
 * from the start, so that an abort destroys it in any phase.
 *
 * @throws TrawlError `SCRAPE_ADDRESS_REFUSED`, `SCRAPE_SITE_ERROR` after ten seconds; errors of the system; the
 * signal's reason
 */
export async function openSocket(
  { hostname, port }: DialTarget,
  resolve: AddressLookup,
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

/** Connects to sites directly, at the addresses that `resolve` allows. */
export const createDirectDial =
  (resolve: AddressLookup): Dial =>
  (target, signal) =>
    openSocket(target, resolve, signal)

const openTls = (target: buildConnector.Options, secure: buildConnector.connector): Promise<Socket> =>
  new Promise((resolve, reject) => secure(target, (error, socket) => (error ? reject(error) : resolve(socket))))

/**
 * Creates a lookup function for `net.connect` that returns the checked addresses: a second lookup could return others.
 */
const lookupReturning =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (options.all || !first) callback(null, found)
    else callback(null, first.address, first.family)
  }

const connectTimeoutError = (host: string): TrawlError =>
  new TrawlError('SCRAPE_SITE_ERROR', `\`${host}\` did not accept a connection within ${CONNECT_TIMEOUT_MS} ms`)
