/**
 * Phase of a job in this process:
 * - `running`: its pages are scraped, or it is paused
 * - `draining`: it is parked as soon as the pages under way have ended; `dropping`: as soon as they are aborted
 * - `closing`: it was cancelled, or has failed: nothing is begun any more, and what is queued is skipped
 * - `ending`: its end is being written: who resumes or cancels it waits until it is
 * - `stopped`: a resource ran out: its queue is kept, and it can be resumed
 * - `parked`: it has ended here, and continues in another process
 * - `ended`: its end is written; `over`: and everybody was told. Neither goes on in this process
 */
export type JobPhase =
  | 'running'
  | 'draining'
  | 'dropping'
  | 'closing'
  | 'ending'
  | 'stopped'
  | 'parked'
  | 'ended'
  | 'over'

/** The phases that may follow each. A cancelled or failed job is not parked, and a parked one is not cancelled here. */
export const transitions: Readonly<Record<JobPhase, readonly JobPhase[]>> = {
  // `stopped`: a job that was stopped stays so where another process has resumed it meanwhile.
  running: ['draining', 'dropping', 'closing', 'ending', 'stopped'],
  draining: ['dropping', 'closing', 'ending', 'parked', 'stopped'],
  dropping: ['closing', 'ending', 'parked', 'stopped'],
  closing: ['ending'],
  ending: ['closing', 'stopped', 'ended'],
  // `closing`: it is cancelled, or its listeners cannot be told of the stop.
  stopped: ['running', 'closing'],
  parked: [],
  ended: ['over'],
  over: [],
}

/** The phases of a job that has not ended: its state is `scraping`. */
export const isUnderWay = (phase: JobPhase): boolean => phase !== 'stopped' && phase !== 'ended' && phase !== 'over'

/** Returns the next phase. @throws Error if it does not follow: a fault of trawl */
export function enterPhase(from: JobPhase, to: JobPhase): JobPhase {
  if (from !== to && !transitions[from].includes(to)) throw new Error(`a job that is ${from} cannot be ${to} next`)
  return to
}
