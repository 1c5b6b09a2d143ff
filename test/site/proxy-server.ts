import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, isIPv4, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export interface ProxyOptions {
  /** `https` has a certificate of its own making. @default http */
  readonly protocol?: 'http' | 'https' | 'socks5'
  /** Refuses everybody else. @default asks for none */
  readonly credentials?: { readonly username: string; readonly password: string }
  /** Where each tunnel ends, whatever name it was asked for. @default where it says */
  readonly to?: { readonly hostname: string; readonly port: number }
  /** Address from which it connects, such as `127.0.0.2`. @default that of the system */
  readonly from?: string
  /**
   * Answers tunnels with this status of HTTP, or this reply of SOCKS; `hang` never answers, `close` ends the connection,
   * `garbage` speaks no known protocol. @default lets them through
   */
  readonly fault?: number | 'hang' | 'close' | 'garbage'
}

/** What a proxy was asked for. */
export interface TunnelRequest {
  /** As it was named: `site.test:80`, `[::1]:443`. */
  readonly target: string
  readonly username: string
}

/**
 * A proxy on loopback: a real server that speaks HTTP CONNECT or SOCKS 5.
 *
 * @example
 * await using proxy = await startProxy({ protocol: 'socks5' })
 * createEngine({ proxies: { basic: [proxy.url] } })
 */
export interface ProxyServer extends AsyncDisposable {
  /** With its credentials, if it has any. */
  readonly url: string
  readonly port: number
  /** Every tunnel that was asked for by somebody with the right credentials. */
  readonly tunnels: readonly TunnelRequest[]
  /** Connections accepted so far. */
  readonly accepted: number
  close(): Promise<void>
}

/** Starts a {@link ProxyServer} on a free port. */
export async function startProxy(options: ProxyOptions = {}): Promise<ProxyServer> {
  const { protocol = 'http', credentials } = options
  const tunnels: TunnelRequest[] = []
  const sockets = new Set<Socket>()
  let accepted = 0
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }

  const serve = async (client: Socket): Promise<void> => {
    accepted += 1
    keep(client)
    const ask = protocol === 'socks5' ? askSocks : askHttp
    if (options.fault === 'garbage') return void client.end('220 mail.example ready\r\n')
    const asked = await ask(client, options)
    if (!asked) return
    tunnels.push({ target: `${asked.hostname}:${asked.port}`, username: asked.username })
    if (options.fault === 'hang') return
    if (options.fault === 'close') return void client.destroy()
    if (options.fault !== undefined) return void client.end(asked.refuse(options.fault))
    const { hostname, port } = options.to ?? asked
    const upstream = keep(connect({ host: hostname.replace(/^\[|\]$/g, ''), port, localAddress: options.from }))
    upstream.once('error', () => client.end(asked.refuse(protocol === 'socks5' ? 5 : 502)))
    await once(upstream, 'connect')
    client.write(asked.accept)
    upstream.pipe(client).pipe(upstream)
  }
  const accept = (client: Socket): void => void serve(client).catch(() => client.destroy())
  const server: Server = protocol === 'https' ? createTlsServer(readCertificate(), accept) : createServer(accept)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { username, password } = credentials ?? {}
  const user = username === undefined ? '' : `${encodeURIComponent(username)}:${encodeURIComponent(password ?? '')}@`

  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: `${protocol}://${user}127.0.0.1:${port}`,
    port,
    tunnels,
    get accepted() {
      return accepted
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Asked {
  readonly hostname: string
  readonly port: number
  readonly username: string
  readonly accept: string | Buffer
  refuse(fault: number): string | Buffer
}

async function askHttp(client: Socket, { credentials }: ProxyOptions): Promise<Asked | undefined> {
  let head = ''
  while (!head.endsWith('\r\n\r\n')) head += (await read(client, 1)).toString('latin1')
  const [, hostname = '', port = ''] = /^CONNECT (\S+):(\d+) HTTP\/1\.1\r\n/.exec(head) ?? []
  const [, encoded = ''] = /^proxy-authorization: Basic (\S+)\r$/im.exec(head) ?? []
  const given = Buffer.from(encoded, 'base64').toString()
  const wanted = credentials ? `${credentials.username}:${credentials.password}` : undefined
  if (wanted !== undefined && !matches(given, wanted)) {
    client.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n')
    return undefined
  }
  return {
    hostname,
    port: Number(port),
    username: given.split(':')[0] ?? '',
    accept: 'HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n',
    refuse: (status) => `HTTP/1.1 ${status} No\r\ncontent-length: 3\r\n\r\nno\n`,
  }
}

async function askSocks(client: Socket, { credentials }: ProxyOptions): Promise<Asked | undefined> {
  const [, count = 0] = await read(client, 2)
  const methods = [...(await read(client, count))]
  const method = credentials ? 2 : 0
  if (!methods.includes(method)) return void client.end(Buffer.from([5, 255]))
  client.write(Buffer.from([5, method]))
  let username = ''
  if (credentials) {
    const readPart = async (): Promise<string> => (await read(client, (await read(client, 1))[0] ?? 0)).toString()
    await read(client, 1)
    username = await readPart()
    const password = await readPart()
    const isRight = matches(`${username}:${password}`, `${credentials.username}:${credentials.password}`)
    client.write(Buffer.from([1, isRight ? 0 : 1]))
    if (!isRight) return void client.end()
  }
  const [, , , kind] = await read(client, 4)
  const hostname = await readHost(client, kind ?? 0)
  const port = (await read(client, 2)).readUInt16BE()
  const reply = (code: number): Buffer => Buffer.from([5, code, 0, 1, 127, 0, 0, 1, 0, 0])
  return { hostname, port, username, accept: reply(0), refuse: reply }
}

async function readHost(client: Socket, kind: number): Promise<string> {
  if (kind === 1) return [...(await read(client, 4))].join('.')
  if (kind === 3) return (await read(client, (await read(client, 1))[0] ?? 0)).toString()
  const groups = [...(await read(client, 16)).toString('hex').matchAll(/.{4}/g)].map(([group]) => group)
  return `[${new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)}]`
}

/** A `*` at the end of what is wanted stands for anything. */
const matches = (given: string, wanted: string): boolean => {
  const [start = '', end] = wanted.split('*')
  return end === undefined ? given === wanted : given.startsWith(start) && given.endsWith(end)
}

async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null
    if (chunk?.length === bytes) return chunk
    if (chunk !== null || socket.readableEnded || socket.destroyed) throw new Error('the client has gone')
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
}

function readCertificate(): { key: Buffer; cert: Buffer } {
  const [key, cert] = ['key.pem', 'certificate.pem'].map((name) =>
    readFileSync(new URL(`tls/${name}`, import.meta.url)),
  )
  if (!key || !cert) throw new Error('no certificate')
  return { key, cert }
}

/** Whether an address can be told from a name. */
export const isAddress = (target: string): boolean => isIPv4(target.replace(/:\d+$/, ''))
