import { closeSync, fstatSync, openSync, readFile as readFileBack, readSync, utimesSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isMissing, orMissing } from './folder-files.js'

/** Half the time of the one in `node:fs/promises`. */
const readFile = promisify(readFileBack)

/** A larger file is not read on the caller's thread. Bytes. */
const SMALL_BYTES = 256 * 1024
/** A disk that takes longer is a slow one. Milliseconds, on the average of the last ten or so. */
const QUICK_MS = 2
/** On the disk, which others go by, it is noted so often that a file was used: that is a write. Milliseconds. */
const TOUCH_MS = 10 * 60_000
/** Files of which is known when they were used. */
const MAX_KNOWN = 20_000
/** How long a slow disk is taken to be one. Milliseconds. */
const SLOW_FOR_MS = 10_000

/**
 * Reads the small files of a folder.
 *
 * What the system has in memory is read in 10 µs on the caller's own thread, and in 80 µs, most of them the caller's, by way
 * of another: a crawl whose pages all come from the cache waits for little else. So files are read at once for as long as
 * that is quick. Where it is not, on a busy disk or over a network, the host is not made to wait: after a few files other
 * threads read for ten seconds, and then it is tried again.
 */
export class FolderReader {
  readonly #usedMs = new Map<string, number>()
  #meanMs = 0
  #slowUntilMs = 0

  /** A file's bytes, which are used now; undefined when there is none. @param nowMs milliseconds since the epoch */
  async read(path: string, nowMs: number): Promise<Uint8Array | undefined> {
    const small = this.#isQuick() ? this.#measure(() => readSmall(path)) : 'large'
    if (small === undefined) return undefined
    const bytes = small === 'large' ? await orMissing(readFile(path)) : small.bytes
    if (!bytes) return undefined
    const touchedMs = small === 'large' ? this.usedMs(path) : small.touchedMs
    this.#note(path, nowMs)
    if (nowMs - touchedMs > TOUCH_MS) await this.touch(path, nowMs)
    return bytes
  }

  /** When a file was used last, as far as this reader knows, in milliseconds since the epoch; 0 for never. */
  usedMs(path: string): number {
    return this.#usedMs.get(path) ?? 0
  }

  /** Notes on the disk that a file is used now. Gives back whether there is one. */
  async touch(path: string, nowMs: number): Promise<boolean> {
    this.#note(path, nowMs)
    const seconds = nowMs / 1000
    if (this.#isQuick()) {
      return this.#measure(() => ifThere(() => (utimesSync(path, seconds, seconds), true))) ?? false
    }
    return (await orMissing(utimes(path, seconds, seconds).then(() => true))) ?? false
  }

  /** The file that was not used for longest is forgotten first: that is the order of a Map whose entries are put in again. */
  #note(path: string, nowMs: number): void {
    this.#usedMs.delete(path)
    this.#usedMs.set(path, nowMs)
    const [oldest] = this.#usedMs.size > MAX_KNOWN ? this.#usedMs.keys() : []
    if (oldest !== undefined) this.#usedMs.delete(oldest)
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
      if (this.#meanMs > QUICK_MS) {
        this.#slowUntilMs = endedMs + SLOW_FOR_MS
        this.#meanMs = 0
      }
    }
  }
}

function readSmall(path: string): { bytes: Buffer; touchedMs: number } | 'large' | undefined {
  const file = ifThere(() => openSync(path, 'r'))
  if (file === undefined) return undefined
  try {
    const { size, mtimeMs: touchedMs } = fstatSync(file)
    if (size > SMALL_BYTES) return 'large'
    const bytes = Buffer.allocUnsafe(size)
    // A file is never written to once it has its name: what is read is all of it.
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, size, 0)), touchedMs }
  } finally {
    closeSync(file)
  }
}

function ifThere<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
