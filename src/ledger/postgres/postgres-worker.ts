import { parentPort, workerData } from 'node:worker_threads'
import { codeOf, type CreateClient, describePgError, isConnectionError, loadPg, type PgClient } from './pg-driver.js'
import { CLOSE, HURRY, type PgRequest, type PgResponse, type PgThreadData } from './protocol.js'
import { migrate, quoteName } from './schema.js'
import { PgSession } from './session.js'
import { refuseTransactionPooling, takeOwnerLock } from './session-lock.js'

/**
 * Entry point of the thread that talks to the PostgreSQL server. It is a thread, because `engine.job(id)` and the start
 * of a job answer at once: the host's thread waits for the server meanwhile.
 */
const { library, settings, schema, timing, port, signal } = workerData as PgThreadData
const counters = new Int32Array(signal)
let load: CreateClient | undefined
/** Loads the package with the first connection, so that its error is that of a request. */
const create: CreateClient = (given) => (load ??= loadPg(library))(given)

/** Settings of a session. `SET`, because a pooler refuses them as parameters of the connection. */
const SESSION_SETTINGS: readonly string[] = [
  // A server asks early whether this side is there, so that the jobs of a machine whose network is cut are free after ten
  // seconds, in place of two hours.
  'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000',
  // Half of the server's time for a document; servers before version 14 do not have it.
  `SET default_toast_compression = 'lz4'`,
]

async function configure(client: PgClient): Promise<void> {
  for (const text of SESSION_SETTINGS) await client.query({ text }).catch(() => undefined)
}

/** Time for which a lost connection is awaited when the engine is closed. Milliseconds. */
const CLOSING_PATIENCE_MS = 5000

/** The number under which this engine owns jobs, once it has one. */
let owner: number | undefined

const control = new PgSession({
  create,
  settings,
  timing,
  staysConnected: true,
  async prepare(client) {
    if (owner === undefined) {
      await refuseTransactionPooling(client, async () => {
        const other = create({ ...settings, connectionTimeoutMillis: timing.connectMs })
        other.on('error', () => undefined)
        await other.connect()
        return other
      })
    }
    await configure(client)
    await migrate(client, schema)
    owner = await takeOwnerLock(client, owner, timing.connectMs)
  },
})

const openSession = (): PgSession =>
  new PgSession({
    create,
    settings,
    timing,
    staysConnected: false,
    async prepare(client) {
      await configure(client)
      await client.query({ text: `SET search_path TO ${quoteName(schema)}` })
    },
  })

const sessions = { control, writer: openSession(), reader: openSession() }

async function answer(request: PgRequest): Promise<PgResponse> {
  const { id, connection, statements, patienceMs, isBlocking = false } = request
  const isGivenUp = (): boolean => isBlocking && id <= Atomics.load(counters, 1)
  try {
    const results = await sessions[connection].run({ statements, patienceMs, isGivenUp })
    if (results.length === statements.length) return { id, results }
    return { id, error: 'the request was given up', isConnection: true }
  } catch (error) {
    return { id, error: describePgError(error), sqlState: codeOf(error), isConnection: isConnectionError(error) }
  }
}

async function serve(request: PgRequest): Promise<void> {
  const response = await answer(request)
  if (!request.isBlocking) {
    parentPort?.postMessage(response, [])
    return
  }
  port.postMessage(response)
  Atomics.add(counters, 0, 1)
  Atomics.notify(counters, 0)
}

async function close(): Promise<void> {
  await Promise.all([sessions.writer.close(), sessions.reader.close()])
  // Last: with the lock, the jobs of this engine are free.
  await control.close('SELECT pg_advisory_unlock_all()')
  port.close()
  parentPort?.close()
}

parentPort?.on('message', (message: PgRequest | typeof CLOSE | typeof HURRY) => {
  if (message === HURRY) {
    for (const session of Object.values(sessions)) session.hurry(CLOSING_PATIENCE_MS)
    return
  }
  void (message === CLOSE ? close() : serve(message))
})
