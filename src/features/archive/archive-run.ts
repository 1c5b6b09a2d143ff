import type { ErrorCode } from '../../base/errors.js'
import { toTrawlError, TrawlError } from '../../base/errors.js'
import { compact } from '../../base/collections/compact.js'
import { toSentence } from '../../base/text/to-sentence.js'
import type { Document } from '../../kernel/page/document.js'
import type { ArchiveEntry, ArchivedCapture, SkipCause } from './read/capture.js'

/** Facts about the record that a document is from. */
export interface ArchivedAt {
  /** Time of the request, as an ISO date; absent where the archive has none. */
  readonly date?: string
  /** File of the record; for a WACZ, followed by the name of the entry. */
  readonly file: string
  /** Place in the file, where the record can be read alone: of the gzip member, or of the record. Of a HAR, the number of its entry. */
  readonly offset?: number
  /** Id of the record; absent outside WARC. */
  readonly recordId?: string
}

/** Outcome of a record that has a response, or should have one. */
export type ArchiveOutcome<Doc = Document> =
  | { readonly outcome: 'done'; readonly url: string; readonly document: Doc; readonly archive: ArchivedAt }
  | {
      readonly outcome: 'failed'
      /** Absent where the record does not say it. */
      readonly url?: string
      readonly code: ErrorCode
      /** A sentence. */
      readonly message: string
      readonly archive: ArchivedAt
    }

/** State of reading an archive. */
export interface ArchiveStatus {
  readonly state: 'reading' | 'completed' | 'cancelled' | 'failed'
  /** Documents so far. */
  readonly documents: number
  /** Records that could not be read, or whose pages failed. */
  readonly failed: number
  /** Records that were left out, by the cause: a filter, a redirect, the type of a part of pages, records that are no responses. */
  readonly skipped: Readonly<Partial<Record<SkipCause, number>>>
}

/**
 * An archive that is read: it iterates over the documents, in the order of the archive. It reads as fast as the loop does. A record that
 * is broken is an outcome, and does not end the loop; a file that cannot be opened does.
 *
 * @typeParam Doc type of its documents
 */
export interface ArchiveRun<Doc = Document> extends AsyncIterable<Doc> {
  [Symbol.asyncIterator](): AsyncIterableIterator<Doc>
  /** Iterates over documents and failures alike. An archive is read once: by this, or by the loop over the documents. */
  outcomes(): AsyncIterableIterator<ArchiveOutcome<Doc>>
  status(): ArchiveStatus
}

/** Tools of a run. */
interface RunTools {
  /** Opens the entries of the archive. */
  open(signal: AbortSignal): AsyncIterable<ArchiveEntry>
  makeDocument(capture: ArchivedCapture, signal: AbortSignal): Promise<Document>
  /** Pages at once. */
  readonly pagesAtOnce: number
  /** Ends the run: of the caller, or of the engine. */
  readonly signal: AbortSignal
}

/** Makes documents of the responses of an archive, some at once, and hands them out in order. */
export class ArchiveReader implements ArchiveRun {
  readonly #tools: RunTools
  #state: ArchiveStatus['state'] = 'reading'
  #documents = 0
  #failed = 0
  readonly #skipped: Partial<Record<SkipCause, number>> = {}
  #isTaken = false

  constructor(tools: RunTools) {
    this.#tools = tools
  }

  status(): ArchiveStatus {
    return { state: this.#state, documents: this.#documents, failed: this.#failed, skipped: { ...this.#skipped } }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document, undefined, undefined> {
    for await (const outcome of this.outcomes()) if (outcome.outcome === 'done') yield outcome.document
  }

  async *outcomes(): AsyncGenerator<ArchiveOutcome, undefined, undefined> {
    if (this.#isTaken) throw new TrawlError('BAD_REQUEST', 'The archive is read already: call `engine.archive()` again')
    this.#isTaken = true
    const { pagesAtOnce, signal } = this.#tools
    const leaving = new AbortController()
    const until = AbortSignal.any([signal, leaving.signal])
    const pending: Promise<ArchiveOutcome>[] = []
    try {
      for await (const entry of this.#tools.open(until)) {
        signal.throwIfAborted()
        if ('skipped' in entry) {
          this.#skipped[entry.skipped] = (this.#skipped[entry.skipped] ?? 0) + 1
          continue
        }
        pending.push(this.#settle(entry, until))
        if (pending.length >= pagesAtOnce) yield await this.#next(pending)
      }
      while (pending.length > 0) yield await this.#next(pending)
      signal.throwIfAborted()
      this.#state = 'completed'
    } catch (error) {
      this.#state = signal.aborted ? 'cancelled' : 'failed'
      throw error
    } finally {
      if (this.#state === 'reading') this.#state = 'cancelled'
      leaving.abort(new TrawlError('BAD_REQUEST', 'The loop over the archive was left'))
      await Promise.allSettled(pending)
    }
  }

  async #next(pending: Promise<ArchiveOutcome>[]): Promise<ArchiveOutcome> {
    const first = await pending[0]
    this.#tools.signal.throwIfAborted()
    void pending.shift()
    if (!first) throw new TypeError('nothing is pending')
    if (first.outcome === 'done') this.#documents += 1
    else this.#failed += 1
    return first
  }

  async #settle(entry: Exclude<ArchiveEntry, { skipped: SkipCause }>, signal: AbortSignal): Promise<ArchiveOutcome> {
    const archive = describePlace(entry)
    const { url } = entry
    const named = url === undefined ? {} : { url }
    if ('broken' in entry)
      return { outcome: 'failed', ...named, code: 'SCRAPE_FILE_BROKEN', message: toSentence(entry.broken), archive }
    try {
      return { outcome: 'done', url: entry.url, document: await this.#tools.makeDocument(entry, signal), archive }
    } catch (error) {
      const { code, message } = toTrawlError(error, url)
      return { outcome: 'failed', ...named, code, message: toSentence(message), archive }
    }
  }
}

/** Describes where an entry stands. */
export function describePlace(entry: Exclude<ArchiveEntry, { skipped: SkipCause }>): ArchivedAt {
  const { place, timeMs } = entry
  return compact({
    date: timeMs === undefined ? undefined : new Date(timeMs).toISOString(),
    file: place.file,
    offset: place.offset,
    recordId: 'id' in entry ? entry.id : undefined,
  })
}
