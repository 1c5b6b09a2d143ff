import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { type Exchange, type Handler, htmlPage, sendPage } from './exchange.js'
import { answers } from './faults/answers.js'
import { breakage } from './faults/breakage.js'
import { encodings } from './faults/encodings.js'
import { serveFolder } from './serve-folder.js'

export interface SiteOptions {
  /** Pages by path, or by path and query: HTML, or a function that answers. They come before everything else. */
  readonly pages?: Readonly<Record<string, string | Handler>>
  /** `https` and `h2` have a certificate of their own making; `h2` speaks HTTP/1.1 too. @default http */
  readonly protocol?: 'http' | 'https' | 'h2'
  /** @default 127.0.0.1 */
  readonly address?: string
}

/** A request that the site got, as it came. */
export interface SiteRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly httpVersion: string
}

/**
 * A web site on loopback, a real server with named faults.
 *
 * Every path below is a route of every site; what is in `options.pages` or mounted comes first, and all else is 404.
 *
 * | Answers | |
 * |---|---|
 * | `/status/:code` | a page with this status |
 * | `/page/:name`, `/links?n=10` | a small page; a page with links to `/page/0` … |
 * | `/deep?n=100000` | elements in elements |
 * | `/empty`, `/no-content`, `/json`, `/text`, `/xml`, `/binary` | 200 without a byte, 204, other types |
 * | `/charset/:label?in=header\|meta\|bom\|none&text=` | a page in a charset, declared where |
 * | `/redirect/:n`, `/redirect-to?url=&status=302`, `/redirect-without-location` | redirects |
 * | `/redirect-loop`, `/redirect-endless` | redirects in a circle, and to ever new URLs |
 * | `/cookie-gate`, `/set-cookie?set=a%3D1&to=` | redirects that need their cookie, that set some |
 * | `/echo-headers`, `/repeated-headers`, `/auth/:user/:password` | the request's headers as JSON, … |
 * | `/retry-after?times=1&seconds=1&status=429`, `/flaky?times=1&status=503` | fails so often, then is a page |
 *
 * | Codings | |
 * |---|---|
 * | `/gzip`, `/x-gzip`, `/br`, `/deflate`, `/deflate-raw`, `/zstd`, `/stacked?codings=gzip,br` | `writeEncodedPage()`, encoded |
 * | `/bomb?coding=gzip&bytes=1073741824` | small on the wire, huge after; also br, deflate, zstd |
 * | `/truncated-coding?coding=gzip&drop=8`, `/false-coding?coding=gzip` | cut short, not what it says |
 *
 * | Breakage | |
 * |---|---|
 * | `/hang`, `/slow-headers?ms=1000`, `/slow-body?intervalMs=100&bytes=` | never answers, late, a byte at a time |
 * | `/big?bytes=1048576&chunked`, `/endless` | large, without end |
 * | `/reset`, `/close`, `/reset-when-reused` | resets, closes without an answer, at the second request |
 * | `/truncated`, `/truncated-chunked`, `/until-close` | ends before its length, before its last chunk, by closing |
 * | `/garbage`, `/header-flood`, `/big-header?bytes=100000` | no HTTP, headers without end, one large header |
 *
 * @example
 * await using site = await startSite({ pages: { '/a': '<h1>A</h1>' } })
 * await fetch(site.url('/a'))
 */
export interface Site extends AsyncDisposable {
  /** E.g. `http://127.0.0.1:40123`. */
  readonly origin: string
  readonly port: number
  /** Every request so far, in order of arrival. */
  readonly requests: readonly SiteRequest[]
  /** Connections accepted so far, and those still open. */
  readonly connections: { readonly accepted: number; readonly open: number }
  /** The URL of a path, under another name when one is given. */
  url(path: string, hostname?: string): string
  /** Serves a folder below a path that begins and ends with `/`. */
  mount(prefix: string, folder: string): void
  /** Ends every connection and stops listening. */
  close(): Promise<void>
}

const faults: Readonly<Record<string, Handler>> = { ...answers, ...encodings, ...breakage }

/** Starts a {@link Site} on a free port. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { pages = {}, protocol = 'http', address = '127.0.0.1' } = options
  const requests: SiteRequest[] = []
  const visits = new Map<string, number>()
  const mounts: { prefix: string; folder: string }[] = []
  const sockets = new Set<Socket>()
  let accepted = 0

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method = 'GET', url: path = '/', headers, httpVersion } = request
    requests.push({ method, path, headers, httpVersion })
    visits.set(path, (visits.get(path) ?? 0) + 1)
    const url = new URL(path, 'http://site')
    const [name = '', ...rest] = url.pathname.slice(1).split('/')
    const exchange: Exchange = { request, response, url, rest, visits: visits.get(path) ?? 1 }
    const page = pages[path] ?? pages[url.pathname]
    if (typeof page === 'string') return sendPage(exchange, page)
    if (page) return page(exchange)
    const mount = mounts.find(({ prefix }) => `${url.pathname}/`.startsWith(prefix))
    if (mount) return serveFolder(exchange, mount.folder, url.pathname.slice(mount.prefix.length))
    const fault = faults[name]
    return fault ? fault(exchange) : sendPage(exchange, htmlPage('404 Not Found'), 404)
  }
  const server = createServer(protocol, (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  const scheme = protocol === 'http' ? 'http' : 'https'

  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const ended = [...sockets].map((socket) => once(socket.destroy(), 'close'))
    await Promise.all([closed, ...ended])
  }
  return {
    origin: `${scheme}://${address}:${port}`,
    port,
    requests,
    connections: {
      get accepted() {
        return accepted
      },
      get open() {
        return sockets.size
      },
    },
    url: (path, hostname = address) => `${scheme}://${hostname}:${port}${path}`,
    mount: (prefix, folder) => void mounts.push({ prefix, folder }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

function createServer(protocol: 'http' | 'https' | 'h2', listener: Listener): Server {
  if (protocol === 'http') return createHttpServer(listener)
  const [key, cert] = ['key.pem', 'certificate.pem'].map((name) =>
    readFileSync(new URL(`tls/${name}`, import.meta.url)),
  )
  if (!key || !cert) throw new Error('no certificate')
  if (protocol === 'https') return createHttpsServer({ key, cert }, listener)
  // The objects of the compatibility API have all that the routes use of those of HTTP/1.1.
  return createSecureServer({ key, cert, allowHTTP1: true }, listener as never)
}
