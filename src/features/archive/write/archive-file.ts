import { type FileHandle, open, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { gzip } from 'node:zlib'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { fileInput } from '../read/archive-input.js'
import { indexPath, scanIndex } from '../read/read-index.js'
import { formatLine, type CaptureLine, parseLine } from '../read/cdxj.js'
import type { MadeRecord } from './make-records.js'

/** Level of compression: level 6 takes twice the time for 4 % fewer bytes of pages of documentation. */
const LEVEL = 3

const compress = (bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    gzip(bytes, { level: LEVEL }, (error, packed) => (error ? reject(error) : resolve(packed)))
  })

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
   * @returns also the lines of its index
   * @throws errors of the file system
   */
  static async open(
    path: string,
    { isNew = false }: { readonly isNew?: boolean } = {},
  ): Promise<{ readonly file: ArchiveFile; readonly lines: readonly CaptureLine[] }> {
    await makeFolder(dirname(path))
    // Of two processes that make a file, one has it.
    if (isNew) await (await open(path, 'ax')).close()
    const { bytes, lines, isMended } = await mend(path)
    if (isMended) await replaceFile(indexPath(path), lines.map(formatLine).join(''))
    const records = await open(path, 'a')
    const index = await open(indexPath(path), 'a')
    const file = new ArchiveFile(path, { records, index, bytes })
    // The line ends of the last record may be missing; further ones are skipped.
    if (isMended && bytes > 0 && !file.#isGzip) await file.append([{ bytes: Buffer.from('\r\n\r\n') }])
    return { file, lines }
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
    if (!(await this.#isAlone())) return false
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
    if (!(await this.#isAlone())) return false
    if (lines.length > 0) await writeAll(this.#index, Buffer.from(lines.join('')))
    return true
  }

  /** Tests whether the file, and its index, are as this process has left them. */
  async #isAlone(): Promise<boolean> {
    const { size } = await this.#records.stat()
    const { nlink } = await this.#index.stat()
    if (size !== this.#bytes || nlink === 0) this.#isShared = true
    return !this.#isShared
  }

  /**
   * Closes the file, and sorts its index, as readers of indexes expect it.
   *
   * @returns false if another process writes the file as well, and it was left as it is
   */
  async close(): Promise<boolean> {
    const isAlone = await this.#isAlone()
    await this.#records.close()
    await this.#index.close()
    if (!isAlone) return false
    const path = indexPath(this.path)
    const text = await readFile(path, 'utf8')
    const lines = text.split('\n').filter((line) => line !== '')
    const sorted = lines.toSorted()
    if (sorted.some((line, at) => line !== lines[at]))
      await replaceFile(path, sorted.map((line) => `${line}\n`).join(''))
    return true
  }
}

/** Writes bytes at the end of a file; a file system may take a part of them. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
}

/** Replaces a file at once: a process that dies leaves the old one, or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}

/** Content of a file, after its end was cut off where it is torn. */
interface MendedFile {
  readonly bytes: number
  readonly lines: readonly CaptureLine[]
  /** True if the index is not what it should be. */
  readonly isMended: boolean
}

/** Cuts off the torn end of a file, and reads its index, or makes it from the records. */
async function mend(path: string): Promise<MendedFile> {
  const size = await sizeOf(path)
  if (size === 0) return { bytes: 0, lines: [], isMended: (await sizeOf(indexPath(path))) > 0 }
  const text = await readFile(indexPath(path), 'utf8').catch(() => '')
  const given = text.split('\n').filter((line) => line !== '')
  const parsed = given.flatMap((line) => parseLine(line) ?? []).filter(({ offset, length }) => offset + length <= size)
  // Of an index that is not whole, it is not known which lines are missing: it is made again.
  const isOwn = parsed.every(({ filename }) => filename === basename(path))
  const isWhole = isOwn && parsed.length === given.length && (text === '' || text.endsWith('\n'))
  const lines = isWhole ? parsed : []
  const from = lines.reduce((end, { offset, length }) => Math.max(end, offset + length), 0)
  const { end, found } = await scanIndex(fileInput(path), from, size)
  if (end < size) await truncate(path, end)
  return { bytes: end, lines: [...lines, ...found], isMended: !isWhole || found.length > 0 }
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
