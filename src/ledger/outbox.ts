/** What a job tells its webhook; of its end exactly one. */
export type ReportEvent = 'started' | 'page' | 'completed' | 'cancelled' | 'failed'

/** Which page a report is about. */
export interface ReportedPage {
  /** The key of its row. */
  readonly key: string
  /** Which of the row's sources it is, from 0. */
  readonly at: number
  /** Place of its document in the order of completion; absent when the ledger was given none. */
  readonly sequence?: number
}

/** A report of a job to its webhook that has not been delivered. */
export interface Report {
  /** Place in the order in which they came, from 0; no two of a job have the same. */
  readonly number: number
  readonly event: ReportEvent
  /** Set when the event is `page`. */
  readonly page?: ReportedPage
  /** Tries that have failed. */
  readonly attempts: number
  /** When it is to be sent, or sent again; absent when it was given up. Milliseconds since the epoch. */
  readonly dueAtMs?: number
  /** Why the last try failed. */
  readonly error?: string
}

/**
 * The reports of one job, until they are delivered. It is also the line in which they wait: `lease` hands out what is next.
 * Reports of pages come in with the ends of their rows: see `reportAtMs`.
 */
export interface Outbox {
  /** Puts the report of the job's beginning or of its end in, unless there is one already, delivered or not. */
  post(event: Exclude<ReportEvent, 'page'>, nowMs: number): Promise<void>
  /**
   * Hands out the next report that is due: nothing before `started`, and that of the end only when all others are delivered
   * or given up. Those of pages go in order of their time, several at once.
   */
  lease(nowMs: number): Promise<Report | undefined>
  /** When `lease` will hand out the next if nothing else happens; undefined when nothing waits in the line. */
  nextAtMs(): Promise<number | undefined>
  /** Puts a report back as if it had not been handed out. */
  putBack(number: number): Promise<void>
  delivered(number: number): Promise<void>
  /** Notes a try that failed. @param retryAtMs when it is tried again; absent when it is given up */
  failed(number: number, error: string, retryAtMs?: number): Promise<void>
  /** Reports that were not delivered, those given up included, in the order in which they came. */
  undelivered(page?: { skip?: number; limit?: number }): Promise<readonly Report[]>
}
