/** Maximum length of the results that are read at once, unless a single one is longer. Characters. */
export const MAX_READ_CHARS = 16 * 1024 * 1024

/** Tells a watch from one that had its name before and was removed. */
export interface WatchKey {
  readonly name: string
  /** A random text, made when the watch is stored for the first time. */
  readonly identity: string
}

/** A watch as it is written. */
export interface WatchRecord extends WatchKey {
  /** The request, as JSON. */
  readonly request: string
  /** Grows with each change of the request, of `isPaused` and of `asked`, so that the process that runs the watch sees them. */
  readonly version: number
  readonly isPaused: boolean
  /** Number of checks that callers have asked for at once. */
  readonly asked: number
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
  /** State of its checks, as JSON; absent before the first one. */
  readonly state?: string
}

/** A watch, as a ledger stores it. */
export interface StoredWatch extends WatchRecord {
  /** True while a living process runs it. */
  readonly isHeld: boolean
  /** Position of the newest result; 0 without one. */
  readonly last: number
  /** Position of the newest result that was deleted and was not `same`; 0 without one. */
  readonly lost: number
}

/** The history of a page of a watch. */
export interface WatchedPage extends WatchedUrl {
  /** Markdown of its last version. */
  readonly markdown: string
}

/** A URL of a watch, with the facts of its page. */
export interface WatchedUrl {
  /** The URL as it was asked for. */
  readonly url: string
  /** All but the text, as JSON. */
  readonly facts: string
}

/** A result of a check, as JSON. */
export interface StoredResult {
  /** Position among the results of the watch, from 1. */
  readonly sequence: number
  readonly result: string
}

/** A report to the webhook of a watch, not delivered yet. */
export interface WatchReport {
  /** Position among the reports of the watch. */
  readonly number: number
  /** JSON. */
  readonly body: string
  /** Number of failed attempts. */
  readonly attempts: number
  /** Time of the next attempt. Milliseconds since the epoch. */
  readonly dueAtMs: number
}

/** A group of writes that is stored whole or not at all. */
export interface WatchCommit {
  readonly state?: string
  /** A page whose history is replaced. */
  readonly page?: WatchedPage
  /** URLs of pages whose histories are deleted. */
  readonly forget?: readonly string[]
  /** A result to append, as JSON. */
  readonly result?: string
  /** True for a result that tells of no change: it is deleted before others. @default false */
  readonly isSame?: boolean
  /** A report to send. */
  readonly report?: { readonly body: string; readonly dueAtMs: number }
  /** Number of results that stay. Those that tell of no change are deleted first, then the oldest. */
  readonly keepResults?: number
}

/** Stores watches. Each call is atomic, because several processes may share the store. */
export interface WatchStore {
  /** Stores a watch, or replaces the request of the one with this name, whose history stays. */
  define(name: string, request: string, nowMs: number): Promise<void>
  read(name: string): Promise<StoredWatch | undefined>
  /** All watches, by name. */
  list(): Promise<readonly StoredWatch[]>
  /** Pauses a watch or resumes it, or asks for a check. False when there is no such watch. */
  control(name: string, change: { readonly isPaused?: boolean; readonly asks?: true }): Promise<boolean>
  /** Takes a watch for this process. False when another living process has it, or there is none. */
  acquire(watch: WatchKey): Promise<boolean>
  /** Gives a watch of this process back. */
  release(watch: WatchKey): Promise<void>
  /**
   * Writes what a check has found.
   *
   * @returns position of the newest result; undefined, with nothing written, when this process does not have the watch
   */
  commit(watch: WatchKey, commit: WatchCommit): Promise<number | undefined>
  page(name: string, url: string): Promise<WatchedPage | undefined>
  /** The facts of all pages, by URL, without their texts. */
  pages(name: string): Promise<readonly WatchedUrl[]>
  /** Results after a position, oldest first: at most `limit`, and of {@link MAX_READ_CHARS} characters, but at least one. */
  results(name: string, after: number, limit: number): Promise<readonly StoredResult[]>
  /** Position of the newest result; 0 without one. */
  lastSequence(name: string): Promise<number>
  /** Reports that are due, oldest first, with those whose time is more than `MAX_REPORT_WAIT_MS` ahead. */
  dueReports(name: string, nowMs: number, limit: number): Promise<readonly WatchReport[]>
  /** Number of reports that wait after a failed attempt. */
  failedReports(name: string): Promise<number>
  /** Deletes the reports that are not delivered yet. */
  dropReports(watch: WatchKey): Promise<void>
  /** Removes a report, or with `retryAtMs` counts a failed attempt. */
  settleReport(name: string, number: number, retryAtMs?: number): Promise<void>
  /** Deletes a watch with its history. False when there is none. */
  remove(name: string): Promise<boolean>
}
