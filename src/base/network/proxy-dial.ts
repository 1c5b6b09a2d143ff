import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isIP } from 'node:net'
import { messageOf, TrawlError } from '../errors.js'
import { openSocket } from './connect.js'
import { withTimeout } from '../concurrency/deadline.js'
import type { Dial, DialTarget } from './dial.js'
import { createResolver, type EgressOptions } from './egress.js'
import { classifyAddress } from './ip-address.js'
import { openHttpTunnel } from './http-tunnel.js'
import type { Proxy } from './proxy.js'
import { openSocksTunnel } from './socks-tunnel.js'
import { untilAborted } from '../concurrency/until-aborted.js'

/** Timeout for a tunnel, once the proxy is connected. Milliseconds. */
const TUNNEL_TIMEOUT_MS = 20_000

export interface ProxyDialOptions extends EgressOptions {
  /** Accepts any certificate of an https proxy. @default false */
  readonly skipTlsVerification?: boolean
  /** Called when a page's time was up, and the proxy had opened no tunnel for it. */
  readonly onStall?: () => void
}

/** Time after which a proxy that has opened no tunnel counts as stalled, if it took the rest of a page's time. Milliseconds. */
const MIN_STALL_MS = 1_000

/**
 * Connects to sites through a proxy.
 *
 * The egress policy applies: a name is resolved here, and refused if one of its addresses is. A proxy with a public
 * address is then sent the name, and resolves it at its own location. A proxy in a private network is sent a checked
 * address: its resolver may return others, and it could reach private addresses. With `allowPrivateNetworks` nothing is
 * resolved here.
 *
 * @throws TrawlError `SCRAPE_PROXY_ERROR` for a fault of the proxy, `SCRAPE_SITE_ERROR` for one of the site;
 * `SCRAPE_ADDRESS_REFUSED`, `SCRAPE_DNS_RESOLUTION_ERROR`; the signal's reason. No message contains the credentials.
 */
export function createProxyDial(proxy: Proxy, options: ProxyDialOptions): Dial {
  const resolve = createResolver(options)
  // The proxy's own address is configured by the host, and may be private.
  const resolveProxy = createResolver({ ...options, allowPrivateNetworks: true })

  const findAddresses = async (hostname: string): Promise<readonly string[]> => {
    if (options.allowPrivateNetworks) return []
    try {
      return await resolve(hostname)
    } catch (error) {
      if (error instanceof TrawlError) throw error
      throw new TrawlError('SCRAPE_DNS_RESOLUTION_ERROR', `\`${hostname}\` does not resolve (${codeOf(error)})`, {
        cause: error,
      })
    }
  }

  let hasOpened = false
  return async (target, signal) => {
    const addresses = await untilAborted(findAddresses(target.hostname), signal)
    const startedAtMs = performance.now()
    const giveUp = (): void => {
      if (!signal.aborted) return
      const isLate = performance.now() - startedAtMs >= MIN_STALL_MS && isTimeout(signal.reason)
      // If others are open, it is the host that does not answer.
      if (isLate && !hasOpened) options.onStall?.()
      throw signal.reason
    }
    const plain = await openSocket(proxy, resolveProxy, signal).catch((error: unknown) => {
      giveUp()
      throw proxyError(proxy, `cannot be reached (${codeOf(error)})`, error)
    })
    using attempt = withTimeout(signal, TUNNEL_TIMEOUT_MS, () =>
      proxyError(proxy, `opened no tunnel within ${TUNNEL_TIMEOUT_MS} ms`),
    )
    let socket = plain
    try {
      const isPrivate = classifyAddress(plain.remoteAddress ?? '127.0.0.1') !== undefined
      const hostname = isPrivate ? (addresses[0] ?? target.hostname) : target.hostname
      if (proxy.protocol === 'https') socket = await secure(plain, proxy, options.skipTlsVerification, attempt.signal)
      await openTunnel(socket, proxy, { hostname, port: target.port }, attempt.signal)
      hasOpened = true
      return socket
    } catch (error) {
      socket.destroy()
      plain.destroy()
      giveUp()
      if (error instanceof TrawlError) throw error
      throw proxyError(proxy, `closed the connection (${codeOf(error)})`, error)
    }
  }
}

const isTimeout = (reason: unknown): boolean => reason instanceof TrawlError && reason.code === 'SCRAPE_TIMEOUT'

async function openTunnel(socket: Socket, proxy: Proxy, target: DialTarget, signal: AbortSignal): Promise<void> {
  const open = proxy.protocol === 'socks5' ? openSocksTunnel : openHttpTunnel
  const fault = await open(socket, target, proxy, signal)
  if (!fault) return
  if (fault.of === 'site') {
    throw new TrawlError('SCRAPE_SITE_ERROR', `The proxy \`${proxy.name}\` ${fault.what}`)
  }
  throw proxyError(proxy, fault.what)
}

async function secure(plain: Socket, proxy: Proxy, skipTlsVerification = false, signal: AbortSignal): Promise<Socket> {
  const named = isIP(proxy.hostname) === 0 ? { servername: proxy.hostname } : {}
  const socket = connectTls({ socket: plain, rejectUnauthorized: !skipTlsVerification, ...named })
  socket.on('error', () => undefined)
  try {
    await untilAborted(once(socket, 'secureConnect'), signal)
    return socket
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw proxyError(proxy, `failed to negotiate TLS (${codeOf(error)})`, error)
  }
}

const proxyError = (proxy: Proxy, what: string, cause?: unknown): TrawlError =>
  new TrawlError('SCRAPE_PROXY_ERROR', `The proxy \`${proxy.name}\` ${what}`, { cause })

/** The error's code, else its message, which contains no credentials. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return messageOf(error)
}
