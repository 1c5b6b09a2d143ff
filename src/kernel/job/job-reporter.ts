import type { RowReader } from '../ledger/ledger.js'
import type { Delivery, Ending, JobLedger, LedgerRow } from '../ledger/ledger.js'
import type { RowReports } from '../ledger/outbox.js'
import type { Document } from '../page/document.js'
import type { JobKind, JobState } from './job.js'

/** State of a job that has ended. */
export type EndState = Exclude<JobState, 'scraping'>

/** The ledger of a job as a reporter sees it. */
export interface ReportedLedger extends RowReader {
  readonly completed: JobLedger<Document>['completed']
  readonly outbox: JobLedger<Document>['outbox']
}

/** A job as a reporter sees it. */
export interface ReporterJob<Slice = unknown> {
  readonly id: string
  readonly kind: JobKind
  readonly slice: Slice
  readonly ledger: Promise<ReportedLedger>
  /** True where the ledger keeps no documents: a reporter that sends them later has to hold them. */
  readonly dropsDocuments: boolean
  /** Prepares a document for its delivery. */
  present(delivery: Delivery<Document>): Document
  /** Returns the message of the error that failed the job. */
  error(): string | undefined
  /** Adds a warning to the status of the job. Each is shown once. */
  warn(message: string): void
  /** Says that the report of a page was delivered. @param key of its row */
  delivered(key: string): void
  /**
   * Says that nothing of a job that has stopped or ended is left to send. Until all reporters have said so, the job is one with reports
   * left: when this process dies, another one sends them.
   */
  settle(): void
}

/**
 * Reports a job to somebody who may be away for a while. A report is queued in the outbox of the ledger together with what it is about,
 * so that neither is lost without the other, and sent in the background: the job never waits for it. No call throws or rejects: what a
 * reporter cannot do is a warning of the job. Only `begin` may, and fails the job.
 */
export interface JobReporter {
  /** True when it reports each page. */
  readonly reportsPages: boolean
  /** True when it sends nothing any more, because it was closed, or has failed. */
  readonly isClosed: boolean
  /** Begins to send. It is waited for before the first page of each run, and in a job that ended with reports left. */
  begin(): Promise<void>
  /**
   * Takes the end of a row, before the ledger records it.
   *
   * @param isTried true when the page was requested
   * @returns true to queue a report of it, one for each source of the row
   */
  take(row: LedgerRow, ending: Ending<Document>, isTried: boolean): boolean
  /** Sends what is due. Called when the ledger has recorded rows. */
  flush(): void
  /** Reports what happens during the job, and is not about a page. */
  note?(event: 'paused'): void
  /** Reports the end of the job, after it was recorded. Called again where a process died in between. */
  end(state: EndState): Promise<void>
  /** Sends what is left of a job that has stopped, and may be resumed: its end is reported later. */
  stop(): void
  /** Stops sending, and resolves when nothing is under way. @param drain sends first what is due, for ten seconds at most */
  close(drain: boolean): Promise<void>
}

/** Addition of a feature to the jobs of an engine that it reports. */
export interface ReporterExtension {
  /** Opens its reporter in a job whose plan has a slice of it. Begins nothing: a job that has ended is opened in order to be read. */
  reporter?(job: ReporterJob<never>): JobReporter
}

interface NamedReporterExtension extends ReporterExtension {
  readonly feature: string
}

type Slices = Readonly<Record<string, unknown>> | undefined

const NO_EXTENSIONS: readonly NamedReporterExtension[] = []

/** Finds the features that report a job. */
const findReporting = (
  extensions: readonly NamedReporterExtension[],
  slices: Slices,
): readonly NamedReporterExtension[] =>
  slices
    ? extensions.filter(({ feature, reporter }) => reporter !== undefined && Object.hasOwn(slices, feature))
    : NO_EXTENSIONS

/** Returns true if features report a job with these slices. */
export const isReported = (extensions: readonly NamedReporterExtension[], slices: Slices): boolean =>
  findReporting(extensions, slices).length > 0

/** Parts of a job that its reporters are opened with. */
interface ReporterParts extends Omit<ReporterJob, 'slice' | 'settle'> {
  readonly features: Slices
  /** Milliseconds since the epoch. */
  now(): number
  /** True while the job has stopped, and may be resumed. */
  isStopped(): boolean
  /** Lets other processes take a job that has stopped. */
  release(): void
  /** Records that a job that has ended has no reports left. */
  markReported(): void
}

/** Reporters of one job, each of a feature. */
export class JobReporters {
  readonly #parts: ReporterParts
  readonly #reporters: ReadonlyMap<string, JobReporter>
  /** Features that have nothing left to send. */
  readonly #settled = new Set<string>()
  /** Features that were told of the end: before, they cannot know what it leaves to send. */
  readonly #told = new Set<string>()
  #hasEnded = false

  constructor(extensions: readonly NamedReporterExtension[], parts: ReporterParts) {
    const { id, kind, features = {}, ledger, dropsDocuments, present, error, warn, delivered } = parts
    const view = { id, kind, ledger, dropsDocuments, present, error, warn, delivered }
    this.#parts = parts
    this.#reporters = new Map(
      extensions.flatMap((extension) => {
        const { feature } = extension
        const job = {
          ...view,
          slice: features[feature],
          settle: () => this.#settle(feature),
        }
        const opened = extension.reporter?.(job as ReporterJob<never>)
        return opened ? [[feature, opened] as const] : []
      }),
    )
  }

  /** True when one of them reports each page. */
  get reportPages(): boolean {
    for (const { reportsPages } of this.#reporters.values()) if (reportsPages) return true
    return false
  }

  /** True when nothing is left to send, now or later. */
  get areOver(): boolean {
    for (const [feature, { isClosed }] of this.#reporters)
      if (!isClosed && !(this.#hasEnded && this.#settled.has(feature))) return false
    return true
  }

  async begin(): Promise<void> {
    this.#settled.clear()
    for (const reporter of this.#reporters.values()) await reporter.begin()
  }

  /** Takes the end of a row. @returns its reports; undefined for none */
  take(row: LedgerRow, ending: Ending<Document>, isTried: boolean): RowReports | undefined {
    return this.#reportsBy((reporter) => reporter.take(row, ending, isTried))
  }

  /** Reports of sources that are added to a row that has ended; undefined for none. */
  ofAddedSources(): RowReports | undefined {
    return this.#reportsBy(({ reportsPages }) => reportsPages)
  }

  flush(): void {
    for (const reporter of this.#reporters.values()) reporter.flush()
  }

  note(event: 'paused'): void {
    for (const reporter of this.#reporters.values()) reporter.note?.(event)
  }

  /** Reports the end of the job, or sends what is left of one that has stopped. */
  async end(state: JobState): Promise<void> {
    if (state === 'scraping') return
    if (this.#parts.isStopped()) {
      for (const reporter of this.#reporters.values()) reporter.stop()
      return
    }
    this.#hasEnded = true
    this.#settled.clear()
    for (const [feature, reporter] of this.#reporters) {
      this.#told.add(feature)
      await reporter.end(state)
    }
  }

  async close(drain: boolean): Promise<void> {
    await Promise.all(Array.from(this.#reporters.values(), (reporter) => reporter.close(drain)))
  }

  #reportsBy(reports: (reporter: JobReporter) => boolean): RowReports | undefined {
    const features = Array.from(this.#reporters).flatMap(([feature, reporter]) => (reports(reporter) ? [feature] : []))
    return features.length === 0 ? undefined : { features, dueAtMs: this.#parts.now() }
  }

  #settle(feature: string): void {
    const { isStopped, release, markReported } = this.#parts
    if (this.#hasEnded && !this.#told.has(feature)) return
    const wasSettled = this.#settled.size === this.#reporters.size
    this.#settled.add(feature)
    if (this.#settled.size < this.#reporters.size) return
    if (isStopped()) release()
    else if (this.#hasEnded && !wasSettled) markReported()
  }
}

/** Opens the reporters of a job; undefined where no feature reports it. */
export function openReporters(
  extensions: readonly NamedReporterExtension[],
  parts: ReporterParts,
): JobReporters | undefined {
  const reporting = findReporting(extensions, parts.features)
  return reporting.length === 0 ? undefined : new JobReporters(reporting, parts)
}
