import { parentPort, workerData } from 'node:worker_threads'
import {
  codeOf,
  type CreateClient,
  describePgError,
  isConnectionError,
  loadPg,
  type PgClient,
} from '../../../base/postgres/pg-driver.js'
import { CLOSE, HURRY, type PgNotification, type PgRequest, type PgResponse, type PgThreadData } from './protocol.js'
import { migrate, quoteName } from './schema.js'
import { PgSession } from './session.js'
import { nameJobChannel, refuseTransactionPooling, takeOwnerLock } from './session-lock.js'

/**
 * Entry point of the thread that talks to the PostgreSQL server. It is a thread, because `engine.job(id)` and the start
 * of a job answer at once: the host's thread waits for the server meanwhile.
 */
const { library, settings, schema, timing, port, signal } = workerData as PgThreadData
const counters = new Int32Array(signal)
let load: CreateClient | undefined
/** Loads the package with the first connection, so that its error is that of a request. */
const create: CreateClient = (given) => (load ??= loadPg(library))(given)

/** Part of the host's wait for a statement after which the server ends it, so that it cannot come after its repetition. */
const SERVER_PART = 0.9

/**
 * Settings of a session; those that the server does not have are left out. `set_config`, because a pooler refuses them as
 * parameters of the connection.
 */
const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  // A server asks early whether this side is there, so that the jobs of a machine whose network is cut are free after ten
  // seconds, in place of two hours.
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
  // Roles and servers have limits for other programs: a connection without traffic must keep its lock.
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '0',
  statement_timeout: String(Math.ceil(timing.statementMs * SERVER_PART)),
  // The fence of a group is tested again when its rows have changed meanwhile, at this level alone.
  default_transaction_isolation: 'read committed',
  // Every statement finds its rows by an index. The server would make plans from the size that a table had once, or anew for
  // each execution, which takes longer than most statements.
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
}
const CONFIGURE = `SELECT set_config(given.name, value, false)
  FROM unnest(string_to_array($1, ','), string_to_array($2, ',')) given (name, value) JOIN pg_settings USING (name)`

async function configure(client: PgClient): Promise<void> {
  const values = [Object.keys(SESSION_SETTINGS).join(), Object.values(SESSION_SETTINGS).join()]
  await client.query({ text: CONFIGURE, values })
  // Half of the server's time for a document; some servers are built without it.
  await client.query({ text: `SET default_toast_compression = 'lz4'` }).catch(() => undefined)
}

/** Time for which a lost connection is awaited when the engine is closed. Milliseconds. */
const CLOSING_PATIENCE_MS = 5000

/** The number under which this engine owns jobs, once it has one. */
let owner: number | undefined

/** Tells the host of a notification. */
const tellHost = (channel: string, payload: string): void =>
  parentPort?.postMessage({ channel, payload } satisfies PgNotification, [])

const control = new PgSession({
  onNotified: tellHost,
  create,
  settings,
  timing,
  staysConnected: true,
  async prepare(client, untimed) {
    if (owner === undefined) {
      await refuseTransactionPooling(client, async () => {
        const other = create({ ...settings, connectionTimeoutMillis: timing.connectMs })
        other.on('error', () => undefined)
        await other.connect()
        return other
      })
    }
    await configure(client)
    await migrate(client, schema, untimed)
    owner = await takeOwnerLock(client, owner, timing.connectMs)
    await client.query({ text: `LISTEN ${nameJobChannel(schema)}` })
  },
})

const openSession = (more: { onNotified?(channel: string, payload: string): void } = {}): PgSession =>
  new PgSession({
    ...more,
    create,
    settings,
    timing,
    staysConnected: false,
    wasReached: () => owner !== undefined,
    async prepare(client) {
      await configure(client)
      await client.query({ text: `SET search_path TO ${quoteName(schema)}` })
    },
  })

const tasks = openSession({ onNotified: tellHost })
const sessions = { control, writer: openSession(), reader: openSession(), tasks }

async function answer(request: PgRequest): Promise<PgResponse> {
  const { id, connection, statements, patienceMs, isBlocking = false } = request
  const isGivenUp = (): boolean => isBlocking && id <= Atomics.load(counters, 1)
  try {
    // The first connection makes the schema, and refuses what cannot be used.
    if (owner === undefined) await control.run({ statements: [], patienceMs, isGivenUp })
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
  await Promise.all([sessions.writer.close(), sessions.reader.close(), tasks.close()])
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
