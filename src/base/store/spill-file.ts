import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { TrawlError } from '../errors.js'
import { makeUuid } from '../uuid.js'
import type { ByteStorage, StoredBytes } from './byte-storage.js'

/** File mode: readable and writable by the owner only. */
const OWNER_ONLY_MODE = 0o600
/** Size from which on a file takes no more, so that the disk is freed while later jobs keep their documents. Bytes. */
const FILE_BYTES = 64 * 1024 * 1024

/** A temporary file. */
interface OpenFile {
  readonly path: string
  readonly handle: Promise<FileHandle>
  size: number
  /** Number of parts that are still needed. */
  parts: number
}

/** Closes the files of a ledger that nobody has closed: Node complains of a file that it has to close itself. */
const unclosed = new FinalizationRegistry<ReadonlySet<OpenFile>>((files) => {
  for (const file of files) void closeFile(file).catch(() => undefined)
})

/**
 * Bytes in temporary files that last as long as the process, and are shared by all jobs: a file of its own for each would use up the
 * files that a process may have open. A file is created on first use and unlinked at once where the system allows that, so that a
 * killed process leaves nothing behind. It is closed when nothing in it is needed.
 */
export class SpillFile implements ByteStorage {
  readonly heldBytes = 0
  readonly #folder: string
  readonly #files = new Set<OpenFile>()
  /** The file that is written to. */
  #last: OpenFile | undefined
  #isClosed = false

  /** @param folder an existing folder */
  constructor(folder: string) {
    this.#folder = folder
    unclosed.register(this, this.#files)
  }

  /** @throws TrawlError `ENGINE_CLOSED`; the error of the system */
  async write(parts: readonly Uint8Array[]): Promise<readonly StoredBytes[]> {
    if (this.#isClosed) throw closed()
    const file = this.#fileToWrite()
    const from = file.size
    const stored = parts.map(({ length }) => {
      const offset = file.size
      file.size += length
      file.parts += 1
      return { read: () => this.#read(file, offset, length), drop: () => this.#release(file, 1) }
    })
    try {
      await (await file.handle).writev(parts, from)
    } catch (error) {
      // The next write tries another file.
      if (this.#last === file) this.#last = undefined
      this.#release(file, parts.length)
      throw error
    }
    return stored
  }

  /** @throws TrawlError `ENGINE_CLOSED` */
  async #read({ handle }: OpenFile, offset: number, length: number): Promise<Uint8Array> {
    if (this.#isClosed) throw closed()
    const { buffer } = await (await handle).read(Buffer.alloc(length), 0, length, offset)
    return buffer
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(Array.from(this.#files, (file) => this.#end(file)))
  }

  #fileToWrite(): OpenFile {
    const last = this.#last
    if (last && last.size < FILE_BYTES) return last
    const path = join(this.#folder, `trawl-${makeUuid(Date.now())}.spill`)
    const file: OpenFile = { path, handle: createFile(path), size: 0, parts: 0 }
    this.#files.add(file)
    this.#last = file
    return file
  }

  #release(file: OpenFile, parts: number): void {
    file.parts -= parts
    if (file.parts > 0) return
    if (this.#last === file) this.#last = undefined
    // A file that fails to close is closed with the process.
    void this.#end(file).catch(() => undefined)
  }

  async #end(file: OpenFile): Promise<void> {
    if (this.#files.delete(file)) await closeFile(file)
  }
}

async function closeFile({ handle, path }: OpenFile): Promise<void> {
  // A failure to open was reported by `write`.
  const opened = await handle.catch(() => undefined)
  await opened?.close()
  if (opened) await rm(path, { force: true })
}

async function createFile(path: string): Promise<FileHandle> {
  const handle = await open(path, 'wx+', OWNER_ONLY_MODE)
  // Windows cannot unlink an open file: there it is deleted on close.
  await rm(path, { force: true }).catch(() => undefined)
  return handle
}

const closed = (): TrawlError =>
  new TrawlError('ENGINE_CLOSED', 'the documents in the temporary file were deleted when the engine was closed')
