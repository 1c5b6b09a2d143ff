import { PgConnectionError, type PgClient } from '../../../base/postgres/pg-driver.js'
import type { RunUntimed } from './session.js'

/** Oldest supported version of the server, as `server_version_num`. */
const MIN_SERVER_VERSION = 130_000
/** Time for which a migration waits for a lock of a table. Milliseconds. */
const LOCK_MS = 5000

/**
 * The migrations of a schema. Its version is the number of migrations that it has.
 *
 * Rows of `pages` and `jobs` change often: a page has free room for the new versions of its rows (`fillfactor`), so that no
 * index changes, and vacuum comes after 2 % of dead rows in place of 20 %. Bodies of documents above 2 KB are kept outside
 * of the row, compressed, by the server itself (TOAST).
 */
const MIGRATIONS: readonly string[] = [
  `CREATE SEQUENCE owners AS integer CYCLE;
   CREATE TABLE jobs (
     number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text NOT NULL UNIQUE,
     idempotency_key text UNIQUE,
     kind text NOT NULL,
     request text NOT NULL,
     missing text NOT NULL,
     acknowledges boolean NOT NULL,
     reports boolean NOT NULL,
     state text NOT NULL,
     created_at bigint NOT NULL,
     completed_at bigint,
     expires_at bigint,
     error text,
     warnings text NOT NULL,
     generated text,
     budget text,
     stopped_by text,
     used text,
     owner integer
   ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
   CREATE INDEX jobs_running ON jobs (number) WHERE state = 'scraping';
   CREATE INDEX jobs_reporting ON jobs (number) WHERE reports;
   CREATE INDEX jobs_by_expiry ON jobs (expires_at) WHERE expires_at IS NOT NULL;
   CREATE TABLE forgotten (job bigint PRIMARY KEY);
   CREATE TABLE pages (
     job bigint NOT NULL, number integer NOT NULL, entry text NOT NULL, PRIMARY KEY (job, number)
   ) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02);
   CREATE TABLE abridged (
     job bigint NOT NULL, hash bigint NOT NULL, facts bigint NOT NULL, PRIMARY KEY (job, hash)
   ) WITH (autovacuum_vacuum_scale_factor = 0.02);
   CREATE TABLE notes (
     job bigint NOT NULL, number integer NOT NULL, page integer NOT NULL, note text NOT NULL, PRIMARY KEY (job, number)
   );
   CREATE TABLE documents (
     job bigint NOT NULL, sequence integer NOT NULL, place integer, bytes bigint NOT NULL,
     acknowledged boolean NOT NULL DEFAULT false, body text, PRIMARY KEY (job, sequence)
   ) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
   CREATE INDEX documents_by_place ON documents (job, place, sequence) INCLUDE (bytes) WHERE place IS NOT NULL;
   CREATE TABLE reports (
     job bigint NOT NULL, number integer NOT NULL, event text NOT NULL, delivered boolean NOT NULL, report text NOT NULL,
     PRIMARY KEY (job, number)
   ) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02);
   CREATE INDEX reports_left ON reports (job, number) WHERE NOT delivered OR event <> 'page';`,
  // See `JobFence`.
  `ALTER TABLE jobs ADD COLUMN generation bigint NOT NULL DEFAULT 1, ADD COLUMN writes bigint NOT NULL DEFAULT 0`,
  // Pages that engines scrape for each other. They may vanish with a crash of the server, because the rows of their jobs are
  // in `pages`: so they are not logged. They live for seconds, so that vacuum comes after a number of dead rows.
  `CREATE UNLOGGED TABLE workers (
     owner integer PRIMARY KEY, version text NOT NULL, places integer NOT NULL,
     seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
   ) WITH (fillfactor = 50);
   CREATE UNLOGGED TABLE tasks (
     owner integer NOT NULL,
     number bigint NOT NULL,
     version text NOT NULL,
     job text NOT NULL,
     near integer,
     lease_ms integer NOT NULL,
     queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     worker integer,
     until timestamptz,
     losses smallint NOT NULL DEFAULT 0,
     payload text NOT NULL,
     answer text,
     PRIMARY KEY (owner, number)
   ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
     toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000);
   CREATE INDEX tasks_waiting ON tasks (queued_at) WHERE worker IS NULL`,
  // See `PostgresSharedJobs`. What is `UNLOGGED` is written again every few seconds.
  `ALTER TABLE jobs ADD COLUMN counts text;
   ALTER TABLE pages ADD COLUMN hash bigint;
   CREATE INDEX pages_by_hash ON pages (job, hash);
   CREATE TABLE commands (
     id text PRIMARY KEY, job bigint NOT NULL, command text NOT NULL, generation bigint, outcome text
   );
   CREATE INDEX commands_by_job ON commands (job);
   CREATE UNLOGGED TABLE readers (
     job bigint NOT NULL, owner integer NOT NULL, next integer NOT NULL, PRIMARY KEY (job, owner)
   ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);`,
]

/** Quotes the name of a schema. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Makes the schema, and migrates it to the present version. Several engines may do so at once.
 *
 * @param untimed runs the migration: an index of a table with millions of rows takes minutes
 * @throws Error for a schema that a later version of trawl has written, for a server that is too old, and for a read-only replica
 */
export async function migrate(client: PgClient, schema: string, untimed: RunUntimed): Promise<void> {
  const ask = async (text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>> =>
    (await client.query({ text, values })).rows[0] ?? {}
  const server = await ask(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       pg_is_in_recovery() AS replica, current_setting('transaction_read_only') = 'on' AS readonly`,
  )
  if (Number(server['version']) < MIN_SERVER_VERSION)
    throw new Error(`the server has version ${String(server['name'])}: PostgreSQL 13 or later is needed`)
  if (server['replica'] === true)
    throw new PgConnectionError('the server is a read-only replica: the address of the primary server is needed')
  if (server['readonly'] === true) throw new Error('the connection is read-only (`default_transaction_read_only`)')
  await client.query({ text: `SET search_path TO ${quoteName(schema)}` })
  // Asked of the catalog itself: `to_regclass` may remember that there was no schema before this session got the lock.
  const find = async (relation: string): Promise<boolean> => {
    const sql = `SELECT count(*)::int AS found FROM pg_namespace JOIN pg_class ON relnamespace = pg_namespace.oid
      WHERE nspname = $1 AND relname = $2`
    return (await ask(sql, [schema, relation]))['found'] === 1
  }
  const readVersion = async (): Promise<number> =>
    (await find('schema_version'))
      ? Number((await ask(`SELECT version FROM ${quoteName(schema)}.schema_version`))['version'] ?? 0)
      : 0
  const upgrade = async (): Promise<void> => {
    await client.query({ text: 'SET LOCAL statement_timeout = 0' })
    await client.query({ text: `SELECT pg_advisory_xact_lock(hashtext($1))`, values: [`trawl ${schema}`] })
    // A migration that waits for a lock of a table makes all others wait behind it.
    await client.query({ text: `SET LOCAL lock_timeout = ${LOCK_MS}` })
    // Read again under the lock: another engine may have migrated the schema.
    const version = await readVersion()
    if (version > MIGRATIONS.length) {
      throw new Error(
        `its schema ${schema} was written by a later version of trawl: it has version ${version}, this one supports ${MIGRATIONS.length}`,
      )
    }
    if (version === 0) {
      // Asked first, because it takes a privilege on the database even if the schema exists.
      const { found } = await ask('SELECT count(*)::int AS found FROM pg_namespace WHERE nspname = $1', [schema])
      if (found === 0) await client.query({ text: `CREATE SCHEMA ${quoteName(schema)}` })
      await client.query({ text: 'CREATE TABLE schema_version (version integer NOT NULL)' })
      await client.query({ text: 'INSERT INTO schema_version VALUES (0)' })
    }
    for (const step of MIGRATIONS.slice(version)) await client.query({ text: step })
    await client.query({ text: `UPDATE schema_version SET version = ${MIGRATIONS.length}` })
    await client.query({ text: 'COMMIT' })
  }
  if ((await readVersion()) === MIGRATIONS.length) return
  await client.query({ text: 'BEGIN' })
  try {
    await untimed(upgrade)
  } catch (error) {
    await client.query({ text: 'ROLLBACK' }).catch(() => undefined)
    throw error
  }
}
