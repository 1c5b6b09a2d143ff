import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../site/find-free-port.js'

const PROGRAM = '/usr/sbin/pgbouncer'

/** Tests whether Debian's package is installed. */
export const hasPgBouncer = existsSync(PROGRAM)

/** A pooler in front of a server. */
export interface PgBouncer {
  readonly port: number
  close(): Promise<void>
}

/** Starts a pooler, which listens when this resolves. @param server port of the server */
export async function startPgBouncer(server: number, mode: 'session' | 'transaction'): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-bouncer-'))
  await chmod(folder, 0o755)
  const port = await findFreePort()
  const [ini, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  await writeFile(users, '"trawl" "the password"\n')
  await writeFile(
    ini,
    `[databases]\npostgres = host=127.0.0.1 port=${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `auth_type = scram-sha-256\nauth_file = ${users}\npool_mode = ${mode}\nunix_socket_dir =\n`,
  )
  // It does not run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(PROGRAM, [ini], { stdio: 'ignore', ...nobody })
  const ended = once(child, 'exit')
  for (let tries = 0; ; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isListening) break
    if (tries > 100) throw new Error('PgBouncer does not listen')
    await sleep(50)
  }
  return {
    port,
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
