import { checkOptions, nonEmptyString } from '../../runtime/check-options.js'
import { TrawlError } from '../../errors.js'
import type { Ledger, LedgerRules } from '../ledger.js'
import { PG_TIMING, PgDatabase } from '../postgres/database.js'
import { describeTarget, type PostgresPool, settingsRule } from '../postgres/target.js'
import { PostgresJobLedger } from '../postgres/postgres-job-ledger.js'
import { PostgresJobStore } from '../postgres/postgres-job-store.js'
import { PgWriteQueue } from '../postgres/write-queue.js'
import type { PgTiming } from '../postgres/protocol.js'

export type { PostgresPool }

/** The database of the ledger: `connectionString` or `pool`. */
export interface PostgresLedgerOptions {
  /** `postgres://user:password@host:5432/database`, with the parameters of the package `pg`, such as `sslmode`. */
  connectionString?: string | undefined
  /**
   * A `Pool` of the package `pg`, or settings for one. The ledger takes its settings, and opens three connections of its own
   * for each engine, because the lock that shows that an engine is alive belongs to one session.
   */
  pool?: PostgresPool | undefined
  /**
   * Schema of the tables. It is made when the database has none of this name.
   * @default 'trawl'
   */
  schema?: string | undefined
}

/**
 * Keeps jobs in a PostgreSQL database, so that `engine.resume()` continues them on any machine. Needs the package `pg`,
 * and PostgreSQL 13 or later. Many engines may share the database; a job is run by one of them at a time, and is free
 * as soon as the server sees that the connection of that one has ended. Each engine needs a ledger object of its own.
 *
 * @throws TypeError for invalid options
 * @throws TrawlError `LEDGER_ERROR`, from the first call that needs the database
 * @example
 * const engine = createEngine({ ledger: postgres({ connectionString: 'postgres://user:password@host/database' }) })
 * await engine.resume()
 */
export function postgres(options: PostgresLedgerOptions): Ledger {
  checkOptions('postgres', options, {
    connectionString: nonEmptyString("an address such as 'postgres://user:password@host:5432/database'"),
    pool: settingsRule,
    schema: nonEmptyString('the name of a schema'),
  })
  if ((options.connectionString === undefined) === (options.pool === undefined))
    throw new TypeError('`postgres`: one of `connectionString` and `pool` is needed')
  return openPostgres(options, PG_TIMING)
}

/** Opens the ledger. @internal tests give shorter times */
export function openPostgres(options: PostgresLedgerOptions, timing: PgTiming): Ledger {
  const database = new PgDatabase(describeTarget(options), timing)
  const queue = new PgWriteQueue(database)
  const jobs = new PostgresJobStore(database, queue)
  return {
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const text = 'SELECT number, owner FROM jobs WHERE id = $1'
      const [[job] = []] = await database.run('writer', [{ text, values: [jobId] }])
      if (!job) throw new TrawlError('LEDGER_ERROR', `the ledger ${database.label} has no job ${jobId}`)
      const writer = queue.open(jobId, Number(job['number']))
      const ledger = new PostgresJobLedger<Doc>(database, writer, rules)
      await ledger.load(Number(job['owner']) === database.owner)
      return ledger
    },
    jobStore: jobs,
    // `JobStore.forgetExpired` deletes it from the database, for all engines.
    forget: (jobId) => queue.forget(jobId),
    async close() {
      const [written, changed] = await Promise.allSettled([queue.close(), jobs.close()])
      await database.close()
      for (const one of [written, changed]) if (one.status === 'rejected') throw one.reason
    },
  }
}
