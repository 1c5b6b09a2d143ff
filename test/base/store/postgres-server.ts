import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { findFreePort } from '../../site/find-free-port.js'

const VERSIONS = '/usr/lib/postgresql'

/** The newest programs of Debian's package; undefined where they are not installed. */
function findPrograms(): string | undefined {
  try {
    const [newest] = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))
    return newest && readdirSync(join(VERSIONS, newest, 'bin')).includes('initdb')
      ? join(VERSIONS, newest, 'bin')
      : undefined
  } catch {
    return undefined
  }
}

function hasPackage(): boolean {
  try {
    createRequire(import.meta.url).resolve('pg')
    return true
  } catch {
    return false
  }
}

const programs = findPrograms()

/** The reason why tests with a server are skipped; undefined where there is one. */
export const missing: string | undefined =
  programs === undefined
    ? `no PostgreSQL in ${VERSIONS}: apt-get install postgresql`
    : hasPackage()
      ? undefined
      : 'the package `pg` is not installed'

/** The server does not run as root: then another user runs it. */
const NOBODY = 65_534
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const PASSWORD = 'the password'
/** Attempts to reach a server that starts, 50 ms apart: the machine may be busy. */
const MAX_TRIES = 1200

/** A server of its own for a test file, on a free port of the loopback interface. */
export interface PostgresServer {
  readonly port: number
  readonly folder: string
  /** The address of a database. @param port of a proxy before the server */
  url(options?: { database?: string; user?: string; password?: string; port?: number }): string
  /** Ends the server at once, as by a crash. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Runs statements, and returns the rows of the last one. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>
  /** Runs statements in a transaction that stays open, with its locks, until it is ended. */
  hold(sql: string): Promise<HeldTransaction>
  close(): Promise<void>
}

/** A transaction that stays open. */
export interface HeldTransaction {
  /** Commits. @param last statements to run before */
  end(last?: string): Promise<void>
}

interface Client {
  connect(): Promise<void>
  query(sql: string): Promise<{ rows: Record<string, unknown>[] } | { rows: Record<string, unknown>[] }[]>
  end(): Promise<void>
}

/** Makes a cluster and starts its server. @param more settings, which replace those of the tests */
export async function startPostgres(more: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const bin = programs ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'trawl-postgres-'))
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid)
  const [data, passwords] = [join(folder, 'data'), join(folder, 'password')]
  await writeFile(passwords, PASSWORD)
  await chmod(passwords, 0o644)
  const run = promisify(execFile)
  const made = ['-D', data, '-U', 'trawl', '-A', 'scram-sha-256', '--pwfile', passwords, '-E', 'UTF8', '--no-sync']
  await run(join(bin, 'initdb'), [...made, '--locale=C'], { ...user, cwd: folder })
  const port = await findFreePort()
  const settings = {
    fsync: 'off',
    max_connections: '60',
    shared_buffers: '16MB',
    listen_addresses: '127.0.0.1',
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined
  const url: PostgresServer['url'] = ({
    database = 'postgres',
    user: name = 'trawl',
    password = PASSWORD,
    port: at = port,
  } = {}) => `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${at}/${database}`
  const connect = async (database = 'postgres'): Promise<Client> => {
    const { Client: PgClient } = createRequire(import.meta.url)('pg') as { Client: new (url: string) => Client }
    const client = new PgClient(url({ database }))
    await client.connect()
    return client
  }
  const query: PostgresServer['query'] = async (sql, database) => {
    const client = await connect(database)
    try {
      const result = await client.query(sql)
      return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? []
    } finally {
      await client.end()
    }
  }
  const hold: PostgresServer['hold'] = async (sql) => {
    const client = await connect()
    await client.query(`BEGIN; ${sql}`)
    return {
      async end(last = '') {
        await client.query(`${last}; COMMIT`)
        await client.end()
      },
    }
  }
  const start = async (): Promise<void> => {
    const args = ['-D', data, '-p', String(port), '-k', folder, ...flags]
    child = spawn(join(bin, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' })
    for (let tries = 0; ; tries += 1) {
      try {
        await query('SELECT 1')
        return
      } catch (error) {
        if (tries > MAX_TRIES || child.exitCode !== null) throw error
        await sleep(50)
      }
    }
  }
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    folder,
    url,
    query,
    hold,
    start,
    // An immediate shutdown: the server recovers at its next start, as after a crash.
    crash: () => stop('SIGQUIT'),
    async close() {
      await stop('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A network between an engine and the server, which can be cut. A call resolves when it is in effect. */
export interface Network {
  readonly port: number
  /** Ends all connections, and refuses new ones. */
  cut(): Promise<void>
  /** Lets nothing through, and tells nobody. */
  freeze(): Promise<void>
  mend(): Promise<void>
  /**
   * Delivers the next statement with this text, and cuts the connection in place of its answer.
   *
   * @param next state of the network after it
   */
  loseAnswer(text: string, next: 'cut' | 'mend'): Promise<void>
  close(): Promise<void>
}

/** Code of the thread of a network: the thread of the test waits for the server now and then. */
const relay = `
  const { connect, createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const sockets = new Set()
  const lost = new WeakSet()
  const doomed = new Map()
  let state = 'mend'
  let loss
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(workerData, '127.0.0.1')
    for (const [from, to] of [[near, far], [far, near]]) {
      sockets.add(from)
      if (state === 'freeze') lost.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        // The other side of a cable that is cut is told nothing.
        if (!lost.has(from)) to.destroy()
      })
      // What is lost is lost: a connection does not go on after the cut.
      from.on('data', (chunk) => {
        if (lost.has(from)) return
        if (from === near && loss && chunk.includes(loss.text)) {
          doomed.set(far, loss.next)
          loss = undefined
        }
        if (!doomed.has(from)) return to.write(chunk)
        state = doomed.get(from)
        if (state === 'cut') for (const socket of sockets) socket.destroy()
        from.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
  parentPort.on('message', (told) => {
    if (told.text) loss = told
    else {
      state = told
      if (state === 'cut') for (const socket of sockets) socket.destroy()
      if (state === 'freeze') for (const socket of sockets) lost.add(socket)
    }
    parentPort.postMessage('done')
  })`

export async function startNetwork(to: number): Promise<Network> {
  const thread = new Worker(relay, { eval: true, workerData: to })
  const [port] = (await once(thread, 'message')) as [number]
  const waiting: (() => void)[] = []
  thread.on('message', () => waiting.shift()?.())
  const tell = (message: unknown): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      thread.postMessage(message, [])
    })
  return {
    port,
    cut: () => tell('cut'),
    freeze: () => tell('freeze'),
    mend: () => tell('mend'),
    loseAnswer: (text, next) => tell({ text, next }),
    close: async () => void (await thread.terminate()),
  }
}
