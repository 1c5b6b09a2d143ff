import type { RecordPlace } from './archive-record.js'

/** A response of an archive. */
export interface ArchivedCapture {
  readonly url: string
  /** Time of the request. Milliseconds since the epoch; undefined where the archive has none. */
  readonly timeMs: number | undefined
  readonly place: RecordPlace
  /** Id of the record; absent outside WARC. */
  readonly id?: string
  readonly statusCode: number
  readonly statusText: string
  /** Names in lower case; lines of a repeated header are joined. */
  readonly headers: Readonly<Record<string, string>>
  /** Lines of `Set-Cookie`, and of other repeated headers. */
  readonly lines?: Readonly<Record<string, readonly string[]>>
  readonly contentType: string | undefined
  /** The body after content decoding. */
  readonly body: Uint8Array
  /** Problems with it. Sentences without a full stop. */
  readonly problems: readonly string[]
}

/** Facts about a response before its body is read. */
export type CaptureHead = Pick<ArchivedCapture, 'url' | 'timeMs' | 'statusCode' | 'contentType' | 'place'>

/** Cause for which a record gives no page. `NOT_MODIFIED` is a 304, which has no body: the page is that of before. */
export type SkipCause = 'FILTER' | 'REDIRECT' | 'NOT_MODIFIED' | 'TYPE' | 'CONVERSION' | 'CONTINUATION' | 'NOT_HTTP'

/** A record that gives no page because it is not wanted. */
interface SkippedRecord {
  readonly skipped: SkipCause
  readonly url?: string
  readonly place: RecordPlace
}

/** A record that cannot be read. */
export interface BrokenRecord {
  readonly broken: string
  readonly url?: string
  readonly timeMs?: number | undefined
  readonly place: RecordPlace
}

export type ArchiveEntry = ArchivedCapture | SkippedRecord | BrokenRecord

/** Decides about a response by its head. @returns the reason to skip it; undefined to read it */
export type JudgeHead = (head: CaptureHead) => SkipCause | undefined

/** Options of reading the responses of an archive. */
export interface CaptureOptions {
  readonly judge: JudgeHead
  /** Maximum size of a record, and of a decoded body. Bytes. */
  readonly wireBytes: number
  readonly bodyBytes: number
}

/** Options of reading archives. */
export interface ReadingOptions extends CaptureOptions {
  /** Ends the reading. */
  readonly signal: AbortSignal
}
