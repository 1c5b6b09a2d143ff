import type { FileHandle } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { TrawlError } from '../../../base/errors.js'
import { type ArchiveInput, type ByteStream, openFile, partInput } from './archive-input.js'

/** An entry of a zip that is too large for memory. */
interface ZipEntry {
  readonly name: string
  /** Place of its local head. */
  readonly at: number
  readonly packedBytes: number
  readonly bytes: number
  readonly method: number
}

const END_RECORD = 0x06054b50
const END_LOCATOR_64 = 0x07064b50
const END_RECORD_64 = 0x06064b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const IN_ZIP64 = 0xffffffff
const STORED = 0
const DEFLATED = 8
/** Maximum size of a directory. Bytes. */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024

const broken = (path: string, what: string): TrawlError =>
  new TrawlError('BAD_REQUEST', `The archive \`${path}\` is no zip that can be read: ${what}`)

/** Receives what cannot be read of a zip, by its path. */
type LeaveEntry = (path: string, why: TrawlError) => void

const refuse: LeaveEntry = (_path, why) => {
  throw why
}

/**
 * Opens the entries of a zip as inputs, in the order of its directory. Entries are read from the file as they are asked for: the reader
 * of office files has the whole file in memory, and an archive may be larger than that.
 *
 * @param leave called for an entry that cannot be read, or a zip without a directory. @default throws
 * @throws TrawlError `BAD_REQUEST`
 * @see APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3 to 4.5
 */
export async function openZipEntries(path: string, leave = refuse): Promise<readonly ArchiveInput[]> {
  const file = await openFile(path)
  try {
    const entries = await readDirectory(file, path, leave)
    const inputs: ArchiveInput[] = []
    for (const { name, at, packedBytes, bytes, method } of entries) {
      const label = `${path}/${name}`
      const local = await readAt(file, at, 30)
      if (local.length < 30 || !(await isEntry(file, local, at, name))) {
        leave(label, broken(path, `\`${name}\` is not where it should be`))
        continue
      }
      const start = at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
      const packed = partInput(label, path, start, packedBytes)
      if (method === STORED) inputs.push(packed)
      else if (method === DEFLATED)
        inputs.push({ name: label, size: bytes, bytes: (from = 0) => skip(inflate(packed), from) })
      else leave(label, broken(path, `\`${name}\` is compressed by method ${method}`))
    }
    return inputs
  } finally {
    await file.close()
  }
}

/** Tests for the local head of an entry: its signature, or its name where the signature is damaged. */
async function isEntry(file: FileHandle, local: Buffer, at: number, name: string): Promise<boolean> {
  if (local.readUInt32LE(0) === LOCAL_ENTRY) return true
  return (await readAt(file, at + 30, local.readUInt16LE(26))).toString() === name
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

async function readDirectory(file: FileHandle, path: string, leave: LeaveEntry): Promise<readonly ZipEntry[]> {
  const none = (what: string): readonly ZipEntry[] => {
    leave(path, broken(path, what))
    return []
  }
  const { size } = await file.stat()
  const tailBytes = Math.min(size, 22 + 0xffff)
  const tail = await readAt(file, size - tailBytes, tailBytes)
  let end = tail.length - 22
  while (end >= 0 && tail.readUInt32LE(end) !== END_RECORD) end--
  if (end < 0) return none('it has no directory')
  let length = tail.readUInt32LE(end + 12)
  let start = tail.readUInt32LE(end + 16)
  if (end >= 20 && tail.readUInt32LE(end - 20) === END_LOCATOR_64) {
    const record = await readAt(file, Number(tail.readBigUInt64LE(end - 12)), 56)
    if (record.length < 56 || record.readUInt32LE(0) !== END_RECORD_64) return none('its directory is broken')
    length = Number(record.readBigUInt64LE(40))
    start = Number(record.readBigUInt64LE(48))
  }
  if (length > MAX_DIRECTORY_BYTES || start + length > size) return none('its directory is broken')
  return parseDirectory(await readAt(file, start, length))
}

function parseDirectory(bytes: Buffer): readonly ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === DIRECTORY_ENTRY;) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const name = bytes.toString('utf8', at + 46, nameEnd)
    entries.push({
      name,
      method: bytes.readUInt16LE(at + 10),
      ...readSizes(bytes, at, bytes.subarray(nameEnd, extraEnd)),
    })
    at = extraEnd + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Reads the packed size and the place of an entry, which are in a field of their own where they do not fit. */
function readSizes(bytes: Buffer, at: number, extra: Buffer): Pick<ZipEntry, 'packedBytes' | 'bytes' | 'at'> {
  let size = bytes.readUInt32LE(at + 24)
  let packedBytes = bytes.readUInt32LE(at + 20)
  let place = bytes.readUInt32LE(at + 42)
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) !== 1) continue
    const values = extra.subarray(field + 4, field + 4 + extra.readUInt16LE(field + 2))
    let next = 0
    const take = (): number => (next + 8 <= values.length ? Number(values.readBigUInt64LE((next += 8) - 8)) : 0)
    if (size === IN_ZIP64) size = take()
    if (packedBytes === IN_ZIP64) packedBytes = take()
    if (place === IN_ZIP64) place = take()
  }
  return { packedBytes, bytes: size, at: place }
}

async function* inflate({ name, bytes }: ArchiveInput): AsyncGenerator<Uint8Array, void, undefined> {
  const inflater = createInflateRaw()
  const feed = async (): Promise<void> => {
    for await (const chunk of bytes()) {
      // What zlib fails at is never called back for.
      await new Promise<void>((resolve) => {
        inflater.once('close', resolve)
        inflater.write(chunk, () => resolve(void inflater.off('close', resolve)))
      })
      if (inflater.destroyed) return
    }
    inflater.end()
  }
  feed().catch((error: unknown) => inflater.destroy(error instanceof Error ? error : new Error(String(error))))
  try {
    yield* inflater as AsyncIterable<Buffer>
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('Z_')) throw error
    throw new TrawlError('SCRAPE_FILE_BROKEN', `The compressed data of \`${name}\` is broken: ${error.message}`, {
      cause: error,
    })
  } finally {
    inflater.destroy()
  }
}

async function* skip(bytes: ByteStream, from: number): AsyncGenerator<Uint8Array, void, undefined> {
  let left = from
  for await (const chunk of bytes) {
    if (left < chunk.length) yield left > 0 ? chunk.subarray(left) : chunk
    left = Math.max(0, left - chunk.length)
  }
}
