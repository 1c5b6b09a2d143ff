import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PgClient, PgConnectionError } from '../../../base/postgres/pg-driver.js'

/** The locks of engines: of a table `locks`, with the number of the owner and the process of the server that holds it. */
export const OWNER_LOCKS = `pg_locks locks WHERE locks.locktype = 'advisory' AND locks.granted AND locks.objsubid = 2
  AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND locks.classid = hashtext('trawl ' || current_schema())::oid`

/** Condition that the owner in a column is alive: the server gives up the lock of a session that has ended. */
export const isAlive = (column: string): string =>
  `EXISTS (SELECT FROM ${OWNER_LOCKS} AND locks.objid = ${column}::oid)`

/** Condition that the owner of a job of the table `jobs` is alive. */
export const OWNER_IS_ALIVE = isAlive('jobs.owner')

/** Condition that no living engine owns a job of the table `jobs`. */
export const IS_FREE = `(jobs.owner IS NULL OR NOT ${OWNER_IS_ALIVE})`

/** Selects the number under which this session owns jobs. */
const SELECT_OWNER = `SELECT locks.objid::bigint AS owner FROM ${OWNER_LOCKS} AND locks.pid = pg_backend_pid()`

/** Names the channel on which the engines of a schema tell each other about jobs. */
export const nameJobChannel = (schema: string): string =>
  `trawl_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}_jobs`

/** Interval of attempts to get the lock back. Milliseconds. */
const LOCK_INTERVAL_MS = 100

type Row = Readonly<Record<string, unknown>>

async function ask(client: PgClient, text: string, values: readonly unknown[] = []): Promise<Row> {
  return (await client.query({ text, values })).rows[0] ?? {}
}

/**
 * Takes the lock of an engine in a session, which shows other engines that this one is alive, and returns its number.
 *
 * @param owner the number that the engine has had in a session before; undefined for a new one
 * @param patienceMs time for which the end of the earlier session is awaited
 */
export async function takeOwnerLock(client: PgClient, owner: number | undefined, patienceMs: number): Promise<number> {
  const until = Date.now() + patienceMs
  for (;;) {
    const number = owner ?? Number((await ask(client, `SELECT nextval('owners') AS number`))['number'])
    const sql = `SELECT pg_try_advisory_lock(hashtext('trawl ' || current_schema()), $1) AS taken`
    if ((await ask(client, sql, [number]))['taken'] === true) {
      if (Number((await ask(client, SELECT_OWNER))['owner']) === number) return number
      throw new Error('the server does not show the lock of this session in `pg_locks`: PostgreSQL itself is needed')
    }
    if (owner === undefined) continue
    if (Date.now() > until) throw new PgConnectionError('the server still has the earlier session of this engine')
    // The earlier session is of the same user. Its network may be cut, and the server waits for it.
    const others = `${OWNER_LOCKS} AND locks.objid = $1::integer::oid AND locks.pid <> pg_backend_pid()`
    await client.query({ text: `SELECT pg_terminate_backend(locks.pid) FROM ${others}`, values: [owner] })
    await sleep(LOCK_INTERVAL_MS, undefined, { ref: false })
  }
}

/**
 * Finds out whether each client has a session of its own. A pooler in transaction mode gives the session of a client that
 * is between two transactions to others, and its locks with it.
 *
 * @param open opens another connection in the same way
 * @throws Error that says what to change
 */
export async function refuseTransactionPooling(client: PgClient, open: () => Promise<PgClient>): Promise<void> {
  const readPid = async (from: PgClient): Promise<unknown> => (await ask(from, 'SELECT pg_backend_pid() AS pid'))['pid']
  const before = await readPid(client)
  const other = await open()
  try {
    await other.query({ text: 'BEGIN' })
    const isShared = (await readPid(other)) === before || (await readPid(client)) !== before
    await other.query({ text: 'COMMIT' })
    if (!isShared) return
  } finally {
    await other.end().catch(() => undefined)
  }
  throw new Error(
    'a pooler between trawl and the server shares sessions (PgBouncer with `pool_mode = transaction`): the ledger needs sessions of its own, by `pool_mode = session` or the address of the server itself',
  )
}
