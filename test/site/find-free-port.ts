import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Finds a free port. The system chooses it, because fetch refuses some of the low ones. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
