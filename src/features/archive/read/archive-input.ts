import { constants, type FileHandle, open, stat } from 'node:fs/promises'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { messageOf, TrawlError } from '../../../base/errors.js'

/** Bytes read of a file at once. */
const READ_BYTES = 256 * 1024
/** Bytes of a stream up to which its chunks are joined. */
const MIN_BYTES = 4 * 1024

/** Bytes of an archive, in order. */
export type ByteStream = AsyncIterable<Uint8Array>

/** A file, or a stream, that an archive is read from. */
export interface ArchiveInput {
  /** Name in reports: the path of a file, or `stream`. */
  readonly name: string
  /** Path of a file; absent for a stream, which can be read once. */
  readonly path?: string
  /** Size, where it is known without reading. Bytes. */
  readonly size?: number
  /** Reads the bytes from a place on. @throws TrawlError `BAD_REQUEST` for a file that cannot be read */
  bytes(from?: number): ByteStream
}

/** Creates the error of a file that cannot be used. */
export const fileFailure = (path: string, error: unknown): TrawlError =>
  new TrawlError('BAD_REQUEST', `The archive \`${path}\` cannot be read: ${messageOf(error)}`, { cause: error })

/** Opens a file as an input. */
export const fileInput = (path: string): ArchiveInput => ({ name: path, path, bytes: (from) => readFile(path, from) })

/** Opens a stream as an input. */
export const streamInput = (stream: ByteStream): ArchiveInput => ({ name: 'stream', bytes: () => toEvenPieces(stream) })

/** Joins small chunks, and splits large ones: readers join what is left of one to the next, and look at each without a pause. */
async function* toEvenPieces(stream: ByteStream): AsyncGenerator<Uint8Array, void, undefined> {
  let parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; at += READ_BYTES) {
      const part = chunk.subarray(at, at + READ_BYTES)
      parts.push(part)
      bytes += part.length
      if (bytes < MIN_BYTES) continue
      yield parts.length === 1 ? part : Buffer.concat(parts)
      parts = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(parts)
}

/** Returns an input whose reading ends when a signal aborts, also while a stream gives nothing. */
export const endedBy = (input: ArchiveInput, signal: AbortSignal): ArchiveInput => ({
  ...input,
  bytes: (from) => readUntil(input.bytes(from), signal),
})

async function* readUntil(bytes: ByteStream, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await untilAborted(chunks.next(), signal)
      if (done) return
      yield value
    }
  } finally {
    const ended = chunks.return?.()
    // A stream that gives nothing does not end either, and what it throws concerns nobody any more.
    if (signal.aborted) ended?.catch(() => undefined)
    else await ended
  }
}

/** Opens a part of a file as an input, such as an entry of a zip. */
export const partInput = (name: string, path: string, start: number, length: number): ArchiveInput => ({
  name,
  size: length,
  bytes: (from = 0) => readFile(path, start + from, length - from),
})

/**
 * Opens a file for reading. A pipe or a device is none: to open the one may take for ever, the other has no end, and an archive is read twice.
 *
 * @throws TrawlError `BAD_REQUEST` for what is none
 */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw fileFailure(path, error)
  })
  const found = await file.stat()
  if (found.isFile()) return file
  await file.close()
  throw fileFailure(path, found.isDirectory() ? 'it is a folder' : NO_FILE)
}

async function* readFile(path: string, from = 0, maxBytes = Infinity): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await openFile(path)
  try {
    let left = maxBytes
    for (let at = from; left > 0;) {
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, left))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at).catch((error: unknown) => {
        throw fileFailure(path, error)
      })
      if (bytesRead === 0) return
      at += bytesRead
      left -= bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Tells what a path is. @throws TrawlError `BAD_REQUEST` for none, and for what is neither a file nor a folder */
export async function describePath(path: string): Promise<{ readonly isFolder: boolean; readonly bytes: number }> {
  const found = await stat(path).catch((error: unknown) => {
    throw fileFailure(path, error)
  })
  if (!found.isFile() && !found.isDirectory()) throw fileFailure(path, NO_FILE)
  return { isFolder: found.isDirectory(), bytes: found.size }
}

const NO_FILE = 'it is no file, but a pipe or a device: give its stream'
