import { TrawlError } from '../../../base/errors.js'
import { type Database, numberOf, textOf } from '../../../base/sqlite/driver.js'

/** A column of the table `jobs` of an index. Ledgers and job queues of other programs have a table of that name, too. */
const INDEX_COLUMN = 'is_replaced'

/**
 * Refuses a file with the tables of a ledger or of another program, before anything is written to it. An empty file is accepted.
 *
 * @throws TrawlError `SEARCH_ERROR`; the error of the SQLite library for a file that it cannot read
 */
export function refuseForeignIndex(database: Database): void {
  const isEmpty = !database.prepare('SELECT name FROM sqlite_master LIMIT 1').get()
  if (isEmpty || isIndex(database)) return
  throw new TrawlError('SEARCH_ERROR', 'it has tables of a ledger or of another program, and no index of pages')
}

/** Tests for the tables of an index of any version. A file of version 0 has not been through a migration. */
function isIndex(database: Database): boolean {
  const columns = database.prepare("SELECT name FROM pragma_table_info('jobs')").all()
  const version = numberOf(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version')
  return columns.some((column) => textOf(column, 'name') === INDEX_COLUMN) && version > 0
}
