import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { endianness, platform } from 'node:os'

/** The kernel's list of TCP sockets over IPv4. @see https://www.kernel.org/doc/Documentation/networking/proc_net_tcp.txt */
const SOCKET_TABLE = '/proc/net/tcp'
/** A list that changes while it is read may lack a socket, so that it is read again. */
const MAX_READS = 3
/** States of a connection. */
const [ESTABLISHED, LISTEN] = ['01', '0A']

/** The user ids at both ends of a connection. */
interface ConnectionOwners {
  /** User of the process that accepted the connection. */
  readonly server: number
  /** User of the process that opened it; undefined when that socket is gone. */
  readonly client: number | undefined
}

/**
 * Finds the users at both ends of a connection that a loopback server accepted; undefined when the system does not
 * report them.
 *
 * Only Linux does. Some sandboxes have a list without the server's own socket, which is ignored.
 */
export async function findOwners(socket: Socket): Promise<ConnectionOwners | undefined> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket
  if (platform() !== 'linux' || localPort === undefined) return undefined
  const end = formatEndpoint(localAddress, localPort)
  let server: number | undefined
  for (let reads = 0; reads < MAX_READS; reads++) {
    const table = await readTable()
    // A socket that its process has closed belongs to root, whoever sent what is still under way.
    const client =
      remotePort === undefined
        ? undefined
        : findUid(table, `${formatEndpoint(remoteAddress, remotePort)} ${end} ${ESTABLISHED} `)
    server = findListener(table, end)
    if (server !== undefined && client !== undefined) return { server, client }
  }
  return server === undefined ? undefined : { server, client: undefined }
}

/** Finds the user whose process listens at a port of 127.0.0.1, or of all addresses; undefined when there is none. */
export async function findListenerOwner(port: number): Promise<number | undefined> {
  if (platform() !== 'linux') return undefined
  const table = await readTable()
  return findListener(table, formatEndpoint('127.0.0.1', port)) ?? findListener(table, formatEndpoint('0.0.0.0', port))
}

/** Finds the users of connections to a loopback server. */
export interface OwnerLookup {
  readonly findOwners: typeof findOwners
  /** Tells whether users can be found, for a server of this process at a port of 127.0.0.1. */
  reportsOwners(port: number): Promise<boolean>
}

let isReporting: Promise<boolean> | undefined

/** Asks the system. Its first answer holds for the process: the list takes milliseconds to read on a large machine. */
export const systemOwners: OwnerLookup = {
  findOwners,
  reportsOwners: (port) => (isReporting ??= findListenerOwner(port).then((owner) => owner !== undefined)),
}

const findListener = (table: Buffer, end: string): number | undefined =>
  findUid(table, `${end} 00000000:0000 ${LISTEN} `)

const readTable = (): Promise<Buffer> => readFile(SOCKET_TABLE).catch(() => Buffer.alloc(0))

/** Formats an endpoint as the list does: the address is a number in the machine's byte order. */
function formatEndpoint(address: string | undefined, port: number): string {
  const bytes = (address ?? '')
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number)
  if (endianness() === 'LE') bytes.reverse()
  return `${Buffer.from(bytes).toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

/** Reads the user id from the line with both endpoints: its seventh field after the first. */
function findUid(table: Buffer, ends: string): number | undefined {
  const at = table.indexOf(`: ${ends}`)
  if (at === -1) return undefined
  const line = table.toString('latin1', at + 2, at + 200).split('\n', 1)[0] ?? ''
  const [, , , , , , uid = ''] = line.trim().split(/ +/)
  return /^\d+$/.test(uid) ? Number(uid) : undefined
}
