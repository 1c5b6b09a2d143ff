import type { ChangedBlock } from '../../content/compare/match-passages.js'
import type { ChangeField } from '../../content/compare/change-field.js'
import type { ErrorCode } from '../../base/errors.js'
import type { Document } from '../../kernel/page/document.js'

/**
 * Result of a page in a check. `new`: seen for the first time, or again after it was `removed`. `moved`: it is answered at
 * another URL than before; it may have changed as well. `removed`: it is gone (404, 410).
 * `error`: it could not be scraped, and is compared with its last version in the next check.
 */
export type WatchStatus = 'new' | 'same' | 'changed' | 'moved' | 'removed' | 'error'

/** A reason why a change matters, or why it does not. */
export interface ChangeReason {
  /** Kind of the change; `page` for one of the page as a whole. */
  readonly field: ChangeField | 'page'
  /**
   * A sentence, such as `price: €12.00 → €9.00 (Lamp model 7)`. The words in parentheses are those with which the row or the item
   * begins, or the heading above it.
   */
  readonly message: string
  /** Words that stood there before, as written, of a price, a state, a date or a number that has changed: `€12.00`. Empty for one that came. */
  readonly previous?: string
  /** Words that stand there now, as written: `€9.00`. Empty for one that went. */
  readonly current?: string
}

/** A result of a watch before it is numbered. */
export interface NewResult {
  /** Name of the watch. */
  watch: string
  /** Number of the check, from 1. */
  check: number
  /** The URL as the watch names it, or as its crawl found it. */
  url: string
  status: WatchStatus
  /** True when the change matters. A page that is `new` in the first check of its target does not. */
  meaningful: boolean
  /** Reasons for this judgement, at most 500: `warning` says how many are left out. */
  reasons: ChangeReason[]
  /** Judge of the change: the rules, or the model, which is asked in doubt if there is a `goal`. */
  judgedBy: 'rules' | 'model'
  /** Confidence in `meaningful`: `high` where a rule decides, `medium` for the model, `low` where rules are in doubt and no model is asked. */
  confidence: 'high' | 'medium' | 'low'
  /** ISO date of this check of the page. */
  checkedAt: string
  /** ISO date of the version with which it was compared; null when there is none. */
  previousAt: string | null
  /** The URL that answers, when the page has `moved`. */
  movedTo?: string
  /** The difference, as a unified diff and block by block, when the text has changed. */
  diff?: { text: string; blocks: ChangedBlock[] }
  /** The page in the requested formats, when it is `new`, `changed` or `moved`; with `documents: 'all'` also when it is `same`. */
  document?: Document
  /** HTTP status of a page that is `removed`, or an `error` with one. */
  statusCode?: number
  /** Code of an `error` without HTTP status. */
  code?: ErrorCode
  /** Message of an `error`. */
  error?: string
  /**
   * True for the first result that is read after a gap: results that were not `same`, later than the position from which was
   * read, were deleted, because there were more than `keepResults`.
   */
  missed?: true
  /** Failure of a part of the check, such as asking the model or reading a list to its end; reasons that were left out. */
  warning?: string
}

/** Fields that each result of a status has: `if (result.status === 'moved')` knows `movedTo` and `document`. */
type StatusFacts =
  | { status: 'new'; document: Document }
  | { status: 'moved'; document: Document; movedTo: string }
  | { status: 'removed'; statusCode: number }
  | { status: 'error'; error: string }
  | { status: 'same' | 'changed' }

/** Result of one page in one check of a watch. */
export type WatchResult = NewResult &
  StatusFacts & {
    /** Position among the results of the watch, from 1: see {@link Watch.results}. */
    sequence: number
  }

/** Number of pages by status. */
export interface CheckSummary {
  totalPages: number
  new: number
  same: number
  changed: number
  moved: number
  removed: number
  error: number
  /** Pages whose change is meaningful. */
  meaningful: number
}

/** A finished check of a watch. */
export interface WatchCheck {
  /** From 1. */
  number: number
  /** Cause of the check: the schedule, or {@link Watch.check}. */
  trigger: 'schedule' | 'call'
  /** The time for which it was planned. ISO date. */
  dueAt: string
  startedAt: string
  completedAt: string
  /** Ids of its jobs, oldest first: `engine.job(id)`. */
  jobs: string[]
  summary: CheckSummary
  /** Reason why pages are missing. */
  error?: string
  /** Reason why a crawl may not have seen all of its site: then nothing counts as no longer found. */
  warning?: string
}

/** State of a watch. */
export interface WatchOverview {
  name: string
  /** The request, as it is stored; values of headers, texts that actions type and credentials in URLs are `***`. */
  request: object
  /** True between `pause()` and `resume()`. */
  paused: boolean
  /** True while a living engine runs the watch. */
  running: boolean
  /** True while a check is under way. */
  checking: boolean
  /** Number of checks that have ended. */
  checks: number
  /** Pages with a history. */
  pages: number
  /** Position of the newest result; 0 without one. */
  lastSequence: number
  /** ISO date of the next check; absent while the watch is paused, before its first check, and when there is none. */
  nextCheckAt?: string
  /** The last check. */
  lastCheck?: WatchCheck
  /** Reason why the last check could not be made, or a report not be delivered; the number of reports that wait after a failed attempt. */
  warning?: string
}

/** Events of a watch that this engine runs. Each has one argument. */
export interface WatchEvents {
  /** The result of a page, of any status. */
  page: [result: WatchResult]
  /** A check has ended. */
  check: [check: WatchCheck]
  /**
   * A check could not be made, the ledger failed, or a report was not delivered: told once, until one is delivered. The watch goes on.
   */
  problem: [error: Error]
}

/**
 * Handle of a watch. It works in any process that shares the ledger, whichever runs the watch.
 *
 * @example
 * for await (const { url, meaningful, reasons } of watch) if (meaningful) console.log(url, reasons)
 */
export interface Watch extends AsyncIterable<WatchResult> {
  readonly name: string
  /** @throws TrawlError `WATCH_NOT_FOUND`, as all methods do */
  status(): Promise<WatchOverview>
  /**
   * Checks all pages at once, also while the watch is paused, and resolves when that check has ended. A check under way is
   * finished first; if none of its pages has a result yet, it answers the call. A watch that no process runs is run here
   * until then.
   *
   * @param options.signal ends the waiting, and not the check
   * @throws InvalidRequestError for a stored request that this engine cannot run, and no other process runs
   */
  check(options?: { signal?: AbortSignal }): Promise<WatchCheck>
  /** Starts no further check of the schedule. A check under way is finished. */
  pause(): Promise<void>
  /** Follows the schedule again. A check that has become due meanwhile is made once, at once. */
  resume(): Promise<void>
  /**
   * Changes the request, from the next check on. Histories of pages stay.
   *
   * @param changes options to replace; undefined removes one
   * @throws InvalidRequestError
   */
  change(changes: object): Promise<void>
  /** Ends the watch and deletes it with its history. A check under way is cancelled. */
  remove(): Promise<void>
  /**
   * Reads stored results, oldest first: fewer than `limit` if they are large, and none when there are no more.
   *
   * @param options.after position after which results are read. @default 0
   * @param options.limit maximum number of results, 1 to 1000. @default 100
   */
  results(options?: { after?: number; limit?: number }): Promise<readonly WatchResult[]>
  /**
   * Iterates over the results of all pages from now on, until the watch is removed or the engine is closed. To go on where
   * another process has ended, use `results({ after })` with the `sequence` that it has stored.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<WatchResult>
  on<E extends keyof WatchEvents>(event: E, listener: (...args: WatchEvents[E]) => void): this
  off<E extends keyof WatchEvents>(event: E, listener: (...args: WatchEvents[E]) => void): this
}
