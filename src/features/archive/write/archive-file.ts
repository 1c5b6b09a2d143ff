import { type FileHandle, open, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { gzip, gzipSync } from 'node:zlib'
import { stateOfOpen } from '../../../base/folder/open-file.js'
import { replaceFile } from '../../../base/folder/replace-file.js'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { fileInput } from '../read/archive-input.js'
import { splitLines } from '../read/lines.js'
import { indexPath, scanIndex } from '../read/read-index.js'
import { formatLine, type CaptureLine, parseLine } from '../read/cdxj.js'
import type { MadeRecord } from './make-records.js'
import { sortLines } from './sort-lines.js'

/** Level of compression: level 6 takes twice the time for 4 % fewer bytes of pages of documentation. */
const LEVEL = 3

/** Size up to which a record is compressed in this thread, such as a request: to wake another one takes longer. Bytes. */
const SMALL_BYTES = 4 * 1024

async function compress(bytes: Buffer): Promise<Buffer> {
  if (bytes.length <= SMALL_BYTES) return gzipSync(bytes, { level: LEVEL })
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: LEVEL }, (error, packed) => (error ? reject(error) : resolve(packed)))
  })
}

/**
 * A file of records that is written at its end, and its index. Records are written whole or not at all: what a dead process left of one is cut
 * off when the file is opened again, and what the index lacks is added to it.
 */
export class ArchiveFile {
  readonly path: string
  readonly #records: FileHandle
  readonly #index: FileHandle
  readonly #isGzip: boolean
  #bytes: number
  #isShared = false

  /** Use `open`. @internal */
  constructor(path: string, files: { records: FileHandle; index: FileHandle; bytes: number }) {
    this.path = path
    this.#records = files.records
    this.#index = files.index
    this.#bytes = files.bytes
    this.#isGzip = /\.gz$/i.test(path)
  }

  /**
   * Opens a file, and mends what a dead process left.
   *
   * @param isNew throws for one that exists
   * @param add is given the lines of its index, one after the other
   * @throws errors of the file system
   */
  static async open(
    path: string,
    { isNew = false, add }: { readonly isNew?: boolean; readonly add?: (line: CaptureLine) => void } = {},
  ): Promise<ArchiveFile> {
    await makeFolder(dirname(path))
    // Of two processes that make a file, one has it.
    if (isNew) await (await open(path, 'ax')).close()
    const { bytes, isMended } = await mend(path, add)
    const records = await open(path, 'a')
    const index = await open(indexPath(path), 'a')
    const file = new ArchiveFile(path, { records, index, bytes })
    // The line ends of the last record may be missing; further ones are skipped.
    if (isMended && bytes > 0 && !file.#isGzip) await file.append([{ bytes: Buffer.from('\r\n\r\n') }])
    return file
  }

  /** Size of the file. Bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Writes records at the end, and then their lines of the index.
   *
   * @returns false if another process writes the file as well: then the records may be in it without a line, and are to be written elsewhere
   * @throws errors of the file system
   */
  async append(made: readonly MadeRecord[]): Promise<boolean> {
    if (!this.#isAlone()) return false
    const packed = this.#isGzip
      ? await Promise.all(made.map(({ bytes }) => compress(bytes)))
      : made.map(({ bytes }) => bytes)
    let offset = this.#bytes
    const lines: string[] = []
    for (const [at, { index }] of made.entries()) {
      const length = packed[at]?.length ?? 0
      if (index) lines.push(formatLine({ ...index, filename: basename(this.path), offset, length }))
      offset += length
    }
    const whole = Buffer.concat(packed)
    try {
      await writeAll(this.#records, whole)
    } catch (error) {
      // What was written of them would be in the way of the next ones.
      await this.#records.truncate(this.#bytes).catch(() => undefined)
      throw error
    }
    this.#bytes = offset
    if (!this.#isAlone()) return false
    if (lines.length > 0) await writeAll(this.#index, Buffer.from(lines.join('')))
    return true
  }

  /** Tests whether the file, and its index, are as this process has left them: of open files, the system knows it without the disk. */
  #isAlone(): boolean {
    const { size } = stateOfOpen(this.#records)
    const { nlink } = stateOfOpen(this.#index)
    if (size !== this.#bytes || nlink === 0) this.#isShared = true
    return !this.#isShared
  }

  /**
   * Closes the file, and sorts its index, as readers of indexes expect it.
   *
   * @returns false if another process writes the file as well, and it was left as it is
   */
  async close(): Promise<boolean> {
    const isAlone = this.#isAlone()
    await this.#records.close()
    await this.#index.close()
    if (!isAlone) return false
    const path = indexPath(this.path)
    if (!(await isSorted(path))) await replaceFile(path, sortLines(linesOf(path), path))
    return true
  }
}

/** Writes bytes at the end of a file; a file system may take a part of them. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

/** Reads the lines of an index, and returns what is behind the last one. */
const linesOf = (path: string): AsyncGenerator<string, string, undefined> => splitLines(fileInput(path).bytes())

async function isSorted(path: string): Promise<boolean> {
  let last = ''
  for await (const line of linesOf(path)) {
    if (line < last) return false
    last = line
  }
  return true
}

/** Content of a file, after its end was cut off where it is torn. */
interface MendedFile {
  readonly bytes: number
  /** True if the index is not what it should be. */
  readonly isMended: boolean
}

/** Cuts off the torn end of a file, and reads its index, or makes it from the records. */
async function mend(path: string, add: (line: CaptureLine) => void = () => undefined): Promise<MendedFile> {
  const size = await sizeOf(path)
  const index = indexPath(path)
  if (size === 0) {
    const isMended = (await sizeOf(index)) > 0
    if (isMended) await truncate(index)
    return { bytes: 0, isMended }
  }
  // Of an index that is not whole, it is not known which lines are missing: it is made again.
  const known = await findEnd(path, size).catch(() => undefined)
  if (known !== undefined && known > 0) for await (const line of linesOf(index)) add(parseOwn(line))
  const { end, found } = await scanIndex(fileInput(path), known ?? 0, size)
  if (end < size) await truncate(path, end)
  const isMended = known === undefined || found.length > 0
  for (const line of found) add(line)
  const filename = basename(path)
  const lines = found.map((line) => ({ ...line, filename }))
  if (known === undefined) await replaceFile(index, toTexts(lines))
  else if (isMended) await writeFile(index, toTexts(lines), { flag: 'a' })
  return { bytes: end, isMended }
}

/** Writes lines, some together. */
async function* toTexts(lines: readonly CaptureLine[]): AsyncGenerator<string, void, undefined> {
  for (let at = 0; at < lines.length; at += 1000)
    yield lines
      .slice(at, at + 1000)
      .map(formatLine)
      .join('')
}

/** Finds the end of the last record that an index has a line of. @throws Error for an index that is not whole, or that of another file */
async function findEnd(path: string, size: number): Promise<number> {
  let end = 0
  for await (const text of wholeLines(indexPath(path))) {
    const { filename, offset, length } = parseOwn(text)
    if (filename !== basename(path) || offset + length > size) throw new Error('The index is that of another file')
    end = Math.max(end, offset + length)
  }
  return end
}

/** Reads the lines of an index. @throws Error for a last one that is torn */
async function* wholeLines(path: string): AsyncGenerator<string, void, undefined> {
  const rest = yield* linesOf(path)
  if (rest !== '') throw new Error('The last line is torn')
}

function parseOwn(text: string): CaptureLine {
  const line = parseLine(text)
  if (!line) throw new Error('A line is none of an index')
  return line
}

const sizeOf = async (path: string): Promise<number> => {
  const file = await open(path).catch(() => undefined)
  if (!file) return 0
  try {
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}
