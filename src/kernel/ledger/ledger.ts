import type { JobUse } from '../../base/accounting/budget.js'
import type { ErrorCode } from '../../base/errors.js'
import type { JobStore } from './job-store.js'
import type { LedgerHealth } from './ledger-health.js'
import type { Outbox, RowReports } from './outbox.js'
import type { PageWarning } from '../../base/text/page-warnings.js'
import type { SkipReason } from './skip-reason.js'
import type { TaskQueue } from './task-queue.js'
import type { SqliteFile } from './sqlite/sqlite-file.js'

export type { PageWarning, SkipReason }

/** Way in which a URL was discovered. `previous`: in the record of the last crawl, and no link was found. `search`: in the site's search index. */
export type Via = 'seed' | 'link' | 'redirect' | 'sitemap' | 'previous' | 'search'

/** A URL of the caller's list. */
export interface Source {
  /** Index in the caller's list, from 0. */
  readonly order: number
  /** The caller's spelling. */
  readonly url: string
}

/**
 * A position in the queue, compared number by number. URLs found on an earlier page come first, whichever page answered
 * first, so that a site is crawled in the same order every time.
 */
export type QueuePosition = readonly [page: number, index: number]

/** A URL that was found, with where. */
interface FoundUrl {
  /** Identifies the page: see `pageKey`. */
  readonly key: string
  /** The URL to request, in the spelling seen first. */
  readonly url: string
  /** The caller's spellings of a seed: one for each time that a batch lists this page. */
  readonly sources?: readonly Source[]
  readonly via: Via
  /** Discovery depth: 0 for a seed. */
  readonly depth: number
  /** The URL of the page with the link, of the sitemap, or of the search index. */
  readonly foundOn?: string
  /** The link's text. */
  readonly anchor?: string
  /** Its position in the queue: the `order` of the page that links to it, and that on the page. @default last */
  readonly place?: QueuePosition
  /** Promise of the link for the `goal` of the crawl; absent without one, and for the start page. */
  readonly score?: LinkScore
  /** The sitemap's `lastmod`. ISO date. */
  readonly lastmod?: string
  /** The page in other languages, from the sitemap. */
  readonly alternates?: readonly { readonly hreflang: string; readonly url: string }[]
  /** Fetched for its links only. The page is not kept and does not count towards the limit. @default false */
  readonly linksOnly?: boolean
}

/** A URL discovered by a job. */
export interface UrlCandidate extends FoundUrl {
  /** Set when the URL is refused on discovery; absent when it is to be scraped. */
  readonly refused?: Refusal
}

/** A reason to skip a URL, with an explanation. */
export interface Refusal {
  readonly reason: SkipReason
  /** Names the rule, pattern or limit that applied, for human readers. */
  readonly message: string
}

export type Outcome = 'queued' | 'active' | 'done' | 'failed' | 'skipped'

/** The record of one URL of a job. */
export interface LedgerRow extends FoundUrl {
  /** The number of pages leased before this one; absent for a URL that was never leased. */
  readonly order?: number
  readonly outcome: Outcome
  /** Set when the outcome is `skipped`. */
  readonly refusal?: Refusal
  /** Set when the outcome is `failed`. */
  readonly failure?: { readonly code: ErrorCode; readonly error: string }
  readonly attempts: readonly Attempt[]
  /** The URL after redirects, when it differs from the one requested. */
  readonly finalUrl?: string
  /** The URL of an earlier page with the same or nearly the same content. */
  readonly duplicateOf?: string
  /** The `warning` of its document, at most 1000 characters; absent for none. */
  readonly warning?: string
  readonly foundAtMs: number
  readonly endedAtMs?: number
  /** Set for a URL of a sitemap when another page of the crawl links to it. */
  readonly linked?: true
  /**
   * Set when the job has found more URLs than it stores completely. Of this one it stores the reason, and not the page
   * with the link.
   */
  readonly abridged?: true
  /** Credits of the page; set when the outcome is `done`, and for a failed page that costs something. */
  readonly credits?: number
}

/** The outcome of a page. */
export type Ending<Doc> =
  /**
   * One document for each of the row's sources, or one when it has none; no document when none are to be kept. `bytes`
   * is the size of each document. `credits` is the cost of the page, by default 1, however often a batch lists it.
   */
  | { readonly outcome: 'done'; readonly documents: readonly Doc[]; readonly bytes: number; readonly credits?: number }
  | { readonly outcome: 'failed'; readonly code: ErrorCode; readonly error: string; readonly credits?: number }
  | { readonly outcome: 'skipped'; readonly refusal: Refusal }

/** Numbers of rows by outcome. A row that a batch lists n times counts n times. */
export type Counts = Readonly<Record<Outcome, number>> & {
  /** Skipped rows by reason. */
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>
  /** Credits of all rows. */
  readonly credits: number
  /** Skipped URLs that have no row of their own, because there are too many; absent when there are none. */
  readonly abridged?: number
  /** Pages with warnings, by kind; absent when there are none. */
  readonly warnings?: readonly PageWarning[]
}

/** Selects rows. */
export interface RowFilter {
  readonly outcome?: Outcome
  /** Selects skipped rows with this reason. */
  readonly reason?: SkipReason
  /** The key of a row: selects rows found after it, and none when there is no such row. */
  readonly after?: string
  readonly skip?: number
  readonly limit?: number
}

/** A document of a job, as the ledger stores it. */
export interface Delivery<Doc> {
  /** Position in the order of completion, from 0. */
  readonly sequence: number
  /** Position in the order in which pages were begun, or in the batch's list. */
  readonly order: number
  readonly document: Doc
  /** Approximate size in memory. */
  readonly bytes: number
}

/** A part of a job's documents: at most `limit` after the first `skip`. */
export interface DocumentPage {
  readonly skip: number
  readonly limit: number
  /** Total size after which no further document is read. Bytes. @default no limit */
  readonly maxBytes?: number
}

/** Finds rows of a job. */
export interface RowReader {
  /** The row of a key. For a row that is {@link LedgerRow.abridged}, `url` is the key. */
  row(key: string): Promise<LedgerRow | undefined>
}

/** Reads the documents of a job. */
export interface DocumentReader<Doc> {
  counts(): Promise<Counts>
  /**
   * Documents in the order in which their pages were begun, or of the batch's list: at most `limit`, and none after the first that bring their
   * total size above `maxBytes`, so that no unwanted document is read.
   */
  documents(page: DocumentPage): Promise<readonly Delivery<Doc>[]>
}

/** Reads all that a ledger has of a job. */
export interface LedgerReader<Doc> extends RowReader, DocumentReader<Doc> {
  /** Rows in order of discovery, without abridged ones. */
  rows(filter?: RowFilter): Promise<readonly LedgerRow[]>
  /**
   * Documents in order of completion, from this sequence number on; fewer than `limit`, but one, when they are large.
   *
   * @param unacknowledgedOnly true to leave out acknowledged documents. @default false
   */
  completed(fromSequence: number, limit: number, unacknowledgedOnly?: boolean): Promise<readonly Delivery<Doc>[]>
  /** The number of documents so far, which is the next sequence number. */
  delivered(): Promise<number>
}

/**
 * The record of every URL of one job, with exactly one outcome each. It is also the job's queue: `lease` returns the
 * next row. One process has a job at a time. Rows are in its memory (`IndexedJobLedger`), and writes to a store follow; when the
 * process dies, the one that takes the job over queues its active rows again.
 */
export interface JobLedger<Doc> extends LedgerReader<Doc> {
  /**
   * Records candidates in order and returns the rows that are new or newly queued. Beyond {@link rowLimits} a row is
   * abridged: it is counted, and only `row` finds it. A known key stays unchanged, with four exceptions: a queued row
   * found in an earlier position moves there; a row that a rule refused before any attempt, unless it is claimed, is queued
   * when it is found again without a refusal; a row found in a sitemap is noted as linked when a link leads to it; and an
   * abridged one becomes a row when there is room again.
   */
  admit(candidates: readonly UrlCandidate[], nowMs: number): Promise<readonly LedgerRow[]>
  /** Tests for a URL that `admit` leaves unchanged from now on, because its page has ended; absent without rows in memory. */
  isSettled?(key: string): boolean
  /**
   * Marks the URL at which another page ended up (by a redirect or a canonical link), so that it is not scraped again.
   * A row that a rule refused before any attempt takes the new refusal, whose reason is `DUPLICATE`.
   *
   * @returns `taken` with the row that has the URL already; else `added` or `claimed`, with the row that now has it
   */
  claim(candidate: UrlCandidate & { refused: Refusal }, nowMs: number): Promise<Claim>
  /**
   * Returns the next queued row that is due, and marks it active: smallest depth first, within a depth in order of
   * `place`, or in order of `place` alone: see {@link LedgerRules.order}. Returns none while done and active rows together reach `limit`.
   */
  lease(request: LeaseRequest): Promise<LedgerRow | undefined>
  /** Resolves to true when `lease` would return a row now. */
  ready(request: LeaseRequest): Promise<boolean>
  /** Returns an active row to the queue as if it had not been leased, because no attempt was made. */
  putBack(key: string): Promise<void>
  /** Returns an active row to the queue, to be leased no earlier than `attempt.retryAtMs`. */
  retry(key: string, attempt: Attempt): Promise<void>
  /**
   * Records the outcome of an active row. When it resolves, the row and its documents are as durable as this ledger
   * makes them.
   */
  end(key: string, ending: Ending<Doc>, rowEnd: RowEnd): Promise<LedgerRow>
  /**
   * Adds further sources of the batch's list to a page; sources that it has already are ignored. A page that is done
   * gets a copy of its document for each.
   *
   * @param reports as in {@link RowEnd}, for a row that has ended
   * @returns undefined, with nothing changed, when there is no such row, or its document is no longer kept. `ended` is the row with the
   * added sources alone, if it had ended without a document
   */
  addSources(
    key: string,
    sources: readonly Source[],
    copy: (document: Doc, source: Source) => Doc,
    reports?: RowReports,
  ): Promise<{ readonly documents: readonly Doc[]; readonly bytes: number; readonly ended?: LedgerRow } | undefined>
  /** Records every queued row as `skipped`, with the refusal that `decide` returns for it. */
  skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]>
  /**
   * Resolves when everything changed before the call is as durable as this ledger makes it. `admit`, `claim`, `retry` and `recordUse`
   * may resolve earlier: what they change is written with what follows.
   *
   * @throws TrawlError `LEDGER_ERROR`, `JOB_HELD` when it could not be written
   */
  written(): Promise<void>
  /**
   * Records the used part of the budget, to be written with the next row that ends: see `used` of {@link StoredJob}.
   */
  recordUse(use: JobUse): void
  /** Records that the consumer has processed a document. @param drop deletes the document */
  acknowledge(sequence: number, drop: boolean): Promise<void>
  /** The notes that rows ended with, in that order. A ledger in memory has none. */
  notes(): AsyncIterable<{ readonly row: LedgerRow; readonly note: string }>
  /** Returns the reports of a feature about the job. */
  outbox(feature: string): Outbox
  /** Frees what only a running job needs. Called when the job has ended for good; absent where nothing is kept of one. */
  settle?(): void
}

/** Limits of a job's ledger, which reads them at each call: a job may change them until its first row is admitted. */
export interface LedgerRules {
  /** Maximum number of rows with the outcome `done`. */
  readonly limit: number
  /**
   * Leases no row while one of a smaller depth has not ended, so that depths are minimal and the order is the same
   * every time. A row that waits for a retry, or is active for longer than this, no longer holds deeper rows back.
   * Milliseconds; 0 for no order by depth, `Infinity` for a strict one.
   */
  readonly holdLevelMs: number
  /** Leases rows in order of `place` alone, whatever their depth. @default 'depth' */
  readonly order?: 'depth' | 'place'
}

/** The end of a row. */
export interface RowEnd {
  readonly nowMs: number
  /** The last attempt; absent when there was none. */
  readonly attempt?: Attempt
  /** The URL after redirects, when it differs from the one requested. */
  readonly finalUrl?: string
  /** The URL of an earlier page with the same or nearly the same content. */
  readonly duplicateOf?: string
  /** The warning of its document; absent for none. */
  readonly warning?: string
  /** Data about the page that the job reads when it resumes in another process. */
  readonly note?: string
  /** Reports of the row; absent when none are to be sent. */
  readonly reports?: RowReports
}

/** Selects the row to lease. */
export interface LeaseRequest {
  readonly nowMs: number
  /** Sites that must not be requested yet: see `siteOf`. */
  readonly heldSites?: ReadonlySet<string>
  /** Sites with slow requests in flight: rows of other sites come first. @default none */
  readonly slowSites?: ReadonlySet<string>
  /** Maximum depth of the row. @default Infinity */
  readonly maxDepth?: number
  /** Keys of active rows whose links are already in the queue: they hold no deeper row back. */
  readonly readKeys?: ReadonlySet<string>
}

/** The result of claiming a URL. */
export interface Claim {
  readonly outcome: 'added' | 'claimed' | 'taken'
  readonly row: LedgerRow
}

/** Bounds of what a ledger in memory keeps of ended jobs. */
export interface KeptJobs {
  /** Maximum number of ended jobs. */
  readonly maxJobs: number
  /** Maximum size of the documents and rows of all jobs in memory, compressed where they are. Bytes. */
  readonly maxBytes: number
  /** Their size now. Bytes. */
  readonly heldBytes: number
}

/** A connection of a feature to the database of a ledger, with the ledger's schema as its first one. */
export interface LedgerConnection {
  readonly connection: { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }
  end(): Promise<void>
}

/** Stores the ledgers of jobs. It belongs to one engine, which closes it. */
export interface Ledger {
  /** Opens the ledger of a new or stored job. */
  open<Doc>(jobId: string, rules: LedgerRules): Promise<JobLedger<Doc>>
  /** The stored jobs; absent when the ledger lasts no longer than the process. */
  readonly jobStore?: JobStore
  /** Counts the rows of a stored job, without opening its ledger; absent when the ledger is not a file. */
  countRows?(jobId: string): Promise<Counts>
  /** Hands pages to other engines; absent when engines do not share the ledger. */
  readonly tasks?: TaskQueue
  /** The file in which features keep tables of their own; absent when the ledger is not an SQLite file. */
  readonly file?: SqliteFile
  /** Opens a connection of its own to the ledger's database, for tables of features; absent without a server. @throws TrawlError `LEDGER_ERROR` */
  connect?(): Promise<LedgerConnection>
  /** Measures the ledger. Never rejects; absent when there is nothing to measure. */
  health?(): Promise<LedgerHealth>
  /** Bounds beyond which the engine forgets the jobs that ended first; absent when the ledger is not in memory. */
  readonly keeps?: KeptJobs
  /** Frees the resources of a finished job that the engine forgets. */
  forget(jobId: string): void
  close(): Promise<void>
}

/** Fields of an attempt that features add. A feature adds its own by declaration merging, so that they go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureAttempt {}

/** One attempt to fetch a page. */
export interface Attempt extends FeatureAttempt {
  readonly startedAtMs: number
  readonly endedAtMs: number
  /**
   * The fetcher used, or `cache`; `record` when nothing was requested, because an earlier crawl has the page and it is
   * unchanged.
   */
  readonly fetcher?: string
  /** Explains why a plainer fetcher was not used, or why the page counts as unchanged (`since`). */
  readonly fetcherReason?: string
  readonly statusCode?: number
  /** The kind of proxy used; absent for a basic one or none. */
  readonly proxyUsed?: 'stealth'
  /** Challenges and blocks of earlier fetch strategies: the vendor, and the sign by which each was detected. */
  readonly blocks?: readonly { readonly vendor?: string; readonly evidence: string }[]
  readonly code?: ErrorCode
  readonly error?: string
  /** The URL of a screenshot, taken when an action failed. */
  readonly screenshot?: string
  /** Time of the attempt that does not count towards the `timeout` of the page, because it waited for others; absent for none. */
  readonly waitedMs?: number
  /** The time of the next attempt; absent for the last one. Milliseconds since the epoch. */
  readonly retryAtMs?: number
}

/** Promise of a link for the goal of a crawl, with its parts. Each is from 0 to 1, rounded to three digits. */
export interface LinkScore {
  /** Weighed sum of the parts. */
  readonly score: number
  /** Words of the goal in the text of the link, each weighed by how rare it is in the crawl so far. */
  readonly anchor: number
  /** Words in the path and the query of the URL, likewise. */
  readonly path: number
  /** Words in the headings over the link. */
  readonly heading: number
  /** Words around the link. */
  readonly near: number
  /** Relevance of the page with the link. */
  readonly page: number
  /** Mean relevance of the pages fetched so far whose URLs are in the same folder. */
  readonly siblings: number
  /** Nearness to the start page: 1 for its links, 1/2 for theirs, 1/3 … */
  readonly distance: number
  /** Fitness of the page by the search index of the site; only where the site has one. */
  readonly index?: number
  /** Nearness of the meaning of the link to that of the goal; only where the engine has `embed`. */
  readonly vector?: number
}
