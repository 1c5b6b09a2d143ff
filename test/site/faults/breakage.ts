import { setTimeout as sleep } from 'node:timers/promises'
import { type Exchange, type Handler, htmlPage, readNumber, sendChunks, sendPage } from '../exchange.js'

const html = { 'content-type': 'text/html; charset=utf-8' }

/** The TCP connection of a request. */
const wireOf = ({ response }: Exchange) => {
  if (!response.socket) throw new Error('the client is gone')
  return response.socket
}

function* repeat(text: string, bytes: number): Iterable<Uint8Array> {
  const chunk = Buffer.alloc(65_536, text)
  for (let left = bytes; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk
}

async function* drip(intervalMs: number, bytes: number): AsyncIterable<Uint8Array> {
  for (let sent = 0; sent < bytes; sent++) {
    yield Buffer.from('.')
    await sleep(intervalMs, undefined, { ref: false })
  }
}

/** Servers that are slow, endless, or break the rules of HTTP. */
export const breakage: Readonly<Record<string, Handler>> = {
  hang: () => undefined,
  'slow-headers': async (exchange) => {
    await sleep(readNumber(exchange, 'ms', 1000), undefined, { ref: false })
    sendPage(exchange, htmlPage('Slow headers'))
  },
  'slow-body': (exchange) => {
    exchange.response.writeHead(200, html)
    sendChunks(exchange, drip(readNumber(exchange, 'intervalMs', 100), readNumber(exchange, 'bytes', Infinity)))
  },
  big: (exchange) => {
    const bytes = readNumber(exchange, 'bytes', 1024 * 1024)
    const framing = exchange.url.searchParams.has('chunked') ? {} : { 'content-length': String(bytes) }
    exchange.response.writeHead(200, { ...html, ...framing })
    sendChunks(exchange, repeat('<p>big</p>\n', bytes))
  },
  endless: (exchange) => {
    exchange.response.writeHead(200, html)
    sendChunks(exchange, repeat('<p>more</p>\n', Infinity))
  },

  reset: (exchange) => void wireOf(exchange).resetAndDestroy(),
  /** Closes without an answer. */
  close: (exchange) => void wireOf(exchange).end(),
  /** Answers the first request of a connection, and resets it at the next: what a stale kept connection does. */
  'reset-when-reused': (exchange) => {
    const wire: { hasAnswered?: boolean } & ReturnType<typeof wireOf> = wireOf(exchange)
    if (wire.hasAnswered) wire.resetAndDestroy()
    else sendPage(exchange, htmlPage('Once'))
    wire.hasAnswered = true
  },
  /** Promises more than it sends. */
  truncated: (exchange) => {
    wireOf(exchange).end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5000\r\n\r\n<p>The beginning')
  },
  'truncated-chunked': (exchange) => {
    wireOf(exchange).end(
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n10\r\n<p>The beginning',
    )
  },
  /** No length and no chunks: the page ends where the connection does. */
  'until-close': (exchange) => {
    wireOf(exchange).end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>All of it</p>')
  },
  garbage: (exchange) => void wireOf(exchange).end('SSH-2.0-OpenSSH_9.2\r\n'),
  /** Headers without end. */
  'header-flood': async (exchange) => {
    const wire = wireOf(exchange)
    wire.on('error', () => undefined).write('HTTP/1.1 200 OK\r\n')
    for (let n = 0; !wire.destroyed; n++) {
      wire.write(`x-flood-${n}: ${'y'.repeat(1000)}\r\n`)
      await sleep(1, undefined, { ref: false })
    }
  },
  /** `?bytes=100000`: one large header. */
  'big-header': (exchange) => {
    sendPage(exchange, htmlPage('Big header'), 200, { 'x-big': 'y'.repeat(readNumber(exchange, 'bytes', 100_000)) })
  },
}
