import { open, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makingFolders, orMissing, PARTS } from './folder-files.js'

/** Space is counted in these: a file takes up whole ones. Bytes. */
const BLOCK_BYTES = 4096
/** Beyond this part of what there is, room is made beside the work; beyond all of it, writers wait for that. */
const BEGIN_AT = 0.95
/** Room is made down to this part, so that it need not be made again soon. */
const MAKE_TO = 0.85
/** A part older than this was left behind by a process that died. Milliseconds. */
const PART_MS = 2 * 60_000
/** A lock that was not renewed for this long, too. Milliseconds. */
const LOCK_MS = 30_000
const RENEW_MS = 5000
/** However little is written, the folder is looked through this often, so that the count is right again. Milliseconds. */
const LOOK_MS = 24 * 60 * 60_000
/** Files asked about at once. */
const AT_ONCE = 32

/** How much a file of this size takes up. Bytes. */
export const spaceOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / BLOCK_BYTES)) * BLOCK_BYTES

interface Found {
  readonly path: string
  readonly space: number
  readonly usedMs: number
}

/** What a folder is kept within, and by what. */
export interface FolderRules {
  /** The folders within that hold files in folders of their own. */
  readonly parts: readonly string[]
  readonly maxBytes: number
  /** Milliseconds since the epoch. */
  now(): number
  /** When this process used a file last, where it knows; the disk is told only now and then. Milliseconds since the epoch. */
  usedMs(path: string): number
}

/**
 * Keeps a store's folder within its bounds, for all processes that write to it.
 *
 * How much there is stands in the length of a file, `tally`: one byte for each block. Who writes appends to it first,
 * which processes may do at once, so that nobody lists the folder to know. Only when room is to be made, and once a day, the
 * folder is looked through by one of them, the files used last the longest ago are removed, and the tally is set right.
 */
export class DiskQuota {
  readonly #folder: string
  readonly #parts: readonly string[]
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #usedMs: FolderRules['usedMs']
  #opening: Promise<void> | undefined
  #making: Promise<void> | undefined

  constructor(folder: string, { parts, maxBytes, now, usedMs }: FolderRules) {
    this.#folder = folder
    this.#parts = parts
    this.#maxBytes = maxBytes
    this.#now = now
    this.#usedMs = usedMs
  }

  /** To be called before a file of this size is written. */
  async claim(bytes: number): Promise<void> {
    await (this.#opening ??= this.#open())
    if (this.#maxBytes === Infinity) return
    const tally = join(this.#folder, 'tally')
    const held = await makingFolders(tally, async () => {
      await using file = await open(tally, 'a', 0o600)
      await file.write(Buffer.alloc(spaceOf(bytes) / BLOCK_BYTES))
      return (await file.stat()).size * BLOCK_BYTES
    })
    if (held > this.#maxBytes * BEGIN_AT) this.#begin()
    if (held > this.#maxBytes) await this.#making
  }

  /** Waits until no more room is being made. */
  async settle(): Promise<void> {
    await this.#making
  }

  /** A folder of unknown size, or one that nobody has looked through lately, is looked through beside the work. */
  async #open(): Promise<void> {
    const looked = await orMissing(stat(join(this.#folder, 'looked')))
    if (looked && this.#now() - looked.mtimeMs < LOOK_MS) return
    this.#begin()
  }

  #begin(): void {
    this.#making ??= this.#makeRoom().finally(() => (this.#making = undefined))
    // Who waits for it hears of what went wrong.
    this.#making.catch(() => undefined)
  }

  async #makeRoom(): Promise<void> {
    const lock = join(this.#folder, 'lock')
    if (!(await this.#lock(lock))) return
    const renewing = setInterval(() => {
      const seconds = this.#now() / 1000
      // Gone: another process took it for one that was left behind, and does the same.
      utimes(lock, seconds, seconds).catch(() => undefined)
    }, RENEW_MS).unref()
    try {
      await this.#sweepParts()
      const tally = join(this.#folder, 'tally')
      const counted = (await orMissing(stat(tally)))?.size ?? 0
      const files = (await Promise.all(this.#parts.map((part) => this.#list(part)))).flat()
      let held = files.reduce((sum, { space }) => sum + space, 0)
      // What is claimed from here on is written beside: it is counted on top of what was found.
      if (held > this.#maxBytes * MAKE_TO) {
        for (const { path, space } of files.sort((a, b) => a.usedMs - b.usedMs)) {
          if (held <= this.#maxBytes * MAKE_TO) break
          await rm(path, { force: true })
          held -= space
        }
      }
      const since = ((await orMissing(stat(tally)))?.size ?? 0) - counted
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

  /** Whether this process is the one to do it. */
  async #lock(lock: string): Promise<boolean> {
    const take = (): Promise<boolean> =>
      makingFolders(lock, async () => {
        await using file = await open(lock, 'wx', 0o600)
        return Boolean(file)
      }).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
        throw error
      })
    if (await take()) return true
    const held = await orMissing(stat(lock))
    if (held && this.#now() - held.mtimeMs < LOCK_MS) return false
    await rm(lock, { force: true })
    return await take()
  }

  async #sweepParts(): Promise<void> {
    const folder = join(this.#folder, PARTS)
    for (const name of (await orMissing(readdir(folder))) ?? []) {
      const part = await orMissing(stat(join(folder, name)))
      if (part && this.#now() - part.mtimeMs > PART_MS) await rm(join(folder, name), { force: true })
    }
  }

  /** Every file of one part, in no order. */
  async #list(part: string): Promise<Found[]> {
    const found: Found[] = []
    for (const shard of (await orMissing(readdir(join(this.#folder, part)))) ?? []) {
      const names = ((await orMissing(readdir(join(this.#folder, part, shard)))) ?? []).values()
      const look = async (): Promise<void> => {
        for (const name of names) {
          const path = join(this.#folder, part, shard, name)
          const file = await orMissing(stat(path))
          if (file?.isFile())
            found.push({ path, space: spaceOf(file.size), usedMs: Math.max(file.mtimeMs, this.#usedMs(path)) })
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, look))
    }
    return found
  }
}
