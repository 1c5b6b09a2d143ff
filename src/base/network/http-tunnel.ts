import type { Socket } from 'node:net'
import type { DialTarget } from './dial.js'
import { readExactly } from './read-exactly.js'

/** The reason why a proxy did not open a tunnel. */
export interface TunnelFault {
  /** The side at fault: another proxy helps against the proxy's own fault, and not against the site's. */
  readonly of: 'proxy' | 'site' | 'either'
  /** A predicate to follow "the proxy". */
  readonly what: string
}

export const tunnelFault = (of: TunnelFault['of'], what: string): TunnelFault => ({ of, what })

/** Maximum size of a proxy's response head. Bytes. */
const MAX_HEAD_BYTES = 16_384

/**
 * Opens a tunnel through an HTTP proxy, for http sites too: the proxy then sees none of the request, and both schemes
 * share one implementation.
 *
 * @returns undefined when the tunnel is open, else the fault
 * @see RFC 9110 section 9.3.6
 */
export async function openHttpTunnel(
  socket: Socket,
  { hostname, port }: DialTarget,
  { username, password }: { readonly username: string; readonly password: string },
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
  let head = await readHead(socket, signal)
  // Interim responses come before the response. @see RFC 9110 section 15.2
  while (head !== undefined && /^HTTP\/1\.1 1\d\d/.test(head)) head = await readHead(socket, signal)
  if (head === undefined) return tunnelFault('proxy', `answers with a head of more than ${MAX_HEAD_BYTES} bytes`)
  const [, status, reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?/.exec(head) ?? []
  if (status === undefined) return tunnelFault('proxy', 'does not speak HTTP')
  if (status.startsWith('2')) return undefined
  if (status === '407') {
    const what = username === '' && password === '' ? 'asks for credentials' : 'refuses the credentials'
    return tunnelFault('proxy', `${what} (407)`)
  }
  const answer = `${status} ${hideCredentials(reason, [credentials, password, username]).slice(0, 60)}`.trim()
  // 502 to 504 are errors of a gateway that failed to connect; other statuses are refusals of the proxy.
  return tunnelFault(/^50[234]$/.test(status) ? 'either' : 'proxy', `answered ${answer} for \`${authority}\``)
}

/** Masks the credentials: a proxy may repeat them, percent-encoded or not. */
function hideCredentials(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, encodeURIComponent(secret)])
  return spellings.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

/**
 * Reads a head, of which lines may end without a carriage return; undefined when it is too large. Byte by byte, so that
 * nothing after the head is consumed: a head is a few hundred bytes that are buffered.
 *
 * @see RFC 9112 section 2.2
 */
async function readHead(socket: Socket, signal: AbortSignal): Promise<string | undefined> {
  let head = ''
  while (head.length < MAX_HEAD_BYTES) {
    head += (await readExactly(socket, 1, signal)).toString('latin1')
    const isNoHttp = !'HTTP/1.'.startsWith(head.slice(0, 7))
    if (isNoHttp || head.endsWith('\n\r\n') || head.endsWith('\n\n')) return head
  }
  return undefined
}
