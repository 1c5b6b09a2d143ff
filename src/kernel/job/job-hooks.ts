import type { ErrorCode } from '../../base/errors.js'
import type { RowReader, SkipReason } from '../ledger/ledger.js'
import type { Spending } from '../../base/llm/spending.js'
import type { Ending, JobLedger, LedgerRow } from '../ledger/ledger.js'
import type { RemoteLedger } from '../ledger/shared-jobs.js'
import type { Document } from '../page/document.js'
import type { PageLearner } from './page-learner.js'

/** Calls of features on a job. A feature adds its own by declaration merging, so that they go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureJobCalls {}

/** The budget of a job for its language model, for a call on the job. */
export interface OpenBudget {
  readonly spending: Spending
  /** Records what was used. */
  record(): Promise<void>
}

/** The ledger of a job, for a call on the job. */
export interface CalledLedger extends RowReader {
  readonly outbox: RemoteLedger<Document>['outbox']
}

/** End of a job: part of its status. */
export interface JobOutcome {
  readonly status: string
  readonly failed: number
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>
  /** Limit that ended it with URLs still queued. */
  readonly stoppedBy?: string
  readonly error?: string
  readonly warning?: string
}

/** A job on which a feature is called: `this` of its calls. It may have ended, or be run by another engine. */
export interface CalledJob extends AsyncIterable<Document> {
  readonly id: string
  readonly kind: 'batch-scrape' | 'crawl'
  /** Returns what the plan of the job has of a feature; undefined for none. */
  sliceOf(feature: string): unknown
  /** The checked request. */
  readonly request: object
  /** Waits for the end of the job. @throws TrawlError `ENGINE_CLOSED` when it was parked */
  finished(): Promise<JobOutcome>
  /** Opens the budget of the job; undefined where another engine has it. */
  openBudget(): OpenBudget | undefined
  openLedger(): Promise<CalledLedger>
}

/** Pause of the pages of a host. */
export interface JobPause {
  readonly host: string
  readonly code: ErrorCode
  readonly message: string
}

/**
 * A job as a feature sees it.
 *
 * @typeParam Slice what the plan of the job has of the feature
 */
export interface JobView<Slice = unknown> {
  readonly id: string
  readonly kind: CalledJob['kind']
  /** Slice of the plan in force: a `prompt` changes it once, before the first page. */
  readonly slice: Slice
  /** Id of the earlier crawl that the job compares its pages with (`since`); undefined without one. */
  readonly previousJobId: string | undefined
  /** Adds a warning to the status of the job. Each is shown once. */
  warn(message: string): void
  /** Tells listeners and reporters that the pages of a host wait, or come to nothing. */
  announce(pause: JobPause): void
}

/** The end of a job, before it is recorded. */
interface JobEnd {
  /** Time at which the job may be forgotten. Milliseconds since the epoch. */
  readonly expiresAtMs: number
  /** The ledger of a job that completed; undefined for one that was cut short, or stopped. */
  readonly completed: JobLedger<Document> | undefined
}

/**
 * Moments of a job at which a feature acts, each of which may be absent, and then costs nothing. Features take their turns in the order
 * of their list. One that throws fails the job, and `mayReuse` its page: what a feature cannot do, it tells by a warning of the job.
 *
 * A further moment is a further member here, called where the job comes to it: to admit a link, refuse or recall a row, plan its page,
 * put its ending off, review it, take a note of it for `restore`. It takes the row first, and returns what is to change, or
 * undefined. What it learns about the job is in its closure: the job lets go of that when it ends.
 */
export interface JobHooks {
  /** True if `ended` keeps the pages, as an index of them does: they need nobody else who takes them. */
  readonly keepsPages?: true
  /** Opens what learns from the pages of the job, and completes their documents: anew where the job runs again. */
  openLearner?(): PageLearner
  /** Begins the job, before its first page. It is not waited for. Not in a job that an earlier process, or an earlier run, began. */
  begin?(): void
  /**
   * Makes what the feature has of a job agree with the ledger, when this process continues a job of an earlier one.
   *
   * @param rows all rows of the job, in order of discovery. Those that were active when that process died are scraped again
   */
  restore?(rows: readonly LedgerRow[]): Promise<void>
  /** Decides whether a page may be taken as it is known from an earlier job. If one feature says no, the page is read. */
  mayReuse?(row: LedgerRow): Promise<boolean>
  /**
   * Takes the ending of a row, before the ledger records it: after a crash, a feature has at least what the ledger has, and `restore`
   * removes the rest. It may be called again for the row then.
   *
   * @returns the ending to record and deliver in its place; undefined to leave it
   */
  ended?(row: LedgerRow, ending: Ending<Document>): Promise<Ending<Document> | undefined>
  /** Takes note of a part of the site that could not be read, so that pages may be missing. @param what a sentence without a full stop */
  missed?(what: string): void
  /** Ends what is under way, when all pages of the job have been scraped: it completes afterwards. @param signal aborted when it is cancelled */
  finish?(signal: AbortSignal): Promise<void>
  /**
   * Ends the job, in whatever state, before the ledger records that. It is called again after a crash in between, and when a job that
   * had stopped went on. Not for one that is parked.
   */
  conclude?(end: JobEnd): Promise<void>
}

/** Addition of a feature to the jobs of an engine. */
export interface JobExtension {
  /** Opens its hooks in a job whose plan has a slice of it. Begins nothing: a job that has ended is opened in order to be read. */
  job?(job: JobView<never>): JobHooks
  /** Its calls on jobs, which become members of each: they have the job as `this`. */
  readonly jobCalls?: Partial<FeatureJobCalls> & ThisType<CalledJob>
  /** Removes what it keeps of expired jobs, in the background and now and then. Called often; does not throw. */
  forgetExpired?(nowMs: number): void
}

/** The addition of a feature, with its name. */
export interface NamedExtension extends JobExtension {
  readonly feature: string
}

/** Parts of a job that its hooks are opened with. */
interface HookedJob {
  readonly id: string
  readonly strategy: {
    readonly kind: CalledJob['kind']
    readonly plan: { readonly features?: Readonly<Record<string, unknown>> }
    readonly crawl?: { readonly memory?: { readonly previousJobId: string | undefined } }
  }
  warn(message: string): void
  announce(pause: JobPause): void
}

const NO_HOOKS: readonly JobHooks[] = []

/** Opens the hooks of the features that a job asks for, in the order of features. */
export function openHooks(
  extensions: readonly NamedExtension[],
  { id, strategy, warn, announce }: HookedJob,
): readonly JobHooks[] {
  const { features } = strategy.plan
  if (!features) return NO_HOOKS
  return extensions.flatMap(({ feature, job }) => {
    if (!job || !Object.hasOwn(features, feature)) return []
    const view: JobView = {
      id,
      kind: strategy.kind,
      get slice() {
        return strategy.plan.features?.[feature]
      },
      get previousJobId() {
        return strategy.crawl?.memory?.previousJobId
      },
      warn,
      announce,
    }
    return job(view as JobView<never>)
  })
}
