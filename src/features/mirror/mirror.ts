import type { MirrorSummary } from './mirror-change.js'
import type { MirrorFault } from './mirror-target.js'

/** Settings of a mirror. */
export interface MirrorOptions {
  /** As for `job.changes()`. @default 0.5 */
  maxRemoved?: number
}

/** State of a mirror. */
export interface MirrorStatus {
  /** Name of the target. */
  name: string
  pages: number
  /** Chunks of these pages; absent where the target stores pages. */
  chunks?: number
  /** Files of pictures that its pages show; absent for none. */
  assets?: number
  /** End of the last crawl, ISO 8601; absent before it. */
  syncedAt?: string
  /** End of the last crawl that saw the whole site, ISO 8601. */
  completeAt?: string
  /** Numbers of the last crawl. */
  summary?: MirrorSummary
}

/** Settings of {@link Mirror.verify}. */
export interface VerifyOptions {
  /** Number of pages that are read again and compared, chosen at random. @default 0 */
  fetch?: number
  /** Aborting it rejects with its reason. */
  signal?: AbortSignal
}

/** Answer of {@link Mirror.verify}. */
export interface MirrorCheck {
  /** True if nothing differs. False where nothing could be compared with the target, which `warning` says. */
  ok: boolean
  /** Pages of the record that were compared with the target; 0 for one that cannot be read: a function, or a store without `read`. */
  compared: number
  /** Pages that were read again. */
  fetched: number
  faults: MirrorFault[]
  /** Says that the target cannot be read. */
  warning?: string
}

/** A target that follows a site. */
export interface Mirror {
  /** Name of the target. */
  readonly name: string
  /**
   * Crawls the site, and makes the target equal to it. Pages that have not changed since the last crawl are not read again. After a crash,
   * the next call goes on: with a durable ledger in the same crawl, otherwise in a new one.
   *
   * @throws the error of a crawl that failed, or of the target: what was acknowledged stays, and the next call goes on from there
   */
  sync(call?: { signal?: AbortSignal }): Promise<MirrorSummary>
  /** Reads the state of the mirror, without a request. */
  status(): Promise<MirrorStatus>
  /**
   * Compares what the target has with what the mirror has acknowledged, without a request; with `fetch`, also a sample of pages with the
   * site. It writes nothing. What is missing or changed in the target is put back by the next `sync()` of the same engine, up to 100,000
   * pages or chunks; another process knows nothing of it.
   */
  verify(options?: VerifyOptions): Promise<MirrorCheck>
}
