/** The place of a report among those of a job: one of the start before all others, any number during the job, one of the end. */
export type ReportMoment = 'start' | 'during' | 'end'

/** Events of a job that are reported, with the moment of each. A report of any moment is queued without further code. */
export const REPORT_MOMENTS = {
  completed: 'end',
  failed: 'end',
  page: 'during',
  paused: 'during',
  started: 'start',
  cancelled: 'end',
} as const satisfies Readonly<Record<string, ReportMoment>>

export type ReportEvent = keyof typeof REPORT_MOMENTS
export const REPORT_EVENTS = Object.keys(REPORT_MOMENTS) as ReportEvent[]

/**
 * Milliseconds; longer than the delay of any attempt. A report whose time is further ahead was queued before the clock was set back, and
 * is due.
 */
export const MAX_REPORT_WAIT_MS = 20 * 60_000

/** The page that a report is about. */
export interface ReportedPage {
  /** The key of its row. */
  readonly key: string
  /** Index of the row's source, from 0. */
  readonly at: number
  /** Position of its document in the order of completion; absent when the ledger stores no document. */
  readonly sequence?: number
}

/** A report of a feature about a job that is not delivered yet. */
export interface JobReport {
  /** Position in the order of creation, from 0; unique in the job. */
  readonly number: number
  /** Name of the feature that sends it; absent in those of earlier versions, in which one feature alone sent any. */
  readonly feature?: string
  readonly event: ReportEvent
  /** Set when the event is `page`. */
  readonly page?: ReportedPage
  /** Number of failed attempts. */
  readonly attempts: number
  /** The time of the next attempt; absent when it was given up. Milliseconds since the epoch. */
  readonly dueAtMs?: number
  /** The error of the last attempt. */
  readonly error?: string
}

/** Features that report the end of a row: their reports are queued with it, and neither is kept without the other. */
export interface RowReports {
  readonly features: readonly string[]
  /** The earliest time for the reports, one for each source of the row. Milliseconds since the epoch. */
  readonly dueAtMs: number
}

/**
 * The undelivered reports of one job by one feature, as a queue: `lease` returns the next one. Reports of pages are added when their
 * rows end: see {@link RowReports}.
 */
export interface Outbox {
  /** Adds a report of the job itself. There is one of the start and one of the end: a second one is ignored. */
  post(event: Exclude<ReportEvent, 'page'>, nowMs: number): Promise<void>
  /**
   * Returns the next report that is due. None is returned before `started` is delivered, and the report of the end only
   * when all others are delivered or given up. Reports during the job are returned in order of their time, several at once.
   */
  lease(nowMs: number): Promise<JobReport | undefined>
  /** The time at which `lease` returns the next report if nothing else happens; undefined when none waits. */
  nextAtMs(): Promise<number | undefined>
  /** Returns a report to the queue as if it had not been leased. */
  putBack(number: number): Promise<void>
  delivered(number: number): Promise<void>
  /** Records a failed attempt. @param retryAtMs the time of the next attempt; absent when the report is given up */
  failed(number: number, error: string, retryAtMs?: number): Promise<void>
  /** Undelivered reports in order of creation, including those given up. */
  undelivered(page?: { skip?: number; limit?: number }): Promise<readonly JobReport[]>
}
