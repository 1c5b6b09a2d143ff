import type { MirrorUnit } from './mirror-change.js'
import type { MirrorEntry, MirrorRecord, RecordChange } from './mirror-record.js'
import type { MirrorState } from './mirror-state.js'
import type { MirrorStep } from './find-changes.js'

/** A page or chunk of a target that is not as the mirror has acknowledged it. */
export interface MirrorFault {
  readonly key: string
  /** `missing` or `changed` in the target, `foreign` for what no page accounts for; with `fetch`, `stale` for a page that the site has changed. */
  readonly kind: 'missing' | 'changed' | 'foreign' | 'stale'
  readonly message: string
}

/** A target while a mirror uses it. */
export interface OpenTarget {
  readonly record: MirrorRecord
  /** True if it cannot write a change and its record together: what is new is in the record before it is written. @default false */
  readonly announces?: boolean
  /** Writes a change and its record: both or none where the target can, and otherwise the change first. It may be written again. @returns the record */
  write(step: MirrorStep): Promise<RecordChange>
  /** Ends a run: writes what is made of all pages. @param start URL of the start page @returns warnings */
  settle?(state: MirrorState, start: string): Promise<readonly string[]>
  /**
   * Compares what the target has with the record, without a request. Absent where it cannot be read. The key of a fault is that of the page
   * or chunk. Aborting the signal rejects.
   */
  readonly check?:
    | ((entries: Iterable<MirrorEntry>, signal?: AbortSignal) => Promise<readonly MirrorFault[]>)
    | undefined
  close?(): Promise<void>
}

/** A file that a page shows, as it is asked for. */
export interface AssetRequest {
  readonly url: string
  /** URL of the page after redirects. */
  readonly pageUrl: string
  /** Maximum size of the file. Bytes. */
  readonly maxBytes: number
  /** Validators of an earlier answer: an unchanged file is answered with 304. */
  readonly validators?: { readonly etag?: string | undefined; readonly lastModified?: string | undefined } | undefined
}

/** The answer to such a request. */
export interface FetchedAsset {
  readonly statusCode: number
  readonly body: Uint8Array
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** Services that a target is opened with. */
export interface TargetParts {
  /** Opens the record of targets that keep none: in the ledger, or the store of `snapshots`. */
  openRecord(name: string): Promise<MirrorRecord>
  /**
   * Fetches a file that a page shows, as the crawl fetches pages: by its permissions, robots.txt, proxies and limits. An error status is an
   * answer. Absent where nothing can be asked for.
   *
   * @throws TrawlError without an answer, or for a file that is refused or too large; the reason of an aborted signal
   */
  fetchAsset?(file: AssetRequest): Promise<FetchedAsset>
  /** Aborted when the run is to end. */
  readonly signal?: AbortSignal
  /** True if the target is read alone, by `status()` and `verify()`: another process may fill it. @default false */
  readonly isRead?: boolean
}

/** A place that a mirror keeps equal to a site. */
export interface MirrorTarget {
  /** Names the mirror: one target has one. */
  readonly name: string
  /** Unit of what it stores. @default 'page' */
  readonly unit?: MirrorUnit
  /** Format of pages that it cannot do without: a request with other formats alone is refused. @default 'chunks' for chunks, none for pages */
  readonly needs?: 'markdown' | 'chunks'
  open(parts: TargetParts): Promise<OpenTarget>
}
