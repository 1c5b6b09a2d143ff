import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { TrawlError } from '../../errors.js'
import { makeUuid } from '../../uuid.js'

/** Where a text stands in a spill file. Bytes. */
export interface Spot {
  readonly at: number
  readonly length: number
}

/** Only the user that runs the process may read what it keeps. */
const PRIVATE = 0o600

/**
 * Texts in a temporary file, for as long as the process lives. Made on first use; where the system lets it, it has no name
 * from then on, so that a process that is killed leaves nothing behind.
 */
export class SpillFile {
  readonly #folder: string
  #handle: Promise<FileHandle> | undefined
  #path = ''
  #size = 0
  #isClosed = false

  /** @param folder in which the file is made; it must be there */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Writes texts one after another. Not to be called again before it is done. */
  async write(texts: readonly string[]): Promise<Spot[]> {
    this.#handle ??= this.#open()
    const buffers = texts.map((text) => Buffer.from(text))
    const spots = buffers.map(({ length }) => {
      const spot = { at: this.#size, length }
      this.#size += length
      return spot
    })
    const from = this.#size - buffers.reduce((sum, { length }) => sum + length, 0)
    await (await this.#handle).writev(buffers, from)
    return spots
  }

  /** @throws TrawlError `ENGINE_CLOSED` */
  async read({ at, length }: Spot): Promise<string> {
    if (this.#isClosed || !this.#handle) {
      throw new TrawlError('ENGINE_CLOSED', 'documents that stood in the temporary file went with the engine')
    }
    const { buffer } = await (await this.#handle).read(Buffer.alloc(length), 0, length, at)
    return buffer.toString()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    // One that could not be opened has told so where it was written to.
    const handle = await this.#handle?.catch(() => undefined)
    await handle?.close()
    if (handle) await rm(this.#path, { force: true })
  }

  async #open(): Promise<FileHandle> {
    this.#path = join(this.#folder, `trawl-${makeUuid(Date.now())}.spill`)
    const handle = await open(this.#path, 'wx+', PRIVATE)
    // Windows keeps the name of a file that is open: there it goes when it is closed.
    await rm(this.#path, { force: true }).catch(() => undefined)
    return handle
  }
}
