import { existsSync, statSync } from 'node:fs'
import { type Ledger, sqlite } from '../../index.js'
import { isLedgerFile } from '../output/waiting-files.js'
import { UsageError } from '../usage-error.js'
import type { Flag } from './flag.js'

/** Options of the database; each is absent without its flag. */
export interface DatabaseOptions {
  database?: string
  schema?: string
}

const databaseFlag = (name: keyof DatabaseOptions, description: string): Flag => ({
  name,
  target: 'command',
  path: [name],
  valueType: { kinds: ['string'], choices: [] },
  description,
  section: 'The command',
})

const schemaFlag = databaseFlag('schema', 'Schema of the tables in a PostgreSQL --database. Default: trawl')

/** Flags of the database that engines on several machines share. */
export const sharedDatabaseFlags: readonly Flag[] = [
  databaseFlag(
    'database',
    'Address of the PostgreSQL database that engines share, with their jobs: postgres://user@host:5432/database. A ' +
      'password that is not in it is read from PGPASSWORD, which the process list does not show',
  ),
  schemaFlag,
]

/** Flags of the database with the jobs of engines. */
export const databaseFlags: readonly Flag[] = [
  databaseFlag(
    'database',
    'Path of an SQLite ledger, or address of the PostgreSQL database that engines share: postgres://user@host:5432/database. A ' +
      'password that is not in it is read from PGPASSWORD, which the process list does not show. Default of crawl and ' +
      'batch: none, their job ends with the command',
  ),
  schemaFlag,
]

/** Requires the database of a command that has no use without one. @throws UsageError */
export function requireDatabase({ database }: DatabaseOptions): void {
  if (database === undefined) throw new UsageError(['--database is missing'])
}

/** Requires a database that engines share. @throws UsageError */
export function requireSharedDatabase(options: DatabaseOptions, what = '--database'): void {
  const { database } = options
  if (database !== undefined && isLedgerFile(database))
    throw new UsageError([`${what} needs the address of a PostgreSQL database, and ${database} is the path of a file`])
}

/** The stored jobs of a ledger. */
export type StoredJobs = NonNullable<Ledger['jobStore']>

/** Options of {@link requireStoredJobs}. */
interface RequireOptions {
  /** Accepts the file of an older version, which its first use brings up to date. @default false */
  readonly acceptsOlder?: boolean
  /** Called before a file of an older version is used. */
  readonly onOlder?: (file: string, versions: { readonly stored: number; readonly present: number }) => void
}

/**
 * Requires that the path of an SQLite ledger names one, so that another file stays as it is, and none is created. The address of a
 * server is accepted.
 *
 * @throws UsageError; TrawlError `LEDGER_ERROR`
 */
export function requireStoredJobs(
  { database }: DatabaseOptions,
  ledger: Ledger | undefined,
  { acceptsOlder = false, onOlder }: RequireOptions = {},
): StoredJobs {
  if (database === undefined || !ledger?.jobStore) throw new UsageError(['--database is missing'])
  if (!isLedgerFile(database)) return ledger.jobStore
  requireFile(database)
  const versions = ledger.jobStore.requireLedger?.({ acceptsOlder })
  if (versions && versions.stored < versions.present) onOlder?.(database, versions)
  return ledger.jobStore
}

/** Requires that a path names a file. @throws UsageError */
export function requireFile(path: string, what = '--database'): void {
  if (!existsSync(path)) throw new UsageError([`${what}: ${path} does not exist`])
  if (statSync(path).isDirectory()) throw new UsageError([`${what}: ${path} is a folder, and has no ledger`])
}

/** Opens the ledger at the address of a server. @throws TypeError for a wrong address */
export type OpenLedger = (address: string, schema: string | undefined) => Ledger

/**
 * Creates the ledger that the flags name; undefined without them.
 *
 * @param openLedger opens that at the address of a server
 * @throws UsageError
 */
export function createLedger(
  { database, schema }: DatabaseOptions,
  openLedger: OpenLedger | undefined,
): Ledger | undefined {
  if (database === undefined && schema !== undefined) throw new UsageError(['--schema needs --database'])
  if (database === undefined) return undefined
  if (database === '') throw new UsageError(['--database: "" is neither a path nor an address'])
  if (isLedgerFile(database)) {
    if (schema !== undefined) throw new UsageError(['--schema needs the address of a PostgreSQL database'])
    return sqlite(database)
  }
  // The address may have a password.
  if (!openLedger)
    throw new UsageError(['--database: this program has no database servers, only paths of SQLite ledgers'])
  try {
    return openLedger(database, schema)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError([error.message.replace('connectionString', '--database').replace('schema', '--schema')])
  }
}
