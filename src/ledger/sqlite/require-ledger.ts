import { TrawlError } from '../../errors.js'
import { type Connect, type Database, numberOf } from '../../sqlite/driver.js'
import { hasFile } from '../../sqlite/private-file.js'
import { LEDGER_MIGRATIONS } from './schema.js'

/** Options of {@link requireLedger}. */
export interface RequireOptions {
  /** Accepts a ledger of an earlier version, which is brought up to date when it is opened. @default false */
  readonly acceptsOlder?: boolean
}

/**
 * Tests that a file is a ledger of the present version, without a change to it: a file that is named by mistake stays as it is.
 *
 * @throws TrawlError `LEDGER_ERROR` for a file that is missing, is no ledger, or is one of another version
 * @throws the error of the SQLite library for a file that it cannot read
 */
export function requireLedger(
  path: string,
  connect: Connect,
  busyTimeoutMs: number,
  { acceptsOlder = false }: RequireOptions = {},
): void {
  if (!hasFile(path)) throw new TrawlError('LEDGER_ERROR', `${path} does not exist`)
  const database = connect(path, { isReadOnly: true })
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    checkVersion(path, database, acceptsOlder)
  } finally {
    database.close()
  }
}

function checkVersion(path: string, database: Database, acceptsOlder: boolean): void {
  if (!hasTable(database, 'jobs'))
    throw new TrawlError('LEDGER_ERROR', `${path} is not a ledger: it has no table of jobs`)
  const version = numberOf(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version')
  const present = LEDGER_MIGRATIONS.length
  if (version === present || (acceptsOlder && version < present)) return
  const advice = version < present ? ': an engine that opens it brings it up to date' : ''
  const message = `${path} is not a ledger of version ${present}, which this trawl reads, but of version ${version}${advice}`
  throw new TrawlError('LEDGER_ERROR', message)
}

/**
 * Refuses a file with the tables of another program, before anything is written to it. An empty file is accepted.
 *
 * @throws TrawlError `LEDGER_ERROR`; the error of the SQLite library for a file that it cannot read
 */
export function refuseForeignFile(path: string, database: Database): void {
  const isEmpty = !database.prepare('SELECT name FROM sqlite_master LIMIT 1').get()
  if (isEmpty || hasTable(database, 'jobs')) return
  throw new TrawlError('LEDGER_ERROR', `${path} is not a ledger: it has tables of another program`)
}

const hasTable = (database: Database, name: string): boolean =>
  database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined
