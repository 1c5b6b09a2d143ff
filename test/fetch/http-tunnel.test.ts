import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openHttpTunnel } from '../../src/fetch/proxy/http-tunnel.js'

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
