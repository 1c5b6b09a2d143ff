import { OWNER_LOCKS } from '../postgres/session-lock.js'

/** The numbers of the engines that are alive. */
const ALIVE = `alive AS MATERIALIZED (SELECT locks.objid::bigint::integer AS owner FROM ${OWNER_LOCKS})`

/*
 * Several tasks are locked in the order of their keys, and before others are taken, so that no two statements wait for each
 * other. What may as well be done at the next time skips locked tasks.
 */

/** Columns that name tasks in a list of JSON. */
const GIVEN = 'owner integer, number bigint'
const isKeyOf = (rows: string): string => `tasks.owner = ${rows}.owner AND tasks.number = ${rows}.number`

/** Condition for a worker that takes tasks: one that hangs keeps its session, and no longer registers. */
const IS_SERVING = `owner IN (SELECT owner FROM alive) AND seen_at > clock_timestamp() - interval '5 s'`

/**
 * Tests whether there are workers of a version besides this engine, and rows of engines that have ended. `$1` owner,
 * `$2` version.
 */
export const HAS_WORKERS = `
WITH ${ALIVE}
SELECT
  EXISTS (SELECT FROM workers WHERE version = $2 AND owner <> $1 AND ${IS_SERVING}) AS found,
  EXISTS (SELECT FROM workers WHERE NOT owner IN (SELECT owner FROM alive))
    OR EXISTS (SELECT FROM tasks WHERE NOT owner IN (SELECT owner FROM alive)) AS orphans`

/**
 * Adds and deletes tasks of an owner, and selects answers. An answer stays until the owner has it and deletes it.
 *
 * `$1` owner, `$2` tasks to add, `$3` numbers to delete, `$4` channel of the workers, `$5` maximum number of answers.
 */
export const EXCHANGE_AS_OWNER = `
WITH added AS (
  INSERT INTO tasks (owner, number, version, job, near, lease_ms, payload)
  SELECT $1, number, version, job, near, lease_ms, payload FROM json_to_recordset($2::json)
    AS given (number bigint, version text, job text, near integer, lease_ms integer, payload text)
  ON CONFLICT (owner, number) DO NOTHING
  RETURNING pg_notify($4, '')
), locked AS (
  SELECT owner, number FROM tasks WHERE owner = $1 AND number = ANY (string_to_array($3, ',')::bigint[])
  ORDER BY owner, number FOR UPDATE
), dropped AS (
  DELETE FROM tasks USING locked WHERE ${isKeyOf('locked')}
)
SELECT number, worker, answer FROM tasks
WHERE owner = $1 AND answer IS NOT NULL AND NOT number = ANY (string_to_array($3, ',')::bigint[])
LIMIT $5`

/** Condition of a server that has taken all sessions away a moment ago: its workers are about to come back. */
const HAS_RESTARTED = `pg_postmaster_start_time() > clock_timestamp() - interval '1 min'`

/**
 * Frees the tasks of an owner whose workers have ended or hang, and counts the places of all workers and the tasks of other
 * owners. `$1` owner, `$2` version, `$3` channel of the workers.
 */
export const FREE_TASKS = `
WITH ${ALIVE}, lost AS (
  SELECT owner, number FROM tasks
  WHERE owner = $1 AND worker IS NOT NULL AND answer IS NULL
    AND (until < clock_timestamp() OR NOT worker IN (SELECT owner FROM alive))
  FOR UPDATE SKIP LOCKED
), freed AS (
  UPDATE tasks SET worker = NULL, until = NULL, losses = losses + CASE WHEN ${HAS_RESTARTED} THEN 0 ELSE 1 END
  FROM lost WHERE ${isKeyOf('lost')}
  RETURNING pg_notify($3, '')
)
SELECT
  (SELECT coalesce(sum(places), 0)::integer FROM workers
    WHERE version = $2 AND owner <> $1 AND ${IS_SERVING}) AS places,
  (SELECT count(*)::integer FROM tasks WHERE version = $2 AND owner <> $1 AND answer IS NULL) AS tasks,
  (SELECT count(DISTINCT owner)::integer FROM tasks WHERE version = $2 AND owner <> $1 AND answer IS NULL) AS owners`

/** Selects the tasks of an owner: `$1`. */
export const LIST_TASKS = `
WITH ${ALIVE}
SELECT number, losses, answer IS NOT NULL AS answered, worker IS NULL AS waits, near IS NOT NULL AND NOT EXISTS (
    SELECT FROM workers WHERE owner = tasks.near AND ${IS_SERVING}) AS stranded
FROM tasks WHERE owner = $1`

/** Shows other engines a worker that takes tasks. `$1` owner, `$2` version, `$3` places. */
export const REGISTER_WORKER = `
INSERT INTO workers (owner, version, places) VALUES ($1, $2, $3)
ON CONFLICT (owner) DO UPDATE SET version = excluded.version, places = excluded.places, seen_at = excluded.seen_at
  WHERE (workers.version, workers.places) IS DISTINCT FROM (excluded.version, excluded.places)
    OR workers.seen_at < excluded.seen_at - interval '1 s'`

export const UNREGISTER_WORKER = 'DELETE FROM workers WHERE owner = $1'

/**
 * Takes answers and tasks that a worker gives back, and hands out as many as it has places, oldest first.
 *
 * `$1` worker, `$2` answers, `$3` tasks given back, `$4` version, `$5` number of free places, `$6` channel of an owner
 * without its number, `$7` channel of the workers.
 */
export const EXCHANGE_AS_WORKER = `
WITH answers AS (
  SELECT * FROM json_to_recordset($2::json) AS given (${GIVEN}, answer text)
), returns AS (
  SELECT * FROM json_to_recordset($3::json) AS given (${GIVEN})
), locked AS MATERIALIZED (
  SELECT tasks.owner, tasks.number FROM tasks
  WHERE worker = $1 AND tasks.answer IS NULL
    AND (tasks.owner, tasks.number) IN (SELECT owner, number FROM answers UNION ALL SELECT owner, number FROM returns)
  ORDER BY tasks.owner, tasks.number FOR UPDATE
), answered AS (
  UPDATE tasks SET answer = answers.answer FROM locked JOIN answers USING (owner, number)
  WHERE ${isKeyOf('locked')} RETURNING pg_notify($6 || tasks.owner, '')
), returned AS (
  UPDATE tasks SET worker = NULL, until = NULL FROM locked JOIN returns USING (owner, number)
  WHERE ${isKeyOf('locked')} RETURNING pg_notify($7, '')
), free AS (
  SELECT owner, number FROM tasks
  WHERE worker IS NULL AND version = $4 AND owner <> $1 AND (near IS NULL OR near = $1)
    AND (SELECT count(*) FROM locked) >= 0
  ORDER BY queued_at LIMIT $5 FOR UPDATE SKIP LOCKED
), taken AS (
  UPDATE tasks SET worker = $1, until = clock_timestamp() + lease_ms * interval '1 ms'
  FROM free WHERE ${isKeyOf('free')}
  RETURNING tasks.owner, tasks.number, payload
)
SELECT owner, number, payload FROM taken`

/** Selects the tasks that a worker has, and renews their leases: the time of a page does not run while it queues. `$1` worker. */
export const RENEW_HELD = `
WITH due AS (
  SELECT owner, number FROM tasks
  WHERE worker = $1 AND answer IS NULL AND until < clock_timestamp() + lease_ms * interval '0.5 ms'
  FOR UPDATE SKIP LOCKED
), renewed AS (
  UPDATE tasks SET until = clock_timestamp() + lease_ms * interval '1 ms' FROM due WHERE ${isKeyOf('due')}
)
SELECT owner, number FROM tasks WHERE worker = $1 AND answer IS NULL`

/** Deletes all tasks of an owner: `$1`. */
export const DELETE_OWN = `
WITH locked AS (SELECT owner, number FROM tasks WHERE owner = $1 ORDER BY owner, number FOR UPDATE)
DELETE FROM tasks USING locked WHERE ${isKeyOf('locked')}`

/** Deletes the tasks and the workers of engines that have ended. */
export const DELETE_ORPHANS = `
WITH ${ALIVE}, gone AS (DELETE FROM workers WHERE NOT owner IN (SELECT owner FROM alive)), orphans AS (
  SELECT owner, number FROM tasks WHERE NOT owner IN (SELECT owner FROM alive) FOR UPDATE SKIP LOCKED
)
DELETE FROM tasks USING orphans WHERE ${isKeyOf('orphans')}`
