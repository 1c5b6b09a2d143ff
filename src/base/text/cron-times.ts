/** Times of a cron pattern in a time zone. */
export interface CronTimes {
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
export async function readCron(pattern: string, timeZone: string): Promise<CronTimes> {
  const { Cron } = await import('croner')
  const cron = new Cron(pattern, { timezone: timeZone, paused: true })
  return { next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() }
}
