import { OWNER_LOCKS } from '../postgres/session-lock.js'

/** The numbers of the engines that are alive. */
const ALIVE = `alive AS MATERIALIZED (SELECT locks.objid::bigint::integer AS owner FROM ${OWNER_LOCKS})`

/** Columns that name tasks in a list of JSON. */
const GIVEN = 'owner integer, number bigint'
const IS_GIVEN =
  'tasks.owner = given.owner AND tasks.number = given.number AND tasks.worker = $1 AND tasks.answer IS NULL'

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
), dropped AS (
  DELETE FROM tasks WHERE owner = $1 AND number = ANY (string_to_array($3, ',')::bigint[])
)
SELECT number, worker, answer FROM tasks
WHERE owner = $1 AND answer IS NOT NULL AND NOT number = ANY (string_to_array($3, ',')::bigint[])
LIMIT $5`

/**
 * Frees the tasks of an owner whose workers have ended or hang, and counts the places of all workers and the tasks of other
 * owners. `$1` owner, `$2` version, `$3` channel of the workers.
 */
export const FREE_TASKS = `
WITH ${ALIVE}, freed AS (
  UPDATE tasks SET worker = NULL, until = NULL, losses = losses + 1
  WHERE owner = $1 AND worker IS NOT NULL AND answer IS NULL
    AND (until < clock_timestamp() OR NOT worker IN (SELECT owner FROM alive))
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
WITH answered AS (
  UPDATE tasks SET answer = given.answer FROM json_to_recordset($2::json) AS given (${GIVEN}, answer text)
  WHERE ${IS_GIVEN} RETURNING pg_notify($6 || tasks.owner, '')
), returned AS (
  UPDATE tasks SET worker = NULL, until = NULL FROM json_to_recordset($3::json) AS given (${GIVEN})
  WHERE ${IS_GIVEN} RETURNING pg_notify($7, '')
), free AS (
  SELECT owner, number FROM tasks
  WHERE worker IS NULL AND version = $4 AND owner <> $1 AND (near IS NULL OR near = $1)
  ORDER BY queued_at LIMIT $5 FOR UPDATE SKIP LOCKED
), taken AS (
  UPDATE tasks SET worker = $1, until = clock_timestamp() + lease_ms * interval '1 ms'
  FROM free WHERE tasks.owner = free.owner AND tasks.number = free.number
  RETURNING tasks.owner, tasks.number, payload
)
SELECT owner, number, payload FROM taken`

/** Selects the tasks that a worker has, and renews their leases: the time of a page does not run while it queues. `$1` worker. */
export const RENEW_HELD = `
WITH renewed AS (
  UPDATE tasks SET until = clock_timestamp() + lease_ms * interval '1 ms'
  WHERE worker = $1 AND answer IS NULL AND until < clock_timestamp() + lease_ms * interval '0.5 ms'
)
SELECT owner, number FROM tasks WHERE worker = $1 AND answer IS NULL`

/** Deletes all tasks of an owner: `$1`. */
export const DELETE_OWN = 'DELETE FROM tasks WHERE owner = $1'

/** Deletes the tasks and the workers of engines that have ended. */
export const DELETE_ORPHANS = `
WITH ${ALIVE}, gone AS (DELETE FROM workers WHERE NOT owner IN (SELECT owner FROM alive)), orphans AS (
  SELECT owner, number FROM tasks WHERE NOT owner IN (SELECT owner FROM alive) FOR UPDATE SKIP LOCKED
)
DELETE FROM tasks USING orphans WHERE tasks.owner = orphans.owner AND tasks.number = orphans.number`
