import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import type { Dial, DialTarget } from '../../../src/base/network/dial.js'
import { openPageProxy, type PageProxy } from '../../../src/features/browser/proxy/page-proxy.js'
import type { OwnerLookup } from '../../../src/features/browser/proxy/socket-owner.js'
import { readExactly } from '../../../src/base/network/read-exactly.js'
import { openSocksTunnel } from '../../../src/base/network/socks-tunnel.js'

const { signal } = new AbortController()
const plain = { username: '', password: '' }
const closing = new Set<{ close(): unknown }>()
afterEach(() => {
  for (const one of closing) one.close()
  closing.clear()
})

let echo: Server
let asked: DialTarget[]
beforeEach(async () => {
  asked = []
  echo = createServer((socket) => void socket.on('error', () => undefined).pipe(socket))
  closing.add(echo)
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
})

/** Connects every target to an echo server. */
const toEcho: Dial = async (target) => {
  asked.push(target)
  const socket = connect((echo.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

async function open(dial: Dial, wireBytes = 1000): Promise<PageProxy> {
  const proxy = await openPageProxy({ dial, wireBytes })
  closing.add(proxy)
  return proxy
}

async function reach(proxy: PageProxy): Promise<Socket> {
  const socket = connect(Number(new URL(proxy.server).port), '127.0.0.1')
  socket.on('error', () => undefined)
  closing.add({ close: () => socket.destroy() })
  await once(socket, 'connect')
  return socket
}

/** A system on which the proxy belongs to user 1001. */
const ownersAre = (client: number | undefined): OwnerLookup => ({
  findOwners: async () => ({ server: 1001, client }),
  reportsOwners: async () => true,
})

/** Resolves when a connection has ended or failed. */
const untilClosed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.resume().once('close', () => resolve()))

describe("a page's proxy", () => {
  it.each([
    ['Example.TEST', 'example.test'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
  ])('connects to %s', async (hostname, named) => {
    const client = await reach(await open(toEcho))
    expect(await openSocksTunnel(client, { hostname, port: 8080 }, plain, signal)).toBeUndefined()
    expect(asked).toEqual([{ hostname: named, port: 8080 }])
    client.write('ping')
    expect(String(await readExactly(client, 4, signal))).toBe('ping')
  })

  it.each([
    ['2130706433', '127.0.0.1'],
    ['::ffff:127.0.0.1', '::ffff:7f00:1'],
  ])('detects that the name %s is an address', async (name, address) => {
    const client = await reach(await open(toEcho))
    client.write(Buffer.concat([Buffer.from([5, 1, 0]), Buffer.from([5, 1, 0, 3, name.length])]))
    client.write(Buffer.concat([Buffer.from(name), Buffer.from([0, 80])]))
    expect([...(await readExactly(client, 4, signal))]).toEqual([5, 0, 5, 0])
    expect(asked).toEqual([{ hostname: address, port: 80 }])
  })

  it('reports an unreachable host, and records the error', async () => {
    const refusal = new TrawlError('SCRAPE_ADDRESS_REFUSED', 'no')
    const proxy = await open(() => Promise.reject(refusal))
    const client = await reach(proxy)
    const fault = await openSocksTunnel(client, { hostname: 'inner.test', port: 80 }, plain, signal)
    expect(fault?.of).toBe('site')
    expect(proxy.errorFor('http://inner.test/page')).toBe(refusal)
    expect(proxy.errorFor('ws://inner.test/')).toBe(refusal)
    expect(proxy.errorFor('https://inner.test/')).toBeUndefined()
  })

  it.each([
    ['HTTP', 'GET http://a.test/ HTTP/1.1\r\n\r\n'],
    ['another version', '\x04\x01\x00\x50\x7f\x00\x00\x01\x00'],
    ['a way of logging in', '\x05\x01\x02'],
    ['a wish to listen', '\x05\x01\x00\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50'],
    ['no host', '\x05\x01\x00\x05\x01\x00\x03\x00\x00\x50'],
    ['a host that is none', '\x05\x01\x00\x05\x01\x00\x03\x03a b\x00\x50'],
  ])('closes a connection that sends %s', async (_what, bytes) => {
    const client = await reach(await open(toEcho))
    client.write(Buffer.from(bytes, 'latin1'))
    await untilClosed(client)
    expect(asked).toEqual([])
  })

  it('stops at `wireBytes` for all connections of the page', async () => {
    const proxy = await open(toEcho, 10)
    const client = await reach(proxy)
    await openSocksTunnel(client, { hostname: 'a.test', port: 80 }, plain, signal)
    client.write('more than ten bytes')
    await untilClosed(client)
    expect(proxy.isExhausted).toBe(true)
    const next = await reach(proxy)
    expect((await openSocksTunnel(next, { hostname: 'a.test', port: 80 }, plain, signal))?.of).toBe('site')
  })

  it('closes the connection to a server whose client left while it was dialled', async () => {
    // A server that sends nothing, and keeps its side open after the client has left.
    const silent = createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => undefined).resume())
    closing.add(silent)
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const upstreams: Socket[] = []
    let client: Socket | undefined
    const proxy = await open(async () => {
      client?.resume().end()
      await sleep(20)
      const upstream = connect((silent.address() as AddressInfo).port, '127.0.0.1')
      await once(upstream, 'connect')
      upstreams.push(upstream.on('error', () => undefined))
      return upstream
    })
    client = await reach(proxy)
    client.write(Buffer.from([5, 1, 0, 5, 1, 0, 1, 192, 0, 2, 7, 0, 80]))
    await vi.waitFor(() => expect(upstreams[0]?.destroyed).toBe(true), { timeout: 20_000 })
  })

  it.each([
    [1002, 1003],
    [1002, undefined],
    [undefined, 1003],
    [undefined, undefined],
  ])(
    'gives a process of another user (%s, `otherUser` is %s) nothing, and counts none of its bytes',
    async (client, otherUser) => {
      const proxy = await openPageProxy({ dial: toEcho, wireBytes: 10, owners: ownersAre(client), otherUser })
      closing.add(proxy)
      const stranger = await reach(proxy)
      const received: Buffer[] = []
      stranger.on('data', (chunk) => received.push(chunk))
      stranger.write(Buffer.from([5, 1, 0, 5, 1, 0, 1, 192, 0, 2, 7, 0, 80]))
      stranger.write('more than ten bytes')
      await untilClosed(stranger)
      expect(received).toEqual([])
      expect(asked).toEqual([])
      expect(proxy.isExhausted).toBe(false)
    },
  )

  it.each([1001, 1003])('serves its own user and `otherUser` (%s)', async (client) => {
    const proxy = await openPageProxy({ dial: toEcho, wireBytes: 10, owners: ownersAre(client), otherUser: 1003 })
    closing.add(proxy)
    const tunnel = await openSocksTunnel(await reach(proxy), { hostname: 'a.test', port: 80 }, plain, signal)
    expect(tunnel).toBeUndefined()
  })

  it('asks for a password, of a client that can send one', async () => {
    const proxy = await openPageProxy({ dial: toEcho, wireBytes: 100, sendsSocksPassword: true })
    closing.add(proxy)
    const { username = '', password = '' } = proxy.credentials ?? {}
    const knocks = [
      plain,
      { username, password: password.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
      { username, password: '' },
      { username: 'other', password },
    ]
    for (const knock of knocks) {
      const client = await reach(proxy)
      const fault = openSocksTunnel(client, { hostname: 'a.test', port: 80 }, knock, signal)
      await expect(fault.then((said) => (said ? Promise.reject(new Error(said.what)) : said))).rejects.toThrow()
    }
    expect(asked).toEqual([])
    const right = await openSocksTunnel(
      await reach(proxy),
      { hostname: 'a.test', port: 80 },
      { username, password },
      signal,
    )
    expect(right).toBeUndefined()
    expect(asked).toEqual([{ hostname: 'a.test', port: 80 }])
  })

  it('serves nobody when the user of a connection cannot be found any more', async () => {
    const owners = { ...ownersAre(1001), findOwners: async () => undefined }
    const proxy = await openPageProxy({ dial: toEcho, wireBytes: 10, owners })
    closing.add(proxy)
    const client = await reach(proxy)
    client.write(Buffer.from([5, 1, 0, 5, 1, 0, 1, 192, 0, 2, 7, 0, 80]))
    await untilClosed(client)
    expect(asked).toEqual([])
  })

  it('serves a client that sends its request byte by byte', async () => {
    const client = await reach(await open(toEcho))
    client.setNoDelay(true)
    for (const byte of [5, 1, 0, 5, 1, 0, 1, 192, 0, 2, 7, 0, 80]) {
      client.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([...(await readExactly(client, 4, signal))]).toEqual([5, 0, 5, 0])
  })

  it('closes all connections, including half-open requests, when it is closed', async () => {
    const proxy = await open(toEcho)
    const [client, half] = [await reach(proxy), await reach(proxy)]
    await openSocksTunnel(client, { hostname: 'a.test', port: 80 }, plain, signal)
    half.write(Buffer.from([5]))
    const ended = Promise.all([client, half].map(untilClosed))
    proxy.close()
    await ended
  })
})
