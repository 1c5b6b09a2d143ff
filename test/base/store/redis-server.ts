import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../site/find-free-port.js'

/** The reason why tests with a Redis server are skipped; undefined when there is one. */
export const missing: string | undefined = await promisify(execFile)('redis-server', ['--version']).then(
  () => undefined,
  () => 'no `redis-server` on the path: `apt-get install redis-server` brings one',
)

/** A server of its own, on a free port of the loopback interface. */
export interface RedisServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server. @param flags further flags of the program */
export async function startRedis(...flags: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  const port = await findFreePort()
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...flags]
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && resolve())
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      server.kill()
      await once(server, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}
