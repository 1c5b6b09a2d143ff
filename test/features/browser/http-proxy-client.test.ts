import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Dial, DialTarget } from '../../../src/base/network/dial.js'
import { openPageProxy, type PageProxy } from '../../../src/features/browser/proxy/page-proxy.js'
import { openHttpTunnel } from '../../../src/base/network/http-tunnel.js'
import { readExactly } from '../../../src/base/network/read-exactly.js'
import type { OwnerLookup } from '../../../src/features/browser/proxy/socket-owner.js'
import { startSite } from '../../site/site.js'

const { signal } = new AbortController()
const closing = new Set<{ close(): unknown }>()
afterEach(() => {
  for (const one of closing) one.close()
  closing.clear()
})

/** A system that does not report the users of connections. */
const unknownOwners: OwnerLookup = { findOwners: async () => undefined, reportsOwners: async () => false }

let dialled: DialTarget[]
let heads: string[]
let answers: string[]
let sitePort: number
beforeEach(async () => {
  dialled = []
  heads = []
  answers = []
  // A site that answers each piece of data with the next answer.
  const site = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      heads.push(data.toString('latin1'))
      socket.write(answers.shift() ?? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  })
  closing.add(site)
  await once(site.listen(0, '127.0.0.1'), 'listening')
  sitePort = (site.address() as AddressInfo).port
})

const toSite: Dial = async (target) => {
  dialled.push(target)
  const socket = connect(sitePort, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

interface Opened extends PageProxy {
  readonly port: number
  /** The header with the secret. */
  readonly header: string
  readonly username: string
  readonly password: string
  readonly loginUrl: string
}

async function open(dial: Dial = toSite, wireBytes = 100_000): Promise<Opened> {
  const proxy = await openPageProxy({ dial, wireBytes, owners: unknownOwners })
  closing.add(proxy)
  const { username = '', password = '', loginUrl = '' } = proxy.credentials ?? {}
  const header = `Proxy-Authorization: Basic ${btoa(`${username}:${password}`)}\r\n`
  return Object.assign(proxy, { port: Number(new URL(proxy.server).port), header, username, password, loginUrl })
}

async function reach({ port }: Opened): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  closing.add({ close: () => socket.destroy() })
  await once(socket, 'connect')
  return socket
}

/** Sends bytes, and reads until the proxy closes the connection. */
async function ask(proxy: Opened, bytes: string): Promise<string> {
  const client = await reach(proxy)
  client.write(Buffer.from(bytes, 'latin1'))
  return await text(client).catch(() => '')
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

describe("a page's proxy with a secret", () => {
  it('has another secret of 128 bits for each page', async () => {
    const [a, b] = [await open(), await open()]
    expect(a.server).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(a.password).toMatch(/^[0-9a-f]{32}$/)
    expect(b.password).not.toBe(a.password)
    expect(new URL(a.loginUrl).hostname).toMatch(/^[0-9a-f]{32}\.invalid$/)
  })

  it('opens tunnels for a client with the secret', async () => {
    const proxy = await open()
    const client = await reach(proxy)
    expect(await openHttpTunnel(client, { hostname: '2001:DB8::7', port: 8443 }, proxy, signal)).toBeUndefined()
    expect(dialled).toEqual([{ hostname: '2001:db8::7', port: 8443 }])
    client.write('ping')
    expect(String(await readExactly(client, OK.length, signal))).toBe(OK)
    expect(heads).toEqual(['ping'])
  })

  it('passes requests on as they would come without a proxy, without the secret', async () => {
    const proxy = await open()
    const client = await reach(proxy)
    for (const path of ['/a?b=%20', '/c']) {
      client.write(
        `GET http://Site.test:8080${path} HTTP/1.1\r\nHost: site.test:8080\r\nProxy-Connection: keep-alive\r\n` +
          `${proxy.header}X: \xE9\r\n\r\n`,
        'latin1',
      )
      expect(String(await readExactly(client, OK.length, signal))).toBe(OK)
      const received = `GET ${path} HTTP/1.1\r\nHost: site.test:8080\r\nConnection: keep-alive\r\nX: \xE9\r\n\r\n`
      expect(heads.splice(0)).toEqual([received])
    }
    expect(dialled).toEqual([{ hostname: 'site.test', port: 8080 }])
  })

  it('answers the URL for the login itself', async () => {
    const proxy = await open()
    const request = `GET ${proxy.loginUrl} HTTP/1.1\r\nHost: x\r\n`
    expect(await ask(proxy, `${request}\r\n`)).toMatch(/^HTTP\/1\.1 407 .*Proxy-Authenticate: Basic /s)
    expect(await ask(proxy, `${request}${proxy.header}\r\n`)).toMatch(/^HTTP\/1\.1 204 /)
    expect(dialled).toEqual([])
  })

  it.each([
    ['no secret', () => ''],
    ['an empty one', () => 'Proxy-Authorization: Basic \r\n'],
    [
      'a wrong one',
      ({ username }: Opened) => `Proxy-Authorization: Basic ${btoa(`${username}:${'0'.repeat(32)}`)}\r\n`,
    ],
    ['a part of it', ({ header }: Opened) => header.slice(0, -6) + '\r\n'],
    ['another scheme', ({ header }: Opened) => header.replace('Basic', 'Bearer')],
    ['it in the header for the site', ({ header }: Opened) => header.replace('Proxy-', '')],
    ['it in a line that is not a header', ({ header }: Opened) => ` ${header}`],
  ])('answers a stranger who sends %s with 407, and connects to nothing', async (_what, headerOf) => {
    const proxy = await open()
    for (const line of ['CONNECT site.test:443', 'GET http://site.test/', 'GET /', 'nonsense']) {
      const answered = await ask(proxy, `${line} HTTP/1.1\r\nHost: site.test\r\n${headerOf(proxy)}\r\n`)
      expect(answered).toMatch(/^HTTP\/1\.1 407 /)
      expect(answered).not.toContain(proxy.password)
    }
    expect(dialled).toEqual([])
  })

  it('asks for the secret with each request of a connection', async () => {
    const proxy = await open()
    const client = await reach(proxy)
    client.write(`GET http://site.test/ HTTP/1.1\r\n${proxy.header}\r\n`)
    await readExactly(client, OK.length, signal)
    client.write('GET http://site.test/ HTTP/1.1\r\n\r\n')
    expect(await text(client).catch(() => '')).toBe('')
    expect(heads).toHaveLength(1)
  })

  it('does not let a connection change its host', async () => {
    const proxy = await open()
    const client = await reach(proxy)
    client.write(`GET http://site.test/ HTTP/1.1\r\n${proxy.header}\r\n`)
    await readExactly(client, OK.length, signal)
    client.write(`GET http://other.test/ HTTP/1.1\r\n${proxy.header}\r\n`)
    expect(await text(client).catch(() => '')).toBe('')
    expect([heads.length, dialled.length]).toEqual([1, 1])
  })

  it.each([
    ['SOCKS 5', () => '\x05\x01\x00\x05\x01\x00\x01\x7F\x00\x00\x01\x00\x50'],
    ['TLS', () => '\x16\x03\x01\x00\x05hello'],
    ['a path', ({ header }: Opened) => `GET / HTTP/1.1\r\n${header}\r\n`],
    ['https without a tunnel', ({ header }: Opened) => `GET https://a.test/ HTTP/1.1\r\n${header}\r\n`],
    ['no host', ({ header }: Opened) => `CONNECT :80 HTTP/1.1\r\n${header}\r\n`],
    ['a host that is none', ({ header }: Opened) => `CONNECT a|b:80 HTTP/1.1\r\n${header}\r\n`],
    ['a user name', ({ header }: Opened) => `GET http://u@a.test/ HTTP/1.1\r\n${header}\r\n`],
    [
      'a line that ends too early',
      ({ header }: Opened) => `GET http://a.test/ HTTP/1.1\r\nA: b\nC: d\r\n${header}\r\n`,
    ],
    [
      'a body without a length',
      ({ header }: Opened) => `POST http://a.test/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${header}\r\n`,
    ],
    [
      'two lengths',
      ({ header }: Opened) => `POST http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${header}\r\n`,
    ],
  ])('closes a connection that sends %s', async (_what, bytesOf) => {
    const proxy = await open()
    expect(await ask(proxy, bytesOf(proxy))).toBe('')
    expect(dialled).toEqual([])
  })

  it('detects that a name is an address', async () => {
    const proxy = await open()
    const client = await reach(proxy)
    expect(await openHttpTunnel(client, { hostname: '2130706433', port: 80 }, proxy, signal)).toBeUndefined()
    expect(dialled).toEqual([{ hostname: '127.0.0.1', port: 80 }])
  })

  it('reads heads up to 16 KiB, whatever white space is in them', async () => {
    const proxy = await open()
    const line = `GET http://site.test/ HTTP/1.1\r\n`
    expect(await ask(proxy, `${line}A: ${'b'.repeat(16_384)}`)).toMatch(/^HTTP\/1\.1 431 /)
    expect(await ask(proxy, `${line}Proxy-Authorization:${' '.repeat(16_000)}\xFF\r\n\r\n`)).toMatch(/^HTTP\/1\.1 407 /)
    expect(dialled).toEqual([])
  })

  it('disconnects a client that sends no request within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const client = await reach(await open())
      client.write('GET http://site.test/ HT')
      const closed = new Promise((resolve) => void client.resume().once('close', resolve))
      // The proxy has to accept the connection before its time begins.
      await vi.waitFor(() => vi.getTimerCount() > 0 || Promise.reject(new Error('not yet')))
      vi.advanceTimersByTime(10_000)
      await closed
    } finally {
      vi.useRealTimers()
    }
  })

  it('reports an unreachable host, and records the error', async () => {
    const refusal = new Error('no')
    const proxy = await open(() => Promise.reject(refusal))
    const tunnel = await openHttpTunnel(await reach(proxy), { hostname: 'inner.test', port: 443 }, proxy, signal)
    expect(tunnel?.what).toContain('502')
    expect(proxy.errorFor('https://inner.test/page')).toBe(refusal)
    // No response: it would be shown as the page.
    expect(await ask(proxy, `GET http://inner.test/ HTTP/1.1\r\n${proxy.header}\r\n`)).toBe('')
    expect(proxy.errorFor('http://inner.test/page')).toBe(refusal)
  })

  it.each([
    ['HTTP/1.1 407 Please\r\n\r\n'],
    ['\r\nHTTP/1.0 407\r\n\r\n'],
    ['HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="page"\r\n\r\n'],
  ])('does not pass on a 407 of a site, which the browser would take for its own', async (refusal) => {
    const proxy = await open()
    answers = [OK, refusal]
    const client = await reach(proxy)
    const request = `GET http://site.test/ HTTP/1.1\r\n${proxy.header}\r\n`
    client.write(request)
    await readExactly(client, OK.length, signal)
    client.write(request)
    expect(await text(client).catch(() => '')).toBe('')
    expect(heads).toHaveLength(2)
  })

  it('counts what a client without the secret sends as nothing of the page', async () => {
    const proxy = await open(toSite, 10)
    await ask(proxy, `GET http://site.test/ HTTP/1.1\r\nA: ${'more than ten bytes'.repeat(10)}\r\n\r\n`)
    expect(proxy.isExhausted).toBe(false)
    const client = await reach(proxy)
    client.write(`GET http://site.test/ HTTP/1.1\r\n${proxy.header}\r\n`)
    await text(client).catch(() => '')
    expect(proxy.isExhausted).toBe(true)
  })

  it('passes long bodies on in both directions, one after the other', async () => {
    await using site = await startSite({
      pages: { '/echo': async ({ request, response }) => void response.end(await text(request)) },
    })
    const proxy = await open(async () => {
      const socket = connect(site.port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }, 10_000_000)
    const client = await reach(proxy)
    const body = 'x'.repeat(3_000_000)
    const post = (more: string): string =>
      `POST http://site.test/echo HTTP/1.1\r\nHost: site.test\r\nContent-Length: ${body.length}\r\n${more}${proxy.header}\r\n${body}`
    client.write(post(''))
    client.write(post('Connection: close\r\n'))
    const received = await text(client)
    expect(received.split('x'.repeat(body.length))).toHaveLength(3)
    expect(site.requests.map(({ path, headers }) => [path, headers['proxy-authorization']])).toEqual([
      ['/echo', undefined],
      ['/echo', undefined],
    ])
    expect(site.connections.accepted).toBe(1)
  })
})
