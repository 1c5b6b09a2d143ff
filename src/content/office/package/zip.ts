import { inflateRawSync } from 'node:zlib'
import { brokenFile, oversizedFile, protectedFile } from '../refusals.js'

/** Limits of unpacking a file. */
export interface ZipLimits {
  /** Maximum number of directory entries. */
  readonly entries: number
  /** Maximum unpacked size of one entry, in bytes. */
  readonly entryBytes: number
  /** Maximum unpacked size of all read entries, in bytes; an entry that is read twice counts twice. */
  readonly totalBytes: number
  /** Maximum compression ratio of an entry. */
  readonly ratio: number
}

const MIB = 1024 * 1024

const LIMITS: ZipLimits = { entries: 20_000, entryBytes: 64 * MIB, totalBytes: 160 * MIB, ratio: 300 }

/** Unpacked size up to which any compression ratio is allowed, in bytes. */
const MAX_UNCHECKED_BYTES = 4 * MIB

interface Entry {
  readonly name: string
  readonly offset: number
  readonly packedBytes: number
  readonly method: number
  readonly isEncrypted: boolean
}

/** Entries of a zip archive. They are unpacked when they are read; nested archives are never opened. */
export interface Zip {
  /** Names as written, in the order of the directory. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** Size of all entries that were read. Bytes. */
  readonly unpackedBytes: number
  /**
   * Unpacks an entry; undefined for unknown names. Names are compared without regard to case.
   *
   * @throws TrawlError `SCRAPE_FILE_BROKEN`, `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_TOO_COMPLEX`
   */
  read(name: string): Uint8Array | undefined
}

/**
 * Opens a zip archive by its central directory. Sizes in the directory are not trusted: bytes are counted while they
 * are unpacked.
 *
 * @throws TrawlError `SCRAPE_FILE_BROKEN`, `SCRAPE_FILE_TOO_COMPLEX`
 * @see APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3 to 4.5
 */
export function openZip(body: Uint8Array, limits: ZipLimits = LIMITS): Zip {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const entries = readDirectory(bytes, limits.entries)
  const byName = new Map(entries.map((entry) => [normalise(entry.name), entry]))
  let left = limits.totalBytes
  return {
    names: entries.map(({ name }) => name),
    has: (name) => byName.has(normalise(name)),
    get unpackedBytes() {
      return limits.totalBytes - left
    },
    read(name) {
      const entry = byName.get(normalise(name))
      if (entry === undefined) return undefined
      const unpacked = unpack(bytes, entry, limits, left)
      left -= unpacked.length
      return unpacked
    },
  }
}

// macOS stores letters and their accents as two characters.
const normalise = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\/+/, '').normalize('NFC').toLowerCase()

const END_RECORD = 0x06054b50
const END_LOCATOR_64 = 0x07064b50
const END_RECORD_64 = 0x06064b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const IN_ZIP64 = 0xffffffff

function readDirectory(bytes: Buffer, most: number): Entry[] {
  const end = findEnd(bytes)
  let at = end.start
  const entries: Entry[] = []
  for (; at + 46 <= end.at && bytes.readUInt32LE(at) === DIRECTORY_ENTRY;) {
    if (entries.length === most) throw oversizedFile(`it holds more than ${most} entries`)
    const nameLength = bytes.readUInt16LE(at + 28)
    const extraLength = bytes.readUInt16LE(at + 30)
    const next = at + 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
    if (next > end.at) throw brokenFile('the directory of the zip is cut short')
    const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const sizes = readSizes(bytes, at, extra)
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      offset: end.base + sizes.offset,
      packedBytes: sizes.packedBytes,
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
    })
    at = next
  }
  if (entries.length === 0) throw brokenFile('the zip has no directory')
  return entries
}

/** Finds the central directory and the base of its offsets, as data may precede the archive. */
function findEnd(bytes: Buffer): { start: number; at: number; base: number } {
  const earliest = Math.max(0, bytes.length - 22 - 0xffff)
  for (let at = bytes.length - 22; at >= earliest; at -= 1) {
    if (bytes.readUInt32LE(at) !== END_RECORD) continue
    const size = bytes.readUInt32LE(at + 12)
    const start = bytes.readUInt32LE(at + 16)
    if (start === IN_ZIP64 || size === IN_ZIP64) return findEnd64(bytes, at)
    const base = at - size - start
    if (base >= 0) return { start: at - size, at, base }
  }
  if (isProtectedContainer(bytes)) throw protectedFile('it needs a password')
  throw brokenFile('the zip is cut short, its directory is missing')
}

const CONTAINER = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

/** Tests if the bytes are an OLE container, in which office programs store files with a password. */
export function isProtectedContainer(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return bytes.subarray(0, CONTAINER.length).equals(CONTAINER) && bytes.includes(ENCRYPTED)
}

function findEnd64(bytes: Buffer, end: number): { start: number; at: number; base: number } {
  const locator = end - 20
  const record =
    locator >= 0 && bytes.readUInt32LE(locator) === END_LOCATOR_64 ? readLong(bytes, locator + 8) : Number.NaN
  if (!(record + 56 <= end) || bytes.readUInt32LE(record) !== END_RECORD_64)
    throw brokenFile('the directory of the zip is missing')
  return { start: Math.min(readLong(bytes, record + 48), end), at: end, base: 0 }
}

/** Reads an integer of eight bytes; its precision beyond the size of a file does not matter. */
const readLong = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

function readSizes(bytes: Buffer, at: number, extra: Buffer): { packedBytes: number; offset: number } {
  let packedBytes = bytes.readUInt32LE(at + 20)
  let offset = bytes.readUInt32LE(at + 42)
  for (let place = 0; place + 4 <= extra.length;) {
    const length = extra.readUInt16LE(place + 2)
    if (extra.readUInt16LE(place) === 1) {
      let value = place + 4 + (bytes.readUInt32LE(at + 24) === IN_ZIP64 ? 8 : 0)
      const take = (): number => {
        if (value + 8 > extra.length) throw brokenFile('the directory of the zip is damaged')
        value += 8
        return readLong(extra, value - 8)
      }
      if (packedBytes === IN_ZIP64) packedBytes = take()
      if (offset === IN_ZIP64) offset = take()
      break
    }
    place += 4 + length
  }
  return { packedBytes, offset }
}

function unpack(bytes: Buffer, entry: Entry, limits: ZipLimits, left: number): Uint8Array {
  const { name, offset, packedBytes, method } = entry
  if (entry.isEncrypted) throw protectedFile(`\`${name}\` is encrypted`)
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_ENTRY)
    throw brokenFile(`\`${name}\` is not where the directory of the zip says`)
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (start + packedBytes > bytes.length) throw brokenFile(`\`${name}\` is cut short`)
  const packed = bytes.subarray(start, start + packedBytes)
  const most = Math.min(limits.entryBytes, left, Math.max(MAX_UNCHECKED_BYTES, packedBytes * limits.ratio))
  const tooLarge = (): Error => oversizedFile(`\`${name}\` unpacks to more than ${most} bytes`)
  if (method === 0) {
    if (packed.length > most) throw tooLarge()
    return packed
  }
  if (method !== 8) throw brokenFile(`\`${name}\` is packed by method ${method}, which office programs do not use`)
  if (most < 1) throw tooLarge()
  try {
    return inflateRawSync(packed, { maxOutputLength: most, chunkSize: 65_536 })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw brokenFile(`\`${name}\` is damaged`, error)
  }
}
