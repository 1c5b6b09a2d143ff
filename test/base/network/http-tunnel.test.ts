import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openHttpTunnel } from '../../../src/base/network/http-tunnel.js'

it('hideCredentials masks the credentials that a proxy repeats in its response', async () => {
  const [username, password] = ['me@site', 'open sesame']
  const token = Buffer.from(`${username}:${password}`).toString('base64')
  const repeated = [token, username, password, encodeURIComponent(username), encodeURIComponent(password)]
  for (const said of repeated) {
    const server = createServer((socket) => void socket.end(`HTTP/1.1 403 not for ${said} here\r\n\r\n`))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const { signal } = new AbortController()
    const fault = await openHttpTunnel(socket, { hostname: 'a.test', port: 443 }, { username, password }, signal)
    expect(fault?.what).toBe('answered 403 not for *** here for `a.test:443`')
    socket.destroy()
    server.close()
  }
})

it.each([
  ['after interim responses', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['with lines that end without a carriage return', 'HTTP/1.0 200 Connection established\n\n'],
  ['after which nothing of the tunnel is consumed', 'HTTP/1.1 200 OK\r\nX: y\r\n\r\n'],
])('a tunnel is open by a response %s', async (_how, head) => {
  expect(await openTunnelTo(`${head}first bytes`)).toEqual([undefined, 'first bytes'])
})

it('a response head without end is a fault of the proxy', async () => {
  const [fault] = await openTunnelTo(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`)
  expect(fault).toEqual({ of: 'proxy', what: 'answers with a head of more than 16384 bytes' })
})

/** Opens a tunnel through a proxy that sends this. Returns the fault, and what is left to read. */
async function openTunnelTo(sent: string) {
  const server = createServer((socket) => void socket.write(sent))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const signal = AbortSignal.timeout(10_000)
  const fault = await openHttpTunnel(socket, { hostname: 'a.test', port: 443 }, { username: '', password: '' }, signal)
  const rest: unknown = socket.read()
  socket.destroy()
  server.close()
  return [fault, String(rest)]
}
