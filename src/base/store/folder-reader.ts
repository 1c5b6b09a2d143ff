import { closeSync, fstatSync, openSync, readFile as readFileBack, readSync, utimesSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isMissingFile, undefinedIfMissing } from './folder-files.js'

/** Takes half the time of `readFile` in `node:fs/promises`. */
const readFile = promisify(readFileBack)

/** Maximum size of a file that is read synchronously. Bytes. */
const MAX_SYNC_READ_BYTES = 256 * 1024
/** Duration of a read above which the disk counts as slow, as a moving average over about ten reads. Milliseconds. */
const MAX_QUICK_READ_MS = 2
/**
 * Minimum interval between updates of a file's time on disk, which other processes read: each is a write. Milliseconds.
 */
const TOUCH_INTERVAL_MS = 10 * 60_000
/** Number of files whose last use is tracked. */
const MAX_TRACKED_FILES = 20_000
/** Time for which a slow disk is read asynchronously. Milliseconds. */
const ASYNC_PERIOD_MS = 10_000

/**
 * Reads the small files of a folder.
 *
 * A file in the system's page cache takes 10 µs to read synchronously, and 80 µs, most of them on the caller's thread,
 * through the thread pool: a crawl answered by the cache waits for little else. Files are therefore read synchronously
 * as long as that is quick. On a busy disk or a network share it is slow: after a few slow files, reads are
 * asynchronous for ten seconds, and then synchronous again.
 */
export class FolderReader {
  readonly #usedAtMs = new Map<string, number>()
  #meanMs = 0
  #slowUntilMs = 0

  /** Reads a file and marks it as used; undefined when it does not exist. @param nowMs milliseconds since the epoch */
  async read(path: string, nowMs: number): Promise<Uint8Array | undefined> {
    const small = this.#isQuick() ? this.#measure(() => readSmall(path)) : 'large'
    if (small === undefined) return undefined
    const bytes = small === 'large' ? await undefinedIfMissing(readFile(path)) : small.bytes
    if (!bytes) return undefined
    const touchedMs = small === 'large' ? this.usedAtMs(path) : small.touchedMs
    this.#note(path, nowMs)
    // A folder that may only be read keeps its times.
    if (nowMs - touchedMs > TOUCH_INTERVAL_MS) await this.touch(path, nowMs).catch(() => false)
    return bytes
  }

  /** The time of the last use that this reader knows of, in milliseconds since the epoch; 0 for none. */
  usedAtMs(path: string): number {
    return this.#usedAtMs.get(path) ?? 0
  }

  /** Updates a file's time on disk. @returns false when the file does not exist */
  async touch(path: string, nowMs: number): Promise<boolean> {
    this.#note(path, nowMs)
    const seconds = nowMs / 1000
    if (this.#isQuick()) {
      return this.#measure(() => undefinedIfMissingSync(() => (utimesSync(path, seconds, seconds), true))) ?? false
    }
    return (await undefinedIfMissing(utimes(path, seconds, seconds).then(() => true))) ?? false
  }

  /** A Map iterates in order of insertion: re-inserting makes its first entry the least recently used one. */
  #note(path: string, nowMs: number): void {
    this.#usedAtMs.delete(path)
    this.#usedAtMs.set(path, nowMs)
    const [oldest] = this.#usedAtMs.size > MAX_TRACKED_FILES ? this.#usedAtMs.keys() : []
    if (oldest !== undefined) this.#usedAtMs.delete(oldest)
  }

  #isQuick(): boolean {
    return performance.now() >= this.#slowUntilMs
  }

  #measure<T>(act: () => T): T {
    const startedMs = performance.now()
    try {
      return act()
    } finally {
      const endedMs = performance.now()
      this.#meanMs = this.#meanMs * 0.9 + (endedMs - startedMs) * 0.1
      if (this.#meanMs > MAX_QUICK_READ_MS) {
        this.#slowUntilMs = endedMs + ASYNC_PERIOD_MS
        this.#meanMs = 0
      }
    }
  }
}

function readSmall(path: string): { bytes: Buffer; touchedMs: number } | 'large' | undefined {
  const file = undefinedIfMissingSync(() => openSync(path, 'r'))
  if (file === undefined) return undefined
  try {
    const { size, mtimeMs: touchedMs } = fstatSync(file)
    if (size > MAX_SYNC_READ_BYTES) return 'large'
    const bytes = Buffer.allocUnsafe(size)
    // A file never changes once it has its name, so that one read returns all of it.
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, size, 0)), touchedMs }
  } finally {
    closeSync(file)
  }
}

function undefinedIfMissingSync<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}
