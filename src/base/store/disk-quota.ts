import { open, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withParentFolder, undefinedIfMissing, PARTIAL_FILES_FOLDER } from './folder-files.js'

/** Unit in which space is counted: a file occupies whole blocks. Bytes. */
const BLOCK_BYTES = 4096
/** Fraction of the quota at which eviction starts in the background; above the quota, writers wait for it. */
const EVICTION_START = 0.95
/** Fraction of the quota down to which files are evicted, so that eviction is rare. */
const EVICTION_TARGET = 0.85
/** Age at which a partial file counts as left by a dead process. Milliseconds. */
const PARTIAL_FILE_TIMEOUT_MS = 2 * 60_000
/** Age at which an unrenewed lock counts as left by a dead process. Milliseconds. */
const LOCK_TIMEOUT_MS = 30_000
const LOCK_RENEWAL_MS = 5000
/** Interval between full scans of the folder, which correct the count even if little is written. Milliseconds. */
const SCAN_INTERVAL_MS = 24 * 60 * 60_000
/** Maximum number of concurrent `stat` calls. */
const MAX_CONCURRENT_STATS = 32

/** The space that a file of this size occupies. Bytes. */
export const spaceOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / BLOCK_BYTES)) * BLOCK_BYTES

interface MeasuredFile {
  readonly path: string
  readonly space: number
  readonly usedAtMs: number
}

/** Settings of a disk quota. */
interface DiskQuotaOptions {
  /** Names of the sub-folders that hold files, in sub-folders of their own. */
  readonly folders: readonly string[]
  readonly maxBytes: number
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * The time at which this process last used a file, or 0; the file's own time is updated rarely. Milliseconds since
   * the epoch.
   */
  usedAtMs(path: string): number
}

/**
 * Limits the size of a store's folder, for all processes that write to it.
 *
 * The length of the file `tally` is the number of used blocks. A writer appends to it before it writes a file, which
 * several processes may do at once, so that no process need list the folder to know its size. Only for eviction, and
 * once a day, one of the processes scans the folder, deletes the least recently used files, and corrects the tally.
 */
export class DiskQuota {
  readonly #folder: string
  readonly #folders: readonly string[]
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #usedAtMs: DiskQuotaOptions['usedAtMs']
  #opening: Promise<void> | undefined
  #eviction: Promise<void> | undefined

  constructor(folder: string, { folders, maxBytes, now, usedAtMs }: DiskQuotaOptions) {
    this.#folder = folder
    this.#folders = folders
    this.#maxBytes = maxBytes
    this.#now = now
    this.#usedAtMs = usedAtMs
  }

  /** Reserves space for a file; to be called before it is written. */
  async reserve(bytes: number): Promise<void> {
    await (this.#opening ??= this.#open())
    if (this.#maxBytes === Infinity) return
    const tally = join(this.#folder, 'tally')
    const held = await withParentFolder(tally, async () => {
      await using file = await open(tally, 'a', 0o600)
      await file.write(Buffer.alloc(spaceOf(bytes) / BLOCK_BYTES))
      return (await file.stat()).size * BLOCK_BYTES
    })
    if (held > this.#maxBytes * EVICTION_START) this.#startEviction()
    if (held > this.#maxBytes) await this.#eviction
  }

  /** Resolves when no eviction runs. */
  async idle(): Promise<void> {
    await this.#eviction
  }

  /** Starts a scan in the background when the folder was not scanned lately. */
  async #open(): Promise<void> {
    const looked = await undefinedIfMissing(stat(join(this.#folder, 'looked')))
    if (looked && this.#isWithin(SCAN_INTERVAL_MS, looked.mtimeMs)) return
    this.#startEviction()
  }

  #startEviction(): void {
    this.#eviction ??= this.#evict().finally(() => (this.#eviction = undefined))
    // Errors reach those who await the eviction.
    this.#eviction.catch(() => undefined)
  }

  async #evict(): Promise<void> {
    const lock = join(this.#folder, 'lock')
    if (!(await this.#acquireLock(lock))) return
    const renewing = setInterval(() => {
      const seconds = this.#now() / 1000
      // The lock is missing: another process considered this one dead, took the lock, and evicts as well.
      utimes(lock, seconds, seconds).catch(() => undefined)
    }, LOCK_RENEWAL_MS).unref()
    try {
      await this.#sweepParts()
      const tally = join(this.#folder, 'tally')
      const counted = (await undefinedIfMissing(stat(tally)))?.size ?? 0
      const files = (await Promise.all(this.#folders.map((name) => this.#list(name)))).flat()
      let held = files.reduce((sum, { space }) => sum + space, 0)
      // Space reserved from here on is counted on top of this scan.
      if (held > this.#maxBytes * EVICTION_TARGET) {
        for (const { path, space } of files.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
          if (held <= this.#maxBytes * EVICTION_TARGET) break
          await rm(path, { force: true })
          held -= space
        }
      }
      const since = ((await undefinedIfMissing(stat(tally)))?.size ?? 0) - counted
      if (this.#maxBytes !== Infinity) {
        await writeFile(tally, '', { flag: 'a', mode: 0o600 })
        await truncate(tally, held / BLOCK_BYTES + Math.max(0, since))
      }
      await writeFile(join(this.#folder, 'looked'), '', { mode: 0o600 })
    } finally {
      clearInterval(renewing)
      await rm(lock, { force: true })
    }
  }

  /** Resolves to true when this process has the lock. */
  async #acquireLock(lock: string): Promise<boolean> {
    const take = (): Promise<boolean> =>
      withParentFolder(lock, async () => {
        await using file = await open(lock, 'wx', 0o600)
        return Boolean(file)
      }).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
        throw error
      })
    if (await take()) return true
    const held = await undefinedIfMissing(stat(lock))
    if (held && this.#isWithin(LOCK_TIMEOUT_MS, held.mtimeMs)) return false
    await rm(lock, { force: true })
    return await take()
  }

  /** Tests for a time of the last milliseconds. One far in the future was written while a clock was ahead. */
  #isWithin(ms: number, timeMs: number): boolean {
    return Math.abs(this.#now() - timeMs) < ms
  }

  async #sweepParts(): Promise<void> {
    const folder = join(this.#folder, PARTIAL_FILES_FOLDER)
    for (const name of (await undefinedIfMissing(readdir(folder))) ?? []) {
      const part = await undefinedIfMissing(stat(join(folder, name)))
      if (part && this.#now() - part.mtimeMs > PARTIAL_FILE_TIMEOUT_MS) await rm(join(folder, name), { force: true })
    }
  }

  /** All files of a sub-folder, unordered. */
  async #list(part: string): Promise<MeasuredFile[]> {
    const found: MeasuredFile[] = []
    for (const shard of (await undefinedIfMissing(readdir(join(this.#folder, part)))) ?? []) {
      const names = ((await undefinedIfMissing(readdir(join(this.#folder, part, shard)))) ?? []).values()
      const measureFiles = async (): Promise<void> => {
        for (const name of names) {
          const path = join(this.#folder, part, shard, name)
          const file = await undefinedIfMissing(stat(path))
          if (file?.isFile())
            found.push({ path, space: spaceOf(file.size), usedAtMs: Math.max(file.mtimeMs, this.#usedAtMs(path)) })
        }
      }
      await Promise.all(Array.from({ length: MAX_CONCURRENT_STATS }, measureFiles))
    }
    return found
  }
}
