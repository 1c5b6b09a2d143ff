import type { Judgement, PageVersions } from '../../content/compare/judge-changes.js'
import type { OutgoingReport } from '../../base/http/post-report.js'
import type { Job } from '../../kernel/job/job.js'
import type { WatchStore } from './watch-store.js'
import type { Document } from '../../kernel/page/document.js'
import type { WatchPlan } from './plan-watch.js'
import type { ChangeReason } from './watch.js'

/** Job of a check. */
export type CheckJob = Pick<
  Job<Document>,
  'id' | 'urls' | 'explain' | 'finished' | 'cancel' | typeof Symbol.asyncIterator
>

/** A question to the model: does this change matter for the goal? */
export interface DoubtfulChange {
  readonly url: string
  readonly goal: string
  /** The difference, as text. */
  readonly diff: string
}

/** The answer of the model. */
export interface GoalDecision {
  readonly isMeaningful: boolean
  readonly reason: ChangeReason
}

/** Services of the engine for its watches. */
export interface WatchTools {
  readonly store: WatchStore
  readonly now: () => number
  /** True when the caller gave the clock, which may jump. */
  readonly isClockGiven: boolean
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
  /** Aborted when no report is sent any more: ten seconds after `closing`, or at once. */
  readonly sending: AbortSignal
  /** Reads the stored request of a watch. @throws InvalidRequestError; TrawlError `LEDGER_ERROR` when it is damaged */
  plan(request: string): WatchPlan
  /** Checks a request and writes it as JSON. @throws InvalidRequestError */
  toRequest(request: object): Promise<string>
  /** Starts a job, or returns the one with this key. */
  start(kind: 'batch-scrape' | 'crawl', request: object, idempotencyKey: string): Promise<CheckJob>
  /** Judges two versions of a page, in a thread if they are large. Undefined when that took too long. */
  judge(versions: PageVersions, url: string, signal: AbortSignal): Promise<Judgement | undefined>
  /** Asks the model; undefined when the engine has none. */
  readonly decide: ((change: DoubtfulChange, signal: AbortSignal) => Promise<GoalDecision>) | undefined
  /** Sends a report. @returns why it was not delivered; undefined when it was */
  postReport(report: OutgoingReport, signal: AbortSignal): Promise<string | undefined>
}
