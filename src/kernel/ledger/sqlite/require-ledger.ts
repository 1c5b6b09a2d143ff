import { TrawlError } from '../../../base/errors.js'
import type { LedgerVersion } from '../job-store.js'
import { type Connect, type Database, numberOf, textOf } from '../../../base/sqlite/driver.js'
import { hasFile } from '../../../base/sqlite/private-file.js'
import { LEDGER_MIGRATIONS } from './schema.js'

/** Options of {@link requireLedger}. */
export interface RequireOptions {
  /** Accepts a ledger of an earlier version, which is brought up to date when it is opened. @default false */
  readonly acceptsOlder?: boolean
}

/**
 * Tests that a file is a ledger of the present version, without a change to it: a file that is named by mistake stays as it is.
 *
 * @returns its version
 * @throws TrawlError `LEDGER_ERROR` for a file that is missing, is no ledger, or is one of another version
 * @throws the error of the SQLite library for a file that it cannot read
 */
export function requireLedger(
  path: string,
  connect: Connect,
  busyTimeoutMs: number,
  { acceptsOlder = false }: RequireOptions = {},
): LedgerVersion {
  if (!hasFile(path)) throw new TrawlError('LEDGER_ERROR', `${path} does not exist`)
  const database = connect(path, { isReadOnly: true })
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    return checkVersion(path, database, acceptsOlder)
  } finally {
    database.close()
  }
}

function checkVersion(path: string, database: Database, acceptsOlder: boolean): LedgerVersion {
  if (!isLedger(database))
    throw new TrawlError('LEDGER_ERROR', `${path} is not a ledger: it has no table of jobs as trawl makes it`)
  const version = versionOf(database)
  const present = LEDGER_MIGRATIONS.length
  if (version === present || (acceptsOlder && version < present)) return { stored: version, present }
  const advice =
    version < present ? ': an engine that opens it brings it up to date, and an older trawl then refuses it' : ''
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
  if (isEmpty || isLedger(database)) return
  throw new TrawlError('LEDGER_ERROR', `${path} is not a ledger: it has tables of another program`)
}

/** Columns of the table `jobs` in ledgers of every version. Job queues of other programs have a table of that name, too. */
const JOB_COLUMNS = ['number', 'id', 'kind', 'request', 'missing', 'state']

/** Tests for the tables of a ledger of any version. A file of version 0 has not been through a migration. */
function isLedger(database: Database): boolean {
  const columns = database.prepare("SELECT name FROM pragma_table_info('jobs')").all()
  const names = new Set(columns.map((column) => textOf(column, 'name')))
  return JOB_COLUMNS.every((name) => names.has(name)) && versionOf(database) > 0
}

const versionOf = (database: Database): number =>
  numberOf(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version')
