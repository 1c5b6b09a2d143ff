import type { JobUse } from '../accounting/budget.js'
import type { ErrorCode } from '../errors.js'
import type { JobStore } from './job-store.js'
import type { Outbox } from './outbox.js'
import type { SkipReason } from './skip-reason.js'

export type { SkipReason }

/**
 * How a URL came to be known. `previous` is one that only the record of the crawl before has: nothing led there this time.
 */
export type Via = 'seed' | 'link' | 'redirect' | 'sitemap' | 'previous'

/** A URL as the caller gave it. */
export interface Source {
  /** Place in the caller's list, from 0. */
  readonly order: number
  /** The caller's spelling. */
  readonly url: string
}

/**
 * Compared number by number. What is found on an earlier page comes first, whichever answered first, so that the same
 * site is taken up in the same order every time.
 */
export type QueuePosition = readonly [page: number, index: number]

/** A URL that the job has come to know. */
export interface Candidate {
  /** What makes it the same page as another: see `pageKey`. */
  readonly key: string
  /** The URL that would be requested, first-seen spelling. */
  readonly url: string
  /** The caller's spellings, for a seed: one for each time that a batch names this page. */
  readonly sources?: readonly Source[]
  readonly via: Via
  /** Discovery depth: 0 for a seed. */
  readonly depth: number
  /** The URL of the page that it was found on. */
  readonly foundOn?: string
  /** The link's text. */
  readonly anchor?: string
  /** Where it was found, to be taken up in that order: the page's own order, and the place on it. @default last */
  readonly place?: QueuePosition
  /** When the site's sitemap says that the page was last changed. ISO date. */
  readonly lastmod?: string
  /** The same page in other languages, by the site's sitemap. */
  readonly alternates?: readonly { readonly hreflang: string; readonly url: string }[]
  /** Fetched for the links on it and not to be kept: it does not count towards the limit. @default false */
  readonly linksOnly?: boolean
  /** Refused at once, for this reason; absent when it is to be scraped. */
  readonly refused?: Refusal
}

/** Why something was refused, and by what. */
export interface Refusal {
  readonly reason: SkipReason
  /** For a reader: the rule, pattern or limit that decided. */
  readonly message: string
}

/** One try at a page. */
export interface Attempt {
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** Which fetcher was used, or `cache`; `record` when nothing was: an earlier crawl knows the page, and it has not changed. */
  readonly fetcher?: string
  /** Why that fetcher and no plainer one; for a page that was taken as unchanged (`since`), why. */
  readonly fetcherReason?: string
  readonly statusCode?: number
  /** Which kind of proxy brought the page; absent for the plain one. */
  readonly proxyUsed?: 'stealth'
  /** What stood in the way before the page came: whose guard, and what it was seen by. */
  readonly blocks?: readonly { readonly vendor?: string; readonly evidence: string }[]
  readonly code?: ErrorCode
  readonly error?: string
  /** What the page looked like when an action on it failed: the URL of a picture. */
  readonly screenshot?: string
  /** When the page was to be tried again, for an attempt that was not the last. */
  readonly retryAtMs?: number
}

export type Outcome = 'queued' | 'active' | 'done' | 'failed' | 'skipped'

/** All that is known about one URL of a job. */
export interface LedgerRow extends Omit<Candidate, 'refused'> {
  /** How many pages the job took up before it; absent for a URL that was never taken up. */
  readonly order?: number
  readonly outcome: Outcome
  /** Set when the outcome is `skipped`. */
  readonly refusal?: Refusal
  /** Set when the outcome is `failed`. */
  readonly failure?: { readonly code: ErrorCode; readonly error: string }
  readonly attempts: readonly Attempt[]
  /** The URL that answered, when it is not the one asked for. */
  readonly finalUrl?: string
  /** The URL of an earlier page with the same, or nearly the same, content. */
  readonly duplicateOf?: string
  readonly foundAtMs: number
  readonly endedAtMs?: number
  /** Set when the job has found more URLs than it keeps: of this one it keeps the reason, and not where it was found. */
  readonly abridged?: true
  /** What the page cost; set when the outcome is `done`, and for one that failed where that costs something. */
  readonly credits?: number
}

/** What a page ended as. */
export type Ending<Doc> =
  /**
   * One document for each of the row's sources, or one when it has none; no document at all when none are to be kept.
   * `bytes` is the size of each, `credits` what the page costs, by default 1, however often a batch names it.
   */
  | { readonly outcome: 'done'; readonly documents: readonly Doc[]; readonly bytes: number; readonly credits?: number }
  | { readonly outcome: 'failed'; readonly code: ErrorCode; readonly error: string; readonly credits?: number }
  | { readonly outcome: 'skipped'; readonly refusal: Refusal }

/** Rows by outcome; a row that a batch names n times counts n times. */
export type Counts = Readonly<Record<Outcome, number>> & {
  /** The skipped ones by reason. */
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>
  /** What they cost together. */
  readonly credits: number
  /** Skipped ones that have no row of their own, because there are too many; absent when there are none. */
  readonly abridged?: number
}

/** Which rows are wanted. */
export interface RowFilter {
  readonly outcome?: Outcome | undefined
  /** Skipped ones with this reason. */
  readonly reason?: SkipReason | undefined
  /** The key of a row: those found after it. None when there is no such row. */
  readonly after?: string | undefined
  readonly skip?: number
  readonly limit?: number
}

/** A document as the ledger keeps it. */
export interface Delivery<Doc> {
  /** Place in the order of completion, from 0. */
  readonly sequence: number
  /** Place in the order of discovery, or of the batch's list. */
  readonly order: number
  readonly document: Doc
  /** Rough size in memory. */
  readonly bytes: number
}

/**
 * What happened to every URL of one job: one row each, with exactly one outcome. It is also the queue: `lease` hands
 * out what is next. Plug-ins of `ledger/ledgers/` implement this; every method may be a round trip to a store, and one
 * store may serve several processes, so each call is atomic.
 */
export interface JobLedger<Doc> {
  /**
   * Records candidates in their order, and gives back the rows that are new, and those that are newly queued. Where there are
   * more than {@link rowLimits} allow, a row is abridged: it is counted, and known by `row` alone. A key seen
   * before is left as it is, but for two: a row that is still queued and now was found in an earlier place moves there;
   * a row that was refused before anything was tried is queued when it is found again with nothing against it.
   */
  admit(candidates: readonly Candidate[], nowMs: number): Promise<readonly LedgerRow[]>
  /**
   * Takes a URL for a page that was reached under another one, so that it is not scraped again. A row that was refused
   * untried does not stand in the way: it takes the new refusal.
   *
   * @returns `taken` with the row that has the URL already; else `added` or `claimed`, with the row that stands for it now
   */
  claim(candidate: Candidate & { refused: Refusal }, nowMs: number): Promise<Claim>
  /**
   * Hands out the next queued row that is due, and marks it active: the shallowest first, within a depth in order of
   * `place`. Never hands out more than `limit` allows: a row is held back while done and active rows together reach it.
   */
  lease(request: LeaseRequest): Promise<LedgerRow | undefined>
  /** Whether `lease` would hand out a row now. */
  ready(request: LeaseRequest): Promise<boolean>
  /** Puts an active row back as if it had not been handed out: nothing was tried. */
  putBack(key: string): Promise<void>
  /** Puts an active row back into the queue, not to be handed out before `attempt.retryAtMs`. */
  retry(key: string, attempt: Attempt): Promise<void>
  /** Gives an active row its outcome; when it resolves, the row and its documents are kept as safely as they will be. */
  end(key: string, ending: Ending<Doc>, how: RowEnd): Promise<LedgerRow>
  /**
   * Names a page once more, in further places of the batch's list; places that it has already are passed over. A page that
   * is done gives for each a copy of its document.
   *
   * @param reportAtMs as in {@link RowEnd}, of a row that has ended
   * @returns undefined, with nothing changed, when there is no such row, or its document is no longer kept
   */
  nameAgain(
    key: string,
    sources: readonly Source[],
    copy: (document: Doc, source: Source) => Doc,
    reportAtMs?: number,
  ): Promise<{ readonly documents: readonly Doc[]; readonly bytes: number } | undefined>
  /** Gives every queued row the outcome `skipped`, for the reason that `decide` finds for it. */
  skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]>
  counts(): Promise<Counts>
  /** What is known of a key; for one that is {@link LedgerRow.abridged}, its `url` is the key. */
  row(key: string): Promise<LedgerRow | undefined>
  /** Rows in order of discovery; abridged ones are not among them. */
  rows(filter?: RowFilter): Promise<readonly LedgerRow[]>
  /**
   * Documents in order of discovery, or of the batch's list: at most `limit`, and none after those that together come to
   * more than `maxBytes`, so that what is not wanted is not read.
   */
  documents(page: { skip: number; limit: number; maxBytes?: number }): Promise<readonly Delivery<Doc>[]>
  /**
   * Documents in order of completion, from this sequence number on.
   *
   * @param isOpen whether those are left out that were acknowledged. @default false
   */
  completed(fromSequence: number, limit: number, isOpen?: boolean): Promise<readonly Delivery<Doc>[]>
  /** How many documents have come so far: the next has this sequence number. */
  delivered(): Promise<number>
  /** Notes what the job has taken up so far, to stand with the next row that ends: see `used` of a {@link StoredJob}. */
  noteUse(use: JobUse): void
  /** Notes that a document was taken for good. @param drop whether it is no longer to be kept */
  acknowledge(sequence: number, drop: boolean): Promise<void>
  /** The notes that rows ended with, in that order. Of a ledger that ends with the process there are none. */
  notes(): AsyncIterable<{ readonly row: LedgerRow; readonly note: string }>
  /** What is to be told to the job's webhook. */
  readonly outbox: Outbox
}

/** What a job's ledger has to keep to. Read anew each time: a job may settle it until its first row is admitted. */
export interface LedgerRules {
  /** Done rows never exceed this. */
  readonly limit: number
  /**
   * Hand out no row while one of a smaller depth has not ended, so that depths are the smallest there are and the order
   * is the same every time. A row that waits to be tried again, or is active for longer than this, no longer holds the
   * deeper ones back. Milliseconds; 0 for no order by depth, `Infinity` for a strict one.
   */
  readonly holdLevelMs: number
}

/** How a row came to its end. */
export interface RowEnd {
  readonly nowMs: number
  /** The last try; absent when nothing was tried. */
  readonly attempt?: Attempt
  /** The URL that answered, when it is not the one asked for. */
  readonly finalUrl?: string
  /** The URL of an earlier page with the same, or nearly the same, content. */
  readonly duplicateOf?: string
  /** What the job wants to know of the page when it goes on in another process. */
  readonly note?: string
  /** From when on reports of it are sent, one for each of its sources; absent when there are to be none. */
  readonly reportAtMs?: number
}

/** Which row is wanted. */
export interface LeaseRequest {
  readonly nowMs: number
  /** After this the row may be handed out again, if its holder has died. */
  readonly leaseMs: number
  /** Sites whose turn has not come: see `siteOf`. */
  readonly heldSites?: ReadonlySet<string>
  /** Sites that keep their pages waiting: rows of others come first. @default none */
  readonly hangingSites?: ReadonlySet<string>
  /** Nothing deeper than this. @default Infinity */
  readonly maxDepth?: number
  /** Keys of active rows whose pages have come and been read: no deeper row is held back for them. */
  readonly readKeys?: ReadonlySet<string>
}

/** What came of claiming a URL. */
export interface Claim {
  readonly outcome: 'added' | 'claimed' | 'taken'
  readonly row: LedgerRow
}

/** Where jobs keep their ledgers. It belongs to one engine, which closes it. */
export interface Ledger {
  /** Opens the ledger of a job: a new one, or as it was left. */
  open<Doc>(jobId: string, rules: LedgerRules): Promise<JobLedger<Doc>>
  /** The jobs that it keeps beyond the process; absent when it ends with the process. */
  readonly shelf?: JobStore
  /** Gives back what a job takes up that is over and forgotten. */
  forget(jobId: string): void
  close(): Promise<void>
}
