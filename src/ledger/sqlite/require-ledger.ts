import { TrawlError } from '../../errors.js'
import { type Connect, type Database, numberOf } from '../../sqlite/driver.js'
import { hasFile } from '../../sqlite/private-file.js'
import { LEDGER_MIGRATIONS } from './schema.js'

/**
 * Tests that a file is a ledger of the present version, without a change to it: a file that is named by mistake stays as it is.
 *
 * @throws TrawlError `LEDGER_ERROR` for a file that is missing, is no ledger, or is one of another version
 * @throws the error of the SQLite library for a file that it cannot read
 */
export function requireLedger(path: string, connect: Connect, busyTimeoutMs: number): void {
  if (!hasFile(path)) throw new TrawlError('LEDGER_ERROR', `${path} does not exist`)
  const database = connect(path, { isReadOnly: true })
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    checkVersion(path, database)
  } finally {
    database.close()
  }
}

function checkVersion(path: string, database: Database): void {
  const table = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'jobs'").get()
  if (!table) throw new TrawlError('LEDGER_ERROR', `${path} is not a ledger: it has no table of jobs`)
  const version = numberOf(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version')
  const present = LEDGER_MIGRATIONS.length
  if (version === present) return
  const advice = version < present ? ': an engine that opens it brings it up to date' : ''
  const message = `${path} is not a ledger of version ${present}, which this trawl reads, but of version ${version}${advice}`
  throw new TrawlError('LEDGER_ERROR', message)
}
