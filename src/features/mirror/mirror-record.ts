import type { MirrorSummary } from './mirror-change.js'

/** A summary as it is stored. */
export type Summary = Readonly<Omit<MirrorSummary, 'gaps' | 'pages' | 'failures'>> & {
  readonly gaps: readonly string[]
}

/** Acknowledged state of a page. Plain data. */
export interface MirrorEntry {
  /** URL of the page after redirects. */
  readonly key: string
  /** The URL that was asked for, where it is another one. */
  readonly from?: string
  /** Hash of its content; empty while only some of its chunks are acknowledged. */
  readonly digest: string
  /** Number of the run that acknowledged it. */
  readonly run: number
  /** Time of the crawl of the whole scope that first missed it, ISO 8601; absent for a page that the last such crawl found, or may not have seen. */
  readonly missedAt?: string
  readonly title?: string
  readonly description?: string
  /** Hashes of its chunks, in their order. */
  readonly chunks?: readonly string[]
  /** Hashes of new chunks that the target may have, because they were not acknowledged; an empty list for such a page. */
  readonly begun?: readonly string[]
  /** True for a page that the target may have lost: it is not new. Absent once all of it is acknowledged again. */
  readonly isKnown?: boolean
  /** The file of the page, in a folder. */
  readonly stored?: StoredFacts
  /** The pictures of the page that were saved, in a folder; absent for none. */
  readonly assets?: readonly AssetFacts[]
  /** For each link of the page's file to one of them, its place among them: two that are alike have one file. Absent for a page with one. */
  readonly links?: readonly number[] | undefined
  /** Number of runs that did not get a picture of the page which its site may give later; absent for none. */
  readonly tries?: number
  /** Hash of the row of the page, in a table. */
  readonly sum?: string
}

/** The file of a page. */
export interface StoredFacts {
  /** Its path in the folder, with `/`. */
  readonly file: string
  readonly bytes: number
  /** SHA-256 in hexadecimal digits. */
  readonly sum: string
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number
}

/** A picture of a page, and its file. */
export interface AssetFacts extends StoredFacts {
  readonly url: string
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** State of a mirror as a whole. Plain data. */
export interface MirrorHead {
  /** Number of the last run that was begun. */
  readonly run: number
  /** Id of the job of that run, until the run has ended. */
  readonly jobId?: string
  /** Hash of the options that its pages were made with. */
  readonly asked?: string
  /** Id of the job with which all of the mirror agrees; absent where none is known. */
  readonly covered?: string
  /** The last run whose entries agree with that job. */
  readonly coveredRun?: number
  /** URL of the start page of the last run that saw all of its scope. */
  readonly start?: string
  /** End of the last run, ISO 8601. */
  readonly syncedAt?: string
  /** End of the last run that saw the whole site, ISO 8601. */
  readonly completeAt?: string
  readonly summary?: Summary
  /** Hash of what the lists of a folder were made of. */
  readonly lists?: string
  /** Settings of the pictures that the pages of a folder were written with; absent where they have none. */
  readonly assets?: string
}

/** A change of the record. */
export interface RecordChange {
  readonly put?: readonly MirrorEntry[]
  /** Keys of entries. */
  readonly remove?: readonly string[]
}

/**
 * A transaction of the ledger's database, for what is to be committed with an acknowledgement. In an SQLite ledger, whose interface is
 * synchronous, what `run` is given is collected, and runs when the function has resolved; `all` reads what was committed before.
 */
export interface MirrorTransaction {
  /** Runs a statement that writes. Values replace its `?` in SQLite, its `$1` in PostgreSQL. */
  run(sql: string, ...values: readonly TransactionValue[]): Promise<void>
  all(sql: string, ...values: readonly TransactionValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** A value of a statement. */
export type TransactionValue = string | number | Uint8Array | null

/** The place where a mirror keeps what is acknowledged. */
export interface MirrorRecord {
  /** Reads all of it. */
  load(): Promise<{ readonly head: MirrorHead | undefined; readonly entries: readonly MirrorEntry[] }>
  /** Writes a change, whole or not at all. It survives the process when it resolves, where the record does. */
  save(change: RecordChange): Promise<void>
  saveHead(head: MirrorHead): Promise<void>
  /**
   * Checks that no other process has begun a run since this one did, before something is written that is no part of the record.
   *
   * @throws TrawlError `JOB_HELD` if one has
   */
  checkAlone?(): Promise<void>
  /** Runs what a function of the caller writes, and the change, in one transaction. Absent where there is none. */
  transact?(change: RecordChange, act: (tx: MirrorTransaction) => Promise<void>): Promise<void>
}
