import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { findListenerOwner, findOwners } from '../../../src/features/browser/proxy/socket-owner.js'

const isLinux = process.platform === 'linux'
const own = process.geteuid?.()

/** A loopback server, with the result of its next connection. */
async function listen() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const accepted = once(server, 'connection').then(([socket]) => socket as Socket)
  return { server, port, accepted }
}

describe.runIf(isLinux)('the owners of a connection', () => {
  it('are the users of the processes at its ends', async () => {
    const { server, port, accepted } = await listen()
    const client = connect(port, '127.0.0.1')
    expect(await findOwners(await accepted)).toEqual({ server: own, client: own })
    expect(await findListenerOwner(port)).toBe(own)
    client.destroy()
    server.close()
  })

  // Only root may become another user. The process does so itself: that user may not be allowed to start Node.
  it.runIf(own === 0)('differ when one process belongs to another user', async () => {
    const { server, port, accepted } = await listen()
    const script = `process.setuid(65534); require('node:net').connect(${port}, '127.0.0.1').resume()`
    const other = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
    try {
      const socket = await accepted
      expect(await findOwners(socket)).toEqual({ server: 0, client: 65_534 })
      socket.destroy()
    } finally {
      other.kill('SIGKILL')
      server.close()
    }
  })

  // Linux lists such a socket as one of root.
  it('are unknown for a client that has left', async () => {
    const { server, port, accepted } = await listen()
    const client = connect(port, '127.0.0.1')
    const socket = await accepted
    client.end('a request that nobody waits for')
    await once(client, 'finish')
    expect(await findOwners(socket)).toEqual({ server: own, client: undefined })
    socket.destroy()
    server.close()
  })

  it('are unknown for a connection that does not exist', async () => {
    const { server, port } = await listen()
    const end = { localAddress: '127.0.0.1', localPort: port, remoteAddress: '127.0.0.1', remotePort: 1 }
    expect(await findOwners(end as Socket)).toEqual({ server: own, client: undefined })
    server.close()
  })
})
