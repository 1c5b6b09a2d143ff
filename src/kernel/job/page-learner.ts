import type { DropPlan } from '../../content/digest/drop-plan.js'
import type { UrlCandidate } from '../ledger/ledger.js'
import type { Document } from '../page/document.js'

/** A page of a job that has started. */
export interface StartedPage {
  readonly startedAtMs: number
}

/** The row of a page that starts. */
export interface StartingRow {
  readonly key: string
  readonly url: string
}

/**
 * Learning of a feature from the pages of a job: the documents of some pages wait for what others tell. Times are milliseconds since the
 * epoch, and keys those of rows.
 */
export interface PageLearner<Page extends StartedPage = StartedPage, Tells = unknown, Asks = unknown> {
  /** Name of its feature, under which pages have their facts: see `ScrapedPage.shared`. */
  readonly feature: string
  /** Name that these facts have in the notes of jobs which an earlier version has stored. @default the same */
  readonly formerName?: string
  /** True if error pages and copies, which tell nothing, ask as well. @default false */
  readonly completesAll?: true
  /** Begins, before the first page. @param seeds pages that the job starts with: all of a batch, in the order of its list */
  begin?(seeds: readonly UrlCandidate[]): Promise<void>
  /** Adds a page that starts. Called in the order of the starts, and again when the page is retried. */
  start(row: StartingRow, nowMs: number): void
  /** Returns what is left out of a page that has started, by what is known so far; undefined to leave it. At most one feature does so. */
  drop?(key: string): DropPlan | undefined
  /**
   * Adds what a page that has ended tells, if anything.
   *
   * @returns the page; undefined if it was not started
   */
  end(key: string, tells?: Tells): Page | undefined
  /** Stops waiting for a page that is retried later. */
  postpone(key: string): void
  /** Stops waiting for pages that were started before a time. @returns true while there are pages to wait for */
  isAwaiting(timeMs: number): boolean
  /**
   * Stops waiting for the page that was started first, as too many pages wait for it. Without this method, those that have waited
   * longest are completed by what is known so far.
   *
   * @returns false if it waits for none
   */
  giveUp?(): boolean
  /** Stops waiting for pages: those that have ended are decided by what is known so far. */
  settle(): void
  /** True once everything that counts for a page is known. */
  isDecided(page: Page, asks: Asks): boolean
  /** Returns what is left out of a page that asks, which is then converted again; undefined if nothing else is than before. */
  dropAgain?(page: Page, asks: Asks): DropPlan | undefined
  /** Completes the document of a page that asks. @returns undefined to leave it */
  complete?(page: Page, asks: Asks, document: Document): Document | undefined
}
