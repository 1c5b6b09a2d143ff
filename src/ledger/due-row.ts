import type { QueuedRow } from './row-queue.js'

/** The delayed row that has waited longest past its time; undefined when the time of none has come. */
export function findDue<Row extends QueuedRow>(
  delayed: Iterable<Row>,
  nowMs: number,
  heldSites: ReadonlySet<string>,
): Row | undefined {
  let due: Row | undefined
  let dueAtMs = nowMs
  for (const row of delayed) {
    const last = row.attempts.at(-1)
    // After a clock was set back, a row whose try ends in the future does not wait for that.
    const retryAtMs = (last?.endedAtMs ?? 0) > nowMs ? 0 : (last?.retryAtMs ?? 0)
    const isEarlier = due ? retryAtMs < dueAtMs : retryAtMs <= dueAtMs
    if (isEarlier && !heldSites.has(row.site)) [due, dueAtMs] = [row, retryAtMs]
  }
  return due
}
