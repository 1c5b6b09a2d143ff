import { once } from 'node:events'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createEnhancedHttpFetcher } from '../../../../src/features/browser/enhanced/enhanced-http.js'
import { defaultLimits } from '../../../kernel/fetch/open-fetcher.js'

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const cutGzip = Buffer.concat([
  Buffer.from(`${ok}Content-Encoding: gzip\r\n\r\n`),
  gzipSync(`<p>${'A sentence of the page. '.repeat(9)}`).subarray(0, 20),
])

it.each([
  ['no HTTP', '220 mail ready\r\n', 'SCRAPE_SITE_ERROR', 'is not valid HTTP'],
  ['nothing', '', 'SCRAPE_SITE_ERROR', 'closed the connection before the page was complete'],
  ['a part of its body', `${ok}Content-Length: 50\r\n\r\n<p>`, 'SCRAPE_SITE_ERROR', 'before the page was complete'],
  [
    'text that it calls gzip',
    `${ok}Content-Encoding: gzip\r\n\r\n<p>A sentence.`,
    'SCRAPE_ENCODING_ERROR',
    'not in the coding',
  ],
  ['a part of its gzip', cutGzip, 'SCRAPE_SITE_ERROR', 'before the page was complete'],
  ['a change of protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n', 'SCRAPE_SITE_ERROR', 'status 101'],
  ['too many headers', `${ok}${'a: b\r\n'.repeat(5000)}\r\n`, 'SCRAPE_HEADERS_TOO_LARGE', 'more response headers'],
])('the error of a server that sends %s names the cause in words', async (_what, sent, code, message) => {
  await expectFailure('http', sent, code, message)
})

it.each([
  ['plain HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', '(InvalidContentType)'],
  ['that it has no common version', Buffer.from([21, 3, 3, 0, 2, 2, 70]), '(ProtocolVersion)'],
  ['that it has no common cipher', Buffer.from([21, 3, 3, 0, 2, 2, 40]), '(HandshakeFailure)'],
])('a server that answers to TLS with %s is a TLS error, and not worth a retry', async (_what, sent, message) => {
  await expectFailure('https', sent, 'SCRAPE_SSL_ERROR', message)
})

async function expectFailure(scheme: string, sent: string | Uint8Array, code: string, message: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => void socket.end(sent))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = Object(server.address()) as { port: number }
  const fetcher = createEnhancedHttpFetcher({ allowPrivateNetworks: true, limits: defaultLimits })
  const url = `${scheme}://127.0.0.1:${port}/`
  const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 20_000 }
  const page = fetcher.fetch({ url, sourceURL: url }, plan, AbortSignal.timeout(20_000))
  await expect(page).rejects.toMatchObject({ code, message: expect.stringContaining(message), url })
  await expect(page).rejects.not.toThrow(/::|internal/)
  await fetcher.close()
  server.close()
}
