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
  #meanMs = 0
  #slowUntilMs = 0

  /** A file's bytes; undefined when there is none. */
  async read(path: string): Promise<Uint8Array | undefined> {
    if (!this.#isQuick()) return await orMissing(readFile(path))
    const bytes = this.#measure(() => readSmall(path))
    return bytes === 'large' ? await orMissing(readFile(path)) : bytes
  }

  /** Notes that a file was used now, by which the one that was not for longest is known. Gives back whether there is one. */
  async touch(path: string, nowMs: number): Promise<boolean> {
    const seconds = nowMs / 1000
    if (this.#isQuick()) {
      return this.#measure(() => ifThere(() => (utimesSync(path, seconds, seconds), true))) ?? false
    }
    return (await orMissing(utimes(path, seconds, seconds).then(() => true))) ?? false
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

function readSmall(path: string): Buffer | 'large' | undefined {
  const file = ifThere(() => openSync(path, 'r'))
  if (file === undefined) return undefined
  try {
    const { size } = fstatSync(file)
    if (size > SMALL_BYTES) return 'large'
    const bytes = Buffer.allocUnsafe(size)
    // A file is never written to once it has its name: what is read is all of it.
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0))
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
