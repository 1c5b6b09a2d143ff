import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createReportPoster } from '../../../src/base/http/post-report.js'
import { createDirectDial } from '../../../src/base/network/connect.js'
import { createResolver } from '../../../src/base/network/egress.js'
import { createTransport } from '../../../src/base/http/transport.js'
import { createPoster } from '../../../src/base/llm/post-json.js'
import { defaultLimits, openFetcher } from './open-fetcher.js'

const alive = new AbortController().signal

/** A server that sends the same bytes to everybody, and closes the connection at once. */
async function serveAndClose(head: string, body: Uint8Array) {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`)
      socket.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

function frame(framing: string, body: Uint8Array): [head: string, bytes: Uint8Array] {
  if (framing === 'length') return [`Content-Length: ${body.length}`, body]
  if (framing === 'close') return ['Connection: close', body]
  const bytes = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
  return [`Connection: close\r\nTransfer-Encoding: chunked`, bytes]
}

// undici pauses at 64 KiB. At which sizes it then fails depends on how the kernel divides the bytes.
const SIZES = [65_536, 65_537, 100_000, 131_072, 190_000, 500_000]
const CASES = ['length', 'close', 'chunked'].flatMap((framing) => SIZES.map((size) => [framing, size] as const))

describe('a server that closes the connection after its response', () => {
  it.each(CASES)('loses nothing of a body that is read late: framed by %s, %i bytes', async (framing, size) => {
    await using server = await serveAndClose(...frame(framing, Buffer.alloc(size, 'a')))
    const dial = createDirectDial(createResolver({ allowPrivateNetworks: true }))
    const { headerBytes, wireBytes } = defaultLimits
    const transport = createTransport({ dial, verifyCertificates: true, headerBytes, wireBytes })
    const { body } = await transport.get(new URL(server.url), {}, alive)
    await setTimeout(30)
    let received = 0
    for await (const chunk of body) received += chunk.length
    expect(received).toBe(size)
    await transport.close()
  })

  it.each(['length', 'close', 'chunked'])('loses nothing of a body that takes long to decode: %s', async (framing) => {
    await using http = openFetcher()
    const text = Array.from({ length: 12_000 }, (_, i) => `<p>${i} ${Math.sin(i)}</p>`).join('')
    const [head, bytes] = frame(framing, gzipSync(text))
    await using server = await serveAndClose(`Content-Encoding: gzip\r\n${head}`, bytes)
    for (let i = 0; i < 5; i++) expect((await http.get(server.url)).body).toHaveLength(text.length)
  })

  it('fails a page as a lost connection if the server speaks before it is asked', async () => {
    const server = createServer((socket) => void socket.on('error', () => undefined).write('220 mail ready\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = Object(server.address()) as { port: number }
    const { headerBytes, wireBytes } = defaultLimits
    const dial = async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      // As a proxy that takes some time to answer.
      await setTimeout(10)
      return socket
    }
    const transport = createTransport({ dial, verifyCertificates: true, headerBytes, wireBytes })
    const visits = Array.from({ length: 5 }, () => transport.get(new URL(`http://127.0.0.1:${port}/`), {}, alive))
    for (const visit of await Promise.allSettled(visits))
      expect(visit).toMatchObject({ reason: { code: 'SCRAPE_SITE_ERROR' } })
    await transport.close()
    server.close()
  })

  it('ends a body above `limits.wireBytes` although nobody reads it', async () => {
    await using http = openFetcher({ limits: { wireBytes: 100_000 } })
    await using server = await serveAndClose('Connection: close', Buffer.alloc(5_000_000))
    await expect(http.get(server.url)).rejects.toMatchObject({ code: 'SCRAPE_BODY_TOO_LARGE' })
  })

  it('does not disturb a report, or a request to a model', async () => {
    const report = createReportPoster({ allowPrivateNetworks: true })
    const model = createPoster()
    for (const size of SIZES) {
      await using server = await serveAndClose('Connection: close', Buffer.alloc(size, 'a'))
      const sent = { url: server.url, headers: {}, body: '{}' }
      expect(await report.post(sent, alive)).toBeUndefined()
      expect((await model.post(new URL(server.url), {}, '{}', alive)).text).toHaveLength(size)
    }
    await Promise.all([report.close(), model.close()])
  })
})
