import { TrawlError } from '../../../base/errors.js'
import type { LedgerRules } from '../../../kernel/ledger/ledger.js'
import { PgDatabase, type PgTarget } from '../postgres/database.js'
import { JobFence } from '../postgres/job-fence.js'
import { PostgresJobLedger } from '../postgres/postgres-job-ledger.js'
import { PostgresJobStore } from '../postgres/postgres-job-store.js'
import type { PostgresLedgerOptions } from '../postgres/postgres-options.js'
import type { PgTiming } from '../postgres/statement.js'
import { PgWriteQueue } from '../postgres/write-queue.js'
import { createTaskQueue } from '../tasks/postgres-task-queue.js'
import type { SharedLedger } from '../../../kernel/ledger/shared-jobs.js'
import { createHealthCheck } from './postgres-health.js'
import { PostgresSharedJobs } from './postgres-shared-jobs.js'
import { labelOf, settingsOf } from '../../../base/postgres/connection-settings.js'

/** Opens the ledger of checked options. */
export function openPostgres(options: PostgresLedgerOptions, timing: PgTiming): SharedLedger {
  const database = new PgDatabase(describeTarget(options), timing)
  const queue = new PgWriteQueue(database)
  const jobs = new PostgresJobStore(database, queue)
  const tasks = createTaskQueue(database)
  const shared = new PostgresSharedJobs(database)
  return {
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const text = 'SELECT number, generation, writes FROM jobs WHERE id = $1'
      const [[job] = []] = await database.run('writer', [{ text, values: [jobId] }])
      if (!job) throw new TrawlError('LEDGER_ERROR', `the ledger ${database.label} has no job ${jobId}`)
      const [generation, writes] = [Number(job['generation']), Number(job['writes'])]
      const fence = queue.fenceOf(jobId) ?? new JobFence({ generation, writes, isOwned: false })
      const writer = queue.open(jobId, Number(job['number']), fence)
      const ledger = new PostgresJobLedger<Doc>(database, writer, rules)
      await ledger.load(fence.isOwned)
      return ledger
    },
    jobStore: jobs,
    tasks,
    shared,
    connect: () => database.openConnection(),
    health: createHealthCheck(database, queue),
    // `JobStore.forgetExpired` deletes it from the database, for all engines.
    forget(jobId) {
      queue.forget(jobId)
      shared.forget(jobId)
    },
    async close() {
      database.keepAlive()
      tasks.close()
      await shared.close()
      const [written, changed] = await Promise.allSettled([queue.close(), jobs.close()])
      await database.close()
      for (const one of [written, changed]) if (one.status === 'rejected') throw one.reason
    },
  }
}

/** Name of the schema when none is given. */
const DEFAULT_SCHEMA = 'trawl'
/** Longest name of the server. Bytes. */
const MAX_NAME_BYTES = 63

export function describeTarget({ connectionString, pool, schema = DEFAULT_SCHEMA }: PostgresLedgerOptions): PgTarget {
  if (Buffer.byteLength(schema) > MAX_NAME_BYTES || schema.includes('\0'))
    throw new TypeError(`\`postgres({ schema })\`: the name of a schema has at most ${MAX_NAME_BYTES} bytes`)
  // The ledger reads its columns with the types of `pg` itself.
  const given = pool ? { ...settingsOf(pool), types: undefined } : { connectionString }
  const settings = { application_name: 'trawl', ...given }
  return { settings, schema, label: labelOf(settings) }
}
