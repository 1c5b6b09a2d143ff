import type { LedgerReader } from './ledger.js'
import type { JobBudget } from '../../base/accounting/budget.js'
import type { JobRange, SharedJob, StoredJob } from './job-store.js'
import type { Counts, JobLedger, Ledger } from './ledger.js'
import type { Outbox } from './outbox.js'

/** A command for the process that runs a job. */
export type JobCommand =
  | { readonly name: 'cancel' | 'pause' }
  | { readonly name: 'resume'; readonly budget?: JobBudget }
  | { readonly name: 'append'; readonly urls: readonly string[] }

/** A job that has ended in this process, and that another one may go on with: it was stopped, or could not be written. */
interface LeftJob {
  /** Milliseconds since the epoch. */
  readonly completedAtMs: number | undefined
  /** True when the ledger has this end. */
  readonly isStored: boolean
}

/** A job that this process runs, as other processes use it. */
export interface ServedJob {
  /** False while the job has ended here: it then has no commands and no readers. */
  readonly isRunning: boolean
  /** The end of the job here, if another process may go on with it; undefined while it runs here, and when it has ended for good. */
  readonly left: LeftJob | undefined
  /** Carries out a command of another process. @throws the error that its caller gets */
  perform(command: JobCommand): Promise<void>
  /**
   * Sets how far the readers in other processes are.
   *
   * @param next sequence number of the next document of the slowest one; undefined when there is no reader
   */
  followReaders(next: number | undefined): void
}

/** A stored job of a list. */
export interface ListedJob extends SharedJob {
  /** Numbers of its URLs by outcome; undefined before the first one. */
  readonly counts: Counts | undefined
}

/** State of a job that a watcher is told of. */
export interface JobNews {
  readonly state: StoredJob['state']
  /** True when the job has ended and its last rows are written. */
  readonly hasEnded: boolean
  /** True when the options generated from its prompt are stored. */
  readonly isGenerated: boolean
  /** Number of documents so far. */
  readonly delivered: number
  /** Numbers of URLs by outcome; undefined before the first one. */
  readonly counts: Counts | undefined
}

/** A handle of a job that another process runs. */
export interface JobWatcher {
  /** True while a caller waits for news, which keeps the process alive. */
  readonly isWaiting: boolean
  /** Sequence number of the next document of its slowest reader; undefined when it has none. */
  readonly position: number | undefined
  /** Receives what has changed, at least twice a second. @param news undefined when the job is not stored any more */
  tell(news: JobNews | undefined): void
  /** Receives the error after which there are no more news. */
  fail(error: unknown): void
}

/** A watch of a job. */
export interface JobWatch {
  /** Asks for news now, and tells the process that runs the job how far the readers are. */
  hurry(): void
  stop(): void
}

/** The ledger of a job that another process runs, or has run: it is read from the store at each call. */
export interface RemoteLedger<Doc> extends LedgerReader<Doc> {
  readonly acknowledge: JobLedger<Doc>['acknowledge']
  outbox(feature: string): { readonly undelivered: Outbox['undelivered'] }
}

/** The jobs of a ledger that several processes use at the same time. */
export interface SharedJobs {
  /** Lets other processes read and control a job of this process, until it is forgotten. */
  serve(id: string, job: ServedJob): void
  /** Tells other processes that a job of this process has further documents, or has ended. */
  announce(id: string): void
  /** True when another process was seen to go on with a job that has ended in this one. It is looked for twice a second. */
  wentOn(id: string): boolean
  /** Reads a job that another process runs, with its request. */
  find(id: string): Promise<StoredJob | undefined>
  read(id: string): Promise<SharedJob | undefined>
  /** Lists the jobs of all processes, newest first. */
  list(range: JobRange): Promise<readonly ListedJob[]>
  open<Doc>(id: string): Promise<RemoteLedger<Doc>>
  /** @throws TrawlError `ENGINE_CLOSED` */
  watch(id: string, watcher: JobWatcher): JobWatch
  /**
   * Sends a command to the process that runs a job, and waits until it has carried it out.
   *
   * @throws TrawlError `JOB_INTERRUPTED` when no living process runs it; `JOB_FINISHED` when it has ended; the error of the command
   */
  send(id: string, command: JobCommand): Promise<void>
}

/** A ledger whose jobs several processes use at the same time. */
export interface SharedLedger extends Ledger {
  readonly shared: SharedJobs
}

/** The jobs of a ledger as several processes use them; undefined when one process uses a job at a time. */
export const sharedOf = (ledger: Ledger | SharedLedger): SharedJobs | undefined =>
  'shared' in ledger ? ledger.shared : undefined
