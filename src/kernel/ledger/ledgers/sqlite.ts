import { nonEmptyString, checkArgument, notInMemory } from '../../../base/runtime/check-options.js'
import { TrawlError } from '../../../base/errors.js'
import type { Ledger, LedgerRules } from '../ledger.js'
import { measureLedger } from '../ledger-health.js'
import { numberOf } from '../../../base/sqlite/driver.js'
import { countRows } from '../sqlite/count-rows.js'
import { SqliteFile } from '../sqlite/sqlite-file.js'
import { SqliteJobLedger } from '../sqlite/sqlite-job-ledger.js'
import { SqliteJobStore } from '../sqlite/sqlite-job-store.js'

/**
 * Keeps jobs in an SQLite file, so that `engine.resume()` continues them after a crash or a deployment. Needs Node 22.5
 * or later, or the package `libsql`. The file holds requests with their headers, and documents; it is created readable
 * by its user only. It must be on a local disk; several processes of the machine may share it.
 *
 * @param file path of the file; created when absent, in an existing folder
 * @throws TypeError when `file` is not a path
 * @throws TrawlError `LEDGER_ERROR`, from the first call that needs the file
 * @example
 * const engine = createEngine({ ledger: sqlite('crawl.db') })
 * await engine.resume()
 */
export function sqlite(file: string): Ledger {
  checkArgument('sqlite(file)', file, nonEmptyString("the path of a file, such as 'crawl.db'"))
  checkArgument('sqlite(file)', file, notInMemory('`memoryLedger()` keeps jobs in memory'))
  const opened = new SqliteFile(file)
  const jobs = new SqliteJobStore(opened)
  return {
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const job = opened.statement('SELECT number FROM jobs WHERE id = ?').get(jobId)
      if (!job) throw new TrawlError('LEDGER_ERROR', `the ledger ${file} has no job ${jobId}`)
      const ledger = new SqliteJobLedger<Doc>(opened, jobs.writerOf(jobId), numberOf(job, 'number'), rules)
      await ledger.load()
      return ledger
    },
    jobStore: jobs,
    countRows: (jobId) => countRows(opened, jobId),
    file: opened,
    health: () => measureLedger(opened.readLag(), () => ({ interruptedJobs: jobs.countInterrupted() })),
    // `JobStore.forgetExpired` deletes it from the file, for all processes.
    forget: (jobId) => jobs.forget(jobId),
    async close() {
      jobs.close()
      await opened.close()
    },
  }
}
