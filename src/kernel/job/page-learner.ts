import type { Document } from '../page/document.js'

/** A page of a job. */
export interface StartedPage {
  /** Number of the page in the order of the starts, from 0. */
  readonly sequence: number
  readonly startedAtMs: number
}

/**
 * Learning of a feature from the pages of a job: the documents of some pages wait for what others tell. Times are milliseconds since the
 * epoch, and keys those of rows.
 */
export interface PageLearner {
  /** Type of the format that shares facts about pages: see `Enriched.shared`. */
  readonly format: string
  /** Adds a page that starts. Called in the order of the starts. */
  start(key: string, nowMs: number): void
  /**
   * Adds what a page that has ended tells, if anything.
   *
   * @returns the page; undefined if it was not started
   */
  end(key: string, tells?: unknown): StartedPage | undefined
  /** Stops waiting for a page that is retried later. */
  postpone(key: string): void
  /** Stops waiting for pages that were started before a time. @returns true while there are pages to wait for */
  isAwaiting(timeMs: number): boolean
  /** Stops waiting for pages: those that have ended are decided by what is known so far. */
  settle(): void
  /** True once everything that counts for a page is known. */
  isDecided(sequence: number): boolean
  /** Completes the document of a page that asks. @returns undefined to leave it */
  complete(sequence: number, asks: unknown, document: Document): Document | undefined
}
