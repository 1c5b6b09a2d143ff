import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '../../../base/text/parse-json.js'
import {
  type LedgerContents,
  type LedgerHealth,
  measureLedger,
  type WorkerOverview,
} from '../../../kernel/ledger/ledger-health.js'
import type { PgDatabase } from '../postgres/database.js'
import { OWNER_LOCKS } from '../postgres/session-lock.js'
import type { PgWriteQueue } from '../postgres/write-queue.js'

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
export function createHealthCheck(database: PgDatabase, queue: PgWriteQueue): () => Promise<LedgerHealth> {
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
