import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { createEnhancedHttpFetcher } from '../../../src/fetch/fetchers/enhanced-http.js'
import { defaultLimits } from '../open-fetcher.js'

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

it.each([
  ['no HTTP', '220 mail ready\r\n', 'SCRAPE_SITE_ERROR', 'is not valid HTTP'],
  ['nothing', '', 'SCRAPE_SITE_ERROR', 'closed the connection before the page was complete'],
  ['a part of its body', `${ok}Content-Length: 50\r\n\r\n<p>`, 'SCRAPE_SITE_ERROR', 'before the page was complete'],
  ['text that it calls gzip', `${ok}Content-Encoding: gzip\r\n\r\n<p>`, 'SCRAPE_ENCODING_ERROR', 'not in the coding'],
  ['a change of protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n', 'SCRAPE_SITE_ERROR', 'status 101'],
  ['too many headers', `${ok}${'a: b\r\n'.repeat(5000)}\r\n`, 'SCRAPE_HEADERS_TOO_LARGE', 'more response headers'],
])('the error of a server that sends %s names the cause in words', async (_what, sent, code, message) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => void socket.end(sent))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = Object(server.address()) as { port: number }
  const fetcher = createEnhancedHttpFetcher({ allowPrivateNetworks: true, limits: defaultLimits })
  const url = `http://127.0.0.1:${port}/`
  const plan = { headers: {}, skipTlsVerification: true, timeoutMs: 20_000 }
  const page = fetcher.fetch({ url, sourceURL: url }, plan, AbortSignal.timeout(20_000))
  await expect(page).rejects.toMatchObject({ code, message: expect.stringContaining(message), url })
  await expect(page).rejects.not.toThrow(/::|internal/)
  await fetcher.close()
  server.close()
})
