import type { CreateClient, PgClient } from '../../../base/postgres/pg-driver.js'
import { migrate, quoteName } from './schema.js'
import { PgSession } from './session.js'
import { nameJobChannel, refuseTransactionPooling, takeOwnerLock } from './session-lock.js'
import type { PgConnection, PgTiming } from './statement.js'

/** Part of the wait for a statement after which the server ends it, so that it cannot come after its repetition. */
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

async function configure(client: PgClient, { statementMs }: PgTiming): Promise<void> {
  const settings = { ...SESSION_SETTINGS, statement_timeout: String(Math.ceil(statementMs * SERVER_PART)) }
  const values = [Object.keys(settings).join(), Object.values(settings).join()]
  await client.query({ text: CONFIGURE, values })
  // Half of the server's time for a document; some servers are built without it.
  await client.query({ text: `SET default_toast_compression = 'lz4'` }).catch(() => undefined)
}

/** Settings of the connections of an engine. */
interface ConnectionOptions {
  readonly create: CreateClient
  readonly settings: Readonly<Record<string, unknown>>
  readonly schema: string
  readonly timing: PgTiming
  /** Called with the channel and the text of each notification. */
  onNotified(channel: string, payload: string): void
}

/** The connections of an engine. */
export interface PgConnections {
  readonly sessions: Readonly<Record<PgConnection, PgSession>>
  /** The number under which this engine owns jobs; undefined before its first connection. */
  readonly owner: number | undefined
}

/**
 * Opens the connections of an engine, each on its first use. That of `control` must be the first one: it makes the schema, refuses
 * what cannot be used, and takes the lock of the engine.
 */
export function openConnections({ create, settings, schema, timing, onNotified }: ConnectionOptions): PgConnections {
  let owner: number | undefined
  const control = new PgSession({
    onNotified,
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
      await configure(client, timing)
      await migrate(client, schema, untimed)
      owner = await takeOwnerLock(client, owner, timing.connectMs)
      await client.query({ text: `LISTEN ${nameJobChannel(schema)}` })
    },
  })
  const open = (more: { readonly onNotified?: ConnectionOptions['onNotified'] } | undefined): PgSession =>
    new PgSession({
      ...more,
      create,
      settings,
      timing,
      staysConnected: false,
      wasReached: () => owner !== undefined,
      async prepare(client) {
        await configure(client, timing)
        await client.query({ text: `SET search_path TO ${quoteName(schema)}` })
      },
    })
  return {
    sessions: { control, writer: open(undefined), reader: open(undefined), tasks: open({ onNotified }) },
    get owner() {
      return owner
    },
  }
}
