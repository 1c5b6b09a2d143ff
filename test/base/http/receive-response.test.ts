import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Agent } from '../../../src/base/http/http-client.js'
import { receiveResponse, type ResponseBody } from '../../../src/base/http/receive-response.js'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Opens a server that answers each connection by a function, and an agent to ask it with. */
async function open(answer: (socket: Socket) => void) {
  let connections = 0
  let opened = 0
  const server = createServer((socket) => {
    connections += 1
    opened += 1
    socket.on('error', () => undefined)
    socket.on('close', () => (opened -= 1))
    socket.on('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const agent = new Agent({ connections: 1, pipelining: 1 })
  closers.push(
    () => agent.destroy(),
    () => new Promise((resolve) => server.close(resolve)),
  )
  return {
    ask: (signal = new AbortController().signal) =>
      receiveResponse(agent, { origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' }, signal),
    connections: () => connections,
    opened: () => opened,
  }
}

async function read(body: ResponseBody): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const page = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`

describe('receiveResponse', () => {
  it('gives the head, with repeated headers as lists, and the body', async () => {
    const { ask } = await open((socket) =>
      socket.write(
        'HTTP/1.1 201 Made\r\nSet-Cookie: a=1\r\nSET-COOKIE: b=2\r\nX-One: 1\r\nContent-Length: 2\r\n\r\nhi',
      ),
    )
    const { statusCode, statusText, headers, body } = await ask()
    expect({ statusCode, statusText }).toEqual({ statusCode: 201, statusText: 'Made' })
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-one': '1' })
    expect(await read(body)).toBe('hi')
  })

  it('leaves out answers that come before the response', async () => {
    const { ask } = await open((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${page('late')}`),
    )
    const { statusCode, headers, body } = await ask()
    expect([statusCode, headers['link'], await read(body)]).toEqual([200, undefined, 'late'])
  })

  it('gives chunks to a reader that waits for them, and keeps those that nobody waits for', async () => {
    let sendMore = (_text: string): unknown => undefined
    const { ask } = await open((socket) => {
      sendMore = (text) => socket.write(text)
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')
    })
    const { body } = await ask()
    const iterator = body[Symbol.asyncIterator]()
    const first = await iterator.next()
    const waiting = iterator.next()
    sendMore('def')
    const second = await waiting
    sendMore('ghi')
    await setTimeout(60)
    const third = await iterator.next()
    const texts = [first, second, third].map(({ value }) => Buffer.from(value as Uint8Array).toString())
    expect(texts.join('')).toBe('abcdefghi')
    expect((await iterator.next()).done).toBe(true)
  })

  it('fails for a body that ends too soon, whether or not its reader waits', async () => {
    const { ask } = await open((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'))
    const waiting = await ask()
    await expect(read(waiting.body)).rejects.toThrow()
    const late = await ask()
    await setTimeout(50)
    await expect(read(late.body)).rejects.toThrow()
  })

  it('fails where the server closes the connection before its head', async () => {
    const { ask } = await open((socket) => socket.destroy())
    await expect(ask()).rejects.toThrow()
  })

  it.each(['before the head', 'in the body', 'before the request'])('fails at once if aborted %s', async (when) => {
    const { ask } = await open((socket) => {
      if (when === 'in the body') socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc')
    })
    const controller = new AbortController()
    const reason = new Error('enough')
    if (when === 'before the request') controller.abort(reason)
    else void setTimeout(50).then(() => controller.abort(reason))
    const reading = async (): Promise<string> => read((await ask(controller.signal)).body)
    await expect(reading()).rejects.toBe(reason)
  })

  it('uses the connection again after a body that was read or dropped, and not after others', async () => {
    const { ask, connections } = await open((socket) => socket.write(page('x'.repeat(1000))))
    expect(await read((await ask()).body)).toHaveLength(1000)
    await (await ask()).body.dump({ limit: 1000 })
    const { body } = await ask()
    expect(connections()).toBe(1)
    await body.dump({ limit: 999 })
    expect(await read((await ask()).body)).toHaveLength(1000)
    expect(connections()).toBeLessThanOrEqual(2)
  })

  it('ends the connection of a body that goes on after its limit, or that its reader leaves', async () => {
    const { ask, opened } = await open((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n')
      const timer = setInterval(() => socket.write('3\r\nabc\r\n'), 5)
      socket.on('close', () => clearInterval(timer))
    })
    await (await ask()).body.dump({ limit: 20 })
    for await (const chunk of (await ask()).body) if (chunk.length > 0) break
    const { body } = await ask()
    body.destroy()
    await expect(read(body)).rejects.toThrow('not read to its end')
    await expect.poll(opened).toBe(0)
  })
})
