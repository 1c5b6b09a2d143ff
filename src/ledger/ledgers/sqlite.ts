import { aText, checkArgument } from '../../runtime/check-options.js'
import { TrawlError } from '../../errors.js'
import type { Ledger, LedgerRules } from '../ledger.js'
import { numberOf } from '../sqlite/sqlite-driver.js'
import { SqliteFile } from '../sqlite/sqlite-file.js'
import { SqliteJobLedger } from '../sqlite/sqlite-job-ledger.js'
import { SqliteJobStore } from '../sqlite/sqlite-job-store.js'

/**
 * Keeps jobs in an SQLite file, so that they outlive the process: after a crash or a deploy `engine.resume()` goes on with
 * them. Needs Node 22.5 or later, or the package `libsql`. The file holds requests with their headers, and documents: it is
 * made so that its user alone may read it. It must be on a disk of this machine; processes of the machine may share it.
 *
 * @param file its path; made when it is not there, in a folder that is
 * @throws TypeError for what is no path
 * @throws TrawlError `LEDGER_ERROR`, from the first call that needs the file
 * @example
 * const engine = createEngine({ ledger: sqlite('crawl.db') })
 * await engine.resume()
 */
export function sqlite(file: string): Ledger {
  checkArgument('sqlite(file)', file, aText("the path of a file, such as 'crawl.db'"))
  const opened = new SqliteFile(file)
  const shelf = new SqliteJobStore(opened)
  return {
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const job = opened.statement('SELECT number FROM jobs WHERE id = ?').get(jobId)
      if (!job) throw new TrawlError('LEDGER_ERROR', `the ledger ${file} knows no job ${jobId}`)
      return new SqliteJobLedger<Doc>(opened, numberOf(job, 'number'), rules)
    },
    shelf,
    // Deleted from the shelf, where all processes see it.
    forget: () => undefined,
    async close() {
      shelf.close()
      opened.close()
    },
  }
}
