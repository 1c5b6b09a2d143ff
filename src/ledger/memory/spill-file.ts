import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { TrawlError } from '../../errors.js'
import { makeUuid } from '../../uuid.js'

/** Position of a text in a spill file. Bytes. */
export interface SpilledText {
  readonly offset: number
  readonly length: number
}

/** File mode: readable and writable by the owner only. */
const OWNER_ONLY_MODE = 0o600

/**
 * Texts in a temporary file that lasts as long as the process. It is created on first use and unlinked at once where
 * the system allows that, so that a killed process leaves nothing behind.
 */
export class SpillFile {
  readonly #folder: string
  #handle: Promise<FileHandle> | undefined
  #path = ''
  #size = 0
  #isClosed = false

  /** @param folder an existing folder */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Writes texts one after another. Not to be called again before it resolves. */
  async write(texts: readonly string[]): Promise<SpilledText[]> {
    this.#handle ??= this.#open()
    const buffers = texts.map((text) => Buffer.from(text))
    const spilled = buffers.map(({ length }) => {
      const text = { offset: this.#size, length }
      this.#size += length
      return text
    })
    const from = this.#size - buffers.reduce((sum, { length }) => sum + length, 0)
    await (await this.#handle).writev(buffers, from)
    return spilled
  }

  /** @throws TrawlError `ENGINE_CLOSED` */
  async read({ offset, length }: SpilledText): Promise<string> {
    if (this.#isClosed || !this.#handle) {
      throw new TrawlError(
        'ENGINE_CLOSED',
        'the documents in the temporary file were deleted when the engine was closed',
      )
    }
    const { buffer } = await (await this.#handle).read(Buffer.alloc(length), 0, length, offset)
    return buffer.toString()
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
