import { isIPv6, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { withoutBrackets } from '../../../base/network/ip-address.js'
import { isSameSecret, type ProxyClient, type ProxyCredentials } from './proxy-client.js'
import { readExactly } from '../../../base/network/read-exactly.js'
import {
  CONNECT,
  IPV4,
  IPV6,
  NAME,
  NO_CREDENTIALS,
  PASSWORD,
  SOCKS_VERSION,
} from '../../../base/network/socks-protocol.js'
import { parseUrl } from '../../../base/url.js'

/** SOCKS replies to the client. A browser blames the proxy for reply codes other than these. */
const [OPEN, UNREACHABLE] = [0, 4]
const reply = (code: number): Buffer => Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0])

const [ACCEPTED, REFUSED] = [0, 1]

/**
 * Reads the request of a SOCKS 5 client.
 *
 * @param credentials which the client must send. @default it must not send any
 * @throws Error for another protocol, wrong credentials, or a request without a host; the signal's reason
 * @see RFC 1928
 */
export async function acceptSocksClient(
  client: Socket,
  credentials: ProxyCredentials | undefined,
  signal: AbortSignal,
): Promise<ProxyClient> {
  const [version, methods = 0] = await readExactly(client, 2, signal)
  if (version !== SOCKS_VERSION) throw new Error('the client does not speak SOCKS 5')
  const offered = await readExactly(client, methods, signal)
  const method = credentials ? PASSWORD : NO_CREDENTIALS
  if (!offered.includes(method)) throw new Error('the client does not offer the authentication method')
  client.write(Buffer.from([SOCKS_VERSION, method]))
  if (credentials) await checkPassword(client, credentials, signal)
  const [, command, , kind] = await readExactly(client, 4, signal)
  if (command !== CONNECT) throw new Error('the client sent a command other than CONNECT')
  const hostname = await readHost(client, kind, signal)
  const port = (await readExactly(client, 2, signal)).readUInt16BE()
  return {
    target: { hostname, port },
    join(upstream) {
      client.write(reply(OPEN))
      // When one side closes, so does the other. Errors are ignored, because the client reports them.
      pipeline(client, upstream, client, () => undefined)
    },
    refuse() {
      // Unread data would hide the client's `close` event.
      client.resume().end(reply(UNREACHABLE))
    },
  }
}

/** Reads a username and a password. @throws Error for wrong ones @see RFC 1929 */
async function checkPassword(client: Socket, credentials: ProxyCredentials, signal: AbortSignal): Promise<void> {
  const [version, usernameBytes = 0] = await readExactly(client, 2, signal)
  const username = await readExactly(client, usernameBytes, signal)
  const [passwordBytes = 0] = await readExactly(client, 1, signal)
  const password = await readExactly(client, passwordBytes, signal)
  const isKnown = username.toString('latin1') === credentials.username
  const isSame = isSameSecret(password, Buffer.from(credentials.password))
  if (version === 1 && isKnown && isSame) return void client.write(Buffer.from([1, ACCEPTED]))
  client.write(Buffer.from([1, REFUSED]))
  throw new Error('the client sent wrong credentials')
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
  const url = parseUrl(isIPv6(name) ? `http://[${name}]/` : `http://${name}/`)
  if (!url) throw new Error('the client names no host')
  return withoutBrackets(url.hostname)
}
