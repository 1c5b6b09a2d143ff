import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** An entry that was written. */
interface WrittenEntry {
  readonly name: Buffer
  readonly at: number
  readonly bytes: number
  readonly checksum: number
}

const MAX_32 = 0xffffffff
const VERSION_64 = 45
/** Bit 3: size and checksum stand behind the data. Bit 11: names are UTF-8. */
const FLAGS = 0x0808

/**
 * Writes a zip whose entries are stored as they are: archives are compressed, and are read from their place in the file. Sizes are
 * written in the form of ZIP64.
 *
 * @see APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3 to 4.5
 */
export class ZipWriter {
  readonly #file: FileHandle
  readonly #time: number
  readonly #date: number
  readonly #entries: WrittenEntry[] = []
  #at = 0

  constructor(file: FileHandle, time: Date) {
    this.#file = file
    this.#time = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
    this.#date =
      ((Math.max(1980, time.getUTCFullYear()) - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  }

  /** Adds an entry. */
  async add(
    name: string,
    content: AsyncIterable<Uint8Array> | Uint8Array,
  ): Promise<{ readonly hash: string; readonly bytes: number }> {
    const entry = Buffer.from(name)
    const at = this.#at
    // Sizes of the data are not known yet: the extra field says that those behind it have 8 bytes.
    await this.#write(this.#localHead(entry))
    const hash = createHash('sha256')
    let checksum = 0
    let bytes = 0
    const chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = content instanceof Uint8Array ? [content] : content
    for await (const chunk of chunks) {
      hash.update(chunk)
      checksum = crc32(chunk, checksum)
      bytes += chunk.length
      await this.#write(chunk)
    }
    const behind = Buffer.alloc(24)
    behind.writeUInt32LE(0x08074b50, 0)
    behind.writeUInt32LE(checksum, 4)
    behind.writeBigUInt64LE(BigInt(bytes), 8)
    behind.writeBigUInt64LE(BigInt(bytes), 16)
    await this.#write(behind)
    this.#entries.push({ name: entry, at, bytes, checksum })
    return { hash: hash.digest('hex'), bytes }
  }

  /** Writes the directory, and closes the file. */
  async end(): Promise<void> {
    const start = this.#at
    for (const entry of this.#entries) await this.#write(this.#directoryEntry(entry))
    const length = this.#at - start
    const count = BigInt(this.#entries.length)
    const end64 = Buffer.alloc(56 + 20 + 22)
    end64.writeUInt32LE(0x06064b50, 0)
    end64.writeBigUInt64LE(44n, 4)
    end64.writeUInt16LE(VERSION_64, 12)
    end64.writeUInt16LE(VERSION_64, 14)
    end64.writeBigUInt64LE(count, 24)
    end64.writeBigUInt64LE(count, 32)
    end64.writeBigUInt64LE(BigInt(length), 40)
    end64.writeBigUInt64LE(BigInt(start), 48)
    end64.writeUInt32LE(0x07064b50, 56)
    end64.writeBigUInt64LE(BigInt(start + length), 64)
    end64.writeUInt32LE(1, 72)
    end64.writeUInt32LE(0x06054b50, 76)
    end64.writeUInt16LE(Math.min(0xffff, this.#entries.length), 84)
    end64.writeUInt16LE(Math.min(0xffff, this.#entries.length), 86)
    end64.writeUInt32LE(Math.min(MAX_32, length), 88)
    end64.writeUInt32LE(Math.min(MAX_32, start), 92)
    await this.#write(end64)
    await this.#file.close()
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await this.#file.write(bytes, at)).bytesWritten
    this.#at += bytes.length
  }

  #localHead(name: Buffer): Buffer {
    const head = Buffer.alloc(30 + 20)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(VERSION_64, 4)
    head.writeUInt16LE(FLAGS, 6)
    head.writeUInt16LE(this.#time, 10)
    head.writeUInt16LE(this.#date, 12)
    head.writeUInt32LE(MAX_32, 18)
    head.writeUInt32LE(MAX_32, 22)
    head.writeUInt16LE(name.length, 26)
    head.writeUInt16LE(20, 28)
    head.writeUInt16LE(1, 30)
    head.writeUInt16LE(16, 32)
    return Buffer.concat([head.subarray(0, 30), name, head.subarray(30)])
  }

  #directoryEntry({ name, at, bytes, checksum }: WrittenEntry): Buffer {
    const head = Buffer.alloc(46 + 28)
    head.writeUInt32LE(0x02014b50, 0)
    head.writeUInt16LE(VERSION_64, 4)
    head.writeUInt16LE(VERSION_64, 6)
    head.writeUInt16LE(FLAGS, 8)
    head.writeUInt16LE(this.#time, 12)
    head.writeUInt16LE(this.#date, 14)
    head.writeUInt32LE(checksum, 16)
    head.writeUInt32LE(MAX_32, 20)
    head.writeUInt32LE(MAX_32, 24)
    head.writeUInt16LE(name.length, 28)
    head.writeUInt16LE(28, 30)
    head.writeUInt32LE(MAX_32, 42)
    head.writeUInt16LE(1, 46)
    head.writeUInt16LE(24, 48)
    head.writeBigUInt64LE(BigInt(bytes), 50)
    head.writeBigUInt64LE(BigInt(bytes), 58)
    head.writeBigUInt64LE(BigInt(at), 66)
    return Buffer.concat([head.subarray(0, 46), name, head.subarray(46)])
  }
}
