import { createHash } from 'node:crypto'
import { InvalidRequestError, messageOf } from '../../base/errors.js'
import type { WatchPlan } from './plan-watch.js'
import { ALL_UNITS, crawlUnit, type UnitHistory } from './watch-state.js'

/** The times of a watch's checks. */
export interface Timetable {
  /** Units of pages that are checked together: all, or each page and each crawl at its own times. */
  readonly units: readonly string[]
  /** The time of the first check. Milliseconds since the epoch. */
  first(nowMs: number): number | undefined
  /**
   * The time of the next check. Times that have passed meanwhile are left out.
   *
   * @param dueMs the time for which the last one was planned
   * @param history what is known of the unit's changes
   */
  next(unit: string, dueMs: number, nowMs: number, history?: UnitHistory): number | undefined
}

/**
 * Creates the timetable of a watch. Its times follow from its name, so that watches of one interval do not start together,
 * and a restart moves none.
 *
 * @throws InvalidRequestError for a pattern that cannot be read
 */
export async function createTimetable({ name, schedule, urls, crawls }: WatchPlan): Promise<Timetable> {
  const share = shareOf(name)
  if (schedule.kind === 'every') {
    const { everyMs } = schedule
    return { units: [ALL_UNITS], first: (now) => now, next: (_unit, _due, now) => nextSlot(now, everyMs, share) }
  }
  if (schedule.kind === 'cron') {
    const { pattern, timeZone, spreadMs } = schedule
    const cron = await openCron(pattern, timeZone)
    const delayMs = Math.floor(share * spreadMs)
    const after = (ms: number): number | undefined => {
      const time = cron.next(ms - delayMs)
      return time === undefined ? undefined : time + delayMs
    }
    return {
      units: [ALL_UNITS],
      first: after,
      // After the planned time as well: a clock that is set back brings no time twice.
      next: (_unit, dueMs, now) => after(Math.max(now, dueMs)),
    }
  }
  return {
    units: [...urls, ...new Set(crawls.map((crawl) => crawlUnit(crawl)))],
    first: (now) => now,
    next: (unit, _due, now, history) => now + spreadInterval(estimateInterval(history, schedule), `${name} ${unit}`),
  }
}

/** A number from 0 to 1 that follows from a text. */
const shareOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32

/** The first time after now of an endless row of times. */
const nextSlot = (nowMs: number, everyMs: number, share: number): number => {
  const offsetMs = Math.floor(share * everyMs)
  return Math.floor((nowMs - offsetMs) / everyMs) * everyMs + everyMs + offsetMs
}

/** Lengthens or shortens an interval by up to a twentieth, so that pages of one interval drift apart. */
const spreadInterval = (intervalMs: number, key: string): number => Math.round(intervalMs * (0.95 + 0.1 * shareOf(key)))

async function openCron(pattern: string, timeZone: string): Promise<CronTimes> {
  try {
    return await readCron(pattern, timeZone)
  } catch (error) {
    throw refusePattern(messageOf(error))
  }
}

/**
 * Refuses a new watch that would never make a check. One that is stored may have made its last.
 *
 * @throws InvalidRequestError
 */
export function refuseExhausted({ schedule }: WatchPlan, timetable: Timetable, nowMs: number): void {
  if (schedule.kind === 'cron' && timetable.first(nowMs) === undefined)
    throw refusePattern('no time of the future matches it')
}

const refusePattern = (message: string): InvalidRequestError =>
  new InvalidRequestError([{ code: 'custom', path: ['cron'], message }])

/** Bounds of an interval. Milliseconds. */
interface IntervalBounds {
  readonly minMs: number
  readonly maxMs: number
}

/** Share of the mean time between two changes after which a page is visited again. */
const SHARE = 0.5

/**
 * Estimates the interval after which a page is to be visited again, from how often it has changed.
 *
 * A visit shows that a page has changed, and not how often. For changes as a Poisson process, and visits in intervals of
 * `I`, the rate of changes is estimated as `-ln((n - X + 0.5) / (n + 0.5)) / I` for `X` changes in `n` visits, which has
 * nearly no bias even for few visits (J. Cho, H. Garcia-Molina: Estimating Frequency of Change, ACM Transactions on
 * Internet Technology 3(3), 2003). For intervals that differ, `I` is their mean.
 *
 * @see https://doi.org/10.1145/857166.857170
 */
function estimateInterval(history: UnitHistory | undefined, { minMs, maxMs }: IntervalBounds): number {
  const { visits = 0, changes = 0, meanMs = minMs } = history ?? {}
  const rate = -Math.log((visits - changes + 0.5) / (visits + 0.5)) / Math.max(1, meanMs)
  const wanted = rate > 0 ? SHARE / rate : visits * meanMs
  return Math.min(maxMs, Math.max(minMs, wanted))
}

/** Times of a cron pattern in a time zone. */
interface CronTimes {
  /** The first time after this one, in milliseconds since the epoch; undefined when there is none. */
  next(afterMs: number): number | undefined
}

/**
 * Reads a cron pattern of five fields, or of six with seconds. A time that the clock skips in spring comes when it has
 * been set forward; one that it passes twice in autumn comes once.
 *
 * @param timeZone name of the IANA database, such as `Europe/Berlin`
 * @throws TypeError, RangeError for a text that is no pattern
 */
async function readCron(pattern: string, timeZone: string): Promise<CronTimes> {
  const { Cron } = await import('croner')
  const cron = new Cron(pattern, { timezone: timeZone, paused: true })
  return { next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() }
}
