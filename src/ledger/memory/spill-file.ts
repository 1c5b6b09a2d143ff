import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { TrawlError } from '../../errors.js'
import { makeUuid } from '../../uuid.js'
import type { ByteStorage, StoredBytes } from './byte-storage.js'

/** File mode: readable and writable by the owner only. */
const OWNER_ONLY_MODE = 0o600

/**
 * Bytes in a temporary file that lasts as long as the process. It is created on first use and unlinked at once where
 * the system allows that, so that a killed process leaves nothing behind.
 */
export class SpillFile implements ByteStorage {
  readonly #folder: string
  #handle: Promise<FileHandle> | undefined
  #path = ''
  #size = 0
  #isClosed = false

  /** @param folder an existing folder */
  constructor(folder: string) {
    this.#folder = folder
  }

  async write(parts: readonly Uint8Array[]): Promise<readonly StoredBytes[]> {
    this.#handle ??= this.#open()
    const from = this.#size
    const stored = parts.map(({ length }) => {
      const offset = this.#size
      this.#size += length
      return { read: () => this.#read(offset, length), drop: () => undefined }
    })
    await (await this.#handle).writev(parts, from)
    return stored
  }

  /** @throws TrawlError `ENGINE_CLOSED` */
  async #read(offset: number, length: number): Promise<Uint8Array> {
    if (this.#isClosed || !this.#handle) {
      throw new TrawlError(
        'ENGINE_CLOSED',
        'the documents in the temporary file were deleted when the engine was closed',
      )
    }
    const { buffer } = await (await this.#handle).read(Buffer.alloc(length), 0, length, offset)
    return buffer
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    // A failure to open was reported by `write`.
    const handle = await this.#handle?.catch(() => undefined)
    await handle?.close()
    if (handle) await rm(this.#path, { force: true })
  }

  async #open(): Promise<FileHandle> {
    this.#path = join(this.#folder, `trawl-${makeUuid(Date.now())}.spill`)
    const handle = await open(this.#path, 'wx+', OWNER_ONLY_MODE)
    // Windows cannot unlink an open file: there it is deleted on close.
    await rm(this.#path, { force: true }).catch(() => undefined)
    return handle
  }
}
