import type { Socket } from 'node:net'
import type { DialTarget } from '../dial.js'
import type { Proxy } from './proxy.js'
import { readExactly } from '../network/read-exactly.js'

/** What stands against a tunnel through a proxy. */
export interface TunnelFault {
  /** Whose fault it is: another proxy helps against the proxy's own, and not against the site's. */
  readonly of: 'proxy' | 'site' | 'either'
  /** To follow "the proxy …". */
  readonly what: string
}

export const tunnelFault = (of: TunnelFault['of'], what: string): TunnelFault => ({ of, what })

/** What a proxy may say before its tunnel is open. */
const MAX_HEAD_BYTES = 16_384

/**
 * Asks an HTTP proxy for a tunnel. Also for http sites: what goes through is then no business of the proxy's, and there
 * is one way for both.
 *
 * @returns undefined when the tunnel is open, else what stands against it
 * @see RFC 9110 section 9.3.6
 */
export async function openHttpTunnel(
  socket: Socket,
  { hostname, port }: DialTarget,
  { username, password }: Pick<Proxy, 'username' | 'password'>,
  signal: AbortSignal,
): Promise<TunnelFault | undefined> {
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(username === '' && password === '' ? [] : [`Proxy-Authorization: Basic ${credentials}`]),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const head = await readHead(socket, signal)
  const [, status, reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?/.exec(head) ?? []
  if (status === undefined) return tunnelFault('proxy', 'does not speak HTTP')
  if (status.startsWith('2')) return undefined
  if (status === '407') {
    const what = username === '' && password === '' ? 'asks for credentials' : 'refuses the credentials'
    return tunnelFault('proxy', `${what} (407)`)
  }
  const answer = `${status} ${hideCredentials(reason, [credentials, password, username]).slice(0, 60)}`.trim()
  // A gateway that got nowhere, against a proxy that does not want to.
  return tunnelFault(/^50[234]$/.test(status) ? 'either' : 'proxy', `answered ${answer} for \`${authority}\``)
}

/** A proxy may repeat what it was sent, in whatever spelling. */
function hideCredentials(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, encodeURIComponent(secret)])
  return spellings.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

/** Byte by byte, so that nothing of what follows is taken: a head is a few hundred bytes that are there already. */
async function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  let head = ''
  while (!head.endsWith('\r\n\r\n') && head.length < MAX_HEAD_BYTES) {
    head += (await readExactly(socket, 1, signal)).toString('latin1')
    if (!'HTTP/1.'.startsWith(head.slice(0, 7))) return head
  }
  return head
}
