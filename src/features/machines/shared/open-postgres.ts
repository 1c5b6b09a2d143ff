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
import { PostgresSharedJobs } from './postgres-shared-jobs.js'
import { labelOf, settingsOf } from '../../../base/postgres/connection-settings.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../../../base/text/parse-json.js'
import {
  type LedgerContents,
  type LedgerHealth,
  measureLedger,
  type WorkerOverview,
} from '../../../kernel/ledger/ledger-health.js'
import { OWNER_LOCKS } from '../postgres/session-lock.js'

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

/** Time after which a server that does not answer counts as one that cannot be reached. Milliseconds. */
const MAX_ANSWER_MS = 5000

/** Reads small tables, and of `jobs` the index of unfinished ones. */
const SELECT_CONTENTS = `
WITH alive AS MATERIALIZED (SELECT locks.objid::bigint::integer AS owner FROM ${OWNER_LOCKS}), tasks_by_worker AS (
  SELECT worker, count(*)::integer AS count FROM tasks WHERE worker IS NOT NULL AND answer IS NULL GROUP BY worker
), waiting AS (
  SELECT count(*)::integer AS count, min(queued_at) AS since FROM tasks WHERE worker IS NULL
)
SELECT waiting.count AS waiting,
  coalesce(extract(epoch FROM clock_timestamp() - waiting.since) * 1000, 0)::float8 AS waits_ms,
  (SELECT coalesce(sum(count), 0)::integer FROM tasks_by_worker) AS active,
  (SELECT count(*)::integer FROM jobs
    WHERE state = 'scraping' AND (owner IS NULL OR owner NOT IN (SELECT owner FROM alive))) AS interrupted,
  (SELECT json_agg(json_build_object('id', workers.owner, 'version', version, 'concurrency', places,
      'active', coalesce(tasks_by_worker.count, 0),
      'lastSeenMs', greatest(0, extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8) ORDER BY workers.owner)::text
    FROM workers LEFT JOIN tasks_by_worker ON tasks_by_worker.worker = workers.owner
    WHERE workers.owner IN (SELECT owner FROM alive)) AS workers
FROM waiting`

/** Creates the function that measures the ledger of an engine. Calls at the same time share one answer. */
function createHealthCheck(database: PgDatabase, queue: PgWriteQueue): () => Promise<LedgerHealth> {
  let underWay: Promise<LedgerContents> | undefined
  const readContents = async (): Promise<LedgerContents> => {
    const [[row] = []] = await database.run('control', [{ text: SELECT_CONTENTS, values: [] }], 0)
    const workers = row?.['workers']
    return {
      interruptedJobs: Number(row?.['interrupted']),
      tasks: {
        waiting: Number(row?.['waiting']),
        active: Number(row?.['active']),
        oldestWaitingMs: Math.max(0, Number(row?.['waits_ms'])),
      },
      workers: typeof workers === 'string' ? (parseJson(workers) as WorkerOverview[]) : [],
    }
  }
  return () =>
    measureLedger(queue.readLag(), async () => {
      const timeout = new AbortController()
      const silence = sleep(MAX_ANSWER_MS, undefined, { signal: timeout.signal }).then((): never => {
        throw new Error(`the ledger ${database.label} has not answered for ${MAX_ANSWER_MS} ms`)
      })
      // An answer that comes late is awaited by the next call as well: calls do not pile up at a server that hangs.
      underWay ??= readContents().finally(() => (underWay = undefined))
      try {
        return await Promise.race([underWay, silence])
      } finally {
        silence.catch(() => undefined)
        timeout.abort()
      }
    })
}
