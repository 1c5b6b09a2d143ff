import { createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { RepairedConnection, repairHead } from '../../../src/base/http/repair-head.js'
import { openFetcher, textOf } from '../../kernel/fetch/open-fetcher.js'

const TEXT = '<p>A page</p>'
const type = 'Content-Type: text/html\r\n'
const length = `Content-Length: ${TEXT.length}\r\n`
const ok = (lines: string): string => `HTTP/1.1 200 OK\r\n${type}${lines}\r\n${TEXT}`

/** A server that answers each request with the same bytes, in pieces. @param how.ends true to close the connection after them. @default false */
async function serve(answer: string, { ends = false } = {}) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket
      .on('error', () => undefined)
      .on('data', () => {
        const finish = ends ? () => socket.end() : undefined
        socket.write(answer.slice(0, 20), 'latin1', () => socket.write(answer.slice(20), 'latin1', finish))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    accepted: () => connections,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

describe('a head that a strict parser refuses', () => {
  it.each([
    ['an interim response that nobody asked for', `HTTP/1.1 100 Continue\r\n\r\n${ok(length)}`],
    ['line ends without a carriage return', ok(length).replaceAll('\r\n', '\n')],
    ['a length that is repeated', ok(`${length}${length}`)],
    ['a line that is no header', ok(`<b>Warning</b>\r\n${length}`)],
    ['a name with spaces', ok(`X A: 1\r\nX-B : 2\r\n${length}`)],
    ['a name beyond ASCII', ok(`Z\u00fcrich: 1\r\n${length}`)],
    [
      'a coding after chunked',
      `HTTP/1.1 200 OK\n${type}Transfer-Encoding: chunked, identity\r\n\r\nd\r\n${TEXT}\r\n0\r\n\r\n`,
    ],
    ['a folded line', ok(`X-A: a\r\n  b\r\n${length}`)],
    ['a control character', ok(`X-A: a\0b\r\n${length}`)],
    [
      'a length beside chunks',
      ok(`Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`).replace(TEXT, `d\r\n${TEXT}\r\n0\r\n\r\n`),
    ],
  ])('is read as in browsers: %s', async (_what, answer) => {
    await using server = await serve(answer)
    await using http = openFetcher()
    for (let pages = 0; pages < 2; pages++) {
      const page = await http.get(server.url)
      expect([page.statusCode, page.contentType, textOf(page)]).toEqual([200, 'text/html', TEXT])
    }
    // The second page is requested once.
    expect(server.accepted()).toBe(3)
  })

  it.each(['13, 13', '13 ,13,', '', ' , ', 'abc', '-1', '1e3', '0x0d', '+13', '99999999999999999999999'])(
    'has the length that browsers read, or none: `%s`',
    async (value) => {
      await using server = await serve(ok(`Content-Length: ${value}\r\n`), { ends: true })
      await using http = openFetcher()
      expect(textOf(await http.get(server.url))).toBe(TEXT)
    },
  )

  it('loses nothing of a body that ends with its connection', async () => {
    const text = TEXT.repeat(100_000)
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.end(`HTTP/1.0 200 OK\n${type}\n${text}`))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await using http = openFetcher()
    const page = await http.get(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
    expect(page.body.length).toBe(text.length)
    server.close()
  })

  it.each([
    ['two lengths', ok(`Content-Length: 5\r\n${length}`), 'SCRAPE_SITE_ERROR'],
    ['two lengths in a list', ok(`Content-Length: 5, 13\r\n`), 'SCRAPE_SITE_ERROR'],
    ['a length beside a word', ok(`Content-Length: 13, abc\r\n`), 'SCRAPE_SITE_ERROR'],
    ['another protocol', '220 mail ready\r\n', 'SCRAPE_SITE_ERROR'],
    ['a head without end', `HTTP/1.1 200 OK\nX: ${'x'.repeat(70_000)}`, 'SCRAPE_HEADERS_TOO_LARGE'],
  ])('is an error: %s', async (_what, answer, code) => {
    await using server = await serve(answer)
    await using http = openFetcher()
    await expect(http.get(server.url)).rejects.toMatchObject({ code })
  })

  it('is repaired line by line', () => {
    expect(repairHead('http/1.1  200\nA : b\n c\n?: x\n  y\n<>: z\nContent-Length: 3')).toBe(
      'HTTP/1.1 200 \r\na: b c\r\ncontent-length: 3',
    )
    expect(repairHead('220 mail ready')).toBeUndefined()
  })

  // With a look at the whole head for each of them, this would take minutes.
  it('is read from a million pieces', () => {
    const socket = new PassThrough()
    const connection = new RepairedConnection(socket as unknown as Socket, 2_000_000)
    const head = `HTTP/1.1 200 OK\nX: ${'x'.repeat(1_000_000)}\n\n`
    for (const byte of Buffer.from(`${head}body`)) socket.emit('data', Buffer.from([byte]))
    expect(String(connection.read())).toBe(`${head.replaceAll('\n', '\r\n').replace('X', 'x')}body`)
  })
})
