import { isIPv4, isIPv6, type Socket } from 'node:net'
import type { DialTarget } from './dial.js'
import { parseIPv6 } from './ip-address.js'
import { readExactly } from './read-exactly.js'
import { CONNECT, IPV4, IPV6, NAME, NO_CREDENTIALS, PASSWORD, SOCKS_VERSION } from './socks-protocol.js'
import { type TunnelFault, tunnelFault } from './http-tunnel.js'

/** Faults by reply code. @see RFC 1928 section 6 */
const replies: Readonly<Record<number, TunnelFault>> = {
  1: tunnelFault('either', 'failed'),
  2: tunnelFault('proxy', 'does not allow the connection'),
  3: tunnelFault('site', 'cannot reach the network of the host'),
  4: tunnelFault('site', 'cannot reach the host'),
  5: tunnelFault('site', 'was refused a connection by the host'),
  6: tunnelFault('site', 'got no answer from the host'),
  7: tunnelFault('proxy', 'does not support CONNECT'),
  8: tunnelFault('proxy', 'does not support addresses of this type'),
}

/**
 * Opens a connection through a SOCKS 5 proxy.
 *
 * @returns undefined when the connection is open, else the fault
 * @see RFC 1928, RFC 1929
 */
export async function openSocksTunnel(
  socket: Socket,
  target: DialTarget,
  { username, password }: { readonly username: string; readonly password: string },
  signal: AbortSignal,
): Promise<TunnelFault | undefined> {
  const hasCredentials = username !== '' || password !== ''
  socket.write(
    Buffer.from(hasCredentials ? [SOCKS_VERSION, 2, NO_CREDENTIALS, PASSWORD] : [SOCKS_VERSION, 1, NO_CREDENTIALS]),
  )
  const [version, method] = await readExactly(socket, 2, signal)
  if (version !== SOCKS_VERSION) return tunnelFault('proxy', 'does not speak SOCKS 5')
  if (method === PASSWORD && hasCredentials) {
    const [user, pass] = [Buffer.from(username), Buffer.from(password)]
    socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([pass.length]), pass]))
    const [, status] = await readExactly(socket, 2, signal)
    if (status !== 0) return tunnelFault('proxy', 'refuses the credentials')
  } else if (method !== NO_CREDENTIALS) {
    return tunnelFault('proxy', hasCredentials ? 'requires another authentication method' : 'asks for credentials')
  }

  const { hostname, port } = target
  if (Buffer.byteLength(hostname) > 255) return tunnelFault('site', 'cannot be sent a host name of more than 255 bytes')
  socket.write(
    Buffer.concat([
      Buffer.from([SOCKS_VERSION, CONNECT, 0]),
      encodeHost(hostname),
      Buffer.from([port >> 8, port & 255]),
    ]),
  )
  const [, reply = 1, , kind] = await readExactly(socket, 4, signal)
  if (reply !== 0) {
    const { of, what } = replies[reply] ?? tunnelFault('proxy', `answered ${reply}`)
    return tunnelFault(of, `${what} (\`${hostname}:${port}\`)`)
  }
  const addressBytes = kind === NAME ? ((await readExactly(socket, 1, signal))[0] ?? 0) : kind === IPV6 ? 16 : 4
  await readExactly(socket, addressBytes + 2, signal)
  return undefined
}

function encodeHost(hostname: string): Buffer {
  if (isIPv4(hostname)) return Buffer.from([IPV4, ...hostname.split('.').map(Number)])
  if (isIPv6(hostname)) return Buffer.from([IPV6, ...parseIPv6(hostname).flatMap((group) => [group >> 8, group & 255])])
  const name = Buffer.from(hostname)
  return Buffer.concat([Buffer.from([NAME, name.length]), name])
}
